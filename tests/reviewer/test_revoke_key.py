"""Revoking an API key."""

import pytest

from reviewer.models import ApiKey, Audit
from tests import make


def url(key: ApiKey) -> str:
    return f"/p/fernwood/settings/keys/{key.pk}/revoke"


@pytest.fixture
def made(shop) -> tuple[ApiKey, str]:
    return make.key(shop)


def test_the_key_stops_working_at_once(as_priya, client, made):
    key, secret = made
    header = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}
    assert client.get("/api/v1/key", **header).status_code == 200
    assert as_priya.post(url(key))["Location"] == "/p/fernwood/settings/keys"
    assert client.get("/api/v1/key", **header).status_code == 401
    assert "Revoked" in as_priya.get("/p/fernwood/settings/keys").content.decode()


def test_revoking_twice_is_a_no_op(as_priya, made):
    key, _ = made
    as_priya.post(url(key))
    first = ApiKey.objects.get().revoked_at
    assert as_priya.post(url(key)).status_code == 302
    assert ApiKey.objects.get().revoked_at == first
    assert Audit.objects.filter(verb="revoked the key").count() == 1


def test_it_refuses_get(as_priya, made):
    assert as_priya.get(url(made[0])).status_code == 405


def test_it_needs_an_admin(as_amara, made):
    assert as_amara.post(url(made[0])).status_code == 403
    assert ApiKey.objects.live().exists()


def test_another_projects_key_is_not_found(as_priya, elsewhere):
    theirs, _ = make.key(elsewhere)
    assert as_priya.post(url(theirs)).status_code == 404
    assert ApiKey.objects.live().exists()
