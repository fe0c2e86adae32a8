"""The Celery application: wake-up calls only; the rows are the queue.

A task is acknowledged when it is done, is stopped before its lease ends, and is given to another
worker when its own died. So a task may run twice, and every step must bear that.
"""

import logging
import os
import warnings
from typing import Any

from celery import Celery, bootsteps
from celery.exceptions import SecurityWarning

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewer.settings")

from django.conf import settings

from reviewer import broker

log = logging.getLogger(__name__)

PULSE_SECONDS = 5

# Celery warns root because of pickle, which we do not accept.
warnings.filterwarnings("ignore", "You're running the worker with superuser", SecurityWarning)

app = Celery("reviewer")
_url = broker.shown_url(settings.CELERY_BROKER_URL)
app.conf.update(
    broker_url=_url,
    broker_read_url=_url,  # both, or Celery would take the raw CELERY_BROKER_URL from the environment
    broker_write_url=_url,
    broker_transport=broker.transport(settings.CELERY_BROKER_URL),
    broker_transport_options=broker.options(settings.CELERY_BROKER_URL),
    broker_connection_timeout=2,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_soft_time_limit=settings.TASK_LEASE - 15,
    task_time_limit=settings.TASK_LEASE - 10,
    task_default_queue=broker.QUEUE,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=4,
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    timezone="UTC",
    beat_schedule={
        "send-mail": {"task": "reviewer.tasks.send_mail", "schedule": 60.0},
        "tidy": {"task": "reviewer.tasks.tidy", "schedule": 3600.0},
        "note-first-seen": {"task": "issues.tasks.note_first_seen", "schedule": 5.0},
        "expire": {"task": "issues.tasks.expire", "schedule": 3600.0},
    },
)
app.autodiscover_tasks(["reviewer", "issues", "prompts"])


class Pulse(bootsteps.StartStopStep):
    """Writes this worker's heartbeat row, so that /readyz knows it lives whatever the broker."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **kwargs: Any) -> None:
        self.entry: Any = None

    def start(self, worker: Any) -> None:
        self.entry = worker.timer.call_repeatedly(PULSE_SECONDS, self.beat, (worker,), priority=10)
        self.beat(worker)

    def stop(self, worker: Any) -> None:
        if self.entry:
            self.entry.cancel()

    def beat(self, worker: Any) -> None:
        from reviewer import pulse

        try:
            pulse.beat(worker.hostname)
        except Exception as error:
            log.warning("The heartbeat could not be written: %s", error)


app.steps["worker"].add(Pulse)
