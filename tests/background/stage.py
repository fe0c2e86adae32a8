"""Real things for tests about the background: a database of their own, Redis, workers as processes."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode
from uuid import uuid4

import psycopg
import pytest
from django.db import connection
from psycopg import sql

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PROBE = (
    "CREATE TABLE probe (id bigserial PRIMARY KEY, key text, what text, pid int, backend int,"
    " at timestamptz DEFAULT clock_timestamp())"
)
T = TypeVar("T")


def until(found: Callable[[], T], *, within: float, every: float = 0.1) -> T:
    """The first true answer; fails when none came in time, saying what was seen last."""
    end = time.monotonic() + within
    while not (answer := found()):
        if time.monotonic() > end:
            pytest.fail(f"Nothing within {within:g} s; last answer: {answer!r}")
        time.sleep(every)
    return answer


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def database_url(name: str) -> str:
    """A database on the server that the tests run on."""
    server = connection.get_connection_params()
    who = quote(server.get("user", ""), safe="")
    if server.get("password"):
        who += ":" + quote(server["password"], safe="")
    where = {key: server[key] for key in ("host", "port") if server.get(key)}
    return f"postgresql://{who}@/{name}?{urlencode(where)}"


@contextmanager
def fresh_database() -> Iterator[str]:
    """An empty database; dropped at the end whoever is still connected."""
    name = f"background_{uuid4().hex[:12]}"
    with psycopg.connect(database_url("postgres"), autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield database_url(name)
    finally:
        with psycopg.connect(database_url("postgres"), autocommit=True) as admin:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@dataclass
class Process:
    """A command of the product as a process group of its own, its output kept for the failure message."""

    command: list[str]
    env: dict[str, str]
    log: Path
    child: Any = field(init=False)

    def __post_init__(self) -> None:
        with self.log.open("ab") as out:
            self.child = subprocess.Popen(
                self.command, cwd=CHECKOUT, env=self.env, stdout=out, stderr=out, start_new_session=True
            )

    @property
    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def signal(self, number: int) -> None:
        """To the whole group: what a machine that goes down does."""
        if self.child.poll() is None:
            os.killpg(self.child.pid, number)

    def stop(self) -> None:
        """Ask, then insist."""
        if self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(20)
            except subprocess.TimeoutExpired:
                self.signal(signal.SIGKILL)
        self.child.wait(10)


class Redis:
    """A Redis of our own on a free port, keeping nothing."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("redis-server")
        if program is None:
            message = "redis-server is not on PATH; on Debian: apt-get install redis-server"
            pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
        self.folder, self.program, self.port = folder, str(program), free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        command = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = Process(command, dict(os.environ), self.folder / "redis.log")
        until(self.answers, within=15)

    def answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True

    def stop(self) -> None:
        self.process.stop()


@dataclass
class Stage:
    """One prepared instance: its database, its broker, and the processes started on it."""

    folder: Path
    url: str
    broker: str
    redis: Redis | None = None
    started: list[Process] = field(default_factory=list)

    @property
    def env(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if name != "DJANGO_ALLOW_ASYNC_UNSAFE"},
            "DATABASE_URL": self.url,
            "CELERY_BROKER_URL": self.broker,
            "SECRET_KEY": "only-for-tests-" * 5,
            "WHETSTONE_HOME": str(self.folder / "home"),
            "STATIC_ROOT": str(self.folder / "static"),
            "PYTHONWARNINGS": "default",
        }

    def start(self, command: list[str], **env: str) -> Process:
        process = Process(command, {**self.env, **env}, self.folder / f"process{len(self.started)}.log")
        self.started.append(process)
        return process

    def run(self, command: list[str], **env: str) -> str:
        """Run to its end, and say what it said if it failed."""
        done = subprocess.run(
            command, cwd=CHECKOUT, env={**self.env, **env}, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def manage(self, *words: str, **env: str) -> str:
        return self.run([sys.executable, "manage.py", *words], **env)

    def worker(self, *extra: str, ready: bool = True, **env: str) -> Process:
        """A real worker, as production starts it, with the probe tasks; waits until it takes work."""
        command = [sys.executable, "-m", "celery", "-A", "tests.background.app", "worker"]
        name = f"{uuid4().hex[:6]}@test"
        process = self.start([*command, "--concurrency=2", "--loglevel=INFO", "--hostname", name, *extra], **env)
        if ready:
            until(lambda: " ready." in process.output or process.child.poll() is not None, within=60)
            assert process.child.poll() is None, process.output
        return process

    def send(self, task: str, *args: Any, times: int = 1) -> None:
        """Publish from a process of its own, as the web does."""
        code = (
            "import json, sys; from tests.background.app import app\n"
            "for _ in range(int(sys.argv[3])): app.send_task(sys.argv[1], json.loads(sys.argv[2]))"
        )
        self.run([sys.executable, "-c", code, task, json.dumps(args), str(times)])

    def rows(self, query: str, *params: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as own:
            return own.execute(query, params).fetchall()

    def events(self, key: str) -> list[str]:
        return [what for (what,) in self.rows("SELECT what FROM probe WHERE key = %s ORDER BY id", key)]

    def stop(self) -> None:
        for process in reversed(self.started):
            process.stop()


@contextmanager
def stage(kind: str, folder: Path) -> Iterator[Stage]:
    """An instance prepared by the product's own command, on pgmq or Redis."""
    with fresh_database() as url:
        redis = Redis(folder) if kind == "redis" else None
        own = Stage(folder, url, redis.url if redis else "pgmq://", redis)
        try:
            own.manage("prepare", "--no-static", "--verbosity=0")
            with psycopg.connect(url, autocommit=True) as connected:
                connected.execute(PROBE)
            yield own
        finally:
            own.stop()
            if redis:
                redis.stop()
