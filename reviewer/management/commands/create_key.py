"""Make an API key from the shell."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviewer.keys import create_key
from reviewer.models import Project
from reviewer.refused import Refused
from reviewer.roles import SCOPES


class Command(BaseCommand):
    help = "Make an API key. The secret is printed here and never again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--scopes", required=True, help=f"separated by commas: {', '.join(SCOPES)}")
        parser.add_argument("--name", default="Shell", help="where the key is used")
        parser.add_argument("--json", action="store_true", help="print one line of JSON and nothing else")

    def handle(self, *args: Any, project: str, scopes: str, name: str, json: bool, **options: Any) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project {project}. Make it with: manage.py create_project {project}")
        if len(name) > 80:
            raise CommandError("The name is longer than 80 characters.")
        wanted = [scope.strip() for scope in scopes.split(",") if scope.strip()]
        try:
            key, secret = create_key(found, name=name, scopes=wanted, actor="shell")
        except Refused as error:
            raise CommandError(str(error)) from None
        if json:
            self.stdout.write(_line(public=key.public, secret=secret))
        else:
            self.stdout.write(f"The key {key.name} of {found} is made; it may: {', '.join(key.scopes)}.")
            self.stdout.write(f"public  {key.public}\nsecret  {secret}\nKeep the secret: it is not shown again.")


def _line(**values: str) -> str:
    return json.dumps(values)
