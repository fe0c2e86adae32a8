"""OTLP/HTTP: export requests in protobuf or JSON become records; the reply says what was not taken.

A body that cannot be read raises `Unreadable`; a single broken span is rejected alone. Pure.
"""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from issues.protocols import otlp_json, otlp_wire
from issues.protocols.conventions import Origin, origin, understand
from issues.protocols.conventions.events import Event
from issues.protocols.conventions.keys import EVALUATION_EVENT
from issues.protocols.conventions.signals import from_evaluation
from issues.protocols.jsontext import read_body, short
from issues.record import CLOCK_SLACK, EARLIEST, Parsed, Rejected, SpanRecord, Unreadable

PROTOBUF = "application/x-protobuf"
JSON = "application/json"
_ENTRIES = frozenset((2, 5))  # SERVER and CONSUMER: where a service is entered
_REMOTE = 0x300  # the flags that say: the parent is known to be elsewhere
_FIRST = int(EARLIEST.timestamp()) * 10**9
_NO_SPAN = bytes(8)
_NO_TRACE = bytes(16)


def is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    if kind == JSON:
        return True
    if kind in {PROTOBUF, "application/protobuf", "application/octet-stream", ""}:
        return False
    raise Unreadable(f"Content-Type {short(kind)!r} is not OTLP: send application/x-protobuf or application/json.")


def parse_traces(body: bytes, content_type: str, *, now: datetime | None = None) -> Parsed:
    """Every span of an export request."""
    parsed = Parsed()
    last = int(((now or datetime.now(UTC)) + CLOCK_SLACK).timestamp()) * 10**9
    if is_json(content_type):
        for came_from, spans in otlp_json.traces(read_body(body)):
            for item in spans:
                _take_json(item, came_from, last, parsed)
        return parsed
    request = ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except DecodeError:
        request = otlp_wire.salvage(body, parsed)
    for resource_spans in request.resource_spans:
        resource = pairs(resource_spans.resource.attributes)
        for scope_spans in resource_spans.scope_spans:
            came_from = origin(resource, scope_spans.scope.name)
            for span in scope_spans.spans:
                _take(span, came_from, last, parsed)
    return parsed


def _take(span: Any, came_from: Origin, last: int, parsed: Parsed) -> None:
    """One protobuf span."""
    trace_id, span_id, parent_id = span.trace_id, span.span_id, span.parent_span_id
    if len(trace_id) != 16 or len(span_id) != 8 or trace_id == _NO_TRACE or span_id == _NO_SPAN:
        parsed.rejected.append(Rejected(id_fault(trace_id, span_id), span_id.hex()[:64]))
        return
    attributes = {}
    for pair in span.attributes:
        any_value = pair.value
        attributes[pair.key] = any_value.string_value or value_of(any_value)
    events: list[Event] | None = None
    if span.events:
        events = [(e.name, moment(e.time_unix_nano, last), pairs(e.attributes)) for e in span.events]
    status = span.status
    parent = parent_id.hex() if parent_id and parent_id != _NO_SPAN else ""
    if parent and (len(parent_id) != 8 or parent_id == span_id):
        attributes["whetstone.parent"] = parent[:64]
        parent = ""
    record = SpanRecord(trace_id.hex(), span_id.hex(), parent, short(span.name))
    set_times(record, span.start_time_unix_nano, span.end_time_unix_nano, last, attributes)
    entry = not parent or span.kind in _ENTRIES or span.flags & _REMOTE == _REMOTE
    parsed.spans.append(record)
    signals = understand(
        record, attributes, events=events, code=status.code, message=status.message, came_from=came_from, entry=entry
    )
    if signals:
        parsed.signals.extend(signals)


def _take_json(item: Any, came_from: Origin, last: int, parsed: Parsed) -> None:
    """One span of OTLP/JSON."""
    raw = otlp_json.read_span(item)
    if isinstance(raw, Rejected):
        parsed.rejected.append(raw)
        return
    attributes = raw.attributes
    if raw.bad_parent:
        attributes["whetstone.parent"] = raw.bad_parent
    events: list[Event] = [(name, moment(time, last), said) for name, time, said in raw.events]
    record = SpanRecord(raw.trace_id, raw.span_id, raw.parent_id, short(raw.name))
    set_times(record, raw.start, raw.end, last, attributes)
    entry = not raw.parent_id or raw.kind in _ENTRIES or raw.flags & _REMOTE == _REMOTE
    parsed.spans.append(record)
    parsed.signals += understand(
        record, attributes, events=events, code=raw.code, message=raw.message, came_from=came_from, entry=entry
    )


