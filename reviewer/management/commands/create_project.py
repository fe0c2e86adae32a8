"""Make a project from the shell."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviewer.models import Project
from reviewer.people import create_project
from reviewer.refused import Refused


class Command(BaseCommand):
    help = "Make a project. Does nothing when there is one with this short name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="short name for addresses: a–z, 0–9 and hyphens")
        parser.add_argument("--name", default="", help="the name people see; the short name by default")

    def handle(self, *args: Any, slug: str, name: str, **options: Any) -> None:
        if Project.objects.filter(slug=slug).exists():
            self.stdout.write(f"The project {slug} exists already.")
            return
        if len(name) > 80:
            raise CommandError("The name is longer than 80 characters.")
        try:
            create_project(name or slug, slug=slug, actor="shell")
        except Refused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"The project {slug} is made. Next: manage.py create_user EMAIL --project {slug} --role admin"
        )
