"""Makes the records tests need, through the product's own steps where there is one."""

from itertools import count

from reviewer.models import Membership, Project, User

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
