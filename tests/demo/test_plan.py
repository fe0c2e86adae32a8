"""Fourteen days: how many, how they are spread, what went live and what it did."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from reviewer.demo import plan
from reviewer.demo.modes import MODES

START = datetime(2026, 11, 4, tzinfo=UTC)


@pytest.fixture(scope="module")
def turns() -> list[plan.Turn]:
    return list(plan.history(START))


def rate(turns: list[plan.Turn], mode: str, since: float, until: float) -> float:
    found = [turn for turn in turns if since <= turn.hour < until]
    return sum(mode in turn.run.modes for turn in found) / len(found)


def test_about_five_thousand_traces_of_which_a_tenth_fail(turns):
    assert 4_700 <= len(turns) <= 5_300
    failing = sum(bool(turn.run.mode) for turn in turns) / len(turns)
    assert 0.08 <= failing <= 0.13


def test_every_mode_is_in_it_often_enough_to_be_found(turns):
    counts = Counter(turn.run.mode for turn in turns)
    assert {mode: count for mode, count in counts.items() if mode}.keys() == MODES.keys()
    assert min(counts[mode] for mode in MODES) >= 15


def test_days_and_nights_and_weekends_differ(turns):
    hours = Counter((START + timedelta(hours=turn.hour)).hour for turn in turns)
    assert sum(hours[hour] for hour in (18, 19, 20)) > 5 * sum(hours[hour] for hour in (2, 3, 4))
    days = Counter((START + timedelta(hours=turn.hour)).weekday() for turn in turns)
    assert days[6] > days[5]


def test_two_versions_caused_regressions_and_one_fixed_one(turns):
    assert rate(turns, "lost_not_delayed", 0, 101.2) == 0
    assert rate(turns, "lost_not_delayed", 101.2, 219.4) > 0.02
    assert rate(turns, "lost_not_delayed", 219.5, 336) == 0
    assert rate(turns, "wrong_language", 0, 278.3) == 0
    assert rate(turns, "wrong_language", 278.4, 336) > 0.02


def test_people_react_as_people_do(turns):
    failing = [turn for turn in turns if turn.run.mode]
    said = [turn for turn in failing if any(signal["source"] == "user" for signal in turn.signals)]
    assert 0.15 < len(said) / len(failing) < 0.5
    healthy = [turn for turn in turns if not turn.run.mode]
    down = [turn for turn in healthy if any(s["name"] == "thumbs" and s["value"] is False for s in turn.signals)]
    assert 0 < len(down) / len(healthy) < 0.03
    resolved = {
        kind: [s["value"] for turn in group for s in turn.signals if s["name"] == "resolved"]
        for kind, group in (("bad", failing), ("good", healthy))
    }
    assert sum(resolved["bad"]) / len(resolved["bad"]) < 0.5 < 0.85 < sum(resolved["good"]) / len(resolved["good"])
    again = [turn for turn in turns if turn.number.endswith(("-1", "-2"))]
    assert len(again) > 150
    assert {s["name"] for turn in turns for s in turn.signals} == {
        "thumbs",
        "comment",
        "resolved",
        "refunded",
        "escalated",
    }
