"""Cases that meet a mode's circumstances, and how to serve them: the stage of most tests here."""

import random
from dataclasses import replace
from datetime import UTC, datetime

from reviewer.demo import plan
from reviewer.demo.artifacts import Artifact, fetch
from reviewer.demo.assistant import Run, reply
from reviewer.demo.case import Case, Serving
from reviewer.demo.customers import draw_case
from reviewer.demo.shop import World

WORLD = World()
AT = datetime(2026, 11, 18, 9, tzinfo=UTC)
MEETS = {
    "lost_not_delayed": ("track", "exception"),
    "wrong_language": ("stock", ""),
    "refund_window": ("refund", "delivered_old"),
    "wrong_order_id": ("refund", "delivered"),
    "tool_loop": ("track", "pending_sync"),
    "courier_outage": ("track", "in_transit"),
    "empty_retrieval": ("warranty", ""),
    "invented_citation": ("source", ""),
    "broken_json": ("return_form", ""),
    "cut_off": ("compare", ""),
    "over_refusal": ("hazard", ""),
    "slow_model": ("stock", ""),
    "leaked_email": ("gift", ""),
    "no_handover": ("person", ""),
}
"""Which question, about which order, meets each mode."""


def suits(mode: str, case: Case) -> bool:
    if mode == "wrong_language":
        return case.language != "en"
    if mode == "wrong_order_id":
        return not case.names_order and case.language == "en"
    if mode == "refund_window":
        return case.order is not None and 31 <= case.order.age <= 60
    if mode == "courier_outage":
        return case.customer.region == "eu-south"
    if mode == "over_refusal":
        return any(word in case.message.lower() for word in ("bread knife", "bear spray", "hatchet"))
    return True


def cases(mode: str, count: int = 60, seed: int = 7) -> list[Case]:
    intent, kind = MEETS[mode]
    rng, found = random.Random(f"{mode} {seed}"), []
    while len(found) < count:
        case = draw_case(rng, WORLD, intent=intent, kind=kind)
        if suits(mode, case):
            found.append(case)
    return found


def good_serving() -> Serving:
    """Versions without a planted regression, in a healthy world."""
    wanted = {
        "support-answer": "8",
        "support-router": "2",
        "support-plan": "3",
        "search-query": "2",
        "refund-answer": "2",
        "return-form": "1",
        "lookup_order": "3",
        "courier_status": "1",
        "create_refund": "2",
        "input-safety": "2",
    }
    return Serving({name: fetch(name, version) for name, version in wanted.items()}, model="sim-large-2026-08")


def failing_serving(mode: str) -> Serving:
    """The cause of this mode, far more often than in the demo, and no other version, model, release or region."""
    serving = replace(good_serving(), rates={mode: 0.9})
    versions = {
        "lost_not_delayed": ("support-answer", "7"),
        "wrong_language": ("support-answer", "9"),
        "refund_window": ("refund-answer", "3"),
        "wrong_order_id": ("lookup_order", "4"),
        "over_refusal": ("input-safety", "3"),
        "no_handover": ("support-router", "3"),
    }
    if mode in versions:
        return serving.with_artifact(fetch(*versions[mode]))
    changed = {
        "courier_outage": {"outages": frozenset({"eu-south"})},
        "empty_retrieval": {"renamed": frozenset({"warranty"}), "release": "483"},
        "broken_json": {"model": "sim-small-2026-10"},
        "slow_model": {"model": "sim-deep-2026-09"},
    }
    return replace(serving, **changed.get(mode, {}))  # type: ignore[arg-type]


def run(case: Case, serving: Serving) -> Run:
    return reply(WORLD, case, serving, at=AT, session="s-1")


def share(mode: str, found: list[Case], serving: Serving) -> float:
    return sum(mode in run(case, serving).modes for case in found) / len(found)


def edited(serving: Serving, name: str, *, text: str | None = None, definition: dict | None = None) -> Serving:
    old = serving.artifacts[name]
    new = replace(
        old, version="draft", text=old.text if text is None else text, definition=definition or old.definition
    )
    return serving.with_artifact(new)


def with_sentence(artifact: Artifact, sentence: str, mode: str) -> str:
    """The prompt with an edit: the delivery rule is replaced, everything else is added."""
    if mode == "lost_not_delayed":
        rule = 'If the status is "exception", tell the customer the parcel is lost and offer a refund or a replacement.'
        assert rule in artifact.text
        return artifact.text.replace(rule, sentence)
    return f"{artifact.text}\n{sentence}"


__all__ = [
    "AT",
    "MEETS",
    "WORLD",
    "cases",
    "edited",
    "failing_serving",
    "good_serving",
    "plan",
    "run",
    "share",
    "with_sentence",
]
