"""Outgoing mail: written with the change, sent by a worker."""

import pytest
from django.core import mail as outbox
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from reviewer.mail import BACK_OFF, queue_mail, send_waiting_mail
from reviewer.models import OutgoingMail
from reviewer.tasks import send_mail, tidy
from tests import make

pytestmark = pytest.mark.django_db


class Broken(EmailBackend):
    """A mail server that refuses everything."""

    def send_messages(self, messages):
        raise ConnectionRefusedError("nobody listens on port 587")


@pytest.fixture(autouse=True)
def _mail_works(settings) -> None:
    settings.MAIL_WORKS = True


@pytest.fixture
def waiting(shop, priya) -> OutgoingMail:
    make.invitation(shop, priya)
    return OutgoingMail.objects.get()


def test_it_is_sent_once_and_its_link_does_not_stay_in_the_table(waiting):
    assert "/invitation/" in waiting.body
    assert send_waiting_mail() == 1
    assert send_waiting_mail() == 0
    assert [message.to for message in outbox.outbox] == [["lea@fernwood.example"]]
    assert "/invitation/" in outbox.outbox[0].body
    waiting.refresh_from_db()
    assert waiting.sent_at is not None
    assert waiting.body == ""


def test_names_are_not_escaped_and_cannot_add_headers(amara):
    amara.name = "Amara & Co\nBcc: all@fernwood.example"
    queue_mail("lea@fernwood.example", template="reset", context={"user": amara, "link": "https://x.example/?a&b"})
    send_mail()
    assert "https://x.example/?a&b" in outbox.outbox[0].body
    assert outbox.outbox[0].bcc == []
    assert "\n" not in outbox.outbox[0].subject


def test_a_failure_is_kept_and_tried_again_later(waiting, settings):
    settings.EMAIL_BACKEND = "tests.reviewer.test_mail.Broken"
    assert send_waiting_mail() == 0
    waiting.refresh_from_db()
    assert (waiting.tries, waiting.failure) == (1, "nobody listens on port 587")
    assert waiting.due_at > timezone.now()
    assert waiting.body
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_waiting_mail() == 0
    OutgoingMail.objects.update(due_at=timezone.now())
    assert send_waiting_mail() == 1
    waiting.refresh_from_db()
    assert waiting.failure == ""


def test_it_is_given_up_after_the_last_try_with_the_failure_kept(waiting, settings):
    settings.EMAIL_BACKEND = "tests.reviewer.test_mail.Broken"
    for _ in range(len(BACK_OFF) + 2):
        OutgoingMail.objects.update(due_at=timezone.now())
        send_waiting_mail()
    waiting.refresh_from_db()
    assert waiting.tries == len(BACK_OFF)
    assert waiting.failure
    assert waiting.body == ""


def test_one_bad_mail_does_not_hold_up_the_others(waiting, shop, priya):
    OutgoingMail.objects.filter(pk=waiting.pk).update(subject="two\nlines")
    make.invitation(shop, priya, "second@fernwood.example")
    assert send_waiting_mail() == 1


def test_where_no_mail_leaves_none_is_queued(shop, priya, settings):
    settings.MAIL_WORKS = False
    make.invitation(shop, priya)
    assert not OutgoingMail.objects.exists()


def test_old_mail_is_swept(waiting):
    tidy()
    assert OutgoingMail.objects.exists()
    OutgoingMail.objects.update(created_at=timezone.now() - timezone.timedelta(days=31))
    tidy()
    assert not OutgoingMail.objects.exists()
