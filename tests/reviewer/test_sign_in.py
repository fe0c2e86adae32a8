"""Signing in with e-mail and password."""

import pytest
from django.test import Client

from reviewer.models import SignInAttempt
from reviewer.throttle import LIMITS
from tests import make
from tests.conftest import signed_in

URL = "/sign-in"


def sign_in(client: Client, email: str = "amara@fernwood.example", password: str = make.PASSWORD, **extra):
    return client.post(URL, {"email": email, "password": password, **extra})


def test_right_password_lets_the_person_in(client, amara):
    response = sign_in(client)
    assert response.status_code == 302
    assert response["Location"] == "/"
    assert client.get("/", follow=True).context["user"] == amara


def test_case_and_spaces_of_the_address_do_not_matter(client, amara):
    assert sign_in(client, " AMARA@Fernwood.example ").status_code == 302


@pytest.mark.parametrize("email", ["amara@fernwood.example", "nobody@fernwood.example"])
def test_wrong_password_and_unknown_address_get_the_same_answer(client, amara, email):
    response = sign_in(client, email, "wrong password")
    assert response.status_code == 422
    assert "The e-mail or the password is wrong." in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_a_closed_account_is_refused_and_its_session_ends(client, amara):
    sign_in(client)
    amara.is_active = False
    amara.save(update_fields=["is_active"])
    assert client.get("/account").status_code == 302
    assert sign_in(Client()).status_code == 422


def test_the_person_arrives_where_they_were_going(client, amara):
    assert client.get("/p/fernwood")["Location"] == "/sign-in?next=/p/fernwood"
    assert 'name="next" value="/p/fernwood"' in client.get("/sign-in?next=/p/fernwood").content.decode()
    assert sign_in(client, next="/p/fernwood")["Location"] == "/p/fernwood"


@pytest.mark.parametrize(
    "address", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil.example"]
)
def test_next_never_leads_to_another_site(client, amara, address):
    assert sign_in(client, next=address)["Location"] == "/"


def test_who_is_signed_in_is_sent_on(as_amara):
    assert as_amara.get("/sign-in?next=/account")["Location"] == "/account"


def test_the_session_gets_a_new_key(client, amara):
    session = client.session
    session["seen"] = True
    session.save()
    before = session.session_key
    sign_in(client)
    assert client.session.session_key != before


def test_too_many_failures_for_one_address_close_the_door_for_a_while(client, amara):
    for _ in range(LIMITS["sign_in"].by_email):
        assert sign_in(client, password="wrong password").status_code == 422
    response = sign_in(client)
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 900
    assert "Too many tries. Wait 15 minutes and try again." in response.content.decode()
    # Trying on does not keep the door shut longer: refused tries are not written down.
    assert SignInAttempt.objects.count() == LIMITS["sign_in"].by_email


def test_another_person_is_not_shut_out(client, amara, jonas):
    for _ in range(LIMITS["sign_in"].by_email + 1):
        sign_in(client, password="wrong password")
    assert sign_in(client, "jonas@fernwood.example").status_code == 302


def test_too_many_failures_from_one_network_close_the_door(client, amara):
    for number in range(LIMITS["sign_in"].by_address):
        sign_in(client, f"guess{number}@fernwood.example", "wrong password")
    assert sign_in(client).status_code == 429
    elsewhere = client.post(URL, {"email": amara.email, "password": make.PASSWORD}, REMOTE_ADDR="203.0.113.9")
    assert elsewhere.status_code == 302


def test_success_forgives_the_failures_before_it(client, amara):
    for _ in range(LIMITS["sign_in"].by_email - 1):
        sign_in(client, password="wrong password")
    assert sign_in(client).status_code == 302
    assert not SignInAttempt.objects.exists()


def test_the_page_is_never_cached_and_has_no_demo_buttons(client, db):
    response = client.get(URL)
    assert "no-store" in response["Cache-Control"]
    assert "Look around as" not in response.content.decode()


def test_a_forged_post_is_refused(db, amara):
    strict = Client(enforce_csrf_checks=True)
    assert sign_in(strict).status_code == 403


def test_leftover_sessions_of_demo_accounts_end_outside_demo_mode(shop, settings):
    settings.DEMO = True
    visitor = signed_in(make.member(shop, "admin", "Priya Raman", is_demo=True))
    assert visitor.get("/p/fernwood").status_code == 200
    settings.DEMO = False
    assert visitor.get("/p/fernwood")["Location"].startswith("/sign-in")
