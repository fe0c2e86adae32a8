"""What is planted: each way to fail, where it shows, what brings it about, and what would mend it.

This is the truth. It stands in no telemetry, and nothing that reads telemetry reads it.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Mode:
    """One planted failure mode. `often` is its rate where its cause is present."""

    name: str
    title: str
    kind: str
    cause: str
    fact: str
    value: str
    mended_by: str
    often: float
    also: tuple[tuple[str, str], ...] = field(default=())
    """Further facts that belong to the cause or move together with it."""

    def told(self) -> dict[str, Any]:
        """The cause as `demo truth` prints it."""
        also = [{"field": name, "value": value} for name, value in self.also]
        return {"kind": self.cause, "field": self.fact, "value": self.value, "also": also}


MODES: dict[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode(
            "lost_not_delayed",
            "Says an order is lost when it is only delayed",
            "contradicts a tool",
            "prompt version",
            "prompt support-answer",
            "7",
            "support-answer",
            0.7,
            (("order status", "exception"),),
        ),
        Mode(
            "wrong_language",
            "Answers in English after the customer wrote in German or Spanish",
            "wrong language",
            "prompt version",
            "prompt support-answer",
            "9",
            "support-answer",
            0.24,
            (("language", "not English"),),
        ),
        Mode(
            "refund_window",
            "Promises a refund after the 30 days are over",
            "wrong policy",
            "prompt version",
            "prompt refund-answer",
            "3",
            "refund-answer",
            0.85,
            (("order age", "over 30 days"),),
        ),
        Mode(
            "wrong_order_id",
            "Looks up the customer's number instead of the order's",
            "wrong tool argument",
            "tool definition",
            "tool lookup_order",
            "4",
            "lookup_order",
            0.09,
            (("release", "482"), ("message", "no order number")),
        ),
        Mode(
            "tool_loop",
            "Asks the order system the same thing until it must stop",
            "tool loop",
            "input kind",
            "order status",
            "pending_sync",
            "support-plan",
            0.6,
        ),
        Mode(
            "courier_outage",
            "Cannot say where a parcel is: the courier's system does not answer",
            "tool outage",
            "region",
            "region",
            "eu-south",
            "courier_status",
            0.55,
        ),
        Mode(
            "empty_retrieval",
            "Finds nothing about warranty in the handbook",
            "empty retrieval",
            "release",
            "release",
            "483",
            "search-query",
            0.6,
            (("topic", "warranty"),),
        ),
        Mode(
            "invented_citation",
            "Names a handbook section that does not exist",
            "hallucinated citation",
            "input kind",
            "question",
            "asks for the source",
            "support-answer",
            0.14,
        ),
        Mode(
            "broken_json",
            "Wraps the return form in chatter, so that it cannot be read",
            "format violation",
            "model",
            "model",
            "sim-small-2026-10",
            "return-form",
            0.12,
        ),
        Mode(
            "cut_off",
            "Stops in the middle of a long comparison",
            "truncation",
            "input kind",
            "question",
            "compares three products",
            "support-answer",
            0.09,
        ),
        Mode(
            "over_refusal",
            "Refuses fair questions about kitchen knives and bear spray",
            "refusal",
            "guardrail version",
            "guardrail input-safety",
            "3",
            "input-safety",
            1.0,
        ),
        Mode(
            "slow_model",
            "Takes more than twenty seconds",
            "slow answer",
            "model",
            "model",
            "sim-deep-2026-09",
            "support-answer",
            0.08,
        ),
        Mode(
            "leaked_email",
            "Gives away the e-mail address of whoever sent the gift",
            "privacy",
            "input kind",
            "order",
            "gift",
            "support-answer",
            0.15,
        ),
        Mode(
            "no_handover",
            "Does not bring a person when asked for one",
            "ignored request",
            "prompt version",
            "prompt support-router",
            "3",
            "support-router",
            0.5,
            (("channel", "mobile"),),
        ),
    )
}

SIDE_EFFECTS = {
    "fair_refund_denied": "Refuses a refund within the 30 days",
    "unsafe_passed": "Answers a question about hurting people",
    "too_short": "Answers in so few words that the fact is missing",
}
"""What a wrong edit breaks: never planted, but measured."""
