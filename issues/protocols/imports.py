"""Lines of an import file: our own form, Langfuse exports, OTLP/JSON, or spans as OpenTelemetry prints them. Pure."""

from datetime import UTC, datetime
from typing import Any

import orjson

from issues.protocols import langfuse, otlp, plain
from issues.protocols.clock import read_time, set_times
from issues.protocols.conventions import origin, understand
from issues.protocols.conventions.events import Event
from issues.protocols.jsontext import short
from issues.protocols.otlp_json import hex_id
from issues.record import Parsed, Rejected, SpanRecord, plausible

_CODES = {"ERROR": 2, "OK": 1, "STATUS_CODE_ERROR": 2, "STATUS_CODE_OK": 1}


def from_jsonl_line(line: Any, *, now: datetime | None = None) -> Parsed:
    """What one line, or a file that is one JSON value, holds."""
    now = now or datetime.now(UTC)
    if isinstance(line, list):
        parsed = Parsed()
        for item in line:
            found = from_jsonl_line(item, now=now) if isinstance(item, dict) else Parsed()
            if not isinstance(item, dict):
                found.rejected.append(Rejected("Each item is a JSON object."))
            parsed.spans += found.spans
            parsed.signals += found.signals
            parsed.rejected += found.rejected
        return parsed
    if not isinstance(line, dict):
        return Parsed(rejected=[Rejected("Each line is a JSON object.")])
    if "resourceSpans" in line or "resource_spans" in line:
        return otlp.parse_traces(orjson.dumps(line, option=orjson.OPT_NON_STR_KEYS), otlp.JSON, now=now)
    if isinstance(line.get("trace"), dict) or isinstance(line.get("observations"), list):
        return langfuse.from_export(line, now=now)
    if isinstance(line.get("spanContext"), dict) or isinstance(line.get("context"), dict):
        return _printed_span(line, now)
    return plain.parse_traces(line, now=now)


def _printed_span(item: dict[str, Any], now: datetime) -> Parsed:
    """A span as the SDKs for Python (`to_json`) and JavaScript (`ReadableSpan`) print it."""
    context: dict[str, Any] = item.get("spanContext") or item.get("context") or {}
    trace_id = _printed_id(context.get("traceId", context.get("trace_id")), 16)
    span_id = _printed_id(context.get("spanId", context.get("span_id")), 8)
    if not trace_id or not span_id:
        return Parsed(rejected=[Rejected("A span needs a trace id of 32 and a span id of 16 hexadecimal digits.")])
    above = item.get("parentSpanContext")
    told = above.get("spanId") if isinstance(above, dict) else item.get("parentSpanId") or item.get("parent_id")
    parent_id = _printed_id(told, 8)
    span = SpanRecord(trace_id, span_id, "" if parent_id == span_id else parent_id, short(item.get("name")))
    attributes = dict(item["attributes"]) if isinstance(item.get("attributes"), dict) else {}
    start, end = item.get("startTime", item.get("start_time")), item.get("endTime", item.get("end_time"))
    set_times(span, start, end, attributes, now)
    events: list[Event] = []
    for event in item["events"] if isinstance(item.get("events"), list) else []:
        if isinstance(event, dict):
            said = event.get("attributes")
            time = plausible(read_time(event.get("time", event.get("timestamp"))), now)
            events.append((short(event.get("name")), time, dict(said) if isinstance(said, dict) else {}))
    status = item.get("status")
    status = status if isinstance(status, dict) else {}
    code = status.get("code", status.get("status_code"))
    resource = item.get("resource")
    resource = resource.get("attributes") if isinstance(resource, dict) else None
    signals = understand(
        span,
        attributes,
        events=events,
        code=code if isinstance(code, int) else _CODES.get(str(code), 0),
        message=short(status.get("message") or status.get("description") or "", 2000),
        came_from=origin(resource if isinstance(resource, dict) else {}),
        entry=not parent_id,
    )
    return Parsed(spans=[span], signals=signals)


def _printed_id(value: Any, size: int) -> str:
    return hex_id(value.removeprefix("0x"), size) if isinstance(value, str) else ""
