"""Statements that every intake request makes: their values travel apart from them, and they are planned once a
connection.

Django's own cursor writes the values into the text of each statement, which the database then reads and plans anew.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection


def cursor() -> psycopg.Cursor[Any]:
    """A plain psycopg cursor on Django's connection, inside its transaction if there is one."""
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)


def fetch_one(statement: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """The first row of a short question."""
    with connection.wrap_database_errors, cursor() as asked:
        return asked.execute(statement, values, prepare=True).fetchone()
