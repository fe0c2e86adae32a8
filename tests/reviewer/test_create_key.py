"""Making an API key."""

import hashlib

import pytest
from django.contrib.sessions.models import Session
from django.db import connection

from reviewer.keys import NoScope, UnknownScope, create_key
from reviewer.models import ApiKey, Audit

URL = "/p/fernwood/settings/keys/create"
DATA = {"name": "Production", "scopes": ["ingest", "api"]}


def test_it_makes_a_key_and_shows_its_secret_once(as_priya, priya, shop):
    assert as_priya.post(URL, DATA)["Location"] == "/p/fernwood/settings/keys"
    page = as_priya.get("/p/fernwood/settings/keys")
    new = page.context["new"]
    assert new["secret"] in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert new["secret"] not in as_priya.get("/p/fernwood/settings/keys").content.decode()
    key = ApiKey.objects.get()
    assert (key.project, key.created_by, key.scopes) == (shop, priya, ["ingest", "api"])
    assert key.public.startswith("wk_pub_")
    assert new["secret"].startswith("wk_live_")


def test_only_the_hash_of_the_secret_is_kept(as_priya):
    as_priya.post(URL, DATA)
    secret = as_priya.get("/p/fernwood/settings/keys").context["new"]["secret"]
    assert ApiKey.objects.get().secret_hash == hashlib.sha256(secret.encode()).hexdigest()
    assert not any("once_key" in str(session.get_decoded()) for session in Session.objects.all())
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(a::text, ' ') FROM reviewer_audit a")
        assert secret not in cursor.fetchone()[0]


def test_the_secret_is_not_shown_in_another_project(as_priya, priya, elsewhere):
    elsewhere.memberships.create(user=priya, role="admin")
    as_priya.post(URL, DATA)
    assert as_priya.get("/p/elsewhere/settings/keys").context["new"] is None
    assert as_priya.get("/p/fernwood/settings/keys").context["new"]


def test_it_is_written_down(as_priya):
    as_priya.post(URL, DATA)
    row = Audit.objects.get()
    assert (row.verb, row.target_name, row.detail) == ("created the key", "Production", {"scopes": ["ingest", "api"]})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"name": "Production"}, "Choose at least one thing the key may do."),
        ({"name": "", "scopes": ["ingest"]}, "This field is required."),
        ({"name": "Production", "scopes": ["everything"]}, "not one of the available choices"),
    ],
)
def test_a_key_needs_a_name_and_a_known_scope(as_priya, data, sentence):
    response = as_priya.post(URL, data)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not ApiKey.objects.exists()


def test_the_step_refuses_scopes_that_do_not_exist(shop):
    with pytest.raises(NoScope):
        create_key(shop, name="Key", scopes=[], actor="shell")
    with pytest.raises(UnknownScope, match="There is no scope everything"):
        create_key(shop, name="Key", scopes=["ingest", "everything"], actor="shell")


def test_it_refuses_get(as_priya):
    assert as_priya.get(URL).status_code == 405


def test_it_needs_an_admin(as_amara):
    assert as_amara.post(URL, DATA).status_code == 403
    assert not ApiKey.objects.exists()
