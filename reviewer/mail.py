"""Outgoing mail: a row is written with the change it tells of, a worker sends it.

A row is claimed by moving its `due_at` ahead, so a worker that dies in the middle only delays it.
Mail can then arrive twice, never not at all. Bodies hold one-time links: they are emptied as soon as
the mail has left or was given up.
"""

import logging
from datetime import timedelta
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from reviewer.models import OutgoingMail
from reviewer.wake import wake_after_commit

log = logging.getLogger(__name__)

BACK_OFF = [timedelta(minutes=minutes) for minutes in (2, 5, 15, 60, 240, 720)]
"""How long to wait after each try; with the last one the mail is given up."""
SECONDS_A_RUN = 10
"""A run ends well before its task's time limit, even when each try waits for the server."""
KEEP_FOR = timedelta(days=30)


def link_to(view: str, *args: str) -> str:
    """The full address of a page, from WHETSTONE_URL: a request's Host header must not shape our links."""
    return settings.PUBLIC_URL + reverse(view, args=args)


def queue_mail(to: str, *, template: str, context: dict[str, Any]) -> OutgoingMail | None:
    """Write the mail down inside the caller's transaction; None where no mail can leave."""
    if not settings.MAIL_WORKS:
        return None
    subject, _, body = render_to_string(f"mail/{template}.txt", context).strip().partition("\n")
    mail = OutgoingMail.objects.create(to=to, subject=" ".join(subject.split())[:200], body=body.strip() + "\n")
    wake_after_commit("reviewer.tasks.send_mail")
    return mail


def send_waiting_mail() -> int:
    """Send what is due, one row at a time, and say how many left."""
    sent, until = 0, monotonic() + SECONDS_A_RUN
    while monotonic() < until and (mail := _claim()):
        sent += _send(mail)
    return sent


def _claim() -> OutgoingMail | None:
    """Take one due row for ourselves: no other worker sees it as due until the back-off has passed."""
    now = timezone.now()
    with transaction.atomic():
        mail = (
            OutgoingMail.objects.select_for_update(skip_locked=True)
            .filter(sent_at=None, due_at__lte=now, tries__lt=len(BACK_OFF))
            .order_by("due_at")
            .first()
        )
        if mail is not None:
            mail.due_at = now + BACK_OFF[mail.tries]
            mail.tries += 1
            mail.save(update_fields=["due_at", "tries"])
    return mail


def _send(mail: OutgoingMail) -> bool:
    """One try, outside any transaction: a slow mail server must not hold a row."""
    try:
        EmailMessage(mail.subject, mail.body, settings.DEFAULT_FROM_EMAIL, [mail.to]).send()
    except Exception as error:
        log.warning("Mail %s could not be sent (try %s of %s): %s", mail.pk, mail.tries, len(BACK_OFF), error)
        given_up = {"body": ""} if mail.tries >= len(BACK_OFF) else {}
        OutgoingMail.objects.filter(pk=mail.pk).update(failure=str(error)[:1000], **given_up)
        return False
    OutgoingMail.objects.filter(pk=mail.pk).update(sent_at=timezone.now(), body="", failure="")
    return True


def forget_old_mail() -> int:
    """Delete what left, or was given up, a month ago."""
    return OutgoingMail.objects.filter(created_at__lt=timezone.now() - KEEP_FOR).delete()[0]
