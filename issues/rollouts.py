"""Storing what went live when, as reported by whoever shipped it."""

from collections.abc import Iterable
from datetime import UTC, datetime

from issues.models import Rollout
from issues.record import LONGEST_NAME, RolloutRecord, clean_text


def store_rollouts(project_id: int, records: Iterable[RolloutRecord], *, now: datetime | None = None) -> None:
    """Store reports, each once."""
    moment = now or datetime.now(UTC)
    made = [
        Rollout(
            project_id=project_id,
            fact=clean_text(record.fact, 60)[:60],
            name=clean_text(record.name, LONGEST_NAME)[:LONGEST_NAME],
            value=clean_text(record.value, LONGEST_NAME)[:LONGEST_NAME],
            at=record.time or moment,
            source="reported",
            note=clean_text(record.note, 2_000),
        )
        for record in records
    ]
    Rollout.objects.bulk_create(made, ignore_conflicts=True)
