"""A trace in one row: computed from all its spans, the same whatever order they came in.

Pure: imports neither Django nor Celery.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

MOST_FACTS = 20
MOST_HEARD = 40


class Step(Protocol):
    """What the summary reads of a span."""

    @property
    def span_id(self) -> str: ...

    @property
    def parent_id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def start(self) -> datetime | None: ...

    @property
    def end(self) -> datetime | None: ...

    @property
    def status(self) -> str: ...

    @property
    def error(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def tool(self) -> str: ...

    @property
    def prompt(self) -> str: ...

    @property
    def input_tokens(self) -> int | None: ...

    @property
    def output_tokens(self) -> int | None: ...

    @property
    def cost(self) -> float | None: ...

    @property
    def session(self) -> str: ...

    @property
    def user(self) -> str: ...

    @property
    def environment(self) -> str: ...

    @property
    def release(self) -> str: ...

    @property
    def run(self) -> str: ...

    @property
    def trace_name(self) -> str: ...

    @property
    def tags(self) -> Sequence[str]: ...


@dataclass(slots=True)
class Summary:
    """The columns of a trace that its spans decide."""

    started_at: datetime | None = None
    ended_at: datetime | None = None
    name: str = ""
    spans: int = 0
    errors: int = 0
    error: str = ""
    models: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    session: str = ""
    user: str = ""
    environment: str = ""
    release: str = ""
    run: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    root: str = ""
    """The span whose input and output speak for the trace."""
    first: str = ""
    last: str = ""
    heard: list[str] = field(default_factory=list)
    """The spans whose words stand for the trace in search."""


def summarise(steps: Iterable[Step]) -> Summary:
    """Sum up a trace. The caller reads input and output from the spans named `root`, `first` and `last`."""
    ordered = sorted(steps, key=_order)
    total = Summary(spans=len(ordered))
    if not ordered:
        return total
    known = {step.span_id for step in ordered}
    root = next((step for step in ordered if not step.parent_id), None)
    root = root or next((step for step in ordered if step.parent_id not in known), ordered[0])
    told = [root, *(step for step in ordered if step is not root)]
    total.started_at = min((step.start for step in ordered if step.start), default=None)
    total.ended_at = max((step.end for step in ordered if step.end), default=None)
    failed = [step for step in ordered if step.status == "error"]
    total.errors = len(failed)
    total.error = (root if root.status == "error" else failed[0]).error[:500] if failed else ""
    total.name = _first(step.trace_name for step in told) or root.name
    for name in ("session", "user", "environment", "release", "run"):
        setattr(total, name, _first(getattr(step, name) for step in told))
    total.models = _by_use(step.model for step in ordered)
    total.prompts = _in_order(step.prompt for step in ordered)
    total.tools = _in_order(step.tool for step in ordered)
    total.tags = sorted({tag for step in ordered for tag in step.tags})[:MOST_FACTS]
    counted = _leaves_that_count(ordered)
    total.input_tokens = _sum(step.input_tokens for step in counted)
    total.output_tokens = _sum(step.output_tokens for step in counted)
    total.cost = _sum(step.cost for step in counted)
    spoken = [step for step in ordered if step.kind == "llm"]
    total.root = root.span_id
    total.first, total.last = (spoken[0].span_id, spoken[-1].span_id) if spoken else (root.span_id, root.span_id)
    total.heard = list(dict.fromkeys([root.span_id, *(step.span_id for step in ordered[:MOST_HEARD]), total.last]))
    return total


def _order(step: Step) -> tuple[float, str]:
    return (step.start.timestamp() if step.start else float("inf"), step.span_id)


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")


def _in_order(values: Iterable[str]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value][:MOST_FACTS]


def _by_use(values: Iterable[str]) -> list[str]:
    counts = Counter(value for value in values if value)
    return sorted(counts, key=lambda value: (-counts[value], value))[:MOST_FACTS]


def _sum(values: Iterable[Any]) -> Any:
    told = [value for value in values if value is not None]
    return sum(told) if told else None


def _leaves_that_count(ordered: Sequence[Step]) -> list[Step]:
    """Spans with usage that no span below them reports again: agents often repeat their calls' totals."""
    metered = [step for step in ordered if step.input_tokens or step.output_tokens or step.cost]
    if len(metered) < 2:
        return list(metered)
    parents = {step.span_id: step.parent_id for step in ordered}
    covered: set[str] = set()
    for step in metered:
        above, passed = step.parent_id, set()
        while above and above in parents and above not in passed:
            passed.add(above)
            if above in covered:
                break
            covered.add(above)
            above = parents[above]
    return [step for step in metered if step.span_id not in covered]


def group_by_trace(items: Iterable[Any]) -> dict[str, list[Any]]:
    """Items by their trace, traces in order of id so that locks are always taken in the same order."""
    found: dict[str, list[Any]] = defaultdict(list)
    for item in items:
        found[item.trace_id].append(item)
    return {trace_id: found[trace_id] for trace_id in sorted(found)}
