"""OTLP's JSON encoding, as senders really write it: lowerCamelCase or snake_case, ids in hex or base64, enums by number
or name, 64-bit integers as text or number. Unknown fields are ignored. Pure.
"""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from issues.protocols.conventions import Origin, origin
from issues.record import Rejected, Unreadable

DEEPEST = 40
_CODES = {"STATUS_CODE_UNSET": 0, "STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2, "UNSET": 0, "OK": 1, "ERROR": 2}
_KINDS = {"SPAN_KIND_INTERNAL": 1, "SPAN_KIND_SERVER": 2, "SPAN_KIND_CLIENT": 3, "SPAN_KIND_CONSUMER": 5}


@dataclass(slots=True)
class RawSpan:
    trace_id: str
    span_id: str
    parent_id: str
    bad_parent: str
    name: str
    kind: int
    flags: int
    start: int
    end: int
    code: int
    message: str
    attributes: dict[str, Any]
    events: list[tuple[str, int, dict[str, Any]]]


def dumps(value: Any) -> bytes:
    return orjson.dumps(value)


def _list(node: Any, *names: str) -> list[Any]:
    """A repeated field under any of its spellings; what is not a list counts as absent."""
    if isinstance(node, dict):
        for name in names:
            found = node.get(name)
            if isinstance(found, list):
                return found
    return []


def _get(node: Any, *names: str) -> Any:
    if isinstance(node, dict):
        for name in names:
            if name in node:
                return node[name]
    return None


def traces(request: Any) -> Iterator[tuple[Origin, list[Any]]]:
    """The spans of a request, by where they come from."""
    if not isinstance(request, dict) or not ("resourceSpans" in request or "resource_spans" in request or not request):
        raise Unreadable("An OTLP/JSON trace request is an object with resourceSpans.")
    if not isinstance(_get(request, "resourceSpans", "resource_spans") or [], list):
        raise Unreadable("resourceSpans must be a list.")
    for block in _list(request, "resourceSpans", "resource_spans"):
        resource = pairs(_list(_get(block, "resource"), "attributes"))
        scopes = _list(block, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")
        for scope in scopes:
            name = _get(_get(scope, "scope", "instrumentationLibrary"), "name")
            yield origin(resource, name if isinstance(name, str) else ""), _list(scope, "spans")


def logs(request: Any) -> Iterator[tuple[str, str, str, int, dict[str, Any]]]:
    """Log records as name, trace id, span id, time and what they say."""
    if not isinstance(request, dict) or not ("resourceLogs" in request or "resource_logs" in request or not request):
        raise Unreadable("An OTLP/JSON logs request is an object with resourceLogs.")
    for block in _list(request, "resourceLogs", "resource_logs"):
        for scope in _list(block, "scopeLogs", "scope_logs"):
            for record in _list(scope, "logRecords", "log_records"):
                said = pairs(_list(record, "attributes"))
                inside = value_of(_get(record, "body"))
                if isinstance(inside, dict):
                    said = inside | said
                name = _get(record, "eventName", "event_name")
                time = integer(_get(record, "timeUnixNano", "time_unix_nano"))
                time = time or integer(_get(record, "observedTimeUnixNano", "observed_time_unix_nano"))
                trace_id = hex_id(_get(record, "traceId", "trace_id"), 16)
                span_id = hex_id(_get(record, "spanId", "span_id"), 8)
                yield name if isinstance(name, str) else "", trace_id, span_id, time, said


def read_span(item: Any) -> RawSpan | Rejected:
    if not isinstance(item, dict):
        return Rejected("A span is a JSON object.")
    told = item.get("spanId", item.get("span_id"))
    span_id = hex_id(told, 8)
    trace_id = hex_id(item.get("traceId", item.get("trace_id")), 16)
    if not trace_id or not span_id:
        noun = "trace id has 32" if not trace_id else "span id has 16"
        return Rejected(f"A {noun} hexadecimal digits, not all zero.", str(told)[:64])
    told = item.get("parentSpanId", item.get("parent_span_id")) or ""
    parent_id = hex_id(told, 8)
    wrong = ""
    if (told and not parent_id and str(told).strip("0")) or parent_id == span_id:
        wrong, parent_id = str(told)[:64], ""
    status = item.get("status")
    code = _get(status, "code")
    message = _get(status, "message")
    name = item.get("name")
    kind = item.get("kind")
    return RawSpan(
        trace_id,
        span_id,
        parent_id,
        wrong,
        name if isinstance(name, str) else "",
        kind if isinstance(kind, int) else _KINDS.get(kind, 0) if isinstance(kind, str) else 0,
        integer(item.get("flags")),
        integer(item.get("startTimeUnixNano", item.get("start_time_unix_nano"))),
        integer(item.get("endTimeUnixNano", item.get("end_time_unix_nano"))),
        code if isinstance(code, int) else _CODES.get(code, integer(code)) if isinstance(code, str) else 0,
        message if isinstance(message, str) else "",
        pairs(_list(item, "attributes")),
        [_event(event) for event in _list(item, "events") if isinstance(event, dict)],
    )


def _event(event: dict[str, Any]) -> tuple[str, int, dict[str, Any]]:
    name = event.get("name")
    time = integer(event.get("timeUnixNano", event.get("time_unix_nano")))
    return name if isinstance(name, str) else "", time, pairs(_list(event, "attributes"))


def hex_id(value: Any, size: int) -> str:
    """An id as lower-case hex, from hex or from protobuf's base64; empty when it is neither, or all zeros."""
    if not isinstance(value, str):
        return ""
    if len(value) == size * 2:
        try:
            raw = bytes.fromhex(value)
        except ValueError:
            return ""
        return value.lower() if len(raw) == size and any(raw) else ""
    if len(value) in {(size * 8 + 5) // 6, (size + 2) // 3 * 4}:
        try:
            raw = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
        except (ValueError, binascii.Error):
            return ""
        return raw.hex() if len(raw) == size and any(raw) else ""
    return ""


def integer(value: Any) -> int:
    """A 64-bit integer, from a number or its text; 0 when it is neither."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str) and len(value) <= 20 and value.isascii() and value.removeprefix("-").isdigit():
        return int(value)
    if isinstance(value, float) and abs(value) < 1e19:
        return int(value)
    return 0


def pairs(attributes: list[Any], depth: int = 0) -> dict[str, Any]:
    found = {}
    for pair in attributes:
        if isinstance(pair, dict):
            key = pair.get("key")
            if isinstance(key, str):
                value = pair.get("value")
                if value.__class__ is dict and len(value) == 1 and value.get("stringValue").__class__ is str:
                    found[key] = value["stringValue"]
                else:
                    found[key] = value_of(value, depth)
    return found


def value_of(value: Any, depth: int = 0) -> Any:
    """An AnyValue; anything else is taken for what it is."""
    if not isinstance(value, dict):
        return value if not isinstance(value, list) else [value_of(item, depth + 1) for item in value[:1000]]
    if depth >= DEEPEST:
        return "… [deeper levels left out by Whetstone]"
    for key, item in value.items():
        name = key.replace("_value", "Value")
        if name == "stringValue":
            return item
        if name == "intValue":
            number = integer(item)
            return number if number or item in (0, "0") else item
        if name in {"boolValue", "doubleValue", "bytesValue"}:
            return item
        if name == "arrayValue":
            return [value_of(inner, depth + 1) for inner in _list(item, "values")]
        if name == "kvlistValue":
            return pairs(_list(item, "values"), depth + 1)
    return None
