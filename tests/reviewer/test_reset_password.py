"""Setting a new password through a link."""

from urllib.parse import urlsplit

import pytest
from django.contrib.auth.tokens import PasswordResetTokenGenerator

from reviewer.models import Audit, SignInAttempt
from reviewer.passwords import LinkExpired, reset_link, reset_password
from tests import make
from tests.conftest import signed_in

NEW = "quite another long phrase"


def path_of(user) -> str:
    return urlsplit(reset_link(user)).path


def test_it_sets_the_password_and_ends_every_session(client, amara):
    elsewhere = signed_in(amara)
    path = path_of(amara)
    assert amara.email in client.get(path).content.decode()
    assert client.post(path, {"password": NEW})["Location"] == "/sign-in"
    assert elsewhere.get("/account").status_code == 302
    assert client.post("/sign-in", {"email": amara.email, "password": make.PASSWORD}).status_code == 422
    assert client.post("/sign-in", {"email": amara.email, "password": NEW}).status_code == 302
    assert Audit.objects.filter(verb="reset the password of", target_id=str(amara.pk)).exists()


def test_the_link_works_once(client, amara):
    path = path_of(amara)
    client.post(path, {"password": NEW})
    for response in (client.get(path), client.post(path, {"password": "yet another long phrase"})):
        assert response.status_code == 410
        assert "This link was used already or is older than a day." in response.content.decode()
    amara.refresh_from_db()
    assert amara.check_password(NEW)


def test_the_link_works_for_a_day(client, amara, settings):
    path = path_of(amara)
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert client.get(path).status_code == 410


@pytest.mark.parametrize(
    "path", ["/reset/MQ/c0-ffee", "/reset/!!/c0-ffee", "/reset/OTk5OTk5OTk5OTk5OTk5OTk5OTk5/c0-ffee"]
)
def test_a_made_up_link_does_not_work(client, amara, path):
    assert client.get(path).status_code == 410


def test_a_weak_password_is_refused_with_a_sentence(client, amara):
    path = path_of(amara)
    response = client.post(path, {"password": "short"})
    assert response.status_code == 422
    assert "at least 10 characters" in response.content.decode()
    assert client.get(path).status_code == 200


def test_a_closed_account_cannot_be_opened_with_it(client, amara):
    path = path_of(amara)
    amara.is_active = False
    amara.save(update_fields=["is_active"])
    assert client.post(path, {"password": NEW}).status_code == 410


def test_it_opens_the_door_that_failures_had_closed(client, amara):
    for _ in range(11):
        client.post("/sign-in", {"email": amara.email, "password": "wrong password"})
    client.post(path_of(amara), {"password": NEW})
    assert not SignInAttempt.objects.filter(email=amara.email).exists()
    assert client.post("/sign-in", {"email": amara.email, "password": NEW}).status_code == 302


def test_the_step_checks_the_link_itself(amara):
    token = PasswordResetTokenGenerator().make_token(amara)
    with pytest.raises(LinkExpired):
        reset_password("MQ", token=token[:-1], password=NEW)
