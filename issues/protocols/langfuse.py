"""Langfuse's JSON: scores of every SDK generation, the older SDK's batches of traces, and exported traces.

Spans of SDK 3 and later come as OTLP. `ingest` reads `POST /api/public/ingestion`, `scores` reads `POST
/api/public/scores`; both give the records and what the reply needs. Pure.
"""

from datetime import UTC, datetime
from typing import Any

from issues.protocols.clock import read_time, set_times
from issues.protocols.conventions.facts import documents, read_costs, read_usage, tags
from issues.protocols.conventions.keys import FACTS, FLAT, KINDS_BY_NAME
from issues.protocols.conventions.signals import judged, signal_id
from issues.protocols.jsontext import amount, bounded, short, tidy
from issues.protocols.messages import talk
from issues.record import (
    LONGEST_ID,
    Parsed,
    Rejected,
    SignalRecord,
    SpanRecord,
    Unreadable,
    clean,
    clean_text,
    plausible,
)

_SOURCES = {"EVAL": "evaluator", "ANNOTATION": "user", "API": "user"}
_READ = frozenset(
    """id traceId parentObservationId name type startTime endTime input output model usage usageDetails costDetails
    level statusMessage promptName promptVersion environment metadata unit
    projectId createdAt updatedAt internalModelId promptId latency providedCostDetails inputCost outputCost totalCost
    inputUsage outputUsage totalUsage toolDefinitions toolCalls toolCallNames usagePricingTierId usagePricingTierName
    bookmarked public""".split()  # noqa: SIM905 - a list this long reads better as words
)
"""Fields that are read, and those that a Langfuse server adds to an export."""


def ingest(request: Any, *, now: datetime | None = None) -> tuple[Parsed, list[dict[str, Any]], list[dict[str, Any]]]:
    """A batch: its records, and the successes and errors of the 207 reply."""
    batch = request.get("batch") if isinstance(request, dict) else None
    if not isinstance(batch, list):
        raise Unreadable("An ingestion request is an object with a batch, which is a list.")
    parsed = Parsed()
    now = now or datetime.now(UTC)
    successes, errors = [], []
    for event in batch:
        event_id = str(event.get("id", ""))[:LONGEST_ID] if isinstance(event, dict) else ""
        why = _take(event, parsed, now) if isinstance(event, dict) else "An event is a JSON object."
        if why:
            errors.append({"id": event_id, "status": 400, "message": why, "error": why})
            parsed.rejected.append(Rejected(why, event_id))
        else:
            successes.append({"id": event_id, "status": 201})
    return parsed, successes, errors


def _take(event: dict[str, Any], parsed: Parsed, now: datetime) -> str:
    """Read one event of a batch; the answer says why it was not taken."""
    kind, body = event.get("type"), event.get("body")
    if not isinstance(kind, str) or not isinstance(body, dict):
        return "An event has a type and a body."
    if kind == "score-create":
        made = score({"timestamp": event.get("timestamp"), **body}, now=now)
        if isinstance(made, Rejected):
            return made.why
        parsed.signals.append(made)
        return ""
    if kind == "trace-create":
        span = from_trace(body, now=now)
    elif kind.endswith(("-create", "-update")) and kind != "dataset-run-item-create":
        body = {"type": kind.rpartition("-")[0], **body}
        span = from_observation(body, now=now, own_root=True)
    elif kind == "sdk-log":
        return ""
    else:
        return f"Events of type {short(kind)} are not known."
    if span is None:
        return "An observation needs an id and a traceId; a trace needs an id."
    parsed.spans.append(span)
    return ""


def scores(request: Any, *, now: datetime | None = None) -> tuple[Parsed, list[str]]:
    """One score or a list of them: the records, and a sentence for each that was refused."""
    parsed = Parsed()
    now = now or datetime.now(UTC)
    for body in request if isinstance(request, list) else [request]:
        made = score(body, now=now)
        if isinstance(made, Rejected):
            parsed.rejected.append(made)
        else:
            parsed.signals.append(made)
    return parsed, [item.why for item in parsed.rejected]


