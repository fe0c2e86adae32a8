"""The set-up link of a new instance."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from reviewer.invitations import first_admin_link
from reviewer.refused import Refused


class Command(BaseCommand):
    help = "Print a one-time link that makes the first admin and the first project of a new instance."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.stdout.write(first_admin_link())
        except Refused as error:
            raise CommandError(str(error)) from None
