"""Where people land."""

from reviewer.models import Membership
from tests import make
from tests.conftest import signed_in


def test_with_one_project_it_opens_that(as_amara):
    assert as_amara.get("/")["Location"] == "/p/fernwood"


def test_it_comes_back_to_the_project_of_the_last_visit(as_amara, amara, elsewhere):
    Membership.objects.create(project=elsewhere, user=amara, role="viewer")
    assert as_amara.get("/")["Location"] == "/p/elsewhere"
    as_amara.get("/p/fernwood")
    assert as_amara.get("/")["Location"] == "/p/fernwood"


def test_a_project_that_was_left_is_not_opened(as_amara, amara, elsewhere):
    Membership.objects.create(project=elsewhere, user=amara, role="viewer")
    as_amara.get("/p/elsewhere")
    Membership.objects.filter(project=elsewhere, user=amara).delete()
    assert as_amara.get("/")["Location"] == "/p/fernwood"


def test_without_a_project_it_says_what_to_do(db):
    page = signed_in(make.user()).get("/")
    assert page.status_code == 200
    assert "Ask for an invitation" in page.content.decode()


def test_a_stranger_to_all_is_asked_to_sign_in(client, db):
    assert client.get("/")["Location"] == "/sign-in?next=/"


def test_odd_addresses_are_not_found(as_priya):
    for path in ("/p/%00", "/p/fern%20wood", "/p/fernwood/settings/keys/99999999999999999999999/revoke"):
        assert as_priya.post(path).status_code == 404
    assert as_priya.get("/p/" + "x" * 3000).status_code == 404
