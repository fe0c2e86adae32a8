"""Where people land: their project's overview, and the palette that jumps anywhere."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reviewer.http import ProjectRequest, UserRequest, in_project
from reviewer.jump import find_places
from reviewer.models import Heartbeat
from reviewer.pulse import STALE_SECONDS

TEAM = 8
RECENT = 6


@require_safe
def start(request: UserRequest) -> HttpResponse:
    """To the project of the last visit, else the first by name; or say that there is none."""
    slugs = list(request.user.memberships.order_by("project__name").values_list("project__slug", flat=True))
    if not slugs:
        return render(request, "reviewer/no_project.html")
    last = request.session.get("project")
    return redirect("home", last if last in slugs else slugs[0])


@in_project("read")
@require_safe
def home(request: ProjectRequest) -> HttpResponse:
    """What is set up and what comes next, who is here, what happened."""
    project = request.project
    if request.session.get("project") != project.slug:
        request.session["project"] = project.slug
    members = list(project.memberships.current(demo=settings.DEMO).select_related("user").order_by("created_at", "pk"))
    key = project.api_keys.live().select_related("created_by").order_by("created_at").first()
    invited = project.invitations.open().count()
    steps_done = [True, key is not None, len(members) > 1 or invited > 0]
    context = {
        "members": members[:TEAM],
        "more_members": max(0, len(members) - TEAM),
        "member_count": len(members),
        "invited": invited,
        "key": key,
        "steps_done": steps_done,
        "steps_left": steps_done.count(False),
        "step_now": steps_done.index(False) + 1 if False in steps_done else 0,
        "workers": _workers_alive(),
        "recent": project.audit.order_by("-id")[:RECENT] if request.membership.may("read_audit") else [],
    }
    return render(request, "reviewer/home.html", context)


def _workers_alive() -> int:
    since = timezone.now() - timedelta(seconds=STALE_SECONDS)
    return Heartbeat.objects.filter(at__gte=since).count()


@in_project("read")
@require_safe
def jump(request: ProjectRequest) -> HttpResponse:
    """The palette's results: a part of the page for htmx, the whole page without JavaScript."""
    text = request.GET.get("q", "")
    context = {"q": text, "groups": find_places(request.membership, text)}
    template = "reviewer/jump.html#results" if request.htmx else "reviewer/jump.html"
    return render(request, template, context)
