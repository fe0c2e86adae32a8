"""API keys: made, shown once, kept as a hash, revoked. Using one is `http.authenticate_key`."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from reviewer.audit import record
from reviewer.models import ApiKey, Project, User, hash_token, new_token
from reviewer.refused import Refused
from reviewer.roles import SCOPES


class NoScope(Refused):
    def __init__(self) -> None:
        super().__init__("Choose at least one thing the key may do.")


class UnknownScope(Refused):
    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(f"There is no scope {', '.join(sorted(names))}; there are {', '.join(SCOPES)}.")


def create_key(project: Project, *, name: str, scopes: Iterable[str], actor: User | str) -> tuple[ApiKey, str]:
    """Make a key. The secret is returned here and never again: only its hash is kept."""
    wanted = set(scopes)
    if not wanted:
        raise NoScope
    if unknown := wanted - set(SCOPES):
        raise UnknownScope(unknown)
    secret = new_token("wk_live_")
    with transaction.atomic():
        key = ApiKey.objects.create(
            project=project,
            name=name,
            public=new_token("wk_pub_", 16),
            secret_hash=hash_token(secret),
            scopes=[scope for scope in SCOPES if scope in wanted],
            created_by=actor if isinstance(actor, User) else None,
        )
        record("created the key", key, project=project, actor=actor, name=name, detail={"scopes": key.scopes})
    return key, secret


def revoke_key(key: ApiKey, *, actor: User | str) -> bool:
    """Stop a key from working, at once and for good; False when it was revoked before."""
    with transaction.atomic():
        if not ApiKey.objects.live().filter(pk=key.pk).update(revoked_at=timezone.now()):
            return False
        record("revoked the key", key, project=key.project, actor=actor, name=key.name)
    return True
