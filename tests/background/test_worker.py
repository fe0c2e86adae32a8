"""A real worker: it runs tasks, on connections of its own, says that it lives, and keeps the time table."""

import pytest

from tests.background.stage import Stage, until

pytestmark = pytest.mark.background


def test_a_task_runs_once(instance: Stage):
    worker = instance.worker()
    instance.send("probe.run", "job")
    until(lambda: instance.events("job"), within=30)
    worker.stop()
    assert instance.events("job") == ["ran"]


def test_each_pool_child_has_its_own_database_connection(instance: Stage):
    worker = instance.worker()
    instance.send("probe.slow", "left", 2)
    instance.send("probe.slow", "right", 2)
    until(lambda: "ended" in instance.events("left") and "ended" in instance.events("right"), within=30)
    seen = instance.rows("SELECT DISTINCT pid, backend FROM probe")
    assert len({pid for pid, _ in seen}) == 2
    assert len({backend for _, backend in seen}) == len(seen)
    assert worker.child.pid not in {pid for pid, _ in seen}


def test_the_worker_says_that_it_lives(instance: Stage):
    instance.worker()
    until(lambda: instance.rows("SELECT 1 FROM reviewer_heartbeat WHERE at > now() - interval '10 s'"), within=15)


def test_beat_inside_the_worker_sends_what_is_due(instance: Stage):
    instance.worker("-B", "--schedule", str(instance.folder / "schedule"))
    until(lambda: instance.events("timetable"), within=30)


def test_a_backlog_of_a_thousand_is_worked_off_without_a_wait_between_tasks(instance: Stage):
    instance.send("probe.nothing", times=1000)
    instance.send("probe.run", "last")
    instance.worker()
    until(lambda: instance.events("last"), within=60)
