"""Rules about the form of an answer: its language, its length, how directly it comes."""

from functools import lru_cache

from reviewer.demo.rules.reading import IDLE, NOT, NUMBER, any_of, found, has, number, said, sentences

_NAMES = {"en": "english", "de": "german", "es": "spanish"}
_REPLY = (
    r"\b(?:answers?|reply|replies|respond|responses?|write|speak|use"
    r"|stay|match|mirror|keep|follow|continue|talk|switch|stick|communicate"
    r"|converse|come back)\b"
)
_THEIR_LANGUAGE = (
    r"\bsame language\b|\blanguage (?:of|in) (?:the|their|his|her|that) (?:customer"
    r"|question|message|user|person|request|latest message|last message)"
    r"|\bcustomer'?s(?: own)? language\b|\b(?:their|user'?s|person'?s"
    r"|sender'?s|writer'?s|shopper'?s) (?:own )?language\b|\{\{ ?(?:customer_)?language ?\}\}"
    r"|\blanguage\b.{0,40}\b(?:wrote|writes?|written|uses?|used|speaks?"
    r"|spoke|chose|came in|asked in|arrived in|started|began|begins"
    r"|opened|opens|addressed you)\b"
    r"|\b(?:whichever|whatever) language\b|\blanguage .{0,20}\bwas (?:asked"
    r"|written)\b|\blanguage you were (?:asked|addressed|written to) in\b"
)


@lru_cache(maxsize=256)
def languages_served(text: str) -> frozenset[str]:
    """The languages in which a customer who writes in them is answered; English goes without saying."""
    served: set[str] = {"en"}
    fixed: str | None = None
    for line in sentences(text):
        if any_of(
            line,
            (
                IDLE,
                (
                    r"\b(?:if|when|whenever|once|only when) (?:they |the customer "
                    r"|a customer |somebody |the user )?(?:asks?|asked|requests?|insists?)\b"
                ),
                r"\boffer to\b",
                r"\bask (?:the customer )?(?:whether|if|which)\b",
            ),
        ):
            continue
        told = found(
            (
                rf"{_REPLY}[^.]*?\b(?:in|only|use)\b (?:plain |simple |correct "
                rf"|good |formal )?({'|'.join(_NAMES.values())})\b"
            ),
            line,
        )
        theirs = has(line, _REPLY, _THEIR_LANGUAGE) and not has(line, rf"{NOT}[^,;]*(?:{_THEIR_LANGUAGE})")
        if theirs:
            served |= set(_NAMES)
            continue
        for code, name in _NAMES.items():
            if has(line, rf"\b{name}\b.*\bin {name}\b|\bin {name}\b.*\b(?:to|when|if)\b.*\b{name}\b", _REPLY):
                served.add(code)
                told = None
        if (
            told
            and not has(line, rf"{NOT} [^,;]*\b{told[1]}\b")
            and not has(line, r"\b(?:data|pages?|notes?|records?|handbook|system)\b.*\bin english\b")
        ):
            fixed = next(code for code, name in _NAMES.items() if name == told[1])
    return frozenset({fixed} if fixed else served)


_UNITS = {
    "word": 1.0,
    "sentence": 16.0,
    "line": 12.0,
    "character": 0.17,
    "letter": 0.17,
    "token": 0.7,
    "paragraph": 55.0,
    "bullet": 14.0,
    "point": 14.0,
}


