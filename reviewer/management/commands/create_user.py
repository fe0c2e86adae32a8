"""Let a person into a project from the shell."""

import sys
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from reviewer.models import Membership, Project, User
from reviewer.passwords import reset_link
from reviewer.people import add_member, change_role, clean_email, create_user
from reviewer.refused import Refused
from reviewer.roles import Role


class Command(BaseCommand):
    help = "Let a person into a project with a role; opens an account where there is none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--role", required=True, choices=[role.value for role in Role])
        parser.add_argument("--name", default="", help="the name people see; for new accounts")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the new account's password from standard input"
        )

    def handle(
        self, *args: Any, email: str, project: str, role: str, name: str, password_stdin: bool, **options: Any
    ) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project {project}. Make it with: manage.py create_project {project}")
        password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
        try:
            email = clean_email(email)
            with transaction.atomic():
                user = User.objects.filter(email=email).first()
                new = user is None
                if user is None:
                    self._check(password, User(email=email, name=name))
                    user = create_user(email, name=name, password=password, actor="shell")
                membership, added = add_member(found, user=user, role=Role(role), actor="shell")
                changed = not added and change_role(membership, role=Role(role), actor="shell")
        except Refused as error:
            raise CommandError(str(error)) from None
        self._tell(membership, new=new, nothing=not (added or changed), password=password)

    def _check(self, password: str | None, user: User) -> None:
        if password is not None:
            try:
                validate_password(password, user)
            except ValidationError as errors:
                raise CommandError(" ".join(errors.messages)) from None

    def _tell(self, membership: Membership, *, new: bool, nothing: bool, password: str | None) -> None:
        user, project, role = membership.user, membership.project, membership.get_role_display().lower()
        if nothing:
            self.stdout.write(f"{user.email} is {role} in {project} already.")
        else:
            self.stdout.write(f"{user.email} is now {role} in {project}.")
        if new and password is None:
            self.stdout.write(f"Within a day they set a password here, once:\n{reset_link(user)}")
        elif not new and password is not None:
            self.stdout.write("The account existed before, so its password stays.")
