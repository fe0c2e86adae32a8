"""kill -9 of the web process and of PostgreSQL under a load of exports: what was acknowledged is there, once.

The exporters here do what an OpenTelemetry exporter does: the same body again after a lost connection, 429, 502, 503
or 504, each time a little later; any other answer is the end of that batch.
"""

import gzip
import http.client
import json
import os
import random
import signal
import threading
from pathlib import Path

import psutil
import psycopg
import pytest

from reviewer import postgres
from reviewer.home import Home
from tests.issues.wire import START, as_json, as_protobuf
from tests.runtime.instance import Instance, eventually, manage
from tests.runtime.test_kill import victims

pytestmark = [pytest.mark.runtime, pytest.mark.xdist_group("runtime")]
RETRIED = {429, 502, 503, 504}
Ids = tuple[str, str]


class Exporter(threading.Thread):
    """One connection that exports batch after batch until it is told to halt; then it finishes its last batch."""

    def __init__(self, instance: Instance, secret: str, number: int, halt: threading.Event) -> None:
        super().__init__()
        self.instance, self.secret, self.halt = instance, secret, halt
        self.dice = random.Random(number)
        self.acknowledged: set[Ids] = set()
        self.refused: list[tuple[int, bytes]] = []
        self.retries = 0
        self.batches = 0

    def run(self) -> None:
        traces: list[str] = []
        while not self.halt.is_set():
            traces = [*traces[-5:], f"{self.dice.getrandbits(128):032x}"]
            ids = [(self.dice.choice(traces), f"{self.dice.getrandbits(64):016x}") for _ in range(15)]
            self.export(ids)
            self.batches += 1

    def export(self, ids: list[Ids]) -> None:
        """One batch: spans of a new trace and late ones of traces already sent."""
        said = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "small-1", "gen_ai.usage.input_tokens": 1}
        spans = [
            {"trace_id": trace, "span_id": span, "start": START + place * 10**9, "attributes": said}
            for place, (trace, span) in enumerate(ids)
        ]
        body = gzip.compress(as_protobuf(as_json(*spans)))
        wait = 0.05
        while True:
            status, answer = self.post(body)
            if status == 200:
                assert answer == b"", "nothing was rejected"
                self.acknowledged |= set(ids)
                return
            if status not in RETRIED and status:
                self.refused.append((status, answer[:300]))
                return
            self.retries += 1
            self.halt.wait(wait * self.dice.uniform(0.8, 1.2))
            wait = min(wait * 2, 1)

    def post(self, body: bytes) -> tuple[int, bytes]:
        """The answer; 0 when the connection was lost."""
        connection = http.client.HTTPConnection("127.0.0.1", self.instance.port, timeout=30)
        headers = {
            "Authorization": f"Bearer {self.secret}",
            "Content-Type": "application/x-protobuf",
            "Content-Encoding": "gzip",
        }
        try:
            connection.request("POST", "/v1/traces", body, headers)
            reply = connection.getresponse()
            return reply.status, reply.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()


class Load:
    """Three exporters at once."""

    def __init__(self, instance: Instance, home: Path) -> None:
        assert manage(home, "create_project", "lakeside").returncode == 0
        made = manage(home, "create_key", "--project", "lakeside", "--scopes", "ingest", "--json")
        self.instance, self.halt = instance, threading.Event()
        secret = json.loads(made.stdout)["secret"]
        self.exporters = [Exporter(instance, secret, number, self.halt) for number in range(3)]

    def __enter__(self) -> "Load":
        for exporter in self.exporters:
            exporter.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.halt.set()
        for exporter in self.exporters:
            exporter.join()

    def goes_on(self) -> None:
        """Each exporter brings in at least five more batches from here."""
        counts = [exporter.batches for exporter in self.exporters]
        eventually(
            lambda: all(now.batches >= before + 5 for now, before in zip(self.exporters, counts, strict=True)),
            90,
            self.instance,
        )

    def assert_everything_is_there_once(self, home: Path) -> None:
        assert not [exporter.refused for exporter in self.exporters if exporter.refused]
        acknowledged = set().union(*(exporter.acknowledged for exporter in self.exporters))
        assert len(acknowledged) > 500
        with psycopg.connect(postgres.address(Home(home))) as connection:
            stored = connection.execute("SELECT trace_id, span_id FROM issues_span").fetchall()
            summed = connection.execute("SELECT trace_id, spans, input_tokens FROM issues_trace").fetchall()
        assert len(stored) == len(set(stored)), "no span is there twice"
        assert set(stored) == acknowledged, "each batch was sent until it was acknowledged"
        count: dict[str, int] = {}
        for trace, _ in stored:
            count[trace] = count.get(trace, 0) + 1
        assert {trace: (spans, tokens) for trace, spans, tokens in summed} == {
            trace: (spans, spans) for trace, spans in count.items()
        }, "the summaries say what the spans say"


def kill(instance: Instance, name: str) -> None:
    pid = eventually(lambda: _pid(instance, name), 90, instance)
    os.kill(pid, signal.SIGKILL)


def _pid(instance: Instance, name: str) -> int | None:
    try:
        return victims(instance)[name]
    except (OSError, ValueError, IndexError, psutil.Error):
        return None  # it is being started again


@pytest.mark.timeout(600)
def test_acknowledged_spans_survive_kills_of_web_and_database(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Instance(home, "--no-demo") as instance:
        instance.wait_ready()
        with Load(instance, home) as load:
            load.goes_on()
            for name in ("web", "postgres", "a web process", "postgres"):
                kill(instance, name)
                load.goes_on()
        load.assert_everything_is_there_once(home)
        assert sum(exporter.retries for exporter in load.exporters) > 0, "the kills were felt"
        assert instance.stop() == 0


@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_acknowledged_spans_survive_twenty_kills(tmp_path: Path) -> None:
    home = tmp_path / "home"
    dice = random.Random(11)
    with Instance(home, "--no-demo") as instance:
        instance.wait_ready()
        with Load(instance, home) as load:
            for _ in range(20):
                kill(instance, dice.choice(("web", "postgres", "a web process")))
                threading.Event().wait(dice.uniform(0, 3))
                if dice.random() < 0.5:
                    load.goes_on()
            load.goes_on()
        load.assert_everything_is_there_once(home)
