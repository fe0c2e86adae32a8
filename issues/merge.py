"""The same span again: field by field, so that any order of arrival gives the same row.

Each rule is commutative, associative and idempotent: told beats untold, the earlier start and the later end
win, an error beats a success, and of two different texts the longer (then the greater) one stays.
Pure: imports neither Django nor Celery.
"""

import json
from dataclasses import fields
from typing import Any

from issues.record import SpanRecord

STATUS_ORDER = {"": 0, "ok": 1, "error": 2}
_FIELDS = tuple(f.name for f in fields(SpanRecord))
_PLAIN = tuple(
    name for name in _FIELDS
    if name not in {"trace_id", "span_id", "start", "end", "status", "kind", "tags", "attributes", "events"}
)  # fmt: skip


def weight(value: Any) -> tuple[int, int, str]:
    """How much a value tells: nothing, then by length, then by order, so that a choice is never a coin toss."""
    if value is None or value == "" or value == [] or value == {}:
        return (0, 0, "")
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
    return (1, len(text), text)


def stronger(one: Any, other: Any) -> Any:
    """The value that tells more."""
    if one == other:
        return one
    return max(one, other, key=weight)


def merge(one: SpanRecord, other: SpanRecord) -> SpanRecord:
    """One record out of two for the same span."""
    both = SpanRecord(one.trace_id, one.span_id)
    both.start = min((moment for moment in (one.start, other.start) if moment), default=None)
    both.end = max((moment for moment in (one.end, other.end) if moment), default=None)
    both.status = max(one.status, other.status, key=lambda status: STATUS_ORDER.get(status, 0))
    # "chain" is what we say when a client does not: anything else tells more.
    both.kind = other.kind if one.kind == "chain" else one.kind if other.kind == "chain" else max(one.kind, other.kind)
    for name in _PLAIN:
        setattr(both, name, stronger(getattr(one, name), getattr(other, name)))
    both.tags = [*one.tags, *other.tags]
    both.attributes = {
        key: stronger(one.attributes.get(key), other.attributes.get(key))
        for key in {**one.attributes, **other.attributes}
    }
    both.events = [*one.events, *other.events]
    return both


def settle(record: SpanRecord) -> None:
    """Put what has no order of its own into one, so that equal spans are equal rows."""
    if len(record.tags) > 1:
        record.tags = sorted(set(record.tags))
    if len(record.attributes) > 1:
        record.attributes = dict(sorted(record.attributes.items()))
    if len(record.events) > 1:
        seen = {json.dumps(event, sort_keys=True, default=str): event for event in record.events}
        record.events = [seen[key] for key in sorted(seen, key=lambda key: (str(seen[key].get("time", "")), key))]
