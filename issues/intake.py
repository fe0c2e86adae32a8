"""Storing what came in: durable, once, and the same in any order.

One transaction a request. New traces are inserted with their summary and their spans copied straight in; a trace
we know is locked first, its resent spans are merged field by field, and its summary is computed again from all
its spans. Trace rows are always taken in order of id, so two requests cannot wait for each other in a circle.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import psycopg
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from issues import rows
from issues.merge import merge, settle
from issues.models.telemetry import BUCKET_DAYS, bucket_of
from issues.record import SpanRecord
from issues.rows import COLUMNS, Row, as_array, as_text
from issues.summary import Summary, group_by_trace, summarise
from issues.words import searchable, speech
from reviewer import prepared

Mask = Callable[[str], tuple[str, dict[str, int] | None]]
STEPS = ("seen",)
"""The background steps that look at every changed trace."""

TRACE_COLUMNS = (
    "project_id", "trace_id", "bucket", "received_at", "started_at", "ended_at", "name", "spans", "errors", "error",
    "model_names", "prompts", "tools", "tags", "session", '"user"', "environment", "release", "run", "input_tokens",
    "output_tokens", "cost", "input", "output", "redacted", "search",
)  # fmt: skip
_DECIDED = 5
"""Where the columns begin that only the spans decide."""


def store_spans(project_id: int, records: Iterable[SpanRecord], *, mask: Mask, now: datetime | None = None) -> int:
    """Store spans and return how many rows this request made or changed."""
    moment = now or datetime.now(UTC)
    laid = _lay_out(records, mask)
    if not laid:
        return 0
    try:
        with transaction.atomic(), connection.wrap_database_errors:
            return _write(project_id, laid, moment, mask)
    except IntegrityError as error:
        if not isinstance(error.__cause__, psycopg.errors.CheckViolation):
            raise
        open_bucket(bucket_of(moment))  # No partition for this week yet.
        with transaction.atomic(), connection.wrap_database_errors:
            return _write(project_id, laid, moment, mask)


def _lay_out(records: Iterable[SpanRecord], mask: Mask) -> dict[str, dict[str, Row]]:
    """Rows by trace and span; a span that is in the request twice is merged with itself."""
    found: dict[str, dict[str, Row]] = {}
    people: dict[str, str] = {}
    for trace_id, spans in group_by_trace(records).items():
        unique: dict[str, SpanRecord] = {}
        for span in spans:
            known = unique.get(span.span_id)
            unique[span.span_id] = merge(known, span) if known else span
        laid = {}
        for span_id, span in unique.items():
            rows.fit(span)
            settle(span)
            for name in ("user", "session"):
                if value := getattr(span, name):
                    if value not in people:
                        people[value] = pseudonym(value, mask)
                    setattr(span, name, people[value])
            laid[span_id] = rows.to_row(span, mask)
        found[trace_id] = laid
    return found


def pseudonym(value: str, mask: Mask) -> str:
    """A person's or session's id, masked so that two people stay two: the mask is followed by a keyed hash."""
    masked, counts = mask(value)
    if not counts:
        return value
    return f"{masked} {hmac.new(settings.SECRET_KEY.encode(), value.encode(), hashlib.sha256).hexdigest()[:8]}"


def _write(project_id: int, laid: dict[str, dict[str, Row]], now: datetime, mask: Mask) -> int:
    bucket = bucket_of(now)
    with prepared.cursor() as cursor:
        new = _insert_traces(cursor, project_id, laid, bucket, now)
        fresh = [
            row.values(project_id, bucket) for trace_id in laid if trace_id in new for row in laid[trace_id].values()
        ]
        changed, touched = len(fresh), {}
        known = [trace_id for trace_id in laid if trace_id not in new]
        for trace_id, home in _lock_traces(cursor, project_id, known).items() if known else ():
            added, updated = _merge_into(cursor, project_id, home, trace_id, laid[trace_id], mask)
            fresh += added
            changed += len(added) + updated
            if added or updated:
                touched[trace_id] = home
        _copy_spans(cursor, fresh)
        _summarise_again(cursor, project_id, touched)
        _ask_for_steps(cursor, project_id, list(touched))
        return changed


_INSERT = f"""
WITH made AS (
    INSERT INTO issues_trace ({",".join(TRACE_COLUMNS)})
    VALUES ({",".join(["%s"] * (len(TRACE_COLUMNS) - 1))},to_tsvector('simple',%s))
    ON CONFLICT (project_id, trace_id) DO NOTHING RETURNING project_id, trace_id
), asked AS (
    INSERT INTO issues_pending (project_id, trace_id, step)
    SELECT project_id, trace_id, step FROM made, unnest(%s::text[]) AS step
    ON CONFLICT (project_id, trace_id, step) DO UPDATE SET changed_at = now()
)
SELECT trace_id FROM made"""  # noqa: S608
"""A new trace and its requests to the background steps."""


def _insert_traces(
    cursor: Any, project_id: int, laid: dict[str, dict[str, Row]], bucket: int, now: datetime
) -> set[str]:
    """Insert the traces that are not there yet, with their summaries, in one round trip; returns their ids."""
    steps = as_array(STEPS)
    values = []
    for trace_id, spans in laid.items():
        total = summarise(spans.values())
        decided = _trace_values(total, spans)
        values.append(
            [as_text(value) for value in (project_id, trace_id, bucket, now, total.started_at or now, *decided)]
        )
        values[-1].append(steps)
    if len(values) == 1:
        cursor.execute(_INSERT, values[0], prepare=True)  # Cheaper for one than the machinery for many.
    else:
        cursor.executemany(_INSERT, values, returning=True)
    return {trace_id for answer in cursor.results() for (trace_id,) in answer.fetchall()}


def _trace_values(total: Summary, spans: dict[str, Row]) -> list[Any]:
    """The columns a summary decides, from ended_at on, in the order of TRACE_COLUMNS."""
    asked, answered = speech(total, spans)
    masked: dict[str, int] = {}
    for row in spans.values():
        if "masked" in row.told:
            for kind, count in row.masked.items():
                masked[kind] = masked.get(kind, 0) + count
    return [
        total.ended_at, total.name, total.spans, total.errors, total.error, total.models, total.prompts, total.tools,
        total.tags, total.session, total.user, total.environment, total.release, total.run, total.input_tokens,
        total.output_tokens, total.cost, asked, answered, json.dumps(masked, sort_keys=True), searchable(total, spans),
    ]  # fmt: skip


def _lock_traces(cursor: Any, project_id: int, trace_ids: list[str]) -> dict[str, int]:
    cursor.execute(
        "SELECT trace_id, bucket FROM issues_trace WHERE project_id = %s AND trace_id = ANY(%s)"
        " ORDER BY trace_id FOR UPDATE",
        [project_id, trace_ids],
    )
    return dict(cursor.fetchall())


def _merge_into(
    cursor: Any, project_id: int, bucket: int, trace_id: str, spans: dict[str, Row], mask: Mask
) -> tuple[list[tuple[Any, ...]], int]:
    """Merge spans into a locked trace: the rows to add, and how many standing rows were changed."""
    cursor.execute(
        f"SELECT {','.join(COLUMNS[2:])} FROM issues_span"  # noqa: S608
        " WHERE project_id = %s AND bucket = %s AND trace_id = %s AND span_id = ANY(%s)",
        [project_id, bucket, trace_id, list(spans)],
    )
    standing = {row.span_id: row for row in map(rows.from_columns, cursor.fetchall())}
    added, updated = [], 0
    for span_id, row in spans.items():
        old = standing.get(span_id)
        if old is None:
            added.append(row.values(project_id, bucket))
            continue
        both = merge(rows.to_record(old), rows.to_record(row))
        settle(both)
        new = rows.to_row(both, mask)
        _keep_counts(new, old, row)
        if new.values(0, 0) != old.values(0, 0):
            updated += 1
            cursor.execute(
                f"UPDATE issues_span SET ({','.join(COLUMNS[4:])}) = ROW({','.join(['%s'] * len(COLUMNS[4:]))})"  # noqa: S608
                " WHERE project_id = %s AND bucket = %s AND trace_id = %s AND span_id = %s",
                [*new.values(0, 0)[4:], project_id, bucket, trace_id, span_id],
            )
    return added, updated


def _keep_counts(new: Row, *sources: Row) -> None:
    """The counts of what was masked survive a merge, whose texts are masked already."""
    masked: dict[str, int] = {}
    for source in sources:
        for kind, count in source.masked.items():
            masked[kind] = max(masked.get(kind, 0), count)
    if masked:
        new.told["masked"] = dict(sorted(masked.items()))
        new.facts = rows.encode(new.told)


def _copy_spans(cursor: Any, fresh: list[tuple[Any, ...]]) -> None:
    if not fresh:
        return
    with cursor.copy(f"COPY issues_span ({','.join(COLUMNS)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(rows.TYPES)
        for values in fresh:
            copy.write_row(values)


def _summarise_again(cursor: Any, project_id: int, traces: dict[str, int]) -> None:
    """Compute the summaries of known traces again, from all their spans; bodies are read only where they speak."""
    light = ",".join("''" if name == "body" else name for name in COLUMNS[2:])
    where = "WHERE project_id = %s AND bucket = %s AND trace_id = %s"
    names = TRACE_COLUMNS[_DECIDED:-1]
    for trace_id, bucket in traces.items():
        cursor.execute(f"SELECT {light} FROM issues_span {where}", [project_id, bucket, trace_id])  # noqa: S608
        spans = {row.span_id: row for row in map(rows.from_columns, cursor.fetchall())}
        total = summarise(spans.values())
        cursor.execute(
            f"SELECT span_id, body FROM issues_span {where} AND span_id = ANY(%s)",  # noqa: S608
            [project_id, bucket, trace_id, total.heard],
        )
        for span_id, body in cursor.fetchall():
            spans[span_id].body = body
        cursor.execute(
            f"UPDATE issues_trace SET started_at = COALESCE(%s, received_at), ({','.join(names)}) ="  # noqa: S608
            f" ROW({','.join(['%s'] * len(names))}), search = to_tsvector('simple', %s), changed_at = now()"
            " WHERE project_id = %s AND trace_id = %s",
            [total.started_at, *_trace_values(total, spans), project_id, trace_id],
        )


def _ask_for_steps(cursor: Any, project_id: int, trace_ids: list[str]) -> None:
    """Leave the changed traces for the background steps."""
    if trace_ids:
        cursor.execute(
            "INSERT INTO issues_pending (project_id, trace_id, step)"
            " SELECT %s, trace_id, step FROM unnest(%s::text[]) AS trace_id, unnest(%s::text[]) AS step"
            " ORDER BY 2, 3 ON CONFLICT (project_id, trace_id, step) DO UPDATE SET changed_at = now()",
            [project_id, sorted(trace_ids), list(STEPS)],
        )


def open_bucket(bucket: int) -> None:
    """Make the partition for a week, once, whoever comes first."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('issues_span'))")
        cursor.execute(
            f"CREATE TABLE IF NOT EXISTS issues_span_{int(bucket)}"
            f" PARTITION OF issues_span FOR VALUES IN ({int(bucket)})"
        )


def bucket_start(bucket: int) -> datetime:
    return datetime.fromtimestamp(bucket * BUCKET_DAYS * 86_400, UTC)
