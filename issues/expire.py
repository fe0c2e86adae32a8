"""Forgetting: traces and signals older than their project keeps them.

Whole weeks at a time. The spans of a week go by dropping its partition once no project needs it; until then, and
for projects that keep less than others, rows are deleted in batches.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, transaction

from issues.intake import open_bucket
from issues.models import IntakeRules
from issues.models.telemetry import bucket_of
from reviewer.models import Project

BATCH = 5_000


def expire(now: datetime | None = None, *, most_batches: int = 20) -> int:
    """Delete what is too old, in short transactions; returns how many traces went. Run again, it goes on."""
    moment = now or datetime.now(UTC)
    gone = 0
    days = {project_id: IntakeRules().keep_days for project_id in Project.objects.values_list("pk", flat=True)}
    days |= dict(IntakeRules.objects.values_list("project_id", "keep_days"))
    for project_id, keep in sorted(days.items()):
        if not keep:
            continue
        edge = moment - timedelta(days=keep)
        for _ in range(most_batches):
            count = _forget_traces(project_id, bucket_of(edge))
            gone += count
            if count < BATCH:
                break
        _run("DELETE FROM issues_signal WHERE project_id = %s AND received_at < %s", [project_id, edge])
    drop_empty_weeks(bucket_of(moment))
    open_bucket(bucket_of(moment) + 1)  # so that the new week's first request finds its partition
    return gone


def _forget_traces(project_id: int, edge: int) -> int:
    """One batch of traces of weeks before the edge, with their spans."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "WITH old AS (SELECT project_id, trace_id FROM issues_trace WHERE project_id = %s AND bucket < %s"
            " ORDER BY trace_id LIMIT %s FOR UPDATE SKIP LOCKED)"
            " DELETE FROM issues_trace USING old WHERE issues_trace.project_id = old.project_id"
            " AND issues_trace.trace_id = old.trace_id RETURNING bucket, issues_trace.trace_id",
            [project_id, edge, BATCH],
        )
        found = cursor.fetchall()
        by_week: dict[int, list[str]] = {}
        for bucket, trace_id in found:
            by_week.setdefault(bucket, []).append(trace_id)
        for bucket, ids in by_week.items():
            cursor.execute("SELECT 1 FROM issues_trace WHERE bucket = %s LIMIT 1", [bucket])
            if cursor.fetchone():  # Else the whole partition goes.
                cursor.execute(
                    "DELETE FROM issues_span WHERE project_id = %s AND bucket = %s AND trace_id = ANY(%s)",
                    [project_id, bucket, ids],
                )
    return len(found)


def drop_empty_weeks(current: int) -> None:
    """Drop the partitions of past weeks that no trace points to any more."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'issues_span'::regclass")
        tables = [table for (table,) in cursor.fetchall()]
    for table in tables:
        bucket = int(table.rpartition("_")[2])
        if bucket >= current - 1:
            continue
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '2s'")
            cursor.execute("SELECT 1 FROM issues_trace WHERE bucket = %s LIMIT 1", [bucket])
            if not cursor.fetchone():
                cursor.execute(f"DROP TABLE issues_span_{bucket}")


def _run(sql: str, values: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