def score(body: Any, *, now: datetime | None = None) -> SignalRecord | Rejected:
    """One score. Without an id it is made from what it says, so that a retry is the same score."""
    if not isinstance(body, dict):
        return Rejected("A score is a JSON object.")
    name = short(body.get("name") or "")
    score_id = short(body.get("id") or "", LONGEST_ID)
    trace_id = short(body.get("traceId") or "", LONGEST_ID)
    session = short(body.get("sessionId") or "")
    if not name:
        return Rejected("A score needs a name.", score_id)
    if not trace_id and not session:
        return Rejected("A score needs a traceId or a sessionId.", score_id)
    told = body.get("value")
    value: float | bool | str | None
    if body.get("dataType") == "BOOLEAN" and not isinstance(told, str):
        value = bool(told) if told is not None else None
    elif body.get("dataType") == "CATEGORICAL":
        value = short(body.get("stringValue") or told)
    else:
        value = told if isinstance(told, str) and told else judged(told, body.get("stringValue"))
    if value is None or value == "" or isinstance(told, dict | list):
        return Rejected("A score needs a value: a number, true or false, or a category.", score_id)
    value = short(value) if isinstance(value, str) else value
    span_id = short(body.get("observationId") or "", LONGEST_ID)
    time = plausible(read_time(body.get("timestamp")), now or datetime.now(UTC))
    rest = {
        key: body[key] for key in ("metadata", "configId", "environment") if body.get(key) not in (None, "", "{}", {})
    }
    return SignalRecord(
        name=name,
        value=value,
        trace_id=trace_id,
        span_id=span_id,
        session="" if trace_id else session,
        comment=clean_text(str(body.get("comment") or "")),
        source=_SOURCES.get(str(body.get("source") or "").upper(), "user"),
        time=time,
        id=score_id or signal_id(trace_id, span_id, session, name, value, body.get("timestamp") or ""),
        attributes=clean(rest),
    )


def root_id(trace_id: str) -> str:
    """The span that stands for a trace which was sent apart from its observations."""
    return signal_id("trace", trace_id)[:16]


def from_trace(body: dict[str, Any], *, now: datetime) -> SpanRecord | None:
    """A trace as the older SDK sends it: a root span of its own."""
    trace_id = short(body.get("id") or "", LONGEST_ID)
    if not trace_id:
        return None
    span = SpanRecord(trace_id, root_id(trace_id), name=short(body.get("name") or ""))
    set_trace_facts(span, body)
    attributes = _metadata(body)
    set_times(span, body.get("timestamp"), None, attributes, now)
    _bodies(span, body, attributes)
    span.attributes = bounded(attributes)
    return span


def set_trace_facts(span: SpanRecord, trace: dict[str, Any]) -> None:
    span.trace_name = short(trace.get("name") or "")
    span.user = short(trace.get("userId") or "")
    span.session = short(trace.get("sessionId") or "")
    span.release = short(trace.get("release") or trace.get("version") or "")
    span.environment = short(trace.get("environment") or "") or span.environment
    span.tags = tags(trace.get("tags"))


