"""Withdrawing an invitation."""

import pytest

from reviewer.models import Audit, Invitation
from tests import make


@pytest.fixture
def open_one(shop, priya) -> tuple[Invitation, str]:
    return make.invitation(shop, priya)


def url(invitation: Invitation) -> str:
    return f"/p/fernwood/settings/invitations/{invitation.pk}/revoke"


def test_the_link_stops_working(as_priya, client, open_one):
    invitation, path = open_one
    assert as_priya.post(url(invitation))["Location"] == "/p/fernwood/settings/people"
    assert client.get(path).status_code == 410
    assert Audit.objects.filter(verb="withdrew the invitation of").count() == 1


def test_withdrawing_twice_is_a_no_op(as_priya, open_one):
    for _ in range(2):
        assert as_priya.post(url(open_one[0])).status_code == 302
    assert Audit.objects.filter(verb="withdrew the invitation of").count() == 1


def test_a_used_one_stays_used(as_priya, client, open_one):
    invitation, path = open_one
    client.post(path, {"name": "Lea Brandt", "password": "a phrase nobody guesses"})
    as_priya.post(url(invitation))
    assert Invitation.objects.get().state == "accepted"


def test_it_refuses_get(as_priya, open_one):
    assert as_priya.get(url(open_one[0])).status_code == 405


def test_it_needs_an_admin(as_amara, open_one):
    assert as_amara.post(url(open_one[0])).status_code == 403


def test_another_projects_invitation_is_not_found(as_priya, elsewhere, stranger):
    theirs, _ = make.invitation(elsewhere, stranger)
    assert as_priya.post(url(theirs)).status_code == 404
    assert Invitation.objects.get().state == "open"
