"""kill -9 of every part, under a stream of requests: it comes back by itself and keeps what it promised.

The tests kill each part once; `make prove` goes on killing at random for some minutes.
"""

import os
import random
import signal
import threading
import time
import urllib.error
from pathlib import Path

import psutil
import psycopg
import pytest

from reviewer import postgres
from reviewer.home import Home
from tests.runtime.instance import Instance, Visitor, eventually

pytestmark = [pytest.mark.runtime, pytest.mark.xdist_group("runtime")]


class Stream:
    """Makes API keys over the web, one after the other, and remembers which were acknowledged."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.acknowledged: list[str] = []
        self.refused = 0
        self.halt = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        visitor, number = None, 0
        while not self.halt.is_set():
            number += 1
            name = f"key {number}"
            try:
                if visitor is None:
                    visitor = Visitor(self.instance.url).sign_in_demo("admin")
                    visitor.get("/p/fernwood/settings/keys")
                page = visitor.post("/p/fernwood/settings/keys/create", name=name, scopes=["ingest"])
                if "wk_live_" in page:
                    self.acknowledged.append(name)
            except (urllib.error.URLError, OSError, ValueError):
                self.refused += 1
                visitor = None
                time.sleep(0.1)

    def __enter__(self) -> "Stream":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.halt.set()
        self.thread.join()

    def goes_on(self) -> None:
        """At least three more keys are made from here."""
        count = len(self.acknowledged)
        eventually(lambda: len(self.acknowledged) >= count + 3, 60, self.instance)


def stored_names(home: Path) -> list[str]:
    with psycopg.connect(postgres.address(Home(home))) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM reviewer_apikey")]


def assert_nothing_lost(home: Path, stream: Stream) -> None:
    stored = stored_names(home)
    assert len(stream.acknowledged) > 10
    assert set(stream.acknowledged) <= set(stored)
    assert len(stored) == len(set(stored)), "a retried request must not have been stored twice"


def victims(instance: Instance) -> dict[str, int]:
    """The processes a hard day could take, by what they are."""
    web = psutil.Process(instance.pid("web"))
    found = {name: instance.pid(name) for name in ("postgres", "worker", "beat", "web")}
    found["a web process"] = web.children()[0].pid
    found["a worker process"] = psutil.Process(instance.pid("worker")).children()[0].pid
    found["the keeper of web"] = web.ppid()
    return found


@pytest.mark.timeout(600)
def test_each_part_is_killed_and_comes_back_with_every_acknowledged_row(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Instance(home) as instance:
        instance.wait_ready()
        eventually(instance.is_ready, 60, instance)
        with Stream(instance) as stream:
            stream.goes_on()
            for name in victims(instance):
                pid = victims(instance)[name]
                os.kill(pid, signal.SIGKILL)
                eventually(lambda pid=pid: not psutil.pid_exists(pid) or _is_zombie(pid), 20, instance)
                eventually(lambda: _all_parts_run(instance) and instance.is_ready(), 90, instance)
                stream.goes_on()
        assert_nothing_lost(home, stream)
        for part in ("postgres", "worker", "beat", "web"):
            assert f"{part} ended (by SIGKILL); starting it again" in instance.output
        assert instance.stop() == 0
        assert not instance.processes()


@pytest.mark.timeout(600)
def test_killed_supervisor_leaves_no_orphans_and_the_next_up_recovers(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Instance(home) as first:
        first.wait_ready()
        with Stream(first) as stream:
            stream.goes_on()
            first.process.send_signal(signal.SIGKILL)
            first.process.wait(10)
            eventually(lambda: not first.processes(), 60, first)
    with Instance(home, port=first.port) as second:
        second.wait_ready()
        assert set(stream.acknowledged) <= set(stored_names(home))


@pytest.mark.timeout(600)
def test_everything_killed_at_once_recovers_on_the_next_up(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Instance(home) as first:
        first.wait_ready()
        with Stream(first) as stream:
            stream.goes_on()
            first.process.send_signal(signal.SIGKILL)
            for process in first.processes():
                process.kill()
    with Instance(home, port=first.port) as second:
        second.wait_ready()
        assert set(stream.acknowledged) <= set(stored_names(home))


def _is_zombie(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _all_parts_run(instance: Instance) -> bool:
    try:
        return all(not _is_zombie(pid) for pid in victims(instance).values())
    except (OSError, ValueError, IndexError, psutil.Error):
        return False


@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_ten_minutes_of_random_kills_lose_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    dice = random.Random(7)
    with Instance(home) as instance:
        instance.wait_ready()
        with Stream(instance) as stream:
            end = time.monotonic() + 600
            while time.monotonic() < end:
                eventually(lambda: _all_parts_run(instance), 90, instance)
                os.kill(dice.choice(list(victims(instance).values())), signal.SIGKILL)
                time.sleep(dice.uniform(1, 12))
            eventually(lambda: _all_parts_run(instance) and instance.is_ready(), 120, instance)
            stream.goes_on()
        assert_nothing_lost(home, stream)
