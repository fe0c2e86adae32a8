"""The page of members and invitations."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reviewer.models import Invitation
from reviewer.roles import ABILITIES
from tests import make

URL = "/p/fernwood/settings/people"


def test_it_shows_members_roles_and_what_roles_may_do(as_priya, amara):
    page = as_priya.get(URL).content.decode()
    assert "Amara Osei" in page
    for ability in ABILITIES.values():
        assert ability.label in page


def test_it_shows_open_invitations_and_marks_expired_ones(as_priya, shop, priya):
    make.invitation(shop, priya)
    assert "lea@fernwood.example" in as_priya.get(URL).content.decode()
    Invitation.objects.update(expires_at=timezone.now() - timedelta(hours=1))
    assert "Expired" in as_priya.get(URL).content.decode()


def test_demo_accounts_and_closed_accounts_are_not_listed(as_priya, shop):
    make.member(shop, "admin", "Demo Dora", is_demo=True)
    make.member(shop, "viewer", "Gone Gustav", is_active=False)
    page = as_priya.get(URL).content.decode()
    assert "Demo Dora" not in page
    assert "Gone Gustav" not in page


def test_without_javascript_removal_is_confirmed_on_the_page(as_priya, shop, amara):
    member = shop.memberships.get(user=amara)
    page = as_priya.get(f"{URL}?remove={member.pk}").content.decode()
    assert "Remove Amara Osei?" in page
    assert "Remove Amara Osei?" not in as_priya.get(f"{URL}?remove=x").content.decode()


def test_it_needs_an_admin(as_amara, as_jonas):
    assert as_amara.get(URL).status_code == 403
    assert as_jonas.get(URL).status_code == 403


@pytest.mark.parametrize("size", [0, 40])
def test_the_number_of_queries_does_not_grow_with_the_list(as_priya, shop, priya, size, django_assert_max_num_queries):
    for number in range(size):
        make.member(shop, "reviewer", f"Person {number}")
        make.invitation(shop, priya, f"guest{number}@fernwood.example")
    with django_assert_max_num_queries(6):
        assert as_priya.get(URL).status_code == 200
