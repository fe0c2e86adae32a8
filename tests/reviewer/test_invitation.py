"""Accepting an invitation."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reviewer.invitations import invite, mark_expired_invitations, revoke_invitation
from reviewer.models import Audit, Invitation, Membership, User
from reviewer.roles import Role
from tests import make
from tests.conftest import signed_in

NEW = {"name": "Lea Brandt", "password": "a phrase nobody guesses"}


@pytest.fixture
def path(shop, priya) -> str:
    return make.invitation(shop, priya)[1]


def test_somebody_new_opens_an_account_and_is_in(client, shop, path):
    assert "Priya Raman invites" in client.get(path).content.decode()
    assert client.post(path, NEW)["Location"] == "/p/fernwood"
    assert client.get("/p/fernwood").status_code == 200
    lea = User.objects.get(email="lea@fernwood.example")
    assert lea.name == "Lea Brandt"
    assert shop.memberships.get(user=lea).role == "reviewer"
    assert Audit.objects.filter(project=shop, verb="added", actor=lea).exists()


def test_a_weak_password_is_refused(client, path):
    assert client.post(path, {**NEW, "password": "lea@fernwood"}).status_code == 422
    assert not User.objects.filter(email="lea@fernwood.example").exists()


def test_looking_at_the_page_uses_nothing_up(client, path):
    for _ in range(2):
        assert client.get(path).status_code == 200
    assert Invitation.objects.get().state == "open"


def test_somebody_with_an_account_signs_in_first_then_joins(client, shop, path):
    lea = make.user("Lea Brandt", email="lea@fernwood.example")
    page = client.get(path).content.decode()
    assert f"/sign-in?next={path}" in page
    assert client.post(path, NEW).status_code == 200
    assert not shop.memberships.filter(user=lea).exists()
    client.force_login(lea)
    assert "Join Fernwood shop" in client.get(path).content.decode()
    assert client.post(path)["Location"] == "/p/fernwood"
    assert shop.memberships.get(user=lea).role == "reviewer"


def test_somebody_else_is_told_so_and_does_not_get_in(as_stranger, stranger, shop, path):
    assert "You are signed in as sam@elsewhere.example" in as_stranger.get(path).content.decode()
    response = as_stranger.post(path)
    assert response.status_code == 403
    assert "This invitation is for lea@fernwood.example" in response.content.decode()
    assert not shop.memberships.filter(user=stranger).exists()
    assert Invitation.objects.get().state == "open"


def test_it_works_once(client, shop, path):
    client.post(path, NEW)
    client.post("/sign-out")
    for response in (client.get(path), client.post(path, NEW)):
        assert response.status_code == 410
        assert "was used already" in response.content.decode()
    assert Membership.objects.filter(project=shop, user__email="lea@fernwood.example").count() == 1


def test_a_withdrawn_one_says_so(client, priya, path):
    revoke_invitation(Invitation.objects.get(), actor=priya)
    response = client.post(path, NEW)
    assert response.status_code == 410
    assert "was withdrawn" in response.content.decode()


@pytest.mark.parametrize("swept", [False, True])
def test_an_expired_one_says_so_before_and_after_the_sweep(client, path, swept):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    if swept:
        assert mark_expired_invitations() == 1
    response = client.get(path)
    assert response.status_code == 410
    assert "has expired" in response.content.decode()


def test_a_made_up_link_is_not_found(client, db):
    response = client.get("/invitation/made-up")
    assert response.status_code == 404
    assert "There is no such invitation" in response.content.decode()


def test_who_became_a_member_meanwhile_keeps_their_role(shop, path):
    lea = make.member(shop, "admin", "Lea Brandt", email="lea@fernwood.example")
    assert signed_in(lea).post(path).status_code == 302
    assert shop.memberships.get(user=lea).role == "admin"


def test_only_the_hash_of_the_link_is_kept(shop, priya):
    _, link = invite(shop, email="lea@fernwood.example", role=Role.VIEWER, actor=priya)
    token = link.rsplit("/", 1)[1]
    assert Invitation.objects.get().token_hash != token
    assert not Audit.objects.filter(detail__icontains=token).exists()
