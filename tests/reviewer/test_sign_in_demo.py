"""One-click sign-in, in demo mode only."""

import pytest

from reviewer.demo.accounts import DEMO_PEOPLE, ensure_demo_accounts
from reviewer.models import Audit, Membership, Project, User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("person", DEMO_PEOPLE, ids=lambda person: person.role)
def test_each_button_signs_its_person_in(client, settings, person):
    settings.DEMO = True
    assert person.name in client.get("/sign-in").content.decode()
    page = client.post(f"/sign-in/demo/{person.role}", follow=True)
    assert page.status_code == 200
    assert page.context["user"].name == person.name
    assert page.context["project"].slug == "fernwood"
    assert page.context["membership"].role == person.role


def test_it_refuses_get(client, settings):
    settings.DEMO = True
    assert client.get("/sign-in/demo/admin").status_code == 405


def test_an_unknown_role_is_not_found(client, settings):
    settings.DEMO = True
    assert client.post("/sign-in/demo/owner").status_code == 404


def test_outside_demo_mode_neither_buttons_nor_address_exist(client, settings):
    settings.DEMO = True
    ensure_demo_accounts()
    settings.DEMO = False
    assert "Amara" not in client.get("/sign-in").content.decode()
    assert client.post("/sign-in/demo/admin").status_code == 404
    assert not client.login(email="priya@fernwood.example", password="")


def test_the_accounts_are_made_once_and_have_no_password():
    for _ in range(2):
        ensure_demo_accounts()
    assert Project.objects.get().name == "Fernwood shop"
    assert Membership.objects.count() == User.objects.filter(is_demo=True).count() == 3
    assert not any(user.has_usable_password() for user in User.objects.all())
    assert Audit.objects.filter(verb="added").count() == 3


def test_a_role_that_a_visitor_changed_stays_changed():
    project = ensure_demo_accounts()
    Membership.objects.filter(project=project, user__name="Jonas Lindqvist").update(role="reviewer")
    ensure_demo_accounts()
    assert Membership.objects.get(user__name="Jonas Lindqvist").role == "reviewer"


def test_a_real_person_with_a_demo_address_is_left_alone():
    real = User.objects.create_user("amara@fernwood.example", name="Another Amara")
    ensure_demo_accounts()
    assert not real.memberships.exists()
