"""What the palette finds of telemetry: pages, and traces by id, session or user as they begin."""

from collections.abc import Iterable
from urllib.parse import urlencode

from django.urls import reverse

from issues.models import Trace
from reviewer.jump import MOST, Place, matches, register
from reviewer.models import Membership

SHORTEST = 3
"""Letters an id needs before it is looked for."""
_LAST = "\U0010ffff"


@register("Find")
def _pages(membership: Membership, text: str) -> Iterable[Place]:
    pages = [
        ("Traces", "traces", "read", "conversations list search"),
        ("Connect your app", "connect", "read", "get started snippets sdk opentelemetry langfuse"),
        ("Signals", "signals", "read", "feedback thumbs scores direction settings"),
        ("Intake", "intake_settings", "manage_people", "masking redaction retention settings"),
    ]
    for title, view, ability, also in pages:
        if membership.may(ability) and matches(text, title, also):
            yield Place(title, reverse(view, args=[membership.project.slug]), membership.project.name)


@register("Traces")
def _traces(membership: Membership, text: str) -> Iterable[Place]:
    """By the beginning of an id, along its index; ranges instead of LIKE, so that the index is used."""
    if len(text) < SHORTEST:
        return
    project = membership.project
    ours = Trace.objects.filter(project=project)
    for trace in ours.filter(trace_id__gte=text, trace_id__lt=text + _LAST).order_by("trace_id").defer("search")[:MOST]:
        hint = (trace.input or trace.name)[:60]
        yield Place(trace.trace_id, reverse("trace", args=[project.slug, trace.trace_id]), hint)
    sessions = ours.filter(session__gte=text, session__lt=text + _LAST).exclude(session="")
    for session in sessions.order_by("session").values_list("session", flat=True).distinct()[:3]:
        yield Place(session, reverse("session", args=[project.slug, session]), "session")
    users = ours.filter(user__gte=text, user__lt=text + _LAST).exclude(user="")
    for user in users.order_by("user").values_list("user", flat=True).distinct()[:3]:
        yield Place(user, reverse("traces", args=[project.slug]) + "?" + urlencode({"user": user}), "user")