def from_observation(body: dict[str, Any], *, now: datetime, own_root: bool = False) -> SpanRecord | None:
    """An observation: a step of a trace. `own_root` hangs those without a parent under the trace's own span."""
    span_id, trace_id = short(body.get("id") or "", LONGEST_ID), short(body.get("traceId") or "", LONGEST_ID)
    if not span_id or not trace_id:
        return None
    parent_id = short(body.get("parentObservationId") or "", LONGEST_ID)
    if own_root and not parent_id:
        parent_id = root_id(trace_id)
    span = SpanRecord(trace_id, span_id, "" if parent_id == span_id else parent_id, short(body.get("name") or ""))
    word = str(body.get("type") or "").lower()
    span.kind = KINDS_BY_NAME.get(word, "chain")
    span.model = short(body.get("model") or "")
    span.environment = short(body.get("environment") or "")
    span.prompt_name = short(body.get("promptName") or "")
    span.prompt_version = short(body.get("promptVersion") or "")
    attributes = _metadata(body)
    attributes |= {key: value for key, value in body.items() if key not in _READ and value not in (None, "", [], {})}
    set_times(span, body.get("startTime"), body.get("endTime"), attributes, now)
    _bodies(span, body, attributes)
    if span.kind == "tool":
        span.tool = span.name.removeprefix("execute_tool ")
    if span.kind == "retrieval":
        span.documents = documents(span.output)
        span.output = None if span.documents else span.output
    usage = body.get("usageDetails") or body.get("usage")
    if usage:
        usage = clean(usage)
        if isinstance(usage, dict) and "promptTokens" in usage:
            usage = {"input": usage.get("promptTokens"), "output": usage.get("completionTokens")}
        read_usage(span, usage, attributes)
    if isinstance(body.get("costDetails"), dict):
        read_costs(span, body["costDetails"], attributes)
    elif isinstance(body.get("usage"), dict) and span.cost is None:
        span.cost = amount(body["usage"].get("totalCost"))
    if str(body.get("level") or "").upper() == "ERROR":
        span.status = "error"
        span.error = clean_text(str(body.get("statusMessage") or ""))
    elif body.get("statusMessage"):
        attributes["statusMessage"] = body["statusMessage"]
    span.attributes = bounded(attributes)
    return span


def _bodies(span: SpanRecord, body: dict[str, Any], attributes: dict[str, Any]) -> None:
    span.input, span.output = tidy(body.get("input")), tidy(body.get("output"))
    if span.kind not in {"tool", "retrieval"}:
        span.input, _ = talk(span.input, "input", attributes)
        span.output, finish = talk(span.output, "output", attributes)
        span.finish_reason = short(finish)


def _metadata(body: dict[str, Any]) -> dict[str, Any]:
    """Metadata as attributes. An export repeats OpenTelemetry attributes there: what they told is left out."""
    found = tidy(body.get("metadata"))
    if found in (None, "", {}):
        return {}
    if not isinstance(found, dict):
        return {"metadata": found}
    told = found.get("attributes")
    if isinstance(told, dict):
        kept = {key: value for key, value in told.items() if key not in FACTS and not key.startswith(FLAT)}
        return kept | {f"metadata.{key}": value for key, value in found.items() if key != "attributes"}
    return {f"metadata.{key}": value for key, value in found.items()}


def from_export(line: dict[str, Any], *, now: datetime | None = None) -> Parsed:
    """A trace with its observations and scores, as Langfuse exports it."""
    now = now or datetime.now(UTC)
    inner = line.get("trace")
    trace: dict[str, Any] = inner if isinstance(inner, dict) else line
    observations = line.get("observations") or trace.get("observations")
    parsed = Parsed()
    trace_id = short(trace.get("id") or "", LONGEST_ID)
    for body in observations if isinstance(observations, list) else []:
        span = from_observation({"traceId": trace_id, **body}, now=now) if isinstance(body, dict) else None
        if span is None:
            parsed.rejected.append(Rejected("An observation needs an id and a traceId."))
        else:
            parsed.spans.append(span)
    known = {span.span_id for span in parsed.spans}
    roots = [span for span in parsed.spans if span.parent_id not in known]
    if len(roots) == 1:
        set_trace_facts(roots[0], trace)
    else:
        root = from_trace(trace, now=now)
        if root is None:
            parsed.rejected.append(Rejected("A trace needs an id."))
        else:
            parsed.spans.insert(0, root)
            for span in roots:
                span.parent_id = root.span_id
    judgements = trace.get("scores")
    for body in judgements if isinstance(judgements, list) else []:
        made = score({"traceId": trace_id, **body} if isinstance(body, dict) else body, now=now)
        if isinstance(made, Rejected):
            parsed.rejected.append(made)
        else:
            parsed.signals.append(made)
    return parsed
