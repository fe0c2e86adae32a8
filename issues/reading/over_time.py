"""How many traces there were when: the bars above the trace list.

The bars are counted inside the page for the newest few thousand matches. Where there are more, the page says so and
a second request counts the rest, within a time limit, so that a list of millions opens as fast as one of ten.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from issues.models import Trace
from issues.reading.filters import Filters, edge_of
from issues.reading.search import matching, newest_first

AT_ONCE, AT_ONCE_READ = 2_000, 1_000
"""Traces counted while the page is made: where the index by time knows the answer, and where rows are read."""
PATIENCE = "4s"
"""How long the second request may count."""
MOST_BARS = 60
HEIGHT, TOP = 56, 4
STEPS = [timedelta(seconds=s) for s in (1, 5, 15, 60, 300, 900, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600)] + [
    timedelta(days=d) for d in (1, 2, 7, 14, 28, 91, 364, 3_640)
]
ORIGIN = datetime(2000, 1, 3, tzinfo=UTC)
"""A Monday: weeks begin where people expect it."""


@dataclass(frozen=True)
class Slot:
    """One bar: its time, its counts, its place in the drawing, and the address that narrows the list to it."""

    start: datetime
    end: datetime
    traces: int
    failed: int
    x: str
    width: str
    y: str
    height: str
    failed_y: str
    failed_height: str
    query: str

    @property
    def label(self) -> str:
        day, clock = "%-d %b", "%H:%M" if self.end - self.start >= timedelta(minutes=1) else "%H:%M:%S"
        first, last = timezone.localtime(self.start), timezone.localtime(self.end)
        if self.end - self.start >= timedelta(days=1):
            when = first.strftime(day)
        else:
            when = f"{first.strftime(f'{day} {clock}')} to {last.strftime(clock)}"
        failed = f", {self.failed:,} with failed steps" if self.failed else ""
        return f"{when}: {self.traces:,} trace{'' if self.traces == 1 else 's'}{failed}"


@dataclass(frozen=True)
class OverTime:
    """The whole picture."""

    slots: Sequence[Slot]
    start: datetime
    end: datetime
    traces: int
    failed: int
    whole: bool
    """False when only the newest were counted."""

    @property
    def highest(self) -> int:
        return max((slot.traces for slot in self.slots), default=0)

    @property
    def sentence(self) -> str:
        more = "" if self.whole else "more than "
        failed = f", {self.failed:,} with failed steps" if self.failed else ""
        return f"{more}{self.traces:,} trace{'' if self.traces == 1 else 's'}{failed}"


def count_over_time(
    project_id: int, filters: Filters, *, now: datetime, whole: bool = False, unusual: bool = False
) -> OverTime | None:
    """Count matches by time; None when there is nothing to draw, or the whole takes too long to count."""
    window = filters.window(now)
    if None in window:
        oldest, newest = _held(project_id)
        if newest is None:
            return None
        window = (window[0] or oldest, window[1] or max(newest, window[0] or newest))
    first, last = window
    if first is None or last is None or first > last:
        return None
    step = _step(last - first)
    start = ORIGIN + (first - ORIGIN) // step * step
    limit = None if whole else AT_ONCE if filters.only_indexed else AT_ONCE_READ
    try:
        counts = _count(matching(project_id, filters, now=now), step, limit, unusual)
    except OperationalError:
        return None
    total = sum(traces for traces, _ in counts.values())
    return OverTime(
        _draw(counts, filters, start, last, step),
        start,
        last,
        total,
        sum(failed for _, failed in counts.values()),
        limit is None or total < limit,
    )


def _held(project_id: int) -> tuple[datetime | None, datetime | None]:
    """When the project's oldest and newest trace began."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT min(started_at), max(started_at) FROM issues_trace WHERE project_id = %s", [project_id])
        oldest, newest = cursor.fetchone()
        return oldest, newest


def _step(span: timedelta) -> timedelta:
    return next((step for step in STEPS if span / step <= MOST_BARS - 1), STEPS[-1])


def _count(
    traces: QuerySet[Trace], step: timedelta, limit: int | None, unusual: bool
) -> dict[datetime, tuple[int, int]]:
    found = traces.values_list("started_at", "errors")
    if limit is not None:
        found = newest_first(found, unusual=unusual)[:limit]
    sql, params = found.query.sql_with_params()
    # The time limit holds for the transaction; the count inside a page is short and needs none.
    with transaction.atomic() if limit is None else nullcontext(), connection.cursor() as cursor:
        if limit is None:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [PATIENCE])
        cursor.execute(
            "SELECT date_bin(%s::interval, at, %s), count(*), count(*) FILTER (WHERE errors > 0)"  # noqa: S608
            f" FROM ({sql}) AS found (at, errors) GROUP BY 1",
            [f"{step.total_seconds()} s", ORIGIN, *params],
        )
        return {slot: (traces, failed) for slot, traces, failed in cursor.fetchall()}


def _draw(
    counts: dict[datetime, tuple[int, int]], filters: Filters, start: datetime, end: datetime, step: timedelta
) -> list[Slot]:
    slots = (end - start) // step + 1
    most = max((traces for traces, _ in counts.values()), default=0) or 1
    width = 100 / slots
    narrowed = filters.between()
    edges = [edge_of(start + place * step) for place in range(slots + 1)]
    drawn = []
    for place in range(slots):
        at = start + place * step
        traces, failed = counts.get(at, (0, 0))
        tall = max(traces / most * (HEIGHT - TOP), 1.5) if traces else 0.5
        wrong = max(failed / most * (HEIGHT - TOP), 1.5) if failed else 0.0
        drawn.append(
            Slot(
                at, at + step, traces, failed, f"{place * width + width * 0.08:.2f}", f"{width * 0.84:.2f}",
                f"{HEIGHT - tall:.1f}", f"{tall:.1f}", f"{HEIGHT - wrong:.1f}", f"{wrong:.1f}",
                f"{narrowed}&start={edges[place]}&end={edges[place + 1]}",
            )
        )  # fmt: skip
    return drawn
