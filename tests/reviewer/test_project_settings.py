"""A project's general settings."""

from reviewer.models import Audit

URL = "/p/fernwood/settings"


def test_an_admin_renames_it(as_priya, shop):
    assert as_priya.post(URL, {"name": "Fernwood garden"})["Location"] == URL
    shop.refresh_from_db()
    assert shop.name == "Fernwood garden"
    assert Audit.objects.get().detail == {"from": "Fernwood shop", "to": "Fernwood garden"}
    assert "The project is now called Fernwood garden." in as_priya.get(URL).content.decode()


def test_the_same_name_changes_nothing(as_priya):
    as_priya.post(URL, {"name": "Fernwood shop"})
    assert not Audit.objects.exists()


def test_an_empty_name_is_refused(as_priya, shop):
    assert as_priya.post(URL, {"name": " "}).status_code == 422
    shop.refresh_from_db()
    assert shop.name == "Fernwood shop"


def test_it_needs_an_admin(as_amara, shop):
    assert as_amara.get(URL).status_code == 403
    assert as_amara.post(URL, {"name": "Mine"}).status_code == 403
    shop.refresh_from_db()
    assert shop.name == "Fernwood shop"
