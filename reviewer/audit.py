"""Writing the audit log: called by every step that changes something people care about."""

from typing import Any

from django.db import models

from reviewer.models import Audit, Project, User


def record(
    verb: str,
    target: models.Model,
    *,
    project: Project | None,
    actor: User | str,
    name: str | None = None,
    detail: dict[str, Any] | None = None,
) -> Audit:
    """Add one row, inside the transaction of the change it speaks of.

    `actor` is a person, or says who acted where no person did ("shell", "key wk_pub_…").
    The verb reads after the actor: "invited", "changed the role of".
    """
    person = actor if isinstance(actor, User) else None
    return Audit.objects.create(
        project=project,
        actor=person,
        actor_name=str(actor)[:160],
        verb=verb,
        target_kind=target._meta.model_name or "",
        target_id=str(target.pk),
        target_name=(name or str(target))[:200],
        detail=detail or {},
    )
