"""What every request goes through: typed requests, project and role, API keys, the page's shell.

A view in a project is decorated with `in_project("<ability>")`: a stranger gets 404 (the project does
not exist for them), a member without the ability gets 403, and the view finds `request.project` and
`request.membership` already checked. The table of abilities is `roles.py`.
"""

import base64
import binascii
import hmac
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from reviewer import prepared
from reviewer.models import ApiKey, Membership, Project, User, hash_token
from reviewer.roles import ABILITIES


class UserRequest(HttpRequest):
    """A request of a signed-in person."""

    user: User
    htmx: HtmxDetails


class ProjectRequest(UserRequest):
    """A request of a member, inside one project."""

    project: Project
    membership: Membership


def in_project(ability: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Open the view to members of the project in the URL whose role includes the ability."""
    needed = ABILITIES[ability]

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def checked(request: HttpRequest, project: str, **kwargs: Any) -> HttpResponse:
            membership = (
                Membership.objects.select_related("project")
                .filter(project__slug=project, user=cast(User, request.user))
                .first()
            )
            if membership is None:
                raise Http404("There is no such project, or you are not a member of it.")
            own = cast(ProjectRequest, request)
            own.project, own.membership = membership.project, membership
            membership.user = own.user
            if not membership.may(ability):
                raise PermissionDenied(
                    f"This needs the role {needed.least.label.lower()}; you are "
                    f"{membership.get_role_display().lower()} in {membership.project.name}."
                )
            return view(own, **kwargs)

        checked.ability = ability  # type: ignore[attr-defined]
        return checked

    return decorate


def shell(request: HttpRequest) -> dict[str, Any]:
    """What base.html needs on every page: the project, what this person may do, the switcher."""
    user = getattr(request, "user", AnonymousUser())
    membership = getattr(request, "membership", None)
    return {
        "project": getattr(request, "project", None),
        "membership": membership,
        "can": membership.abilities if membership else {},
        "projects": Project.objects.visible_to(user).order_by("name", "slug"),
        "demo": settings.DEMO,
        "debug_pages": settings.DEBUG,
        "mail_works": settings.MAIL_WORKS,
    }


def client_address(request: HttpRequest) -> str:
    """Who is calling, believing exactly as many proxies as TRUSTED_PROXIES says."""
    remote = request.META.get("REMOTE_ADDR") or "0.0.0.0"  # noqa: S104
    hops = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    trusted = settings.TRUSTED_PROXIES
    return hops[-trusted] if trusted and len(hops) >= trusted else remote


# --- API keys -------------------------------------------------------------------------------------


class BadKey(Exception):
    """The request has no usable key; `status` is 401 or 403, the message is for the engineer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def authenticate_key(request: HttpRequest, scope: str | None) -> ApiKey:
    """The live key behind `Bearer secret`, `Basic public:secret` or `x-api-key: secret`, if it has the scope."""
    public, secret = _credentials(request)
    key = _live_key(hash_token(secret))
    if key is None or (public is not None and not hmac.compare_digest(public.encode(), key.public.encode())):
        raise BadKey(401, "This API key is unknown or revoked. Make one under Settings, API keys.")
    if scope is not None and scope not in key.scopes:
        raise BadKey(403, f"This API key lacks the scope “{scope}”; it has {', '.join(key.scopes)}.")
    # One write a minute is enough to say when a key was last used; the condition makes races harmless.
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - timedelta(minutes=1))
    if key.last_used_at is None or key.last_used_at < now - timedelta(minutes=1):
        ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
    return key


def _live_key(secret_hash: str) -> ApiKey | None:
    """Asked of the database every time: a key that was revoked a moment ago does not work."""
    found = prepared.fetch_one(_LIVE_KEY, [secret_hash])
    return ApiKey.from_db("default", _KEY_COLUMNS, found) if found else None


_KEY_COLUMNS = [field.attname for field in ApiKey._meta.concrete_fields]
_LIVE_KEY = (
    f"SELECT {', '.join(_KEY_COLUMNS)} FROM {ApiKey._meta.db_table}"  # noqa: S608
    " WHERE secret_hash = %s AND revoked_at IS NULL"
)


def _credentials(request: HttpRequest) -> tuple[str | None, str]:
    if secret := request.headers.get("x-api-key", ""):
        return None, secret
    kind, _, value = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer" and value.strip():
        return None, value.strip()
    if kind.lower() == "basic":
        try:
            public, colon, secret = base64.b64decode(value.strip(), validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            raise BadKey(401, "The Basic credentials are not valid base64 of public:secret.") from None
        if colon:
            return public, secret
    raise BadKey(401, "Send an API key: “Authorization: Bearer <secret>”, or Basic with public:secret.")


# --- headers --------------------------------------------------------------------------------------

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


class ContentSecurityPolicyMiddleware:
    """No inline script or style anywhere, nothing from elsewhere."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        return response
