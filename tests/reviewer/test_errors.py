"""Refused, missing, broken: a sentence and a way on; JSON where machines call."""

import pytest
from django.test import Client, RequestFactory

from reviewer.models import Project
from reviewer.views import errors


def text(response) -> str:
    return response.content.decode()


def test_a_missing_page_says_so_and_leads_on(as_jonas: Client):
    response = as_jonas.get("/nowhere")
    assert response.status_code == 404
    assert errors.NOT_FOUND.split(",")[0] in text(response)
    assert "Go to your projects" in text(response)
    assert "tried" not in text(response)


def test_a_stranger_sees_the_same_as_for_a_project_that_does_not_exist(as_stranger: Client, shop: Project):
    hers, none = as_stranger.get(f"/p/{shop.slug}"), as_stranger.get("/p/no-such-project")
    assert (hers.status_code, none.status_code) == (404, 404)
    assert shop.name not in text(hers)


def test_a_missing_role_is_named_inside_the_project(as_jonas: Client, shop: Project):
    response = as_jonas.get(f"/p/{shop.slug}/settings/keys")
    assert response.status_code == 403
    assert "This needs the role admin; you are viewer in Fernwood shop." in text(response)
    assert f"Go to {shop.name}" in text(response)


def test_nobody_gets_a_page_that_stands_alone(db, client: Client):
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert 'href="/sign-in"' in text(response)
    assert 'class="rail"' not in text(response)


def test_a_wrong_host_is_a_bad_request_without_details(db):
    response = Client().get("/sign-in", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert "evil.example" not in text(response)


def test_a_form_without_its_token_says_that_the_page_is_out_of_date(db, settings):
    settings.CSRF_FAILURE_VIEW = "reviewer.views.errors.csrf_failure"
    response = Client(enforce_csrf_checks=True).post("/sign-in", {"email": "a@b.example", "password": "x"})
    assert response.status_code == 403
    assert "The page is out of date" in text(response)


def test_our_own_failure_needs_no_database(django_db_blocker):
    with django_db_blocker.block():
        response = errors.server_error(RequestFactory().get("/p/fernwood"))
    assert response.status_code == 500
    assert "This is our fault" in text(response)


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/v1/traces"])
@pytest.mark.parametrize(
    ("view", "status"), [(errors.bad_request, 400), (errors.forbidden, 403), (errors.not_found, 404)]
)
def test_machines_get_json(path: str, view, status: int):
    response = view(RequestFactory().get(path), Exception(""))
    assert (response.status_code, response["Content-Type"]) == (status, "application/json")
    assert b'"error": "' in response.content


def test_machines_get_json_when_we_fail():
    response = errors.server_error(RequestFactory().post("/v1/traces"))
    assert (response.status_code, response["Content-Type"]) == (500, "application/json")
