"""A task whose worker dies in the middle is run again, within a minute, on each broker."""

import os
import signal
import time

import pytest

from tests.background.stage import Stage, until

pytestmark = pytest.mark.background
MINUTE = 60


def start_slow_task(instance: Stage) -> int:
    """A task that would take 25 s, begun; the process that works on it."""
    instance.send("probe.slow", "job", 25)
    [(pid,)] = until(lambda: instance.rows("SELECT pid FROM probe WHERE what = 'started'"), within=30)
    return int(pid)


def test_a_task_whose_machine_goes_down_is_run_by_another_worker_within_a_minute(instance: Stage):
    first = instance.worker()
    start_slow_task(instance)
    first.signal(signal.SIGKILL)
    died = time.monotonic()
    instance.worker()
    until(lambda: "ended" in instance.events("job"), within=MINUTE - (time.monotonic() - died))
    assert instance.events("job") == ["started", "started", "ended"]


def test_a_task_whose_pool_child_is_killed_is_run_again_within_a_minute(instance: Stage):
    worker = instance.worker()
    os.kill(start_slow_task(instance), signal.SIGKILL)
    until(lambda: "ended" in instance.events("job"), within=MINUTE)
    assert instance.events("job") == ["started", "started", "ended"]
    assert worker.child.poll() is None


def test_a_worker_asked_to_stop_ends_its_task_first(instance: Stage):
    worker = instance.worker()
    instance.send("probe.slow", "job", 3)
    until(lambda: instance.events("job"), within=30)
    worker.stop()
    assert instance.events("job") == ["started", "ended"]
    assert worker.child.returncode == 0
