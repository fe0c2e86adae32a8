"""Each planted mode shows in what the customer or the telemetry sees, only where its cause is, and not elsewhere."""

import json
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from reviewer.demo import wording
from reviewer.demo.artifacts import handbook
from reviewer.demo.assistant import Run
from reviewer.demo.customers import draw_case
from reviewer.demo.modes import MODES
from tests.demo.cases import MEETS, WORLD, cases, edited, failing_serving, good_serving, run, share

TITLES = {page["title"] for page in handbook()} | {page.get("renamed", "") for page in handbook()}


def steps(found: Run, word: str) -> list[dict[str, Any]]:
    return [step.attributes for step in found.trail.steps if step.name.startswith(word)]


def _errors(found: Run) -> str:
    return " ".join(step.error for step in found.trail.steps)


def _valid(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


LOST = re.compile(r"\blost\b|missing for good|verloren|leider weg|perdid")
SHOWS = {
    "lost_not_delayed": lambda found: bool(LOST.search(found.answer)),
    "wrong_language": lambda found: wording.tell_language(found.answer) != found.case.language,
    "refund_window": lambda found: found.outcomes.get("refunded") is True,
    "wrong_order_id": lambda found: "customer number" in _errors(found),
    "tool_loop": lambda found: len(steps(found, "execute_tool lookup_order")) > 3,
    "courier_outage": lambda found: "Timeout" in _errors(found),
    "empty_retrieval": lambda found: (
        [step["gen_ai.retrieval.documents"] for step in steps(found, "retrieval")][-1] == "[]"
    ),
    "invented_citation": lambda found: not any(title in found.answer for title in TITLES if title),
    "broken_json": lambda found: not _valid(found.answer),
    "cut_off": lambda found: steps(found, "chat")[-1]["gen_ai.response.finish_reasons"] == ["length"],
    "over_refusal": lambda found: '"passed": false' in steps(found, "guardrail")[0]["output.value"],
    "slow_model": lambda found: found.seconds > 20,
    "leaked_email": lambda found: "@mail.example" in found.answer,
    "no_handover": lambda found: not found.outcomes.get("escalated"),
}


def test_at_least_twelve_modes_of_different_kinds_and_causes():
    assert len(MODES) >= 12
    assert len({mode.kind for mode in MODES.values()}) >= 12
    causes = {mode.cause for mode in MODES.values()}
    assert {"prompt version", "tool definition", "model", "release", "region", "input kind"} <= causes
    assert MEETS.keys() == SHOWS.keys() == MODES.keys()


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_can_be_seen_exactly_where_the_truth_says_so(mode: str):
    serving, failed = failing_serving(mode), 0
    for case in cases(mode, 120):
        found = run(case, serving)
        assert SHOWS[mode](found) == (mode in found.modes), found.answer
        failed += mode in found.modes
    assert failed >= 4


BY_INPUT = {"tool_loop", "invented_citation", "cut_off", "leaked_email"}


@pytest.mark.parametrize("mode", sorted(MODES.keys() - BY_INPUT))
def test_without_its_cause_the_mode_is_gone(mode: str):
    assert share(mode, cases(mode), good_serving()) == 0


@pytest.mark.parametrize("mode", sorted(BY_INPUT))
def test_another_kind_of_question_never_meets_the_mode(mode: str):
    rng, (intent, kind) = random.Random(3), MEETS[mode]
    serving = good_serving()
    for _ in range(300):
        case = draw_case(rng, WORLD)
        if case.intent != intent or (kind and case.order and case.order.kind != kind):
            assert mode not in run(case, serving).modes


def test_the_same_case_has_the_same_luck_with_every_version():
    """So that two versions can be compared case by case."""
    found = cases("wrong_language", 40)
    first = [run(case, failing_serving("wrong_language")).modes for case in found]
    assert first == [run(case, failing_serving("wrong_language")).modes for case in found]
    again = [run(replace(case, sample="1"), failing_serving("wrong_language")).modes for case in found]
    assert first != again


def test_a_refund_window_that_is_too_short_denies_fair_refunds():
    serving = failing_serving("refund_window")
    text = serving.artifacts["refund-answer"].text + "\nRefunds are possible within 14 days of delivery."
    rng = random.Random(4)
    fair = [
        case for case in (draw_case(rng, WORLD, intent="refund", kind="delivered") for _ in range(80)) if case.order
    ]
    broken = [run(case, edited(serving, "refund-answer", text=text)) for case in fair]
    assert any("fair_refund_denied" in found.modes and not found.outcomes["refunded"] for found in broken)
    assert share("fair_refund_denied", fair, serving) == 0


def test_a_guardrail_that_stops_nothing_lets_threats_through():
    rng = random.Random(5)
    threats = [draw_case(rng, WORLD, intent="harm") for _ in range(30)]
    open_door = edited(good_serving(), "input-safety", definition={"checks": []})
    assert share("unsafe_passed", threats, open_door) == 1
    assert share("unsafe_passed", threats, good_serving()) < 0.35


def test_a_limit_that_leaves_no_room_makes_answers_useless():
    serving = good_serving()
    text = serving.artifacts["support-answer"].text + "\nAt most three words."
    assert share("too_short", cases("slow_model"), edited(serving, "support-answer", text=text)) == 1


def test_one_fixed_language_helps_some_and_hurts_the_others():
    serving = good_serving()
    text = "You write the answers of Fernwood. Always answer in German."
    german = edited(serving, "support-answer", text=text)
    rng = random.Random(6)
    asked = [draw_case(rng, WORLD, intent="stock") for _ in range(90)]
    wrong = {case.language for case in asked if "wrong_language" in run(case, german).modes}
    assert wrong == {"en", "es"}


def test_two_modes_can_meet_in_one_run_and_the_truth_names_both():
    serving = replace(
        failing_serving("lost_not_delayed"), model="sim-deep-2026-09", rates={"slow_model": 1, "lost_not_delayed": 1}
    )
    assert run(cases("lost_not_delayed", 1)[0], serving).modes == ["lost_not_delayed", "slow_model"]


def test_more_room_mends_a_comparison_that_was_cut_off():
    serving = failing_serving("cut_off")
    roomy = replace(serving.artifacts["support-answer"], version="draft", settings={"max_tokens": 1200})
    assert share("cut_off", cases("cut_off"), serving.with_artifact(roomy)) == 0
