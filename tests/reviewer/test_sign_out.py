"""Signing out."""

import pytest


def test_it_ends_the_session(as_amara):
    assert as_amara.post("/sign-out")["Location"] == "/sign-in"
    assert as_amara.get("/account").status_code == 302


def test_it_refuses_get(as_amara):
    assert as_amara.get("/sign-out").status_code == 405
    assert as_amara.get("/account").status_code == 200


@pytest.mark.django_db
def test_signing_out_twice_is_no_error(client):
    assert client.post("/sign-out")["Location"] == "/sign-in"


def test_it_can_lead_back_to_an_invitation_but_nowhere_else(as_amara, as_jonas):
    assert as_amara.post("/sign-out", {"next": "/invitation/abc"})["Location"] == "/invitation/abc"
    assert as_jonas.post("/sign-out", {"next": "https://evil.example"})["Location"] == "/"
