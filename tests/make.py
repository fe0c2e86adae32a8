"""Makes the records tests need, through the product's own steps where there is one."""

from itertools import count
from urllib.parse import urlsplit

from reviewer.invitations import invite
from reviewer.keys import create_key
from reviewer.models import ApiKey, Membership, Project, User
from reviewer.roles import Role

_numbers = count(1)
PASSWORD = "correct horse battery staple"


def user(name: str = "Nadia Frey", **fields) -> User:
    email = fields.pop("email", f"{name.split()[0].lower()}{next(_numbers)}@fernwood.example")
    return User.objects.create_user(email, PASSWORD, name=name, **fields)


def project(slug: str | None = None, name: str = "Fernwood shop") -> Project:
    return Project.objects.create(slug=slug or f"project-{next(_numbers)}", name=name)


def member(project: Project, role: str, name: str = "Nadia Frey", **fields) -> User:
    person = user(name, **fields)
    Membership.objects.create(project=project, user=person, role=role)
    return person


def key(project: Project, name: str = "Production", scopes: tuple[str, ...] = ("ingest",)) -> tuple[ApiKey, str]:
    return create_key(project, name=name, scopes=scopes, actor="shell")


def invitation(project: Project, actor: User, email: str = "lea@fernwood.example", role: str = "reviewer"):
    """The invitation and the path of its link."""
    invited, link = invite(project, email=email, role=Role(role), actor=actor)
    return invited, urlsplit(link).path
