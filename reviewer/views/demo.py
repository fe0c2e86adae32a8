"""The demo's own addresses: how far the history is, and the steps of the tour. They exist in demo mode only."""

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from reviewer.demo.accounts import SLUG
from reviewer.demo.status import read_status
from reviewer.demo.tour import CLOSED, SESSION, STEPS
from reviewer.http import UserRequest


def _only_in_the_demo(request: UserRequest) -> None:
    if not settings.DEMO or not request.user.memberships.filter(project__slug=SLUG).exists():
        raise Http404("There is no demo here.")


@require_safe
def demo_progress(request: UserRequest) -> HttpResponse:
    """The line on top of the pages, asked for again and again until all is there."""
    _only_in_the_demo(request)
    status = read_status(settings.HOME.demo)
    done = bool(status.get("done"))
    return render(request, "components/filling.html", {"filling": status or None, "filled": done})


@require_POST
def demo_tour(request: UserRequest) -> HttpResponse:
    """Go to a step of the tour, or close it."""
    _only_in_the_demo(request)
    word = request.POST.get("step", "")
    number = int(word) if word.isascii() and word.isdigit() and len(word) < 3 else CLOSED
    request.session[SESSION] = number if number <= len(STEPS) else CLOSED
    if request.session[SESSION] != CLOSED:
        return redirect(STEPS[number - 1].url)
    back = request.POST.get("back", "")
    safe = back.startswith(f"/p/{SLUG}") and not back.startswith("//") and "\\" not in back
    return redirect(back if safe else STEPS[0].url)
