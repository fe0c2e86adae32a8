"""Asking for a new password."""

import re

import pytest

from reviewer.models import OutgoingMail, SignInAttempt
from reviewer.throttle import LIMITS
from tests import make

URL = "/forgot"


@pytest.fixture(autouse=True)
def _mail_works(settings) -> None:
    settings.MAIL_WORKS = True


def test_a_link_is_mailed_to_those_with_an_account(client, amara):
    response = client.post(URL, {"email": "Amara@fernwood.example"})
    assert response.status_code == 200
    mail = OutgoingMail.objects.get()
    assert mail.to == amara.email
    assert mail.subject == "Set a new password for Whetstone"
    link = next(line for line in mail.body.splitlines() if "/reset/" in line)
    assert client.get(link.removeprefix("http://127.0.0.1:8000")).status_code == 200


@pytest.mark.parametrize("case", ["nobody", "closed", "demo"])
def test_the_answer_tells_nobody_whether_there_is_an_account(client, amara, case):
    closed = make.user("Closed Account", email="closed@fernwood.example", is_active=False)
    demo = make.user("Demo Account", email="demo@fernwood.example", is_demo=True)
    email = {"nobody": "nobody@fernwood.example", "closed": closed.email, "demo": demo.email}[case]
    known, unknown = (
        re.sub(f"{address}|CSRFToken.*?>", "X", client.post(URL, {"email": address}).content.decode())
        for address in (amara.email, email)
    )
    assert unknown == known
    assert OutgoingMail.objects.count() == 1


def test_a_mailbox_cannot_be_flooded(client, amara):
    for _ in range(LIMITS["reset"].by_email):
        assert client.post(URL, {"email": amara.email}).status_code == 200
    response = client.post(URL, {"email": amara.email})
    assert response.status_code == 429
    assert "Retry-After" in response
    assert OutgoingMail.objects.count() == LIMITS["reset"].by_email


def test_asking_does_not_use_up_tries_at_the_door(client, amara):
    for _ in range(LIMITS["reset"].by_email):
        client.post(URL, {"email": amara.email})
    assert not SignInAttempt.objects.filter(kind="sign_in").exists()
    assert client.post("/sign-in", {"email": amara.email, "password": make.PASSWORD}).status_code == 302


def test_something_else_than_an_address_is_refused(client, db):
    assert client.post(URL, {"email": "amara"}).status_code == 422


def test_without_mail_the_page_says_whom_to_ask(client, amara, settings):
    settings.MAIL_WORKS = False
    assert "manage.py reset_link" in client.get(URL).content.decode()
    client.post(URL, {"email": amara.email})
    assert not OutgoingMail.objects.exists()
