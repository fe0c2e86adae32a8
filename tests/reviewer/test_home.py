"""A project's overview."""

import pytest
from django.utils import timezone

from reviewer.models import Heartbeat
from tests import make


def test_an_admin_of_a_new_project_sees_the_next_step(as_priya):
    page = as_priya.get("/p/fernwood").content.decode()
    assert "2 steps left" in page
    assert "Make a key" in page


def test_with_a_key_and_a_colleague_everything_is_done(as_priya, shop, amara):
    make.key(shop)
    response = as_priya.get("/p/fernwood")
    assert response.context["step_now"] == 0
    assert "steps left" not in response.content.decode()
    assert "2 people" in response.content.decode()


def test_an_open_invitation_counts_as_bringing_the_team(as_priya, shop, priya):
    make.invitation(shop, priya)
    assert as_priya.get("/p/fernwood").context["steps_done"] == [True, False, True]


def test_only_admins_see_what_happened(as_priya, as_jonas, shop):
    make.key(shop)
    assert "What happened" in as_priya.get("/p/fernwood").content.decode()
    assert "What happened" not in as_jonas.get("/p/fernwood").content.decode()


def test_others_are_told_whom_to_ask(as_jonas):
    page = as_jonas.get("/p/fernwood").content.decode()
    assert "Admins make keys" in page
    assert "/settings/keys" not in page


def test_it_says_whether_a_worker_lives(as_jonas):
    assert "No worker has reported" in as_jonas.get("/p/fernwood").content.decode()
    Heartbeat.objects.create(worker="worker@here", at=timezone.now())
    assert "one worker does" in as_jonas.get("/p/fernwood").content.decode()


def test_demo_accounts_are_not_shown_outside_demo_mode(as_priya, shop, settings):
    make.member(shop, "admin", "Demo Dora", is_demo=True)
    assert "Demo Dora" not in as_priya.get("/p/fernwood").content.decode()
    settings.DEMO = True
    assert "Demo Dora" in as_priya.get("/p/fernwood").content.decode()


@pytest.mark.parametrize("size", [0, 30])
def test_the_number_of_queries_does_not_grow_with_the_team(as_priya, shop, size, django_assert_max_num_queries):
    for number in range(size):
        make.member(shop, "reviewer", f"Person {number}")
        make.key(shop, f"Key {number}")
    as_priya.get("/p/fernwood")
    with django_assert_max_num_queries(9):
        as_priya.get("/p/fernwood")
