"""Whether the intake has to ask its clients to wait: more changed traces wait for the worker than it should hold.

Clients retry on 429, so nothing is lost by saying no early.
"""

import time

from django.conf import settings
from django.db import connection

RETRY_AFTER = 2
"""Seconds. An OpenTelemetry exporter gives a batch 10 seconds in all and drops it when asked to wait beyond them."""
_LOOK_AGAIN = 2.0
_seen: dict[str, float] = {"until": 0.0, "waiting": 0.0}


def waiting() -> int:
    """How many changed traces wait, counted up to one more than the limit, at most every two seconds."""
    now = time.monotonic()
    if now >= _seen["until"]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM (SELECT 1 FROM issues_pending LIMIT %s) AS waiting",
                [settings.INTAKE_PENDING_LIMIT + 1],
            )
            _seen["waiting"] = cursor.fetchone()[0]
        _seen["until"] = now + _LOOK_AGAIN
    return int(_seen["waiting"])


def too_high() -> bool:
    return waiting() > settings.INTAKE_PENDING_LIMIT


def forget() -> None:
    """Look again at the next question; the memory is the process's."""
    _seen["until"] = 0.0
