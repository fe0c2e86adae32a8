"""Sending a new link in place of the old one."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reviewer.models import Audit, Invitation
from tests import make


@pytest.fixture
def old(shop, priya) -> tuple[Invitation, str]:
    return make.invitation(shop, priya)


def url(invitation: Invitation) -> str:
    return f"/p/fernwood/settings/invitations/{invitation.pk}/resend"


def test_the_new_link_works_and_the_old_one_is_unknown(as_priya, client, old):
    invitation, path = old
    as_priya.post(url(invitation))
    link = as_priya.get("/p/fernwood/settings/people").context["link"]["link"]
    assert client.get(link.removeprefix("http://127.0.0.1:8000")).status_code == 200
    assert client.get(path).status_code == 404
    assert Audit.objects.filter(verb="sent a new link to").count() == 1


def test_an_expired_invitation_lives_again(as_priya, old):
    invitation, _ = old
    past = timezone.now() - timedelta(days=1)
    Invitation.objects.update(expires_at=past, revoked_at=past)
    as_priya.post(url(invitation))
    assert Invitation.objects.get().state == "open"


def test_a_used_one_stays_used(as_priya, client, old):
    invitation, path = old
    client.post(path, {"name": "Lea Brandt", "password": "a phrase nobody guesses"})
    as_priya.post(url(invitation))
    assert Invitation.objects.get().state == "accepted"
    assert not Audit.objects.filter(verb="sent a new link to").exists()


def test_it_refuses_get(as_priya, old):
    assert as_priya.get(url(old[0])).status_code == 405


def test_it_needs_an_admin(as_amara, old):
    assert as_amara.post(url(old[0])).status_code == 403


def test_another_projects_invitation_is_not_found(as_priya, elsewhere, stranger):
    theirs, _ = make.invitation(elsewhere, stranger)
    assert as_priya.post(url(theirs)).status_code == 404
    assert Invitation.objects.get().token_hash == theirs.token_hash
