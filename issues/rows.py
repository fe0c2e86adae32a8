"""Between records and rows: how a span is laid out in the database, and read back from it.

Pure: imports neither Django nor Celery.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

import orjson

from issues.record import LONGEST_BODY, LONGEST_ID, LONGEST_NAME, SpanRecord, clean_text

COLUMNS = (
    "project_id", "bucket", "trace_id", "span_id", "parent_id", "name", "kind", "started_at", "ended_at", "status",
    "error", "model", "tool", "finish_reason", "prompt", "input_tokens", "output_tokens", "cost", "facts", "body",
)  # fmt: skip
TYPES = (
    "int8", "int2", "text", "text", "text", "text", "text", "timestamptz", "timestamptz", "text",
    "text", "text", "text", "text", "text", "int8", "int8", "float8", "text", "text",
)  # fmt: skip
FACTS = ("session", "user", "environment", "release", "run", "trace_name", "tags")
BODY = (
    "provider", "cached_tokens", "prompt_name", "prompt_version", "input", "output", "documents", "attributes",
    "events",
)  # fmt: skip


def encode(value: Any) -> str:
    """JSON text; the fast way, or the patient one for numbers beyond 64 bits and the like."""
    try:
        return orjson.dumps(value, default=str).decode()
    except (TypeError, ValueError):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def as_text(value: Any) -> str | None:
    """A value as the database writes it: all as text, so that a statement is the same one whatever is missing."""
    if value is None or isinstance(value, str):
        return value
    if value.__class__ is list:
        return as_array(value)
    return value.isoformat() if isinstance(value, datetime) else str(value)


def as_array(values: Iterable[str]) -> str:
    """Texts as an array in the database's own spelling."""
    return "{" + ",".join('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in values) + "}"


@dataclass(slots=True)
class Row:
    """A span as it is stored: light columns, what it says about its trace, and the body as text."""

    trace_id: str
    span_id: str
    parent_id: str
    name: str
    kind: str
    start: datetime | None
    end: datetime | None
    status: str
    error: str
    model: str
    tool: str
    finish_reason: str
    prompt: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    facts: str = ""
    body: str = "{}"
    told: dict[str, Any] = field(default_factory=dict)
    read: dict[str, Any] | None = None

    @property
    def content(self) -> dict[str, Any]:
        """The body as an object, read once."""
        if self.read is None:
            self.read = orjson.loads(self.body) if self.body else {}
        return self.read

    # What the summary asks of a step, read from the facts.
    @property
    def session(self) -> str:
        return str(self.told.get("session", ""))

    @property
    def user(self) -> str:
        return str(self.told.get("user", ""))

    @property
    def environment(self) -> str:
        return str(self.told.get("environment", ""))

    @property
    def release(self) -> str:
        return str(self.told.get("release", ""))

    @property
    def run(self) -> str:
        return str(self.told.get("run", ""))

    @property
    def trace_name(self) -> str:
        return str(self.told.get("trace_name", ""))

    @property
    def tags(self) -> list[str]:
        return list(self.told.get("tags", ()))

    @property
    def masked(self) -> dict[str, int]:
        return dict(self.told.get("masked", {}))

    def values(self, project_id: int, bucket: int) -> tuple[Any, ...]:
        return (
            project_id, bucket, self.trace_id, self.span_id, self.parent_id, self.name, self.kind, self.start, self.end,
            self.status, self.error, self.model, self.tool, self.finish_reason, self.prompt, self.input_tokens,
            self.output_tokens, self.cost, self.facts, self.body,
        )  # fmt: skip


_body_of, _facts_of = attrgetter(*BODY), attrgetter(*FACTS)


def to_row(record: SpanRecord, mask: Any) -> Row:
    """Lay a record out, masked. `mask(text) -> (text, counts)`; a user's or session's mask keeps people apart."""
    # Nothing, or an empty text, list or object, was not told; a number or a "no" was.
    body = {
        name: value
        for name, value in zip(BODY, _body_of(record), strict=True)
        if value or (value is not None and not isinstance(value, str | list | dict))
    }
    text = encode(body)
    if len(text) > 3 * LONGEST_BODY:
        body = {name: _shorten(value) for name, value in body.items()}
        text = encode(body)
    text, masked = mask(text)
    error, counts = mask(record.error) if record.error else ("", None)
    if counts:
        masked = {kind: (masked or {}).get(kind, 0) + counts.get(kind, 0) for kind in {**(masked or {}), **counts}}
    told: dict[str, Any] = {name: value for name, value in zip(FACTS, _facts_of(record), strict=True) if value}
    if masked:
        told["masked"] = dict(sorted(masked.items()))
    return Row(
        record.trace_id, record.span_id, record.parent_id, record.name, record.kind, record.start, record.end,
        record.status, error, record.model, record.tool, record.finish_reason, record.prompt, record.input_tokens,
        record.output_tokens, record.cost, encode(told) if told else "", text, told, None if masked else body,
    )  # fmt: skip


def _shorten(value: Any) -> Any:
    text = encode(value)
    return value if len(text) <= LONGEST_BODY else clean_text(text, LONGEST_BODY)


def to_record(row: Row) -> SpanRecord:
    """The record a stored row stands for, to merge a resent span into it."""
    body = row.content
    facts = {name: row.told[name] for name in FACTS if name in row.told}
    return SpanRecord(
        row.trace_id, row.span_id, row.parent_id, row.name, row.kind, row.start, row.end, row.status, row.error,
        row.model, tool=row.tool, finish_reason=row.finish_reason, input_tokens=row.input_tokens,
        output_tokens=row.output_tokens, cost=row.cost, **facts, **body,
    )  # fmt: skip


def from_columns(values: tuple[Any, ...]) -> Row:
    """A row out of the database's columns, in the order of COLUMNS from trace_id on."""
    row = Row(*values)
    row.told = json.loads(row.facts) if row.facts else {}
    return row


def fit(record: SpanRecord) -> None:
    """Cut names and ids to what the columns hold; texts were cleaned where they were read."""
    record.name = clean_text(record.name, LONGEST_NAME)
    record.parent_id = record.parent_id[:LONGEST_ID]
    if len("".join(_names_of(record))) > LONGEST_NAME:  # Only then can one of them be too long.
        for name in _NAMES:
            value = getattr(record, name)
            if len(value) > LONGEST_NAME:
                setattr(record, name, clean_text(value, LONGEST_NAME))
    for name, count in zip(_COUNTS, _counts_of(record), strict=True):
        if count is not None and not 0 <= count < 2**62:
            setattr(record, name, None)


_NAMES = ("model", "tool", "finish_reason", "session", "user", "environment", "release", "run", "trace_name")
_COUNTS = ("input_tokens", "output_tokens", "cached_tokens")
_names_of, _counts_of = attrgetter(*_NAMES), attrgetter(*_COUNTS)
