"""Getting started: snippets with this instance's address, a key shown once, and the wait for the first trace."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from issues.reading.search import any_trace
from issues.reading.snippets import PUBLIC, SECRET, ways
from reviewer.http import ProjectRequest, in_project
from reviewer.keys import create_key
from reviewer.models import Membership
from reviewer.roles import Role
from reviewer.views import once


@in_project("read")
@never_cache
@require_safe
def connect(request: ProjectRequest) -> HttpResponse:
    """The whole page; for htmx, which asks every two seconds, the line that waits."""
    context: dict[str, Any] = {"newest": any_trace(request.project.pk)}
    if request.htmx and request.htmx.target == "waiting":
        return render(request, "issues/connect.html#waiting", context)
    new = once.take(request, "connect") or {}
    admins = Membership.objects.filter(project=request.project).current(demo=settings.DEMO).filter(role=Role.ADMIN)
    context |= {
        "new": new,
        "key": request.project.api_keys.live().order_by("-created_at").first(),
        "ways": ways(settings.PUBLIC_URL, new.get("public", PUBLIC), new.get("secret", SECRET)),
        "admins": [] if request.membership.may("manage_keys") else admins.select_related("user")[:5],
    }
    return render(request, "issues/connect.html", context)


@in_project("manage_keys")
@require_POST
def make_connect_key(request: ProjectRequest) -> HttpResponse:
    """A key for sending, named by the day; the page after the redirect shows it in every snippet, once."""
    name = f"Connected {timezone.localdate():%-d %B %Y}"
    key, secret = create_key(request.project, name=name, scopes=["ingest"], actor=request.user)
    once.keep(request, "connect", {"name": key.name, "public": key.public, "secret": secret})
    return redirect("connect", request.project.slug)
