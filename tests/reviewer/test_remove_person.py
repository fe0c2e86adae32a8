"""Taking somebody out of a project."""

import pytest

from reviewer.models import Audit, Membership, User


def url(member: Membership) -> str:
    return f"/p/fernwood/settings/people/{member.pk}/remove"


@pytest.fixture
def member(shop, amara) -> Membership:
    return Membership.objects.get(user=amara)


def test_access_ends_with_the_next_request(as_priya, as_amara, amara, member):
    assert as_amara.get("/p/fernwood").status_code == 200
    assert as_priya.post(url(member))["Location"] == "/p/fernwood/settings/people"
    assert as_amara.get("/p/fernwood").status_code == 404
    assert User.objects.filter(pk=amara.pk, is_active=True).exists()
    assert Audit.objects.get().detail == {"role": "reviewer"}


def test_removing_twice_is_not_found_and_writes_one_line(as_priya, member):
    as_priya.post(url(member))
    assert as_priya.post(url(member)).status_code == 404
    assert Audit.objects.count() == 1


def test_the_last_admin_stays(as_priya, shop, priya):
    last = shop.memberships.get(user=priya)
    response = as_priya.post(url(last), follow=True)
    assert "Make somebody else admin first." in response.content.decode()
    assert shop.memberships.filter(pk=last.pk).exists()


def test_an_admin_may_leave_when_another_stays(as_priya, shop, priya, member):
    Membership.objects.filter(pk=member.pk).update(role="admin")
    assert as_priya.post(url(shop.memberships.get(user=priya)))["Location"] == "/"
    assert as_priya.get("/p/fernwood").status_code == 404


def test_it_refuses_get(as_priya, member):
    assert as_priya.get(url(member)).status_code == 405
    assert Membership.objects.filter(pk=member.pk).exists()


def test_it_needs_an_admin(as_jonas, member):
    assert as_jonas.post(url(member)).status_code == 403
    assert Membership.objects.filter(pk=member.pk).exists()


def test_another_projects_member_is_not_found(as_priya, elsewhere, stranger):
    assert as_priya.post(url(elsewhere.memberships.get())).status_code == 404
    assert elsewhere.memberships.exists()
