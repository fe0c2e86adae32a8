"""What people write: messages composed from banks of phrases, and how to understand a message again.

A message is an opener, a situation, an ask and a closer in the customer's language and tone, with other words for the
common ones, and with the slips of people who type on a phone. `understand` is the way back: which language, which
intent. It learns from the same banks, so that the assistant can answer a message nobody has told it anything about.
"""

import math
import random
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from reviewer.demo.wording.slips import WORLD, as_typed, other_words

FOLDER = Path(__file__).parent
INTENTS = (
    "track", "refund", "return_form", "policy", "source", "warranty", "compare", "stock", "hazard", "harm", "gift",
    "person", "cancel",
)  # fmt: skip


@cache
def bank(language: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text())


@cache
def answers(language: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"answers_{language}.toml").read_text())


def _choices(place: dict[str, Any], what: str, wide: bool) -> list[str]:
    found: list[str] = place[what]
    return found + place.get(f"more_{what}", []) if wide else found


@dataclass(frozen=True)
class Slots:
    """What a phrase may name."""

    order: str = ""
    product: str = ""
    product2: str = ""
    product3: str = ""
    hazard: str = ""
    name: str = ""
    day: str = ""
    days: str = ""
    city: str = ""


def compose(rng: random.Random, intent: str, language: str, slots: Slots, *, wide: bool = False) -> str:
    """One message. `wide` draws from the larger banks that are kept for fresh scenarios."""
    words = bank(language)
    situations = _choices(words[intent], "situation", wide)
    if not slots.order:  # a sentence about a number reads oddly without one
        situations = [phrase for phrase in situations if "{order}" not in phrase] or situations
    situation = rng.choice(situations)
    asks = _choices(words[intent], "ask", wide)
    core = [situation, rng.choice(asks)]
    if rng.random() < 0.22:
        core.reverse()
    if intent in {"track", "refund", "stock", "policy", "cancel"} and rng.random() < 0.12:
        core.append(rng.choice(asks))
    values = vars(slots)
    filled = [re.sub(r"\s+", " ", phrase.format_map(values)).strip(" ,") for phrase in core]
    filled = [re.sub(r"\s+([.,?!)])", r"\1", phrase) for phrase in filled]
    opener = rng.choice(_choices(words, "opener", wide)) if rng.random() < 0.62 else ""
    closer = rng.choice(_choices(words, "closer", wide)).format_map(values) if rng.random() < 0.5 else ""
    filled = [other_words(rng, phrase, language) for phrase in filled]
    return as_typed(rng, opener, filled, closer, language)


def say(rng: random.Random, meaning: str, language: str, **values: object) -> str:
    """One sentence of the assistant."""
    return str(rng.choice(answers(language)[meaning])).format_map(values)


def normalised(text: str) -> str:
    """A text without numbers, case and punctuation: equal texts said the same thing in the same words."""
    return re.sub(r"[\W_]+", " ", re.sub(r"(?:fw-)?\d+", "#", text.lower())).strip()


# --- the way back ---------------------------------------------------------------------------------

_SMALL_WORDS = {language: frozenset(words) for language, words in WORLD["small_words"].items()}


def tell_language(text: str) -> str:
    """The language by its small words and its letters; English where nothing tells."""
    words = re.findall(r"[a-zäöüßñáéíóú¿]+", text.lower().replace("¿", " ¿ "))
    score = {language: float(sum(word in known for word in words)) for language, known in _SMALL_WORDS.items()}
    score["de"] += sum(letter in "äöüß" for letter in text.lower())
    score["es"] += sum(letter in "ñáéíóú¿¡" for letter in text.lower())
    return max(score, key=lambda language: (score[language], language == "en"))


def _features(text: str) -> list[str]:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return words + [f"{one} {two}" for one, two in pairwise(words)]


@cache
def _likely(language: str) -> dict[str, tuple[dict[str, float], float]]:
    words = bank(language)
    counts = {}
    for intent in INTENTS:
        seen: Counter[str] = Counter()
        for what, weight in (("situation", 1), ("ask", 2)):
            for phrase in _choices(words[intent], what, wide=True):
                for feature in set(_features(re.sub(r"\{\w+\}", " ", phrase))):
                    seen[feature] += weight
        counts[intent] = seen
    size = len({feature for seen in counts.values() for feature in seen})
    table = {}
    for intent, seen in counts.items():
        total = sum(seen.values()) + 0.3 * size
        table[intent] = ({word: math.log((n + 0.3) / total) for word, n in seen.items()}, math.log(0.3 / total))
    return table


@cache
def _gear(language: str) -> re.Pattern[str]:
    from reviewer.demo.shop import HAZARDS, hazard_name

    return re.compile("|".join(re.escape(hazard_name(place, language)) for place in range(HAZARDS)), re.IGNORECASE)


@cache
def _known(language: str) -> frozenset[str]:
    return frozenset(word for words, _ in _likely(language).values() for word in words)


def tell_intent(text: str, language: str) -> str:
    """What the customer wants, by which intent's phrases the words come from."""
    known = _known(language)
    words = [feature for feature in _features(text) if feature in known]
    gear = bool(_gear(language).search(text))
    best, most = "policy", -math.inf
    for intent, (likely, rare) in _likely(language).items():
        score = sum(likely.get(word, rare) for word in words)
        if gear:
            score += 9 if intent in {"hazard", "harm"} else 0
        if score > most:
            best, most = intent, score
    return best
