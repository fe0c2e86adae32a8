"""`manage.py prepare`: makes an empty database ready, twice, and on several machines at once."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer import broker
from tests.background.stage import Stage, fresh_database

pytestmark = pytest.mark.background
PREPARE = [sys.executable, "manage.py", "prepare", "--no-static", "--verbosity=0"]


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Stage]:
    with fresh_database() as url:
        own = Stage(tmp_path, url, "pgmq://")
        try:
            yield own
        finally:
            own.stop()


def test_three_machines_prepare_an_empty_database_at_once(empty: Stage):
    machines = [empty.start(PREPARE) for _ in range(3)]
    assert [machine.child.wait(120) for machine in machines] == [0, 0, 0], "".join(one.output for one in machines)
    assert empty.rows("SELECT queue_name FROM pgmq.meta") == [(broker.QUEUE,)]
    assert empty.rows("SELECT 1 FROM pg_extension WHERE extname = 'vector'") == [(1,)]


def test_a_second_run_keeps_what_waits(empty: Stage):
    empty.run(PREPARE)
    empty.send("probe.nothing", times=3)
    empty.run(PREPARE)
    assert empty.rows("SELECT queue_length FROM pgmq.metrics(%s)", broker.QUEUE) == [(3,)]


def test_a_queue_may_live_in_another_database(empty: Stage):
    with fresh_database() as other:
        empty.broker = other.replace("postgresql://", "pgmq://", 1)
        empty.run(PREPARE)
        empty.send("probe.nothing", times=2)
        there = Stage(empty.folder, other, "pgmq://")
        assert there.rows("SELECT queue_length FROM pgmq.metrics(%s)", broker.QUEUE) == [(2,)]
        assert empty.rows("SELECT to_regclass('pgmq.meta')") == [(None,)]


def test_the_address_of_the_queue_keeps_its_options():
    url = "pgmq://me:pass%20word@db.internal:5433/queue?sslmode=verify-full"
    assert broker.options(url)["conn_string"] == "postgresql" + url.removeprefix("pgmq")
