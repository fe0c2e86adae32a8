"""Opening a new project."""

import pytest

from reviewer.models import Audit, Project
from reviewer.people import BadSlug, SlugTaken, create_project

URL = "/projects/new"


def test_whoever_makes_it_is_its_admin(as_priya, priya):
    assert as_priya.post(URL, {"name": "Returns bot", "slug": ""})["Location"] == "/p/returns-bot"
    project = Project.objects.get(slug="returns-bot")
    assert project.memberships.get().user == priya
    assert project.memberships.get().role == "admin"
    assert Audit.objects.get(project=project).verb == "created"


def test_only_admins_of_some_project_may(as_amara, as_jonas):
    for client in (as_amara, as_jonas):
        assert client.get(URL).status_code == 403
        assert client.post(URL, {"name": "Mine"}).status_code == 403
    assert Project.objects.count() == 1


def test_a_taken_short_name_is_refused_with_a_sentence(as_priya, shop):
    response = as_priya.post(URL, {"name": "Another", "slug": "fernwood"})
    assert response.status_code == 422
    assert "There is a project “fernwood” already." in response.content.decode()


@pytest.mark.parametrize("slug", ["Fern wood", "-fern", "fern/wood", "fern\n", "é"])
def test_a_short_name_must_fit_an_address(as_priya, slug):
    response = as_priya.post(URL, {"name": "Another", "slug": slug if slug.strip() == slug else "a b"})
    assert response.status_code == 422
    with pytest.raises(BadSlug):
        create_project("Another", slug=slug, actor="shell")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Fernwood", "fernwood-2"),
        ("  ", "project"),
        ("Ünïcode Shop", "unicode-shop"),
        ("店", "project"),
        ("x" * 80, "x" * 36),
    ],
)
def test_the_name_gives_a_free_short_name(shop, name, slug):
    assert create_project(name, actor="shell").slug == slug


def test_the_step_refuses_a_taken_short_name(shop):
    with pytest.raises(SlugTaken):
        create_project("Another", slug="fernwood", actor="shell")
