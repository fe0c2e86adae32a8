"""The workers' heartbeat: one row a worker, written on a connection of its own.

The worker's main process must not open Django's connection pool (its children are forked from it),
so this uses a plain connection and closes it.
"""

import psycopg

from reviewer.broker import database_address

STALE_SECONDS = 30


def beat(worker: str) -> None:
    """Say that this worker lives; forget those silent for a day."""
    with psycopg.connect(database_address(), connect_timeout=3, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO reviewer_heartbeat (worker, at) VALUES (%s, now())"
            " ON CONFLICT (worker) DO UPDATE SET at = now()",
            [worker],
        )
        connection.execute("DELETE FROM reviewer_heartbeat WHERE at < now() - interval '1 day'")
