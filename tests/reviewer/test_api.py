"""The JSON API's door: keys, errors, and the document that describes it."""

import base64

import pytest
from django.test import Client

from reviewer import __version__
from reviewer.models import ApiKey
from tests import make

URL = "/api/v1/key"


@pytest.fixture
def made(shop) -> tuple[ApiKey, str]:
    return make.key(shop, "Production", ("ingest", "api"))


def basic(public: str, secret: str) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(f"{public}:{secret}".encode()).decode()}


def test_a_key_can_ask_what_it_is(client, made):
    key, secret = made
    facts = {
        "project": "fernwood",
        "project_name": "Fernwood shop",
        "name": "Production",
        "public": key.public,
        "scopes": ["ingest", "api"],
    }
    for header in (
        {"HTTP_AUTHORIZATION": f"Bearer {secret}"},
        {"HTTP_X_API_KEY": secret},
        basic(key.public, secret),
    ):
        response = client.get(URL, **header)
        assert response.status_code == 200
        assert response.json() == facts


def test_its_use_is_remembered_once_a_minute(client, made):
    _, secret = made
    client.get(URL, HTTP_X_API_KEY=secret)
    first = ApiKey.objects.get().last_used_at
    client.get(URL, HTTP_X_API_KEY=secret)
    assert ApiKey.objects.get().last_used_at == first is not None


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"HTTP_AUTHORIZATION": "Bearer wk_live_made_up"},
        {"HTTP_AUTHORIZATION": "Bearer "},
        {"HTTP_AUTHORIZATION": "Basic ???"},
        basic("wk_pub_other", "wk_live_made_up"),
        {"HTTP_X_API_KEY": "wk_live_\x00"},
    ],
)
def test_without_a_good_key_it_answers_401_in_json(client, made, header):
    response = client.get(URL, **header)
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert list(response.json()) == ["error"]


def test_the_public_part_must_belong_to_the_secret(client, made):
    assert client.get(URL, **basic("wk_pub_other", made[1])).status_code == 401


def test_a_session_never_opens_it(as_priya):
    assert as_priya.get(URL).status_code == 401


def test_it_needs_no_csrf_token(made):
    assert Client(enforce_csrf_checks=True).post(URL, HTTP_X_API_KEY=made[1]).status_code == 405


def test_a_wrong_method_is_refused_in_json(client, made):
    response = client.delete(URL, HTTP_X_API_KEY=made[1])
    assert response.status_code == 405
    assert response["Allow"] == "GET"
    assert response.json() == {"error": "This address does not take DELETE."}


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1/", "/api/v2/key", "/api/x"])
@pytest.mark.django_db
def test_an_unknown_address_is_refused_in_json(client, path):
    for response in (client.get(path), client.post(path)):
        assert response.status_code == 404
        assert "There is nothing at" in response.json()["error"]


def test_the_document_describes_what_is_there(client, db):
    document = client.get("/api/v1/openapi.json").json()
    assert document["info"]["version"] == __version__
    assert URL in document["paths"]
    assert client.get("/api/v1/docs").status_code == 404
