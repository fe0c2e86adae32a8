"""What the pages add in demo mode: a line while the history comes in, and a tour in five short steps.

The product's side of the demo. The tour is a line in the page, never above it; where a person stands is in their
session, so that closing it holds until they sign out. It grows with the parts it shows.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from reviewer.demo.accounts import SLUG
from reviewer.demo.status import read_status

CLOSED = 0
SESSION = "tour"


@dataclass(frozen=True)
class TourStep:
    """One stop: a page, and what to see there."""

    place: str
    title: str
    text: str
    query: str = ""

    @property
    def url(self) -> str:
        return reverse(self.place, args=[SLUG]) + self.query


STEPS = (
    TourStep(
        "home",
        "A shop at work",
        (
            "Fernwood is an invented outdoor shop with a support assistant. "
            "Everything here is simulated, and some of it goes wrong on purpose."
        ),
    ),
    TourStep(
        "traces",
        "Every conversation",
        (
            "Each row is one question and its answer. New ones arrive while "
            "you read; filter them by model, prompt version or release."
        ),
    ),
    TourStep(
        "traces",
        "One that failed",
        (
            "These have a failed step. Open one: you see what the customer "
            "asked, what each step did, and where it went wrong."
        ),
        "?status=failed",
    ),
    TourStep(
        "signals",
        "What customers say",
        (
            "Thumbs, comments and outcomes arrive as signals and stand beside "
            "their conversations. Most customers say nothing."
        ),
    ),
    TourStep(
        "connect",
        "Your own app",
        ("An app needs a key and one address. Pick what it already speaks, and its conversations appear here."),
    ),
)


def step_of(request: HttpRequest) -> int:
    """Where this person is: 1 to 5, or 0 once closed. It opens by itself the first time."""
    number = request.session.get(SESSION, 1)
    return number if isinstance(number, int) and 0 <= number <= len(STEPS) else 1


def filling() -> dict[str, Any] | None:
    """How far the history is, while it is coming in."""
    status = read_status(settings.HOME.demo)
    return status if status and not status.get("done") else None


def guide(request: HttpRequest) -> dict[str, Any]:
    """For every page, in demo mode only, inside the demo's project."""
    project = getattr(request, "project", None)
    if not settings.DEMO or project is None or project.slug != SLUG:
        return {}
    number = step_of(request)
    shown: dict[str, Any] = {"filling": filling(), "tour_closed": number == CLOSED}
    if number != CLOSED:
        step = STEPS[number - 1]
        following = STEPS[number] if number < len(STEPS) else None
        here = request.path == reverse(step.place, args=[SLUG])
        shown["tour"] = {"step": step, "number": number, "of": len(STEPS), "here": here, "next": following}
    return shown
