"""The order of the background steps: a task takes what waits, does one step, and asks again while there is more."""

from celery import shared_task

from issues import expire as forgetting
from issues import seen

MOST_BATCHES = 20


@shared_task
def note_first_seen() -> None:
    for _ in range(MOST_BATCHES):
        if seen.note_first_seen() < seen.BATCH:
            return
    note_first_seen.delay()


@shared_task
def expire() -> None:
    forgetting.expire()
