"""Reading instructions: sentences, numbers, negations."""

import re
from collections.abc import Iterable
from functools import lru_cache

Patterns = Iterable[str]

NOT = (
    r"(?:\bdo not\b|\bdon'?t\b|\bnever\b|\bmust not\b|\bmay not\b|\bshould not\b"
    r"|\bcannot\b|\bcan'?t\b|\bavoid\b|\brefrain from\b|\bno\b|\bnot\b"
    r"|\bwithout\b|\bunder no circumstances\b|\brefuse to\b|\bis forbidden\b"
    r"|\bforbidden to\b)"
)
IDLE = (
    r"\b(?:no need to|not necessary|need not|don'?t (?:have|need) to"
    r"|do not (?:have|need) to|optional(?:ly)?|feel free not|it is fine to ignore"
    r"|if you (?:like|want|feel like)|not required|no longer (?!than"
    r"|due|possible|available|granted|paid|allowed|eligible)|used to (?=be"
    r"|have|do|give|offer|allow)|we are considering|some day|in future)"
)
"""Words that take the force out of a rule."""

_NUMBERS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
        ]
    )
} | {
    "a": 1,
    "an": 1,
    "single": 1,
    "once": 1,
    "twice": 2,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "ninety": 90,
    "hundred": 100,
    "eighty": 80,
    "seventy": 70,
    "couple": 2,
    "half": 0,
}
NUMBER = r"(?:\d[\d,.]*|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")"


def number(text: str) -> int:
    digits = re.sub(r"[,.]", "", text)
    return int(digits) if digits.isdigit() else _NUMBERS[text]


@lru_cache(maxsize=512)
def sentences(text: str) -> tuple[str, ...]:
    """Sentences in lower case with plain quotes; what is commented out is not said."""
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.DOTALL)
    text = text.replace("’", "'").replace("“", '"').replace("”", '"').lower()
    text = re.sub(r"\be\.g\.|\bi\.e\.|\betc\.", lambda found: found[0].replace(".", ""), text)
    parts = re.split(r"(?<=[.!?])\s+|\n+|;\s+", text)
    cleaned = [re.sub(r"\s+", " ", part.strip(" \t-*•#>")) for part in parts]
    made: list[str] = []
    for part in cleaned:
        if made and made[-1].endswith("?"):
            made[-1] += f" {part}"  # "Nothing found? Search again." is one rule
        elif part:
            made.append(part)
    return tuple(made)


def has(sentence: str, *patterns: str) -> bool:
    return all(_compiled(pattern).search(sentence) for pattern in patterns)


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def found(pattern: str, sentence: str) -> re.Match[str] | None:
    return _compiled(pattern).search(sentence)


def any_of(sentence: str, patterns: Patterns) -> bool:
    return any(_compiled(pattern).search(sentence) for pattern in patterns)


def said(text: str, ways: Iterable[tuple[str, ...]], *, spoilt: Patterns = (), undone: Patterns = ()) -> bool:
    """Whether one sentence holds all the ideas of one way, unspoilt, and no sentence says the contrary."""
    spoilers = (IDLE, *spoilt)
    lines = sentences(text)
    if any(any_of(line, undone) for line in lines):
        return False
    return any(has(line, *way) and not any_of(line, spoilers) for line in lines for way in ways)
