"""/healthz and /readyz: honest, quick whatever is broken, open to all, silent about addresses."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from reviewer import readiness
from reviewer.models import Heartbeat

CHECKOUT = Path(__file__).resolve().parent.parent.parent
NAMES = ["database", "migrations", "broker", "worker", "queue"]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """Each test asks anew, not for an answer that another test got a moment before."""
    for look in (readiness.DATABASE, readiness.BROKER):
        look.answer = None
    yield
    for look in (readiness.DATABASE, readiness.BROKER):
        look.answer = None


def test_healthz_looks_at_nothing(client: Client):
    """No database fixture here: a query would fail the test."""
    answer = client.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "alive\n")
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_neither_can_be_posted_to(client: Client, path: str):
    assert client.post(path).status_code == 405


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_neither_is_sent_to_https(client: Client, settings, path: str):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(path).status_code in {200, 503}
    assert client.get("/docs").status_code == 301


@pytest.mark.django_db(transaction=True)
class TestReadyz:
    def test_each_check_has_an_answer_and_a_sentence(self, client: Client):
        body = client.get("/readyz").json()
        assert list(body["checks"]) == NAMES
        for check in body["checks"].values():
            assert set(check) == {"ok", "detail"}
            assert check["detail"].endswith(".")

    def test_without_a_worker_it_is_not_ready(self, client: Client):
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["ready"] is False
        assert answer.json()["checks"]["worker"] == {"ok": False, "detail": "No worker has spoken in the last 30 s."}
        assert answer.json()["checks"]["database"]["ok"]
        assert answer.json()["checks"]["migrations"]["ok"]

    def test_a_worker_that_spoke_lately_counts(self, client: Client):
        Heartbeat.objects.create(worker="celery@one", at=timezone.now())
        check = client.get("/readyz").json()["checks"]["worker"]
        assert check["ok"]
        assert check["detail"].startswith("1 worker;")

    def test_a_worker_that_fell_silent_does_not(self, client: Client):
        Heartbeat.objects.create(worker="celery@one", at=timezone.now() - timedelta(seconds=31))
        assert not client.get("/readyz").json()["checks"]["worker"]["ok"]

    def test_a_missing_migration_is_told(self, client: Client):
        with connection.cursor() as cursor:
            newest = "SELECT max(id) FROM django_migrations WHERE app = 'reviewer'"
            cursor.execute(f"DELETE FROM django_migrations WHERE id = ({newest}) RETURNING id, app, name, applied")
            row = cursor.fetchone()
        try:
            check = client.get("/readyz").json()["checks"]["migrations"]
        finally:
            with connection.cursor() as cursor:
                cursor.execute("INSERT INTO django_migrations (id, app, name, applied) VALUES (%s, %s, %s, %s)", row)
        assert not check["ok"]
        assert "manage.py prepare" in check["detail"]

    def test_a_look_leaves_no_connection_behind(self, client: Client):
        def connections() -> int:
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
                return int(cursor.fetchone()[0])

        before = connections()
        for _ in range(12):
            readiness.DATABASE.answer = None
            client.get("/readyz")
        deadline = time.monotonic() + 10
        while connections() > before and time.monotonic() < deadline:
            time.sleep(0.1)
        assert connections() <= before

    def test_many_who_ask_at_once_share_one_look(self, client: Client):
        client.get("/readyz")
        first = readiness.DATABASE.answer
        client.get("/readyz")
        assert readiness.DATABASE.answer is first


LOOK = """
import time, django
django.setup()
from reviewer import readiness
start = time.monotonic()
checks = readiness.look()
print(time.monotonic() - start)
for name, check in checks.items():
    print(name, check.ok, check.detail)
"""


def looked(**environ: str) -> tuple[float, str]:
    """What an instance with these settings says of itself, and how long it thought about it."""
    base = {**os.environ, "DJANGO_SETTINGS_MODULE": "reviewer.settings", "SECRET_KEY": "s" * 50}
    done = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=CHECKOUT, env={**base, **environ}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    seconds, _, rest = done.stdout.partition("\n")
    return float(seconds), rest


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Takes connections and never says a word, as a frozen server does."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize(
    "broker", ["redis://:hush@127.0.0.1:{}/0", "amqp://me:hush@127.0.0.1:{}//", "pgmq://me:hush@127.0.0.1:{}/q"]
)
@pytest.mark.parametrize("port", ["silent_port", "closed_port"])
def test_a_dead_or_frozen_broker_is_told_within_three_seconds(request: pytest.FixtureRequest, port: str, broker: str):
    number = request.getfixturevalue(port)
    database = f"postgresql://me:hush@127.0.0.1:{number}/x"
    seconds, told = looked(DATABASE_URL=database, CELERY_BROKER_URL=broker.format(number))
    assert seconds < 4
    for name in NAMES:
        assert f"{name} False" in told
    for secret in ("hush", str(number), "127.0.0.1"):
        assert secret not in told


def test_looks_that_hang_do_not_pile_up():
    """However often somebody asks, one look at most is under way."""
    begun = []

    def hang() -> readiness.Checks:
        begun.append(1)
        time.sleep(1)
        return {"thing": readiness.Check(True, "Fine.")}

    look = readiness.Look(("thing",), hang)
    answers = {id(look.begin()) for _ in range(20)}
    assert len(answers) == len(begun) == 1
    assert look.result(by=time.monotonic() + 10)["thing"].ok
