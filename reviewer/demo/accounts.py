"""The demo's project and its three people. They sign in with one click, in demo mode only."""

from dataclasses import dataclass

from django.db import transaction

from reviewer.models import Project, User
from reviewer.people import add_member, create_project
from reviewer.roles import Role

SLUG, NAME = "fernwood", "Fernwood shop"


@dataclass(frozen=True)
class DemoPerson:
    """One of the cast: who they are, and what a visitor sees as them."""

    name: str
    email: str
    role: Role
    does: str


DEMO_PEOPLE = [
    DemoPerson("Amara Osei", "amara@fernwood.example", Role.REVIEWER, "Reviewer: decides what is a real problem"),
    DemoPerson("Jonas Lindqvist", "jonas@fernwood.example", Role.VIEWER, "PM: sees what hurts customers most"),
    DemoPerson("Priya Raman", "priya@fernwood.example", Role.ADMIN, "Admin: ships, and looks after keys and people"),
]


def ensure_demo_accounts() -> Project:
    """Make what is missing and leave the rest; `up` calls this at every start in demo mode."""
    with transaction.atomic():
        project = Project.objects.filter(slug=SLUG).first() or create_project(NAME, slug=SLUG, actor="demo")
        for person in DEMO_PEOPLE:
            user = User.objects.filter(email=person.email).first()
            if user is None:
                user = User.objects.create_user(person.email, name=person.name, is_demo=True)
            if user.is_demo:
                add_member(project, user=user, role=person.role, actor="demo")
    return project


def demo_person(role: str) -> User | None:
    """The account behind a one-click button."""
    emails = [person.email for person in DEMO_PEOPLE if person.role == role]
    if not emails:
        return None
    people = User.objects.filter(email=emails[0], is_demo=True)
    if not people.exists():
        ensure_demo_accounts()
    return people.first()
