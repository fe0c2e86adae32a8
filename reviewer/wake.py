"""Waking a worker. The rows are the queue, so a broker that is away costs time, never the request."""

import logging

from django.db import transaction

from reviewer.celery import app

log = logging.getLogger(__name__)


def wake(task: str) -> None:
    """Ask for a run of the task now. Each broker fails in its own way, and beat asks again anyway."""
    try:
        app.send_task(task, retry=False)
    except Exception as error:
        log.warning("Nobody could be woken for %s, beat will ask again: %s", task, error)


def wake_after_commit(task: str) -> None:
    """The same once the rows are there to be seen; nothing when the transaction is rolled back."""
    transaction.on_commit(lambda: wake(task))
