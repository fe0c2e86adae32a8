"""Giving a member another role."""

import pytest

from reviewer.models import Audit, Membership
from reviewer.people import LastAdmin, NotAMember, change_role
from reviewer.roles import Role
from tests import make


def url(member: Membership) -> str:
    return f"/p/fernwood/settings/people/{member.pk}/role"


@pytest.fixture
def member(shop, amara) -> Membership:
    return Membership.objects.get(user=amara)


def test_the_new_role_counts_from_the_next_request(as_priya, as_amara, member):
    assert as_amara.get("/p/fernwood/settings/keys").status_code == 403
    assert as_priya.post(url(member), {"role": "admin"})["Location"] == "/p/fernwood/settings/people"
    assert as_amara.get("/p/fernwood/settings/keys").status_code == 200
    assert "Amara Osei is now admin." in as_priya.get("/p/fernwood/settings/people").content.decode()
    row = Audit.objects.get()
    assert (row.verb, row.detail) == ("changed the role of", {"from": "reviewer", "to": "admin"})


def test_the_same_role_changes_nothing(as_priya, member):
    as_priya.post(url(member), {"role": "reviewer"})
    assert not Audit.objects.exists()


def test_an_unknown_role_is_refused(as_priya, member):
    as_priya.post(url(member), {"role": "owner"})
    member.refresh_from_db()
    assert member.role == "reviewer"


def test_the_last_admin_stays_admin(as_priya, shop, priya):
    last = shop.memberships.get(user=priya)
    response = as_priya.post(url(last), {"role": "viewer"}, follow=True)
    assert "Priya Raman is the last admin of Fernwood shop." in response.content.decode()
    last.refresh_from_db()
    assert last.role == "admin"


@pytest.mark.parametrize("fields", [{"is_active": False}, {"is_demo": True}])
def test_an_admin_who_cannot_sign_in_does_not_count(shop, priya, fields):
    make.member(shop, "admin", "Cannot Come", **fields)
    with pytest.raises(LastAdmin):
        change_role(shop.memberships.get(user=priya), role=Role.VIEWER, actor=priya)


def test_who_gives_up_the_role_is_led_to_the_overview(as_priya, shop, priya):
    make.member(shop, "admin", "Second Admin")
    own = shop.memberships.get(user=priya)
    assert as_priya.post(url(own), {"role": "viewer"})["Location"] == "/p/fernwood"


def test_somebody_who_left_meanwhile_has_no_role(shop, priya, member):
    Membership.objects.filter(pk=member.pk).delete()
    with pytest.raises(NotAMember):
        change_role(member, role=Role.ADMIN, actor=priya)


def test_it_refuses_get(as_priya, member):
    assert as_priya.get(url(member)).status_code == 405


def test_it_needs_an_admin(as_amara, member):
    assert as_amara.post(url(member), {"role": "admin"}).status_code == 403
    member.refresh_from_db()
    assert member.role == "reviewer"


def test_another_projects_member_is_not_found(as_priya, elsewhere, stranger):
    theirs = elsewhere.memberships.get()
    assert as_priya.post(url(theirs), {"role": "viewer"}).status_code == 404
    theirs.refresh_from_db()
    assert theirs.role == "admin"
