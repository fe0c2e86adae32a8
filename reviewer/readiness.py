"""What /readyz tells: can this instance do its work now? Database, migrations, broker, worker, queue.

Each look has a deadline, because what is looked at may be dead or frozen. Looks run in threads of their
own on connections of their own, at most one of each kind at a time and one a second, so that a stuck
server or a curious crowd costs one connection. The sentences are public: no address, no name, no secret.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NoAnswer
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from kombu import Connection

from reviewer import broker, pulse
from reviewer.celery import app

log = logging.getLogger(__name__)

DEADLINE = 2.5
FRESH_SECONDS = 1.0
ABANDON_SECONDS = 30.0
QUEUE_LIMIT = 10_000
"""Wake-up calls are few and short: more than this waiting means that nobody works them off."""


@dataclass(frozen=True)
class Check:
    """One answer: fine or not, and why, in a sentence."""

    ok: bool
    detail: str


Checks = dict[str, Check]


class Look:
    """One kind of look, shared by all who ask at the same time."""

    def __init__(self, names: tuple[str, ...], find: Callable[[], Checks]) -> None:
        self.names, self.find = names, find
        self.lock = threading.Lock()
        self.begun = 0.0
        self.answer: Future[Checks] | None = None

    def result(self, *, by: float) -> Checks:
        """The newest answer, or that there was none by this moment of the monotonic clock."""
        try:
            return self.begin().result(timeout=max(0.0, by - time.monotonic()))
        except NoAnswer:
            return dict.fromkeys(self.names, Check(False, f"No answer within {DEADLINE:g} s."))

    def begin(self) -> Future[Checks]:
        """The look under way or just done, else a new one."""
        with self.lock:
            age = time.monotonic() - self.begun
            if self.answer is None or age > (FRESH_SECONDS if self.answer.done() else ABANDON_SECONDS):
                self.answer, self.begun = Future(), time.monotonic()
                threading.Thread(target=self._run, args=(self.answer,), daemon=True).start()
            return self.answer

    def _run(self, answer: Future[Checks]) -> None:
        try:
            answer.set_result(self.find())
        except Exception:
            log.exception("A readiness check broke")
            answer.set_result(dict.fromkeys(self.names, Check(False, "The check itself broke; see the log.")))


def look() -> Checks:
    """Every check by name, within about three seconds whatever is broken."""
    looks, by = (DATABASE, BROKER), time.monotonic() + DEADLINE
    for one in looks:
        one.begin()
    return {name: check for one in looks for name, check in one.result(by=by).items()}


# --- the database: does it answer, is it migrated, has a worker spoken ----------------------------


def _look_at_database() -> Checks:
    own = connection.copy()
    own.settings_dict["OPTIONS"] = {**own.settings_dict["OPTIONS"], "pool": False, "connect_timeout": 2}
    try:
        with own.cursor() as cursor:
            cursor.execute("SET statement_timeout = 2000")
        return {
            "database": Check(True, "The database answers."),
            "migrations": _migrations(own),
            "worker": _worker(own),
        }
    except DatabaseError as error:
        log.warning("The database does not answer: %s", error)
        unknown = Check(False, "Unknown while the database does not answer.")
        return {
            "database": Check(False, "The database does not answer."),
            "migrations": unknown,
            "worker": unknown,
        }
    finally:
        own.close()


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """What this version's code has; read from disk once."""
    return frozenset(MigrationLoader(None).graph.nodes)


def _migrations(own: BaseDatabaseWrapper) -> Check:
    """Asked by hand: Django's own recorder would take a connection from the pool and never give it back."""
    applied: set[tuple[str, str]] = set()
    if "django_migrations" in own.introspection.table_names():
        with own.cursor() as cursor:
            cursor.execute("SELECT app, name FROM django_migrations")
            applied = set(cursor.fetchall())
    missing = len(_known_migrations() - applied)
    if missing:
        return Check(False, f"{missing} not applied: run “manage.py prepare”.")
    return Check(True, "All are applied.")


def _worker(own: BaseDatabaseWrapper) -> Check:
    if "reviewer_heartbeat" not in own.introspection.table_names():
        return Check(False, "No worker has spoken: the database is not prepared.")
    with own.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), extract(epoch FROM now() - max(at))::int FROM reviewer_heartbeat"
            " WHERE at > now() - make_interval(secs => %s)",
            [pulse.STALE_SECONDS],
        )
        workers, age = cursor.fetchone()
    if not workers:
        return Check(False, f"No worker has spoken in the last {pulse.STALE_SECONDS} s.")
    return Check(True, f"{workers} {'worker' if workers == 1 else 'workers'}; the newest word is {age} s old.")


# --- the broker: does it answer, how much waits ---------------------------------------------------


def _look_at_broker() -> Checks:
    short = {"pool_size": 1, "pool_timeout": 2, "socket_connect_timeout": 2, "socket_timeout": 2}
    own = app.connection_for_read(
        transport_options=short if app.conf.broker_transport_options else {}, connect_timeout=2
    )
    try:
        waiting = _depth(own)
    except Exception as error:
        # Each transport has its own errors; whatever it is, the broker is of no use now.
        log.warning("The broker does not answer: %s", error)
        return {
            "broker": Check(False, "The broker does not answer."),
            "queue": Check(False, "Unknown while the broker does not answer."),
        }
    finally:
        own.release()
    detail = "Nothing waits." if not waiting else f"{waiting:,} {'task waits' if waiting == 1 else 'tasks wait'}."
    if waiting > QUEUE_LIMIT:
        detail = f"{detail} That is more than {QUEUE_LIMIT:,}: add workers, or see why they stand still."
    return {
        "broker": Check(True, "The broker answers."),
        "queue": Check(waiting <= QUEUE_LIMIT, detail),
    }


def _depth(own: Connection) -> int:
    """How many tasks wait; on pgmq those in work count too. Redis has no queue when nothing waits."""
    own.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
    with own.channel() as channel:
        try:
            return int(cast(Any, channel).queue_declare(broker.QUEUE, passive=True).message_count)
        except own.channel_errors:
            return 0


DATABASE = Look(("database", "migrations", "worker"), _look_at_database)
BROKER = Look(("broker", "queue"), _look_at_broker)
