"""Finding traces: filtered, newest first, page by page, at the same cost however many there are.

Pages are cut by (started_at, trace_id), never by offset, and nothing is counted over the whole table. What the
filters offer is read from the newest traces alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.contrib.postgres.search import SearchQuery
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Left
from django.utils.dateparse import parse_datetime

from issues.models import Signal, Trace
from issues.reading.directions import Direction, Said, directions_of, say
from issues.reading.filters import Filters

PAGE = 50
RECENT = 500
"""Newest traces that say what the filters offer."""
MOST_CHOICES = 100
MOST_HITS = 2_000
PREVIEW = 240
SHOWN_SIGNALS = 4
Row = TypeVar("Row")


@dataclass(slots=True)
class Listed:
    """What the list shows of a trace. Not the model: fifty of those cost more than their query."""

    trace_id: str
    started_at: datetime
    ended_at: datetime | None
    name: str
    errors: int
    error: str
    model_names: list[str]
    prompts: list[str]
    session: str
    user: str
    run: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    asked: str
    answered: str

    @property
    def seconds(self) -> float | None:
        return (self.ended_at - self.started_at).total_seconds() if self.ended_at else None

    @property
    def tokens(self) -> int | None:
        told = [count for count in (self.input_tokens, self.output_tokens) if count is not None]
        return sum(told) if told else None


LISTED = tuple(column.name for column in fields(Listed))[:-2]


@dataclass
class Found(Generic[Row]):
    """One row of a list: the trace and what was said about it."""

    trace: Row
    signals: list[Said] = field(default_factory=list)

    @property
    def shown(self) -> list[Said]:
        return self.signals[:SHOWN_SIGNALS]

    @property
    def more(self) -> int:
        return max(0, len(self.signals) - SHOWN_SIGNALS)


@dataclass
class Page:
    """A page of the list and where its neighbours begin."""

    rows: list[Found[Listed]]
    older: str = ""
    newer: str = ""


def matching(
    project_id: int, filters: Filters, *, now: datetime, directions: dict[str, Direction] | None = None
) -> QuerySet[Trace]:
    """The traces of a project that these filters let through, in no order."""
    traces = Trace.objects.filter(project_id=project_id)
    first, last = filters.window(now)
    if first:
        traces = traces.filter(started_at__gte=first)
    if last:
        traces = traces.filter(started_at__lt=last)
    if filters.status:
        traces = traces.filter(errors__gt=0)
    if filters.traffic != "all":
        traces = traces.exclude(run="") if filters.traffic == "runs" else traces.filter(run="")
    for name in ("environment", "release"):
        if value := getattr(filters, name):
            traces = traces.filter(**{name: value})
    for name in ("session", "user"):
        # The second condition is what the partial indexes ask for.
        if value := getattr(filters, name):
            traces = traces.filter(**{name: value}).exclude(**{name: ""})
    if filters.model:
        traces = traces.filter(model_names__contains=[filters.model])
    if filters.prompt:
        traces = traces.filter(prompts__contains=[filters.prompt])
    if filters.q:
        traces = traces.filter(search=SearchQuery(filters.q, config="simple", search_type="websearch"))
    if filters.signal:
        known = directions_of(project_id) if directions is None else directions
        traces = traces.filter(Exists(_signals(project_id, filters.signal, known)))
    return traces


def _signals(project_id: int, wanted: str, known: dict[str, Direction]) -> QuerySet[Signal]:
    verdict, _, name = wanted.partition(":")
    about = Signal.objects.filter(project_id=project_id, trace_id=OuterRef("trace_id")).exclude(trace_id="")
    if verdict == "any" or name not in known:
        return about.filter(name=name)
    return about.filter(known[name].matching(verdict))


def page_of(
    project_id: int,
    filters: Filters,
    *,
    now: datetime,
    directions: dict[str, Direction],
    before: str = "",
    after: str = "",
    size: int = PAGE,
    unusual: bool = False,
) -> Page:
    """One page: the newest, or what comes before or after the place that a neighbour's address names.

    `unusual` says that what is asked for does not appear among the newest traces (see `newest_first`).
    """
    found = matching(project_id, filters, now=now, directions=directions)
    backwards = bool(_place(after))
    if place := _place(after) or _place(before):
        found = found.filter(_beyond(*place, newer=backwards))
    order = ("started_at", "trace_id") if backwards else ("-started_at", "-trace_id")
    found = found.order_by(*order) if backwards else newest_first(found, unusual=unusual)
    # The keys come out of an index alone; the wide rows are fetched for one page only.
    keys: Any = found.values("trace_id")[: size + 1]
    if filters.q:
        # Asked for one page only, the planner walks the index by time and may not meet a rare word for a million
        # rows; asked for many it takes the words' own index, unless they are so common that walking is quick.
        keys = list(found.values_list("trace_id", flat=True)[:MOST_HITS])[: size + 1]
    wanted = Trace.objects.filter(project_id=project_id, trace_id__in=keys).order_by(*order)
    rows = [Listed(*row) for row in wanted.values_list(*LISTED, Left("input", PREVIEW), Left("output", PREVIEW))]
    more = len(rows) > size
    rows = rows[:size]
    if backwards:
        rows.reverse()
    page = Page(with_signals(project_id, rows, directions))
    if rows:
        page.older = cursor_of(rows[-1]) if more or backwards else ""
        page.newer = cursor_of(rows[0]) if (more if backwards else bool(_place(before))) else ""
    return page


def newest_first(traces: QuerySet[Trace, Row], *, unusual: bool = False) -> QuerySet[Trace, Row]:
    """In the order of the list. For a model or prompt of long ago the walk along time would pass everything since;
    ordering by an expression leaves the planner only the index of the facts themselves."""
    if unusual:
        return traces.order_by((F("started_at") + timedelta(0)).desc(), "-trace_id")
    return traces.order_by("-started_at", "-trace_id")


def cursor_of(trace: Listed) -> str:
    return f"{trace.started_at.isoformat()}~{trace.trace_id}"


def _place(cursor: str) -> tuple[datetime, str] | None:
    moment, tilde, trace_id = cursor.replace("\x00", "").partition("~")
    try:
        at = parse_datetime(moment) if tilde else None
    except ValueError:
        return None
    return (at, trace_id) if at and at.tzinfo else None


def _beyond(at: datetime, trace_id: str, *, newer: bool) -> Q:
    if newer:
        return Q(started_at__gte=at) & (Q(started_at__gt=at) | Q(trace_id__gt=trace_id))
    return Q(started_at__lte=at) & (Q(started_at__lt=at) | Q(trace_id__lt=trace_id))


def with_signals(project_id: int, traces: Sequence[Row], directions: dict[str, Direction]) -> list[Found[Row]]:
    """The traces with what was said about each, bad news first."""
    rows = {trace.trace_id: Found(trace) for trace in traces}  # type: ignore[attr-defined]
    told = Signal.objects.filter(project_id=project_id, trace_id__in=list(rows), trace_id__gt="")
    for signal in told.order_by("at", "id").only("trace_id", "name", "number", "text", "comment")[: 20 * PAGE]:
        rows[signal.trace_id].signals.append(say(signal, directions))
    for row in rows.values():
        row.signals.sort(key=lambda said: {"bad": 0, "good": 1}.get(said.tone, 2))
    return list(rows.values())


@dataclass(frozen=True)
class Choices:
    """What the filters offer."""

    model: list[str]
    prompt: list[str]
    environment: list[str]
    release: list[str]
    unusual: bool
    """Whether the model or prompt that is chosen now is not among the newest traces."""


def choices(project_id: int, filters: Filters) -> Choices:
    """What the newest traces hold, and what is chosen now."""
    held: dict[str, set[str]] = {name: set() for name in ("model", "prompt", "environment", "release")}
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH recent AS MATERIALIZED (SELECT model_names, prompts, environment, release FROM issues_trace"
            " WHERE project_id = %s ORDER BY started_at DESC, trace_id DESC LIMIT %s)"
            " SELECT DISTINCT 'model', unnest(model_names) FROM recent"
            " UNION ALL SELECT DISTINCT 'prompt', unnest(prompts) FROM recent"
            " UNION ALL SELECT DISTINCT 'environment', environment FROM recent"
            " UNION ALL SELECT DISTINCT 'release', release FROM recent",
            [project_id, RECENT],
        )
        for name, value in cursor.fetchall():
            held[name].add(value)
    offered = {}
    for name, values in held.items():
        chosen = getattr(filters, name)
        offered[name] = sorted(values - {""}, key=_natural)[:MOST_CHOICES]
        if chosen and chosen not in offered[name]:
            offered[name].append(chosen)
    unusual = not ({filters.model} <= held["model"] | {""} and {filters.prompt} <= held["prompt"] | {""})
    return Choices(**offered, unusual=unusual)


def _natural(value: str) -> tuple[Any, ...]:
    """Versions in the order people count: v9 before v10."""
    digits, parts = "", []
    for letter in value.casefold() + " ":
        if letter.isdecimal():
            digits += letter
            continue
        if digits:
            parts.append(digits[:18].zfill(18))
            digits = ""
        parts.append(letter)
    return tuple(parts)


def any_trace(project_id: int) -> Trace | None:
    """The newest trace of a project, if there is one."""
    newest = Trace.objects.filter(project_id=project_id).order_by("-started_at", "-trace_id")
    return newest.defer("search", "output", "redacted").first()
