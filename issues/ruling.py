"""Changing what a project says about its intake and its signals: the change and its audit row in one transaction."""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from issues.models import IntakeRules, SignalName
from reviewer.audit import record
from reviewer.models import Project, User

LATELY = timedelta(days=30)
LOOKED_AT = 5_000
"""Newest traces that say what was masked lately."""


def change_rules(project: Project, *, values: dict[str, Any], actor: User | str) -> bool:
    """Set the rules; False when they already were so."""
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        rules = IntakeRules.objects.filter(project=project).first() or IntakeRules(project=project)
        before = {name: getattr(rules, name) for name in values}
        if before == values:
            return False
        for name, value in values.items():
            setattr(rules, name, value)
        rules.save()
        changed = {name: value for name, value in values.items() if value != before[name]}
        detail = {"changed": ", ".join(sorted(_WORDS[name] for name in changed))}
        record("changed the intake rules of", project, project=project, actor=actor, detail=detail)
    return True


_WORDS = {
    "masked_kinds": "what is masked",
    "patterns": "own patterns",
    "keep_days": "how long traces are kept",
    "production": "production environments",
}


def change_direction(name: SignalName, *, values: dict[str, Any], actor: User | str) -> bool:
    """Say which direction of a signal is good; False when that was said before."""
    with transaction.atomic():
        locked = SignalName.objects.select_for_update().get(pk=name.pk)
        if all(getattr(locked, field) == value for field, value in values.items()):
            return False
        for field, value in values.items():
            setattr(locked, field, value)
        locked.save(update_fields=list(values))
        if "good_values" in values:
            good = ", ".join(values["good_values"]) or "nothing"
        else:
            good = "higher" if values["higher_is_good"] else "lower"
        record("said what is good about", locked, project=locked.project, actor=actor, detail={"good": good})
    return True


def masked_lately(project_id: int) -> list[tuple[str, int]]:
    """How often each kind was masked in the newest traces."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT kind, sum(number::int) FROM (SELECT redacted FROM issues_trace WHERE project_id = %s"
            " ORDER BY started_at DESC, trace_id DESC LIMIT %s) newest, jsonb_each_text(redacted) AS each(kind, number)"
            " GROUP BY kind ORDER BY 2 DESC, 1",
            [project_id, LOOKED_AT],
        )
        return [(kind, int(count)) for kind, count in cursor.fetchall()]


def signal_figures(project_id: int, now: datetime) -> dict[str, dict[str, Any]]:
    """Of each name in the last 30 days: how many, the average, when last, and which words."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, count(*), avg(number), max(at) FROM issues_signal"
            " WHERE project_id = %s AND at >= %s GROUP BY name",
            [project_id, now - LATELY],
        )
        found = {row[0]: {"count": row[1], "average": row[2], "last": row[3], "words": []} for row in cursor.fetchall()}
        cursor.execute(
            "SELECT name, text, count(*) FROM issues_signal WHERE project_id = %s AND at >= %s AND text > ''"
            " GROUP BY name, text ORDER BY 3 DESC, 2 LIMIT 500",
            [project_id, now - LATELY],
        )
        for name, text, count in cursor.fetchall():
            if name in found:  # not one that came between the two questions
                found[name]["words"].append((text, count))
    return found
