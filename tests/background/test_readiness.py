"""/readyz of a real web process: not ready, ready with a worker, and how much waits."""

import json
import sys
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.background.stage import Stage, free_port, until

pytestmark = pytest.mark.background


@pytest.fixture
def port(instance: Stage) -> int:
    """A web server on the instance."""
    number = free_port()
    command = ["granian", "--interface", "wsgi", "--port", str(number), "--workers", "1", "reviewer.wsgi:application"]
    instance.start([sys.executable, "-m", *command])
    until(lambda: ask(number, "/healthz")[0] == 200, within=60)
    return number


def ask(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return 0, str(error)


def checks(port: int) -> dict[str, Any]:
    return json.loads(ask(port, "/readyz")[1])["checks"]


def test_it_turns_ready_when_a_worker_speaks(instance: Stage, port: int):
    status, body = ask(port, "/readyz")
    assert status == 503
    assert [name for name, check in json.loads(body)["checks"].items() if not check["ok"]] == ["worker"]
    instance.worker()
    until(lambda: ask(port, "/readyz")[0] == 200, within=20)
    assert checks(port)["worker"]["detail"].startswith("1 worker;")


def test_it_counts_what_waits(instance: Stage, port: int):
    assert checks(port)["queue"] == {"ok": True, "detail": "Nothing waits."}
    instance.send("probe.nothing", times=7)
    until(lambda: checks(port)["queue"]["detail"] == "7 tasks wait.", within=10)
    instance.worker()
    until(lambda: checks(port)["queue"]["detail"] == "Nothing waits.", within=20)


@pytest.mark.parametrize("instance", ["redis"], indirect=True)  # on pgmq the broker is the database
def test_it_says_so_when_the_broker_goes(instance: Stage, port: int):
    assert instance.redis
    instance.redis.stop()
    until(lambda: not checks(port)["broker"]["ok"], within=10)
    assert checks(port)["database"]["ok"]
    instance.redis.start()
    until(lambda: checks(port)["broker"]["ok"], within=10)
