"""The demo's project, its three people and the key of its app: the product's side of the demo.

The people sign in with one click, in demo mode only. The app gets its key as any app would, and reads it from a file.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from reviewer.demo.status import KEY
from reviewer.keys import create_key
from reviewer.models import ApiKey, Project, User, hash_token
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


def ensure_demo_key(project: Project, folder: Path) -> None:
    """Give the simulated app a key in a file that only this user can read, unless the one it has still works."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / KEY
    held = file.read_text().strip() if file.exists() else ""
    if held and ApiKey.objects.live().filter(project=project, secret_hash=hash_token(held)).exists():
        return
    _, secret = create_key(
        project, name="Fernwood support (simulated)", scopes=["ingest", "prompts:read"], actor="demo"
    )
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as fresh:
        fresh.write(secret)
