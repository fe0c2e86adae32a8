"""A link that sets somebody's password, for instances that send no mail."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviewer.audit import record
from reviewer.models import User
from reviewer.passwords import reset_link
from reviewer.people import may_sign_in
from reviewer.refused import Refused


class Command(BaseCommand):
    help = "Print a link that lets its holder set this person's password, once, within a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None or not may_sign_in(user):
            raise CommandError(f"Nobody signs in as {email}.")
        try:
            link = reset_link(user)
        except Refused as error:
            raise CommandError(str(error)) from None
        record("made a reset link for", user, project=None, actor="shell")
        self.stdout.write(link)
