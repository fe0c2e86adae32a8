"""Makes a database and a checkout ready to serve: run before the first start and after each upgrade.

Safe to run twice and on several machines at once: one works, the others wait for it and find it done.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection
from pgmq.install import install_pgmq_from_sql

from reviewer import broker

LOCK = 0x77686574
"""Any number, the same everywhere: whoever holds this advisory lock prepares."""


class Command(BaseCommand):
    help = "Migrate the database, make the queue where it lives in PostgreSQL, collect the static files."
    requires_system_checks = []  # comes before the first good moment to check

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-static", action="store_true", help="Leave the static files as they are.")

    def handle(self, *args: Any, no_static: bool, verbosity: int, **options: Any) -> None:
        with one_at_a_time():
            call_command("migrate", interactive=False, verbosity=verbosity)
            if broker.is_pgmq(settings.CELERY_BROKER_URL):
                make_queue(broker.pgmq_address(settings.CELERY_BROKER_URL))
        if not no_static:
            call_command("collectstatic", interactive=False, verbosity=max(0, verbosity - 1))
        self.stdout.write("The database is ready." if no_static else "The database and the static files are ready.")


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait until nobody else prepares this database; on a connection of its own, freed even by a kill."""
    own = connection.copy()
    own.settings_dict["OPTIONS"] = {**own.settings_dict["OPTIONS"], "pool": False}
    try:
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            yield
    finally:
        own.close()


def make_queue(address: str) -> None:
    """Install pgmq's tables and functions if they are missing, and our queue, in one transaction."""
    with psycopg.connect(address, connect_timeout=10) as own:
        own.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK + 1])
        if own.execute("SELECT to_regclass('pgmq.meta')").fetchone() == (None,):
            install_pgmq_from_sql(conn=own)
        own.execute("SELECT pgmq.create(%s)", [broker.QUEUE])
