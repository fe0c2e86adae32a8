"""Changing one's own password."""

from reviewer.models import Audit
from reviewer.throttle import LIMITS
from tests import make
from tests.conftest import signed_in

URL = "/account/password"
NEW = "quite another long phrase"


def test_it_changes_the_password_and_keeps_only_this_session(as_amara, amara):
    elsewhere = signed_in(amara)
    assert as_amara.post(URL, {"current": make.PASSWORD, "password": NEW})["Location"] == "/account"
    assert as_amara.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 302
    amara.refresh_from_db()
    assert amara.check_password(NEW)
    assert Audit.objects.filter(verb="changed the password of").exists()


def test_it_refuses_get(as_amara):
    assert as_amara.get(URL).status_code == 405


def test_the_current_password_is_needed(as_amara, amara):
    response = as_amara.post(URL, {"current": "wrong password", "password": NEW})
    assert response.status_code == 422
    assert "That is not your current password." in response.content.decode()
    amara.refresh_from_db()
    assert amara.check_password(make.PASSWORD)


def test_guessing_the_current_password_is_throttled(as_amara):
    for _ in range(LIMITS["sign_in"].by_email):
        as_amara.post(URL, {"current": "wrong password", "password": NEW})
    assert as_amara.post(URL, {"current": make.PASSWORD, "password": NEW}).status_code == 429


def test_a_password_like_the_name_is_refused(as_amara):
    response = as_amara.post(URL, {"current": make.PASSWORD, "password": "amara@fernwood.example"})
    assert response.status_code == 422
    assert "too similar" in response.content.decode()


def test_demo_accounts_have_no_password_to_change(shop, settings):
    settings.DEMO = True
    visitor = signed_in(make.member(shop, "viewer", "Jonas Lindqvist", is_demo=True))
    assert visitor.post(URL, {"current": make.PASSWORD, "password": NEW}).status_code == 422
