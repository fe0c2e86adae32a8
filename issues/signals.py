"""Storing signals: feedback, outcomes and scores, each once, before or after its trace."""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction

from issues.intake import Mask, pseudonym
from issues.record import LONGEST_NAME, SignalRecord, clean_text

REVERSED = frozenset({"refunded", "refund", "escalated", "escalation", "error", "errors", "abandoned", "toxicity"})
"""Names of which more is worse, until somebody says otherwise."""

COLUMNS = ("project_id", "key", "trace_id", "span_id", "session", "name", "number", "text", "comment", "source", "at")
LONGEST_COMMENT = 8_000


def store_signals(project_id: int, records: Iterable[SignalRecord], *, mask: Mask, now: datetime | None = None) -> int:
    """Store signals and return how many were new or changed. The same id again: the later time wins."""
    moment = now or datetime.now(UTC)
    rows: dict[str, list[Any]] = {}
    flags: set[str] = set()
    for record in records:
        if isinstance(record.value, bool):
            flags.add(record.name.strip())
        row = _row(project_id, record, mask, moment)
        known = rows.get(row[1])
        if known is None or known[-1] <= row[-1]:
            rows[row[1]] = row
    if not rows:
        return 0
    ordered = [rows[key] for key in sorted(rows)]
    updates = ",".join(f"{name} = excluded.{name}" for name in COLUMNS[2:])
    differs = " OR ".join(f"s.{name} IS DISTINCT FROM excluded.{name}" for name in COLUMNS[2:-1])
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO issues_signal AS s ({','.join(COLUMNS)})"  # noqa: S608
            f" VALUES {','.join(['(' + ','.join(['%s'] * len(COLUMNS)) + ')'] * len(ordered))}"
            f" ON CONFLICT (project_id, key) DO UPDATE SET {updates}"
            f" WHERE excluded.at >= s.at AND ({differs})",
            [value for row in ordered for value in row],
        )
        changed = cursor.rowcount
        _learn_names(cursor, project_id, ordered, flags)
    return int(changed)


def _row(project_id: int, record: SignalRecord, mask: Mask, now: datetime) -> list[Any]:
    name = clean_text(record.name.strip(), LONGEST_NAME)[:LONGEST_NAME]
    number, text = None, ""
    if isinstance(record.value, bool | int | float):
        number = float(record.value)
    else:
        text = mask(clean_text(record.value, 1_000))[0]
    comment = mask(clean_text(record.comment, LONGEST_COMMENT))[0] if record.comment else ""
    key = record.id or _fingerprint(record)
    session = pseudonym(record.session, mask) if record.session else ""
    return [
        project_id, key[:200], record.trace_id, record.span_id, session, name, number, text, comment,
        record.source[:40] or "user", record.time or now,
    ]  # fmt: skip


def _fingerprint(record: SignalRecord) -> str:
    """The identity of a signal without an id: a hash of what it says, so that a retry is the same signal."""
    told = [
        record.trace_id, record.span_id, record.session, record.name, record.value, record.comment, record.source,
        record.time.isoformat() if record.time else "",
    ]  # fmt: skip
    return "h:" + hashlib.sha256(json.dumps(told, ensure_ascii=True).encode()).hexdigest()[:40]


def _learn_names(cursor: Any, project_id: int, rows: list[list[Any]], flags: set[str]) -> None:
    """Remember each name with the direction that is good by its sound, until somebody says otherwise."""
    named = {row[5]: row for row in rows}
    cursor.execute(
        "SELECT name FROM issues_signalname WHERE project_id = %s AND name = ANY(%s)", [project_id, list(named)]
    )
    for (name,) in cursor.fetchall():
        named.pop(name)
    if not named:
        return
    values: list[Any] = []
    for name in sorted(named):
        kind = "category" if named[name][7] else "yes_no" if name in flags else "number"
        values += [project_id, name, kind, name.lower().replace("-", "_") not in REVERSED, []]
    cursor.execute(
        "INSERT INTO issues_signalname (project_id, name, kind, higher_is_good, good_values)"  # noqa: S608
        f" VALUES {','.join(['(%s,%s,%s,%s,%s)'] * len(named))} ON CONFLICT DO NOTHING",
        values,
    )
