"""The health check of a worker's container: brokers differ in what they can tell, the heartbeat row does not."""

import socket
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from reviewer import pulse
from reviewer.broker import database_address


class Command(BaseCommand):
    help = f"Fail unless a worker on this machine has said in the last {pulse.STALE_SECONDS} s that it lives."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        with psycopg.connect(database_address(), connect_timeout=5) as own:
            found = own.execute(
                "SELECT worker FROM reviewer_heartbeat"
                " WHERE split_part(worker, '@', 2) = %s AND at > now() - make_interval(secs => %s)",
                [socket.gethostname(), pulse.STALE_SECONDS],
            ).fetchone()
        if found is None:
            raise CommandError("No worker on this machine has spoken lately.")
        self.stdout.write(f"{found[0]} lives.")
