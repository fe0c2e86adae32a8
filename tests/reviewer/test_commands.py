"""The same from the shell."""

import io
import json
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command

from reviewer.models import ApiKey, Audit, Membership, Project, User
from tests import make

pytestmark = pytest.mark.django_db


def run(name: str, *args: str, **options) -> str:
    out = io.StringIO()
    call_command(name, *args, stdout=out, **options)
    return out.getvalue()


def path_in(text: str) -> str:
    return urlsplit(next(line for line in text.splitlines() if line.startswith("http"))).path


def test_create_project_makes_one_and_bears_a_second_run():
    assert "is made" in run("create_project", "fernwood", "--name", "Fernwood shop")
    assert "exists already" in run("create_project", "fernwood")
    assert Project.objects.get().name == "Fernwood shop"
    assert Audit.objects.get().actor_name == "shell"


@pytest.mark.parametrize("slug", ["Fern Wood", "x" * 41])
def test_create_project_refuses_a_bad_short_name(slug):
    with pytest.raises(CommandError, match="cannot be a short name"):
        run("create_project", slug)


def test_create_user_prints_a_link_that_sets_the_password(shop, client):
    printed = run(
        "create_user", "Lea@Fernwood.example", "--project", "fernwood", "--role", "admin", "--name", "Lea Brandt"
    )
    assert "lea@fernwood.example is now admin in Fernwood shop." in printed
    assert client.post(path_in(printed), {"password": "a phrase nobody guesses"})["Location"] == "/sign-in"
    data = {"email": "lea@fernwood.example", "password": "a phrase nobody guesses"}
    assert client.post("/sign-in", data).status_code == 302


def test_create_user_reads_a_password(shop, monkeypatch, client):
    monkeypatch.setattr("sys.stdin", io.StringIO("a phrase nobody guesses\n"))
    printed = run("create_user", "lea@fernwood.example", "--project=fernwood", "--role=viewer", "--password-stdin")
    assert "http" not in printed
    assert client.login(email="lea@fernwood.example", password="a phrase nobody guesses")


def test_create_user_refuses_a_weak_password_and_makes_nobody(shop, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    with pytest.raises(CommandError, match="too short"):
        run("create_user", "lea@fernwood.example", "--project=fernwood", "--role=viewer", "--password-stdin")
    assert not User.objects.exists()


def test_create_user_lets_an_existing_person_in_and_changes_roles(shop):
    make.user("Lea Brandt", email="lea@fernwood.example")
    args = ("lea@fernwood.example", "--project=fernwood")
    assert "is now viewer" in run("create_user", *args, "--role=viewer")
    assert "is viewer in Fernwood shop already" in run("create_user", *args, "--role=viewer")
    assert "is now reviewer" in run("create_user", *args, "--role=reviewer")
    assert Membership.objects.get().role == "reviewer"


def test_create_user_keeps_the_last_admin(priya):
    with pytest.raises(CommandError, match="last admin"):
        run("create_user", priya.email, "--project=fernwood", "--role=viewer")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("lea", "--project=fernwood", "--role=viewer"), "not an e-mail address"),
        (("lea@fernwood.example", "--project=nowhere", "--role=viewer"), "There is no project nowhere"),
        (("lea@fernwood.example", "--project=fernwood", "--role=owner"), "invalid choice"),
    ],
)
def test_create_user_says_what_is_wrong(shop, args, sentence):
    with pytest.raises(CommandError, match=sentence):
        run("create_user", *args)


def test_create_key_prints_exactly_one_line_of_json(shop, client):
    printed = run("create_key", "--project=fernwood", "--scopes=ingest, api", "--json")
    assert printed.count("\n") == 1
    pair = json.loads(printed)
    assert list(pair) == ["public", "secret"]
    facts = client.get("/api/v1/key", HTTP_AUTHORIZATION=f"Bearer {pair['secret']}").json()
    assert (facts["public"], facts["scopes"]) == (pair["public"], ["ingest", "api"])


def test_create_key_speaks_to_people_too(shop):
    printed = run("create_key", "--project=fernwood", "--scopes=ingest", "--name=Staging")
    assert "The key Staging of Fernwood shop is made" in printed
    assert ApiKey.objects.get().public in printed


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--project=nowhere", "--scopes=ingest"), "There is no project nowhere"),
        (("--project=fernwood", "--scopes=everything"), "There is no scope everything"),
        (("--project=fernwood", "--scopes=,"), "Choose at least one"),
    ],
)
def test_create_key_says_what_is_wrong(shop, args, sentence):
    with pytest.raises(CommandError, match=sentence):
        run("create_key", *args)
    assert not ApiKey.objects.exists()


def test_reset_link_prints_a_working_link(amara, client):
    assert client.get(path_in(run("reset_link", amara.email))).status_code == 200
    assert Audit.objects.get().actor_name == "shell"


def test_reset_link_knows_only_people_who_sign_in(db):
    make.user("Demo Dora", email="dora@fernwood.example", is_demo=True)
    for email in ("nobody@fernwood.example", "dora@fernwood.example"):
        with pytest.raises(CommandError, match="Nobody signs in as"):
            run("reset_link", email)


def test_first_admin_link_prints_a_link_until_there_is_an_admin(client, db):
    assert client.get(path_in(run("first_admin_link"))).status_code == 200
    make.member(make.project("fernwood"), "admin")
    with pytest.raises(CommandError, match="has an admin already"):
        run("first_admin_link")
