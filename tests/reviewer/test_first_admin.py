"""The set-up link of a new instance."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from reviewer.demo.accounts import ensure_demo_accounts
from reviewer.invitations import HasAdmin, first_admin_link
from reviewer.models import Invitation, Membership, Project, User

pytestmark = pytest.mark.django_db
DATA = {
    "name": "Ida Holm",
    "email": "Ida@Company.example",
    "password": "a phrase nobody guesses",
    "project_name": "Support bot",
}


@pytest.fixture
def path() -> str:
    return urlsplit(first_admin_link()).path


def test_it_makes_a_person_a_project_and_their_role(client, path):
    assert "Set up Whetstone" in client.get(path).content.decode()
    assert client.post(path, DATA)["Location"] == "/p/support-bot"
    assert client.get("/p/support-bot/settings/people").status_code == 200
    assert User.objects.get().email == "ida@company.example"
    assert Project.objects.get().name == "Support bot"
    assert Membership.objects.get().role == "admin"


def test_it_works_once(client, path):
    client.post(path, DATA)
    client.post("/sign-out")
    response = client.post(path, {**DATA, "email": "eve@company.example"})
    assert response.status_code == 410
    assert "This instance is set up already." in response.content.decode()
    assert User.objects.count() == 1


def test_a_new_link_replaces_the_one_before(client, path):
    newer = urlsplit(first_admin_link()).path
    response = client.get(path)
    assert response.status_code == 410
    assert "Use the newest one." in response.content.decode()
    assert client.get(newer).status_code == 200


def test_an_expired_link_says_how_to_get_another(client, path):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert "manage.py first_admin_link" in client.get(path).content.decode()


def test_it_is_refused_once_there_is_an_admin(client, path, priya):
    with pytest.raises(HasAdmin):
        first_admin_link()
    response = client.post(path, DATA)
    assert response.status_code == 422
    assert "This instance has an admin already." in response.content.decode()
    assert not User.objects.filter(email="ida@company.example").exists()


def test_demo_accounts_are_no_admins_outside_demo_mode(settings):
    ensure_demo_accounts()
    settings.DEMO = False
    assert first_admin_link()


@pytest.mark.parametrize("field", DATA)
def test_every_answer_is_needed(client, path, field):
    assert client.post(path, {**DATA, field: ""}).status_code == 422
    assert not User.objects.exists()
