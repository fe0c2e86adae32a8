"""Jumping to anything by name: what the command palette finds.

Each part of the product registers a source for its own group; the apps add theirs when they load.
A source gets the member who asks, so it offers only what that person may open.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from django.conf import settings
from django.db.models import Q
from django.urls import reverse

from reviewer.models import Membership, Project

MOST = 8
"""Places a group shows; more would need a search page, not a palette."""


@dataclass(frozen=True)
class Place:
    """Somewhere to go: what it is called, where it is, and a few words to tell it from others."""

    title: str
    url: str
    hint: str = ""


Source = Callable[[Membership, str], Iterable[Place]]
_sources: dict[str, Source] = {}


def register(group: str) -> Callable[[Source], Source]:
    """Add a group to the palette; groups appear in the order in which they were registered."""

    def add(source: Source) -> Source:
        _sources[group] = source
        return source

    return add


def find_places(membership: Membership, text: str) -> list[tuple[str, list[Place]]]:
    """Every group that has something for this text; without text, what each offers first."""
    text = " ".join(text.replace("\x00", "").split())[:100]
    found = [(group, list(islice(source(membership, text), MOST))) for group, source in _sources.items()]
    return [(group, places) for group, places in found if places]


def matches(text: str, *names: str) -> bool:
    """Every word of the text begins or is inside one of the names."""
    whole = " ".join(names).casefold()
    return all(word in whole for word in text.casefold().split())


@register("Pages")
def _pages(membership: Membership, text: str) -> Iterable[Place]:
    slug = membership.project.slug
    pages = [
        ("Home", "home", "read", "home start project"),
        ("People", "people", "manage_people", "members invite roles settings team"),
        ("API keys", "keys", "manage_keys", "settings secret scopes"),
        ("Audit log", "audit_log", "read_audit", "settings history who did what"),
        ("Project settings", "project_settings", "manage_people", "rename general"),
    ]
    for title, view, ability, also in pages:
        if membership.may(ability) and matches(text, title, also):
            yield Place(title, reverse(view, args=[slug]), membership.project.name)
    if membership.may("manage_people") and matches(text, "New project", "create another"):
        yield Place("New project", reverse("create_project"))
    if matches(text, "Your account", "password theme name sign out"):
        yield Place("Your account", reverse("account"), membership.user.email)


@register("People")
def _people(membership: Membership, text: str) -> Iterable[Place]:
    if not (text and membership.may("manage_people")):
        return
    members = membership.project.memberships.current(demo=settings.DEMO).select_related("user")
    for word in text.split():
        members = members.filter(Q(user__name__icontains=word) | Q(user__email__icontains=word))
    page = reverse("people", args=[membership.project.slug])
    for member in members.order_by("user__name")[:MOST]:
        hint = f"{member.user.email}, {member.get_role_display().lower()}"
        yield Place(member.user.name, f"{page}#member-{member.pk}", hint)


@register("API keys")
def _keys(membership: Membership, text: str) -> Iterable[Place]:
    if not (text and membership.may("manage_keys")):
        return
    page = reverse("keys", args=[membership.project.slug])
    keys = membership.project.api_keys.live()
    for word in text.split():
        keys = keys.filter(Q(name__icontains=word) | Q(public__icontains=word))
    for key in keys.order_by("name")[:MOST]:
        yield Place(key.name, f"{page}#key-{key.pk}", key.public)


@register("Projects")
def _projects(membership: Membership, text: str) -> Iterable[Place]:
    others = Project.objects.visible_to(membership.user).exclude(pk=membership.project_id)
    for word in text.split():
        others = others.filter(Q(name__icontains=word) | Q(slug__icontains=word))
    for project in others.order_by("name", "slug")[:MOST]:
        yield Place(project.name, reverse("home", args=[project.slug]), project.slug)