def id_fault(trace_id: bytes, span_id: bytes) -> str:
    if len(trace_id) != 16:
        return f"A trace id has 16 bytes; this one has {len(trace_id)}."
    if len(span_id) != 8:
        return f"A span id has 8 bytes; this one has {len(span_id)}."
    return "A trace id or span id of only zeros is not valid."


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(nanoseconds: int, last: int) -> datetime | None:
    """The time, if a clock could have meant it."""
    if _FIRST <= nanoseconds <= last:
        return _EPOCH + timedelta(microseconds=nanoseconds // 1000)
    return None


def set_times(record: SpanRecord, start: int, end: int, last: int, attributes: dict[str, Any]) -> None:
    """Believable times go to the record; others stay as text, so that nobody sorts by them."""
    if _FIRST <= start <= last:
        record.start = _EPOCH + timedelta(microseconds=start // 1000)
    elif start:
        attributes["whetstone.start"] = nanoseconds_text(start)
    if _FIRST <= end <= last and end >= start:
        record.end = _EPOCH + timedelta(microseconds=end // 1000)
    elif end:
        attributes["whetstone.end"] = nanoseconds_text(end)


def nanoseconds_text(nanoseconds: int) -> str:
    try:
        return (_EPOCH + timedelta(microseconds=nanoseconds // 1000)).isoformat()
    except OverflowError:
        return f"{nanoseconds} ns"


def pairs(attributes: Any) -> dict[str, Any]:
    return {pair.key: pair.value.string_value or value_of(pair.value) for pair in attributes}


def value_of(any_value: Any) -> Any:
    """An AnyValue as Python. Its nesting is bounded by protobuf's own limit of 100 levels."""
    kind = any_value.WhichOneof("value")
    if kind == "int_value":
        return any_value.int_value
    if kind == "array_value":
        return [item.string_value or value_of(item) for item in any_value.array_value.values]
    if kind == "bool_value":
        return any_value.bool_value
    if kind == "double_value":
        return any_value.double_value
    if kind == "kvlist_value":
        return pairs(any_value.kvlist_value.values)
    if kind == "bytes_value":
        return base64.b64encode(any_value.bytes_value).decode()
    return "" if kind == "string_value" else None


def parse_logs(body: bytes, content_type: str, *, now: datetime | None = None) -> Parsed:
    """The evaluation results among log records; other records are not ours and are passed over."""
    parsed = Parsed()
    last = int(((now or datetime.now(UTC)) + CLOCK_SLACK).timestamp()) * 10**9
    records = otlp_json.logs(read_body(body)) if is_json(content_type) else _log_records(body)
    for name, trace_id, span_id, time, said in records:
        if (name or said.pop("event.name", "")) != EVALUATION_EVENT:
            continue
        when = moment(time, last)
        signal = from_evaluation(said, trace_id=trace_id, span_id=span_id, time=when, place=time)
        if signal is None:
            parsed.rejected.append(Rejected("An evaluation result needs gen_ai.evaluation.name and a score.", span_id))
        elif not trace_id:
            parsed.rejected.append(Rejected("An evaluation result needs the trace it is about.", span_id))
        else:
            parsed.signals.append(signal)
    return parsed


def _log_records(body: bytes) -> Iterator[tuple[str, str, str, int, dict[str, Any]]]:
    request = ExportLogsServiceRequest()
    try:
        request.ParseFromString(body)
    except DecodeError:
        raise Unreadable("The body is not an OTLP ExportLogsServiceRequest in protobuf.") from None
    for resource_logs in request.resource_logs:
        for scope_logs in resource_logs.scope_logs:
            for record in scope_logs.log_records:
                said = pairs(record.attributes)
                inside = value_of(record.body)
                if isinstance(inside, dict):
                    said = inside | said
                trace_id = record.trace_id.hex() if len(record.trace_id) == 16 and any(record.trace_id) else ""
                span_id = record.span_id.hex() if len(record.span_id) == 8 and any(record.span_id) else ""
                yield (
                    record.event_name,
                    trace_id,
                    span_id,
                    record.time_unix_nano or record.observed_time_unix_nano,
                    said,
                )


def response(parsed: Parsed, content_type: str, *, logs: bool = False) -> bytes:
    """The reply in the request's encoding: how many were rejected, and the first reasons."""
    count = len(parsed.rejected)
    reasons = " ".join(list(dict.fromkeys(item.why for item in parsed.rejected))[:3])
    if is_json(content_type):
        if not count:
            return b"{}"
        noun = "rejectedLogRecords" if logs else "rejectedSpans"
        return otlp_json.dumps({"partialSuccess": {noun: str(count), "errorMessage": reasons}})
    if logs:
        log_reply = ExportLogsServiceResponse()
        if count:
            log_reply.partial_success.rejected_log_records = count
            log_reply.partial_success.error_message = reasons
        return log_reply.SerializeToString()
    reply = ExportTraceServiceResponse()
    if count:
        reply.partial_success.rejected_spans = count
        reply.partial_success.error_message = reasons
    return reply.SerializeToString()


def status_message(sentence: str) -> bytes:
    """A google.rpc.Status with this message, in protobuf: one field, written by hand."""
    text = sentence.encode()[:4_000]
    size, length = len(text), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    length.append(size)
    return b"\x12" + bytes(length) + text
