"""Spans written plainly (`tests/payloads/*.json`) put on the wire as OTLP, in either encoding."""

import base64
import json
from pathlib import Path
from typing import Any

from google.protobuf import json_format  # type: ignore[import-untyped]
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from issues.protocols import otlp
from issues.record import Parsed

PAYLOADS = Path(__file__).parent.parent / "payloads"
TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"
START = 1_770_000_000_000_000_000


def payload(name: str) -> Any:
    return json.loads((PAYLOADS / name).read_text())


def any_value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": pairs(value)}}
    return {"stringValue": value}


def pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": any_value(value)} for key, value in attributes.items()]


def as_json(*spans: dict[str, Any], resource: dict[str, Any] | None = None, scope: str = "") -> dict[str, Any]:
    """An OTLP/JSON request; every span may leave out what it does not care about."""
    made = []
    for place, span in enumerate(spans):
        item = {
            "traceId": span.get("trace_id", TRACE),
            "spanId": span.get("span_id", SPAN if not place else f"{place:016x}"),
            "name": span.get("name", "a span"),
            "kind": 1,
            "startTimeUnixNano": str(span.get("start", START)),
            "endTimeUnixNano": str(span.get("end", START + 1_500_000_000)),
            "attributes": pairs(span.get("attributes", {})),
            "status": span.get("status", {}),
            "events": [
                {
                    "name": event["name"],
                    "timeUnixNano": str(START + 1_000_000_000),
                    "attributes": pairs(event.get("attributes", {})),
                }
                for event in span.get("events", [])
            ],
        }
        if "parent_id" in span:
            item["parentSpanId"] = span["parent_id"]
        made.append(item)
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": pairs(resource or {})},
                "scopeSpans": [{"scope": {"name": scope}, "spans": made}],
            }
        ]
    }


def as_protobuf(request: dict[str, Any]) -> bytes:
    """The same request in protobuf, whose JSON reader wants ids in base64."""
    request = json.loads(json.dumps(request))
    for block in request["resourceSpans"]:
        for scope in block["scopeSpans"]:
            for span in scope["spans"]:
                for key in ("traceId", "spanId", "parentSpanId"):
                    if key in span:
                        span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    return json_format.ParseDict(request, ExportTraceServiceRequest()).SerializeToString()


def parse(request: dict[str, Any], encoding: str = "protobuf") -> Parsed:
    if encoding == "json":
        return otlp.parse_traces(json.dumps(request).encode(), otlp.JSON)
    return otlp.parse_traces(as_protobuf(request), otlp.PROTOBUF)


def parse_one(attributes: dict[str, Any], **span: Any):
    """The one record that a span with these attributes becomes."""
    parsed = parse(as_json({"attributes": attributes, **span}))
    assert not parsed.rejected
    return parsed.spans[0]
