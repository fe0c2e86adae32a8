"""Our own JSON for applications without an SDK: send traces, feedback and rollouts; read traces back.

Sending parses item by item, so that one bad item is named and the others are kept.
"""

from datetime import datetime
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import Query, Router, Schema
from ninja.errors import HttpError

from issues import pressure
from issues.models import Signal, Span, Trace
from issues.protocols import plain, plain_form
from issues.protocols.jsontext import read_body
from issues.receive import receive
from issues.record import Parsed, Unreadable
from issues.views.body import BadBody
from issues.views.body import read_body as read_bytes
from reviewer.api import Key, KeyRequest, Problem

router = Router(tags=["Intake"])
MOST_SPANS = 1_000


class RefusedItem(Schema):
    index: int | None = None
    id: str = ""
    error: str


class Taken(Schema):
    accepted: int
    rejected: list[RefusedItem] = []
    ids: list[str] = []


def body_of(form: type, what: str) -> dict[str, Any]:
    """The request body for the OpenAPI document: one item or a list."""
    schema = form.model_json_schema(ref_template="#/components/schemas/{model}")  # type: ignore[attr-defined]
    schema.pop("$defs", None)
    content = {"application/json": {"schema": {"oneOf": [schema, {"type": "array", "items": schema}], "title": what}}}
    return {"requestBody": {"required": True, "content": content}}


def _read(request: HttpRequest) -> Any:
    if pressure.too_high():
        raise HttpError(429, "The intake is full; send this again in a moment.")
    try:
        return read_body(read_bytes(request))
    except BadBody as error:
        raise HttpError(error.status, str(error)) from error
    except Unreadable as error:
        raise HttpError(400, str(error)) from error


def _take(request: HttpRequest, parsed: Parsed, count: int, ids: list[str]) -> HttpResponse:
    receive(cast(KeyRequest, request).auth.project_id, parsed)
    rejected = [{"index": item.index, "id": item.id, "error": item.why} for item in parsed.rejected]
    status = 422 if rejected and not count else 200
    return JsonResponse({"accepted": count, "rejected": rejected, "ids": ids}, status=status)


ANSWERS: dict[int, Any] = {200: Taken, 400: Problem, 401: Problem, 403: Problem, 413: Problem, 422: Taken, 429: Problem}


@router.post(
    "/traces",
    auth=Key("ingest"),
    response=ANSWERS,
    summary="Send traces: one object or a list",
    openapi_extra=body_of(plain_form.Trace, "A trace, or a list of them"),
)
def send_traces(request: HttpRequest) -> HttpResponse:
    parsed = plain.parse_traces(_read(request))
    ids = list(dict.fromkeys(span.trace_id for span in parsed.spans))
    return _take(request, parsed, len(ids), ids)


@router.post(
    "/feedback",
    auth=Key("ingest"),
    response=ANSWERS,
    summary="Send feedback, outcomes and scores",
    openapi_extra=body_of(plain_form.Feedback, "A signal, or a list of them"),
)
def send_feedback(request: HttpRequest) -> HttpResponse:
    parsed = plain.parse_feedback(_read(request))
    return _take(request, parsed, len(parsed.signals), [])


@router.post(
    "/rollouts",
    auth=Key("ingest"),
    response=ANSWERS,
    summary="Say what went live, and when",
    openapi_extra=body_of(plain_form.Rollout, "A rollout, or a list of them"),
)
def send_rollouts(request: HttpRequest) -> HttpResponse:
    parsed = plain.parse_rollouts(_read(request))
    return _take(request, parsed, len(parsed.rollouts), [])


class TraceRow(Schema):
    trace_id: str
    name: str
    started_at: datetime
    ended_at: datetime | None
    spans: int
    errors: int
    error: str
    model_names: list[str]
    prompts: list[str]
    tools: list[str]
    tags: list[str]
    session: str
    user: str
    environment: str
    release: str
    run: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    input: str
    output: str


class SpanRow(Schema):
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
    finish_reason: str
    prompt: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    content: dict[str, Any]


class SignalRow(Schema):
    name: str
    number: float | None
    text: str
    comment: str
    source: str
    at: datetime
    span_id: str


class WholeTrace(TraceRow):
    steps: list[SpanRow]
    signals: list[SignalRow]


class TracePage(Schema):
    traces: list[TraceRow]
    before: datetime | None = None


@router.get(
    "/traces",
    auth=Key("api"),
    response={200: TracePage, 401: Problem, 403: Problem},
    summary="Traces, newest first; `before` of a page asks for the next one",
)
def list_traces(
    request: HttpRequest, before: datetime | None = None, session: str = "", limit: int = Query(50, ge=1, le=500)
) -> dict[str, Any]:
    found = Trace.objects.filter(project=cast(KeyRequest, request).auth.project_id).defer("search")
    if session:
        found = found.filter(session=session)
    if before:
        found = found.filter(started_at__lt=before)
    rows = list(found.order_by("-started_at", "-trace_id")[:limit])
    return {"traces": rows, "before": rows[-1].started_at if len(rows) == limit else None}


@router.get(
    "/traces/{path:trace_id}",
    auth=Key("api"),
    response={200: WholeTrace, 401: Problem, 403: Problem, 404: Problem},
    summary="One trace with its steps (up to 1,000) and signals",
)
def read_trace(request: HttpRequest, trace_id: str) -> Any:
    project_id = cast(KeyRequest, request).auth.project_id
    trace = Trace.objects.defer("search").filter(project=project_id, trace_id=trace_id).first()
    if trace is None:
        raise Http404
    steps = Span.objects.filter(project=project_id, bucket=trace.bucket, trace_id=trace_id)
    whole = {name: getattr(trace, name) for name in TraceRow.model_fields}
    signals = Signal.objects.filter(project=project_id, trace_id=trace_id).order_by("at", "pk")
    return {**whole, "steps": list(steps.order_by("started_at", "span_id")[:MOST_SPANS]), "signals": list(signals)}
