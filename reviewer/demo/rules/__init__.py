"""What the simulated model makes of the text it was given: each rule it can follow, recognised in many wordings.

There is no magic sentence. A recogniser reads the text sentence by sentence, needs the ideas of its rule in one
sentence, and lets a negation, a condition or a contrary sentence undo it. `tests/demo/edits.py` lists edits that must
work and near misses that must not.
"""

from reviewer.demo.rules.answering import answers_directly, languages_served, word_limit
from reviewer.demo.rules.doing import broadens_search, hands_over, refund_window, stops_repeating
from reviewer.demo.rules.saying import cites_only_found, keeps_private, lost_reading, only_json
from reviewer.demo.rules.tools import falls_back, names_the_order

__all__ = [
    "answers_directly",
    "broadens_search",
    "cites_only_found",
    "falls_back",
    "hands_over",
    "keeps_private",
    "languages_served",
    "lost_reading",
    "names_the_order",
    "only_json",
    "refund_window",
    "stops_repeating",
    "word_limit",
]
