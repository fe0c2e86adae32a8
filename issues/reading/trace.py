"""Reading one trace: its steps without their bodies, the bodies somebody looks at, and what was said about it."""

import json
from typing import Any

from django.db.models import F, Func, IntegerField, Q

from issues.models import Signal, Span, Trace
from issues.reading.directions import Direction, Said, say
from issues.reading.steps import COLUMNS, Step, lay_out

MOST_SIGNALS = 200


class _Bytes(Func):
    """The size of a value as stored; PostgreSQL knows it without reading it."""

    function = "octet_length"
    output_field = IntegerField()


def steps_of(trace: Trace) -> list[Step]:
    """Every step of the trace in reading order, from the light columns alone."""
    spans = Span.objects.filter(project_id=trace.project_id, bucket=trace.bucket, trace_id=trace.trace_id)
    return lay_out(Step(*row) for row in spans.annotate(size=_Bytes(F("body"))).values_list(*COLUMNS, "size"))


def bodies_of(trace: Trace, span_ids: list[str]) -> dict[str, dict[str, Any]]:
    """The bodies of these steps, read in one query."""
    spans = Span.objects.filter(
        project_id=trace.project_id, bucket=trace.bucket, trace_id=trace.trace_id, span_id__in=span_ids
    )
    return {span_id: json.loads(body) for span_id, body in spans.values_list("span_id", "body")}


def signals_of(trace: Trace, known: dict[str, Direction]) -> list[Said]:
    """What was said about the trace, its steps and its session, oldest first."""
    about = Q(trace_id=trace.trace_id) & ~Q(trace_id="")
    if trace.session:
        about |= Q(session=trace.session, trace_id="") & ~Q(session="")
    signals = Signal.objects.filter(about, project_id=trace.project_id).order_by("at", "id")[:MOST_SIGNALS]
    return [say(signal, known) for signal in signals]
