"""The command palette's results."""

import pytest

from reviewer.models import Membership
from tests import make


def titles(client, q: str = "", **headers) -> list[str]:
    groups = client.get("/p/fernwood/jump", {"q": q}, **headers).context["groups"]
    return [place.title for _, places in groups for place in places]


def test_without_text_it_offers_the_pages_this_person_may_open(as_jonas, as_priya):
    assert "API keys" in titles(as_priya)
    assert "API keys" not in titles(as_jonas)
    assert {"Home", "Your account"} <= set(titles(as_jonas))


def test_it_finds_pages_by_what_they_are_for(as_priya):
    assert "People" in titles(as_priya, "invite")
    assert "Your account" in titles(as_priya, "PASSWORD theme")


def test_admins_find_people_and_keys_by_name(as_priya, as_amara, shop, jonas):
    key, _ = make.key(shop, "Staging")
    assert "Jonas Lindqvist" in titles(as_priya, "lindqv")
    assert "Staging" in titles(as_priya, key.public[:12])
    assert "Jonas Lindqvist" not in titles(as_amara, "lindqv")
    assert "Staging" not in titles(as_amara, "staging")


def test_it_finds_other_projects_of_this_person_only(as_amara, amara, elsewhere):
    assert "Elsewhere Ltd" not in titles(as_amara, "elsewhere")
    Membership.objects.create(project=elsewhere, user=amara, role="viewer")
    assert "Elsewhere Ltd" in titles(as_amara, "elsewhere")


def test_a_group_shows_eight_at_most(as_priya, shop):
    for number in range(12):
        make.member(shop, "viewer", f"Kim Number{number}")
    assert len([title for title in titles(as_priya, "kim") if title.startswith("Kim")]) == 8


def test_htmx_gets_the_list_alone(as_amara):
    response = as_amara.get("/p/fernwood/jump?q=account", HTTP_HX_REQUEST="true")
    assert "<html" not in response.content.decode()
    assert "Your account" in response.content.decode()


@pytest.mark.parametrize("q", ["\x00", "%_'\"\\", "x" * 5000, "<script>"])
def test_odd_text_finds_nothing_and_breaks_nothing(as_priya, q):
    response = as_priya.get("/p/fernwood/jump", {"q": q})
    assert response.status_code == 200
    assert "<script>" not in response.content.decode().replace("<script src", "")
