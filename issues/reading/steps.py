"""A trace's steps as a tree that can be read from top to bottom. Pure: imports neither Django nor Celery.

Whatever came in is shown: a step whose parent was never received stands at the top and says so, and steps that name
each other as parents are cut at the earliest of them.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

WORDS = {"llm": "model", "chain": "step"}
TONES = {"llm": "info", "tool": "warn", "guardrail": "good"}
DEEPEST = 8
"""Levels that are drawn indented; what lies deeper stands at the last one and tells its level."""


@dataclass(slots=True)
class Step:
    """One span without its body, in the order of COLUMNS; then its place in the tree and on the time line."""

    span_id: str
    parent_id: str
    name: str
    kind: str
    started_at: datetime | None
    ended_at: datetime | None
    status: str
    error: str
    model: str
    tool: str
    prompt: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    finish_reason: str
    size: int = 0
    """Bytes of its body, known without reading it."""
    depth: int = 0
    place: int = 0
    note: str = ""
    x: str = "0"
    width: str = "0"

    @property
    def seconds(self) -> float | None:
        return (self.ended_at - self.started_at).total_seconds() if self.started_at and self.ended_at else None

    @property
    def failed(self) -> bool:
        return self.status == "error"

    @property
    def word(self) -> str:
        return WORDS.get(self.kind, self.kind)

    @property
    def tone(self) -> str:
        return "bad" if self.failed else TONES.get(self.kind, "mute")

    @property
    def indent(self) -> int:
        return min(self.depth, DEEPEST)

    @property
    def tokens(self) -> int | None:
        told = [count for count in (self.input_tokens, self.output_tokens) if count is not None]
        return sum(told) if told else None

    @property
    def remark(self) -> str:
        """The few words beside a step's name in the tree."""
        if self.failed:
            return (self.error.strip().splitlines() or ["failed"])[0][:80] or "failed"
        if self.tokens:
            return f"{self.tokens:,} tokens"
        return "" if self.model in self.name else self.model


COLUMNS = (
    "span_id", "parent_id", "name", "kind", "started_at", "ended_at", "status", "error", "model", "tool", "prompt",
    "input_tokens", "output_tokens", "cost", "finish_reason",
)  # fmt: skip

LOST = "parent not received"
CIRCLE = "names its own descendant as parent"


def lay_out(steps: Iterable[Step]) -> list[Step]:
    """Every step once, parents before children, siblings by time; with depth, notes and time line filled in."""
    ordered = sorted(steps, key=_order)
    known = {step.span_id for step in ordered}
    below: dict[str, list[Step]] = defaultdict(list)
    tops: list[Step] = []
    for step in ordered:
        if step.parent_id in known and step.parent_id != step.span_id:
            below[step.parent_id].append(step)
            continue
        if step.parent_id:
            step.note = CIRCLE if step.parent_id == step.span_id else LOST
        tops.append(step)
    laid: list[Step] = []
    seen: set[str] = set()
    _descend(tops, below, laid, seen)
    for step in ordered:
        if step.span_id not in seen:  # Only circles are left.
            step.note = CIRCLE
            _descend([step], below, laid, seen)
    for place, step in enumerate(laid):
        step.place = place
    _time_line(laid)
    return laid


def _descend(tops: list[Step], below: dict[str, list[Step]], laid: list[Step], seen: set[str]) -> None:
    waiting = [(step, 0) for step in reversed(tops)]
    while waiting:
        step, depth = waiting.pop()
        if step.span_id in seen:
            continue
        seen.add(step.span_id)
        step.depth = depth
        laid.append(step)
        waiting += [(child, depth + 1) for child in reversed(below.get(step.span_id, ()))]


def _order(step: Step) -> tuple[float, str]:
    return (step.started_at.timestamp() if step.started_at else float("inf"), step.span_id)


def _time_line(steps: list[Step]) -> None:
    starts = [step.started_at for step in steps if step.started_at]
    if not starts:
        return
    first = min(starts)
    last = max((step.ended_at for step in steps if step.ended_at), default=first)
    whole = (last - first).total_seconds() or 1.0
    for step in steps:
        if step.started_at is None:
            continue
        x = min((step.started_at - first).total_seconds() / whole * 100, 99.4)
        step.x = f"{x:.2f}"
        step.width = f"{min(max((step.seconds or 0) / whole * 100, 0.6), 100 - x):.2f}"


def telling_step(steps: list[Step]) -> Step | None:
    """The step to open first: the earliest that failed at the bottom of its branch, else the top."""
    parents = {step.parent_id for step in steps if step.failed}
    failed = [step for step in steps if step.failed]
    return next((step for step in failed if step.span_id not in parents), None) or (steps[0] if steps else None)
