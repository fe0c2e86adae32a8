"""The page of API keys."""

import pytest

from tests import make

URL = "/p/fernwood/settings/keys"


def test_it_lists_keys_with_scopes_use_and_maker(as_priya, shop):
    key, secret = make.key(shop, "Staging", ("ingest", "prompts:read"))
    page = as_priya.get(URL).content.decode()
    for text in ("Staging", key.public, "prompts:read", "from the shell", "never"):
        assert text in page
    assert secret not in page


def test_without_keys_it_says_what_to_do(as_priya):
    assert "No keys yet" in as_priya.get(URL).content.decode()


def test_the_confirmation_says_what_stops_working(as_priya, shop):
    key, _ = make.key(shop)
    page = as_priya.get(f"{URL}?revoke={key.pk}").content.decode()
    assert "Revoke “Production”?" in page
    assert "Send traces, feedback and rollouts" in page


def test_other_projects_keys_are_not_listed(as_priya, elsewhere):
    make.key(elsewhere, "Theirs")
    assert "Theirs" not in as_priya.get(URL).content.decode()


def test_it_needs_an_admin(as_amara):
    assert as_amara.get(URL).status_code == 403


@pytest.mark.parametrize("size", [0, 40])
def test_the_number_of_queries_does_not_grow_with_the_list(as_priya, shop, size, django_assert_max_num_queries):
    for number in range(size):
        make.key(shop, f"Key {number}")
    with django_assert_max_num_queries(5):
        assert as_priya.get(URL).status_code == 200
