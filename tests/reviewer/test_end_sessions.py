"""Signing out everywhere else."""

from tests.conftest import signed_in


def test_every_other_session_ends(as_amara, amara):
    elsewhere = signed_in(amara)
    assert as_amara.post("/account/sessions/end")["Location"] == "/account"
    assert as_amara.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 302


def test_other_people_stay_signed_in(as_amara, as_jonas):
    as_amara.post("/account/sessions/end")
    assert as_jonas.get("/account").status_code == 200


def test_it_refuses_get(as_amara):
    assert as_amara.get("/account/sessions/end").status_code == 405
