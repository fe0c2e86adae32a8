"""Runs put on the wire as OTLP/JSON, and what customers said as feedback: what any application could send.

The truth about a run is not in here: `tests/demo/test_truth.py` looks at every payload.
"""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from reviewer.demo.assistant import Run
from reviewer.demo.plan import Turn, identity

SCOPE = "fernwood.support"


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_value(item) for item in value]}}
    return {"stringValue": value}


def _pairs(attributes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in attributes.items()]


def resource_of(run: Run) -> tuple[str, str, str]:
    """What is said once for many spans: release, environment, region."""
    return run.serving.release, run.serving.environment, run.case.customer.region


def spans_of(run: Run, trace_id: str, at: datetime, *, extra: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """The spans of one run. `extra` goes on the first one, for example the mark of an experiment."""
    begin = round(at.timestamp() * 1_000_000) * 1_000
    made = []
    for place, step in enumerate(run.trail.steps):
        attributes = {**step.attributes, **(extra or {})} if place == 0 else step.attributes
        span = {
            "traceId": trace_id,
            "spanId": identity(trace_id, place, size=8),
            "name": step.name,
            "kind": 1,
            "startTimeUnixNano": str(begin + round(step.start * 1_000) * 1_000),
            "endTimeUnixNano": str(begin + round(step.end * 1_000) * 1_000),
            "attributes": _pairs(attributes),
            "status": {"code": 2, "message": step.error} if step.error else {},
        }
        if step.parent is not None:
            span["parentSpanId"] = identity(trace_id, step.parent, size=8)
        made.append(span)
    return made


def request_of(runs: Iterable[tuple[Run, str, datetime]], *, extra: dict[str, Any] | None = None) -> dict[str, Any]:
    """One OTLP request for many runs, grouped by where they come from."""
    blocks: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for run, trace_id, at in runs:
        blocks.setdefault(resource_of(run), []).extend(spans_of(run, trace_id, at, extra=extra))
    return {
        "resourceSpans": [
            {
                "resource": {
                    "attributes": _pairs(
                        {
                            "service.name": "fernwood-support",
                            "service.version": release,
                            "deployment.environment.name": environment,
                            "cloud.region": region,
                        }
                    )
                },
                "scopeSpans": [{"scope": {"name": SCOPE, "version": "1"}, "spans": spans}],
            }
            for (release, environment, region), spans in blocks.items()
        ]
    }


def encode(request: Any) -> bytes:
    return json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()


def feedback_of(turn: Turn, trace_id: str, start: datetime, until: datetime) -> list[dict[str, Any]]:
    """What was said about one turn, as far as it has been said by now."""
    made = []
    for place, signal in enumerate(turn.signals):
        at = start + timedelta(hours=turn.hour, seconds=signal["after"])
        if at <= until:
            told = {key: value for key, value in signal.items() if key != "after"}
            made.append(
                {**told, "trace_id": trace_id, "time": at.isoformat(), "id": identity(trace_id, "signal", place)}
            )
    return made
