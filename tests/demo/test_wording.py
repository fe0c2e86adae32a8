"""Two seeds say different things, hundreds of ways for each kind of question, in three languages."""

import random
from collections import Counter
from datetime import UTC, datetime

import pytest

from reviewer.demo import plan, wording
from reviewer.demo.case import understand
from reviewer.demo.customers import draw_case
from reviewer.demo.modes import MODES
from reviewer.demo.shop import LANGUAGES, World
from tests.demo.cases import WORLD, cases

START = datetime(2026, 11, 4, tzinfo=UTC)


def texts(seed: int, intent: str, count: int = 400) -> list[str]:
    rng = random.Random(seed)
    return [wording.normalised(draw_case(rng, WORLD, intent=intent).message) for _ in range(count)]


@pytest.mark.parametrize("intent", wording.INTENTS)
def test_two_seeds_share_less_than_a_twentieth_of_their_texts(intent: str):
    known = set(texts(1, intent))
    again = texts(2, intent)
    assert sum(text in known for text in again) / len(again) < 0.05


def test_two_histories_share_less_than_a_twentieth_of_their_texts():
    first, second = (
        [wording.normalised(turn.run.case.message) for turn in plan.history(START, seed=seed, traces=1500)]
        for seed in (1, 2)
    )
    known = set(first)
    assert sum(text in known for text in second) / len(second) < 0.05


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_is_met_in_hundreds_of_phrasings(mode: str):
    found = {wording.normalised(case.message) for case in cases(mode, 300)}
    assert len(found) > 250


def test_it_is_no_template_with_numbers_changed():
    """Even the most frequent three words stand in a small part of the messages."""
    found = texts(1, "track", 600)
    grams = Counter(
        gram for text in found for gram in {" ".join(text.split()[at : at + 3]) for at in range(len(text.split()) - 2)}
    )
    assert grams.most_common(1)[0][1] / len(found) < 0.25


def test_three_languages_are_spoken():
    spoken = Counter(draw_case(rng, WORLD).language for rng in map(random.Random, range(600)))
    assert set(spoken) == set(LANGUAGES)
    assert min(spoken.values()) > 40


@pytest.mark.parametrize("wide", [False, True])
def test_a_message_is_understood_without_being_told_its_intent(wide: bool):
    """So that the target can answer any case of history."""
    rng, right, count = random.Random(9), 0, 600
    for _ in range(count):
        case = draw_case(rng, WORLD, wide=wide)
        got = understand(WORLD, case.message, customer=case.customer.number)
        right += (got.intent, got.language) == (case.intent, case.language)
    assert right / count > 0.97


def test_scenarios_draw_from_larger_banks():
    for language in LANGUAGES:
        more = [key for key in wording.bank(language)["track"] if key.startswith("more_")]
        assert more


def test_the_same_seed_tells_the_same_history():
    first, again = (list(plan.history(START, seed=3, traces=200)) for _ in range(2))
    assert [(turn.number, turn.hour, turn.run.answer, turn.signals) for turn in first] == [
        (turn.number, turn.hour, turn.run.answer, turn.signals) for turn in again
    ]


def test_orders_are_the_same_whoever_asks():
    assert World().order("FW-20003") == WORLD.order("20003")
    assert WORLD.order("FW-20004") is None
    assert WORLD.order("C-40001") is None