@lru_cache(maxsize=256)
def word_limit(text: str) -> int | None:
    """The most words an answer may have, by the strictest limit that is given with a number."""
    limits = []
    unit = (
        r"(?:short )?(?P<unit>words?|sentences?|lines?|characters?|letters?"
        r"|tokens?|paragraphs?|bullets?(?: points?)?|points?)"
    )
    upper = (
        r"(?:at most|no more than|not more than|up to|under|below|fewer than"
        r"|less than|within|maximum(?: of)?|max\.?|a limit of|limit (?:is"
        r"|of)|capped? (?:at|to)|limited? to|limit .{0,40}to|(?:do not"
        r"|don't|never|must not|may not|should not) (?:exceed|go (?:over"
        r"|beyond|above|past)|write more than|use more than|run past|be longer than"
        r"|run over)|not exceed|stop (?:after|at)|not (?:be )?longer than"
        r"|no longer than|shorter than|keep .{0,40}\bto|in|exceeding|ceiling of"
        r"|stay (?:under|below|within))"
    )
    for line in sentences(text):
        if any_of(
            line,
            (
                IDLE,
                r"\b(?:at least|minimum|or more|emoji|exclamation|subject line|welcome\b)",
                r"\btitles?\b|\bheading",
            ),
        ):
            continue
        for pattern in (
            (
                rf"{upper} (?:about |roughly |the |an? )?(?P<n>{NUMBER})(?: or (?:two"
                rf"|three|four|five))?(?: (?:hundred))? {unit}"
            ),
            (
                rf"(?P<n>{NUMBER}) {unit} (?:at (?:the )?most|maximum|max\b|or (?:less"
                rf"|fewer)|is the (?:limit|maximum|ceiling)|tops|are enough|is enough"
                rf"|and no more|only|and stop)"
            ),
            rf"(?:limit|maximum|max|ceiling|cap)[^.]{{0,30}}?:? (?P<n>{NUMBER}) {unit}",
        ):
            match = found(pattern, line)
            if (
                match
                and match[0].startswith("in ")
                and not has(line, r"\b(?:answers?|reply|replies|respond|messages?|write)\b")
            ):
                continue
            if match and not has(
                line, rf"\b(?:more than|longer than|over) {match['n']} \w+ (?:is|are) (?:fine|welcome|ok|good)"
            ):
                size = number(match["n"]) * (100 if "hundred" in match[0] and number(match["n"]) < 100 else 1)
                limits.append(size * _UNITS[match["unit"].split()[0].rstrip("s")])
    return round(min(limits)) if limits else None


@lru_cache(maxsize=256)
def answers_directly(text: str) -> bool:
    """Whether the model is told not to deliberate at length before it answers."""
    think = (
        r"\b(?:reasoning|reason (?:step|through|about|at length|out|aloud"
        r"|it|first|before)|think(?:ing)?|deliberat\w+|analy[sz]\w+|chain of thought"
        r"|ponder\w*|reflect\w*|inner monologue|work(?:ing)? (?:it |things "
        r"|the problem )?through|weigh(?:ing)?|mull\w*|drafts?|planning)\b"
    )
    ways = (
        (
            (
                rf"(?:{NOT}|\bskip\b|\binstead of\b|\brather than\b|\bleave out\b"
                rf"|\bomit\b|\bdrop\b|\bkeep [^.]*(?:short|minimal|brief)|\bminimal\b"
                rf"|\bcut\b)[^.]*?{think}"
            ),
        ),
        (r"\b(?:keep|make|hold)\b", think, r"\b(?:short|minimal|brief|to a minimum)\b"),
        (
            (
                rf"{think}[^.]*\b(?:is|are) (?:not (?:needed|wanted|necessary|allowed)"
                rf"|unnecessary|unwanted|forbidden|off)\b"
            ),
        ),
        (
            (
                r"\b(?:answer|reply|respond|write|give)\b[^.]*\b(?:directly|straight ?away"
                r"|at once|immediately|right away|straight off|outright|in one go"
                r"|in a single pass)\b"
            ),
        ),
        (r"\b(?:start|begin|open)\b[^.]*\b(?:with|straight with|directly with)\b[^.]*\b(?:answer|result|reply)\b",),
    )
    spoilt = (
        rf"\bskip\b.*\b(?:never|not)\b|{NOT} (?:skip|omit|rush|leave out|drop|cut)\b",
        r"\bdirectly to the (?:customer|person)\b",
        (
            r"\b(?:after|once|when)\b[^.]*\b(?:analysis|reasoning|thinking"
            r"|thought|reflection|step)\b"
        ),
        r"\bthen (?:answer|reply|respond)\b",
        r"\bwithout thinking of yourself\b",
        r"\b(?:hand over|escalate|transfer)\b",
        r"\bto (?:complaints|angry)\b",
        r"\bshow (?:your )?(?:reasoning|thinking)\b",
    )
    undone = (
        (
            r"(?<!not )(?<!n't )(?<!never )(?<!than )(?<!of )\b(?:think|reason"
            r"|work) (?:it |this |everything )?(?:through )?(?:step by step"
            r"|carefully|thoroughly|at length)\b"
        ),
    )
    harmless = "\n".join(line for line in sentences(text) if not has(line, rf"{NOT}[^.]*{think}"))
    return said(text, ways, spoilt=spoilt) and not any(any_of(line, undone) for line in sentences(harmless))
