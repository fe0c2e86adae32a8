"""Projects and their people: who signs in, who belongs where, with which role.

Everything here that could leave a project without an admin first locks the project's row, so two
admins cannot remove each other at the same moment.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth.backends import BaseBackend
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.text import slugify

from reviewer.audit import record
from reviewer.models import Membership, Project, User
from reviewer.refused import Refused
from reviewer.roles import Role


class SlugTaken(Refused):
    def __init__(self, slug: str) -> None:
        super().__init__(f"There is a project “{slug}” already. Choose another short name.")


class BadSlug(Refused):
    def __init__(self, slug: str) -> None:
        super().__init__(f"“{slug}” cannot be a short name: use a–z, 0–9 and hyphens, at most 40 characters.")


class BadEmail(Refused):
    def __init__(self, email: str) -> None:
        super().__init__(f"“{email}” is not an e-mail address.")


class EmailTaken(Refused):
    def __init__(self, email: str) -> None:
        super().__init__(f"{email} has an account already.")


class LastAdmin(Refused):
    def __init__(self, person: User, project: Project) -> None:
        super().__init__(f"{person} is the last admin of {project}. Make somebody else admin first.")


class NotAMember(Refused):
    def __init__(self, project: Project) -> None:
        super().__init__(f"This person is no longer a member of {project}.")


# --- signing in -----------------------------------------------------------------------------------


def may_sign_in(user: User | None) -> bool:
    """Active, and no demo account outside demo mode."""
    return user is not None and user.is_active and (settings.DEMO or not user.is_demo)


class SignInBackend(BaseBackend):
    """E-mail and password. Asked again on every request, so a closed account's sessions end at once."""

    def authenticate(
        self, request: HttpRequest | None, email: str = "", password: str = "", **kwargs: Any
    ) -> User | None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None:
            User().set_password(password)  # as slow as a real check: timing must not tell who has an account
            return None
        right = user.check_password(password)
        return user if right and may_sign_in(user) else None

    def get_user(self, user_id: int) -> User | None:
        user = User.objects.filter(pk=user_id).first()
        return user if may_sign_in(user) else None


# --- projects -------------------------------------------------------------------------------------


def create_project(name: str, *, slug: str = "", actor: User | str) -> Project:
    """Make a project; the person who makes it is its first admin. Without a slug the name gives one."""
    with transaction.atomic():
        project = Project(slug=slug or _free_slug(name), name=name)
        try:
            project.clean_fields(exclude=["name"])
        except ValidationError:
            raise BadSlug(project.slug) from None
        try:
            with transaction.atomic():
                project.save()
        except IntegrityError:
            raise SlugTaken(project.slug) from None
        record("created", project, project=project, actor=actor)
        if isinstance(actor, User):
            Membership.objects.create(project=project, user=actor, role=Role.ADMIN)
    return project


def _free_slug(name: str) -> str:
    base = slugify(name)[:36].strip("-_").replace("_", "-") or "project"
    taken = set(Project.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def rename_project(project: Project, *, name: str, actor: User | str) -> bool:
    """Change the name people see; the address stays, because apps and links use it."""
    with transaction.atomic():
        locked = lock_project(project)
        if locked.name == name:
            return False
        Project.objects.filter(pk=locked.pk).update(name=name)
        detail = {"from": locked.name, "to": name}
        record("renamed", locked, project=locked, actor=actor, name=name, detail=detail)
    project.name = name
    return True


def lock_project(project: Project) -> Project:
    """One change of members at a time. Not FOR UPDATE: rows that merely point here need not wait."""
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


# --- accounts and members -------------------------------------------------------------------------


def clean_email(email: str) -> str:
    email = email.strip().lower()
    try:
        validate_email(email)
    except ValidationError:
        raise BadEmail(email) from None
    return email


def create_user(email: str, *, name: str = "", password: str | None = None, actor: User | str | None) -> User:
    """Open an account. Without a password nobody can sign in until a reset link set one.

    `actor` is None when people open their own account.
    """
    email = clean_email(email)
    try:
        with transaction.atomic():
            user = User.objects.create_user(email, password, name=name or email.partition("@")[0])
            record("opened the account of", user, project=None, actor=actor or user, name=email)
    except IntegrityError:
        raise EmailTaken(email) from None
    return user


def add_member(project: Project, *, user: User, role: Role, actor: User | str) -> tuple[Membership, bool]:
    """Let a person in; somebody who is in already keeps their role."""
    with transaction.atomic():
        membership, added = Membership.objects.get_or_create(project=project, user=user, defaults={"role": role})
        if added:
            record("added", user, project=project, actor=actor, detail={"role": role})
    return membership, added


def change_role(membership: Membership, *, role: Role, actor: User | str) -> bool:
    """Give a member another role; False when they have it already."""
    with transaction.atomic():
        project = lock_project(membership.project)
        current = Membership.objects.select_related("user").filter(pk=membership.pk).first()
        if current is None:
            raise NotAMember(project)
        if current.role == role:
            return False
        _keep_an_admin(project, besides=current)
        Membership.objects.filter(pk=current.pk).update(role=role)
        detail = {"from": current.role, "to": role}
        record("changed the role of", current.user, project=project, actor=actor, detail=detail)
    membership.role = role
    return True


def remove_person(membership: Membership, *, actor: User | str) -> bool:
    """Take a member out of the project; False when they are out already. The account stays."""
    with transaction.atomic():
        project = lock_project(membership.project)
        current = Membership.objects.select_related("user").filter(pk=membership.pk).first()
        if current is None:
            return False
        _keep_an_admin(project, besides=current)
        current.delete()
        record("removed", current.user, project=project, actor=actor, detail={"role": current.role})
    return True


def _keep_an_admin(project: Project, *, besides: Membership) -> None:
    """Call with the project locked, before a member stops being an admin."""
    if besides.role != Role.ADMIN:
        return
    others = project.memberships.current(demo=settings.DEMO).filter(role=Role.ADMIN).exclude(pk=besides.pk)
    if not others.exists():
        raise LastAdmin(besides.user, project)


def is_admin_somewhere(user: User) -> bool:
    """Who may open a new project: anyone trusted with one already."""
    return user.memberships.filter(role=Role.ADMIN).exists()


def change_account(user: User, *, name: str, theme: str) -> bool:
    """A person's own name and theme."""
    with transaction.atomic():
        before = User.objects.select_for_update().get(pk=user.pk)
        if (before.name, before.theme) == (name, theme):
            return False
        User.objects.filter(pk=user.pk).update(name=name, theme=theme)
        if before.name != name:
            detail = {"from": before.name, "to": name}
            record("renamed", user, project=None, actor=user, name=name, detail=detail)
    user.name, user.theme = name, theme
    return True
