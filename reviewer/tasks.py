"""The house's background work: each task calls steps that may safely run twice."""

from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore

from reviewer.invitations import mark_expired_invitations
from reviewer.mail import forget_old_mail, send_waiting_mail
from reviewer.throttle import forget_old_attempts


@shared_task(name="reviewer.tasks.send_mail")
def send_mail() -> None:
    """Woken by a new mail, and each minute in case nobody was."""
    send_waiting_mail()


@shared_task(name="reviewer.tasks.tidy")
def tidy() -> None:
    """Each hour: forget what no longer counts."""
    SessionStore.clear_expired()
    forget_old_attempts()
    mark_expired_invitations()
    forget_old_mail()
