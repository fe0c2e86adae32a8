"""Inviting somebody."""

import pytest

from reviewer.models import Audit, Invitation, OutgoingMail

URL = "/p/fernwood/settings/people/invite"
LEA = {"email": "Lea@Fernwood.example", "role": "reviewer"}


def test_it_makes_a_link_and_mails_it(as_priya, shop, priya, settings):
    settings.MAIL_WORKS = True
    assert as_priya.post(URL, LEA)["Location"] == "/p/fernwood/settings/people"
    invitation = Invitation.objects.get()
    assert (invitation.email, invitation.role, invitation.created_by) == ("lea@fernwood.example", "reviewer", priya)
    mail = OutgoingMail.objects.get()
    assert mail.to == "lea@fernwood.example"
    assert "Priya Raman invites you to Fernwood shop" in mail.subject
    assert "http://127.0.0.1:8000/invitation/" in mail.body
    row = Audit.objects.get(verb="invited")
    assert (row.target_name, row.detail) == ("lea@fernwood.example", {"role": "reviewer"})


def test_the_link_is_shown_once_and_not_cached(as_priya):
    as_priya.post(URL, LEA)
    first = as_priya.get("/p/fernwood/settings/people")
    assert "/invitation/" in first.content.decode()
    assert "no-store" in first["Cache-Control"]
    assert "http://127.0.0.1:8000/invitation/" not in as_priya.get("/p/fernwood/settings/people").content.decode()


def test_without_mail_the_link_is_handed_over(as_priya, settings):
    settings.MAIL_WORKS = False
    as_priya.post(URL, LEA)
    assert not OutgoingMail.objects.exists()
    assert "hand the link over yourself" in as_priya.get("/p/fernwood/settings/people").content.decode()


def test_inviting_again_replaces_the_link_and_the_role(as_priya, client):
    as_priya.post(URL, LEA)
    old = as_priya.get("/p/fernwood/settings/people").context["link"]["link"]
    as_priya.post(URL, {**LEA, "role": "admin"})
    assert Invitation.objects.open().get().role == "admin"
    assert client.get(old.removeprefix("http://127.0.0.1:8000")).status_code == 410


def test_a_member_cannot_be_invited(as_priya, amara):
    response = as_priya.post(URL, {"email": amara.email, "role": "admin"})
    assert response.status_code == 409
    assert "is a member of Fernwood shop already" in response.content.decode()
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    "data", [{"email": "lea", "role": "viewer"}, {"email": "lea@fernwood.example", "role": "owner"}, {}]
)
def test_a_bad_address_or_role_is_refused(as_priya, data):
    assert as_priya.post(URL, data).status_code == 422
    assert not Invitation.objects.exists()


def test_it_refuses_get(as_priya):
    assert as_priya.get(URL).status_code == 405


def test_it_needs_an_admin(as_amara):
    assert as_amara.post(URL, LEA).status_code == 403
    assert not Invitation.objects.exists()


def test_a_stranger_does_not_learn_of_the_project(as_stranger, shop):
    assert as_stranger.post(URL, LEA).status_code == 404
