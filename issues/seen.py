"""What went live when, as traffic tells it: the first time a prompt version, a model or a release was seen.

A background step: it takes traces that changed, notes what they ran with, and lets them go.
"""

from datetime import datetime
from typing import Any

from django.db import connection, transaction

STEP = "seen"
BATCH = 500


def note_first_seen(batch: int = BATCH) -> int:
    """Work on one batch of changed traces; returns how many there were."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.project_id, p.trace_id, t.started_at, t.prompts, t.model_names, t.release"
            " FROM issues_pending p LEFT JOIN issues_trace t USING (project_id, trace_id)"
            " WHERE p.step = %s ORDER BY p.changed_at LIMIT %s FOR UPDATE OF p SKIP LOCKED",
            [STEP, batch],
        )
        found = cursor.fetchall()
        first: dict[tuple[int, str, str, str], datetime] = {}
        for project_id, _, at, prompts, model_names, release in found:
            for fact in _facts(prompts or [], model_names or [], release or ""):
                key = (project_id, *fact)
                if at is not None and (key not in first or at < first[key]):
                    first[key] = at
        _write(cursor, first)
        if found:
            cursor.execute(
                "DELETE FROM issues_pending p USING unnest(%s::bigint[], %s::text[]) AS done(project_id, trace_id)"
                " WHERE p.project_id = done.project_id AND p.trace_id = done.trace_id AND p.step = %s",
                [[row[0] for row in found], [row[1] for row in found], STEP],
            )
    return len(found)


def _facts(prompts: list[str], model_names: list[str], release: str) -> list[tuple[str, str, str]]:
    told = [("prompt", name, version) for name, _, version in (word.rpartition("@") for word in prompts) if name]
    told += [("model", "", name[:200]) for name in model_names]
    return told + ([("release", "", release[:200])] if release else [])


def _write(cursor: Any, first: dict[tuple[int, str, str, str], datetime]) -> None:
    if not first:
        return
    ordered = sorted(first.items())
    cursor.execute(
        "INSERT INTO issues_rollout AS r (project_id, fact, name, value, at, source, note)"  # noqa: S608
        f" VALUES {','.join(['(%s,%s,%s,%s,%s,%s,%s)'] * len(ordered))}"
        " ON CONFLICT (project_id, fact, name, value) WHERE source = 'seen'"
        " DO UPDATE SET at = excluded.at WHERE excluded.at < r.at",
        [value for key, at in ordered for value in (*key, at, "seen", "")],
    )
