"""Reading the audit log: filtered, newest first, page by page, at the same cost however long it is.

Pages are cut by id, not by offset, and the filters' choices hop along an index from value to value
instead of reading every row.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from reviewer.models import Audit, Project, User

PAGE = 50
KINDS = {"apikey": "API keys", "invitation": "Invitations", "project": "Projects", "user": "People"}
"""What the filter calls each kind of record; later kinds show as they are stored until named here."""
NOBODY = "none"
"""In the filter by person: rows of the shell and of API keys."""


@dataclass(frozen=True)
class Page:
    rows: list[Audit]
    older: int | None
    """The id to continue below; None on the last page."""


def rows_of(project: Project, *, who: str = "", verb: str = "", kind: str = "") -> QuerySet[Audit]:
    rows = Audit.objects.filter(project=project).order_by("-id")
    if who == NOBODY:
        rows = rows.filter(actor=None)
    elif who.isdecimal() and int(who) < 2**63:
        rows = rows.filter(actor=int(who))
    elif who:
        rows = rows.none()
    if verb:
        rows = rows.filter(verb=verb)
    return rows.filter(target_kind=kind) if kind else rows


def page_of(rows: QuerySet[Audit], *, before: str = "", size: int = PAGE) -> Page:
    if before.isdecimal() and int(before) < 2**63:
        rows = rows.filter(id__lt=int(before))
    found = list(rows[: size + 1])
    return Page(found[:size], older=found[size - 1].pk if len(found) > size else None)


def choices(project: Project) -> dict[str, list[Any]]:
    """What the filters offer: only what the log holds."""
    ids = _distinct(project, "actor_id")
    return {
        "people": list(User.objects.filter(pk__in=ids).order_by("name")),
        "verbs": sorted(_distinct(project, "verb")),
        "kinds": sorted((kind, KINDS.get(kind, kind)) for kind in _distinct(project, "target_kind")),
    }


def _distinct(project: Project, column: str) -> Iterable[Any]:
    """Each value once. PostgreSQL reads every row for DISTINCT; this takes one index look-up a value."""
    sql = f"""
        WITH RECURSIVE seen(value) AS (
            (SELECT {column} FROM reviewer_audit WHERE project_id = %(project)s AND {column} IS NOT NULL
             ORDER BY {column} LIMIT 1)
            UNION ALL
            SELECT (SELECT {column} FROM reviewer_audit WHERE project_id = %(project)s AND {column} > seen.value
                    ORDER BY {column} LIMIT 1)
            FROM seen WHERE seen.value IS NOT NULL
        ) SELECT value FROM seen WHERE value IS NOT NULL
    """  # noqa: S608  (the column is one of three names above)
    with connection.cursor() as cursor:
        cursor.execute(sql, {"project": project.pk})
        return [value for (value,) in cursor.fetchall()]
