"""The product's Celery application with a few probe tasks: what the worker under test is started with."""

import os
import time

from django.db import connection

from reviewer.celery import app


def note(key: str, what: str) -> None:
    """One row per event, so that a test sees what ran, where and how often."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO probe (key, what, pid, backend) VALUES (%s, %s, %s, pg_backend_pid())",
            [key, what, os.getpid()],
        )


@app.task(name="probe.run")
def run(key: str) -> None:
    note(key, "ran")


@app.task(name="probe.nothing")
def nothing() -> None:
    """What the drain rate is measured with."""


@app.task(name="probe.slow")
def slow(key: str, seconds: float) -> None:
    """Says when it starts and when it ends; the second time it is quick."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM probe WHERE key = %s AND what = 'started'", [key])
        (before,) = cursor.fetchone()
    note(key, "started")
    if not before:
        time.sleep(seconds)
    note(key, "ended")


app.conf.beat_schedule["probe"] = {"task": "probe.run", "schedule": 1.0, "args": ("timetable",)}
