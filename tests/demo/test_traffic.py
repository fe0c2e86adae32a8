"""Live traffic arrives, carries feedback, follows what is live, and survives a Whetstone that is away."""

import json
import random
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from issues.models import Signal, Trace
from reviewer.demo import plan, traffic
from reviewer.demo.artifacts import fetch
from reviewer.demo.client import Client, Unreachable
from reviewer.demo.shop import World
from reviewer.demo.traffic import TRUTH, Traffic
from tests import make

START = datetime.now(UTC) - timedelta(days=plan.DAYS)


@pytest.mark.django_db(transaction=True)
def test_conversations_come_with_their_feedback_and_keep_their_truth(live_server, shop, tmp_path, monkeypatch):
    monkeypatch.setattr(traffic, "LATEST_FEEDBACK", 0.1)
    monkeypatch.setattr(traffic, "SOONEST_FEEDBACK", 0.0)
    live = Traffic(Client(live_server.url, make.key(shop)[1]), tmp_path, rate=60, start=START, seed="a")
    live.run(threading.Event(), most=25, log=lambda _: None)
    assert Trace.objects.count() == live.sent
    assert Signal.objects.exists()
    told = [json.loads(line) for line in (tmp_path / TRUTH).read_text().splitlines()]
    assert {line["trace_id"] for line in told} == set(Trace.objects.values_list("trace_id", flat=True))
    assert not Trace.objects.filter(started_at__gt=datetime.now(UTC)).exists()


class Away(Client):
    def post(self, path, body, **options):
        raise Unreachable("nobody there")


def test_what_cannot_be_sent_is_dropped_with_one_line(tmp_path):
    lines: list[str] = []
    stop = threading.Event()
    live = Traffic(Away("http://127.0.0.1:1", "k"), tmp_path, rate=200, start=START, seed="b")
    worker = threading.Thread(target=live.run, args=(stop,), kwargs={"log": lines.append})
    worker.start()
    deadline = time.monotonic() + 20
    while not lines and time.monotonic() < deadline:
        time.sleep(0.05)
    stop.set()
    worker.join(10)
    assert len(lines) == 1
    assert live.sent == 0


def test_a_demo_left_alone_eases_off(tmp_path):
    live = Traffic(Away("http://127.0.0.1:1", "k"), tmp_path, rate=2, start=START)
    busy = sum(live.pace() for _ in range(2000))
    live.began -= traffic.EASE_AFTER + 1
    assert sum(live.pace() for _ in range(2000)) > 7 * busy


def test_a_shipped_fix_lowers_the_rate_and_a_rollback_brings_it_back():
    """What the app does follows from the versions it is given at that moment."""

    world = World()

    def failing(overrides) -> int:
        found = 0
        for place in range(500):
            turns = plan.conversation(random.Random(place), world, str(place), 340.0, START, overrides)
            found += sum("wrong_language" in turn.run.modes for turn in turns)
        return found

    live = failing(None)
    assert live > 10
    assert failing({"support-answer": fetch("support-answer", "8")}) == 0
    assert failing({"support-answer": fetch("support-answer", "9")}) == live
