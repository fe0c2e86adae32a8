"""Other words for the same thing, and how people really type: typos, missing capitals, haste."""

import random
import re
import tomllib
from pathlib import Path

WORLD = tomllib.loads((Path(__file__).parent / "world.toml").read_text())
_PLAIN = str.maketrans("äöüßñáéíóú", "aousnaeiou")
_JOINS = (". ", ". ", ". ", ", ", "\n", " - ", "... ", "! ")


def other_words(rng: random.Random, phrase: str, language: str) -> str:
    for word, others in WORLD["other"][language].items():
        if word in phrase and rng.random() < 0.3:
            phrase = re.sub(rf"\b{re.escape(word)}\b", rng.choice(others), phrase, count=1)
    return phrase


def as_typed(rng: random.Random, opener: str, core: list[str], closer: str, language: str) -> str:
    """Join the parts as this person would."""
    tone = rng.random()
    parts = [part if tone < 0.12 else part[:1].upper() + part[1:] for part in core]
    join = rng.choice(_JOINS)
    text = ""
    for part in parts:
        ended = text[-1:] in {"?", "!", "."}
        text += ("" if not text else " " if ended else join) + part
    if opener:
        text = (
            opener + rng.choice((", ", "! ", ". ", "\n", " ")) + (text[:1].lower() + text[1:] if tone < 0.4 else text)
        )
    if closer:
        text += (" " if text[-1:] in "?!." else rng.choice((". ", ", ", "\n"))) + closer
    if tone < 0.12:
        text = text.lower()
    elif tone > 0.97:
        text = text.upper()
    if tone < 0.2:
        text = text.replace("?", "") if rng.random() < 0.5 else text.replace("?", "??")
    if language != "en" and rng.random() < 0.12:
        text = text.translate(_PLAIN).replace("¿", "")
    slips = 0 if rng.random() < 0.6 else rng.choice((1, 1, 2))
    for _ in range(slips):
        text = _slip(rng, text)
    return text


def _slip(rng: random.Random, text: str) -> str:
    """One typing mistake inside a longer word; numbers stay, or nobody could find the order."""
    words = list(re.finditer(r"[^\W\d_]{5,}", text))
    if not words:
        return text
    word = rng.choice(words)
    at = word.start() + rng.randrange(1, len(word[0]) - 2)
    kind = rng.random()
    if kind < 0.4:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    if kind < 0.7:
        return text[:at] + text[at + 1 :]
    return text[:at] + text[at] + text[at:]
