"""The main actions with scripts turned off: reading, signing in, searching, inviting, making a key."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.make import PASSWORD


@pytest.fixture
def plain(browser: Browser, live_server) -> Iterator[Page]:
    with browser.new_context(java_script_enabled=False, base_url=live_server.url) as context:
        yield context.new_page()


@pytest.fixture
def signed_in(plain: Page, priya, shop) -> Page:
    plain.goto("/sign-in")
    plain.get_by_label("E-mail").fill(priya.email)
    plain.get_by_label("Password").fill(PASSWORD)
    plain.get_by_role("button", name="Sign in").click()
    plain.wait_for_url(f"**/p/{shop.slug}")
    return plain


def test_a_wrong_password_is_explained(plain: Page, priya):
    plain.goto("/sign-in")
    plain.get_by_label("E-mail").fill(priya.email)
    plain.get_by_label("Password").fill("wrong")
    plain.get_by_role("button", name="Sign in").click()
    expect(plain.get_by_role("alert")).to_contain_text("wrong")


def test_inviting_shows_the_link(signed_in: Page, shop):
    signed_in.goto(f"/p/{shop.slug}/settings/people")
    signed_in.get_by_label("E-mail").fill("lea@fernwood.example")
    signed_in.get_by_role("button", name="Invite", exact=True).click()
    expect(signed_in.get_by_text(re.compile("/invitation/"))).to_be_visible()


def test_search_is_a_page(signed_in: Page):
    signed_in.get_by_role("searchbox").first.fill("audit")
    signed_in.keyboard.press("Enter")
    signed_in.wait_for_url("**/jump?q=audit")
    signed_in.get_by_role("main").get_by_role("link", name=re.compile("Audit log")).click()
    signed_in.wait_for_url("**/settings/audit")


def test_keys_are_explained_on_a_page(signed_in: Page):
    signed_in.get_by_role("link", name="Keys of this page").click()
    signed_in.wait_for_url("**/docs/keyboard")


def test_menus_and_signing_out(signed_in: Page):
    signed_in.get_by_role("button", name=re.compile("your menu")).click()
    signed_in.get_by_role("button", name="Sign out").click()
    signed_in.wait_for_url("**/sign-in")


def test_messages_can_be_read(signed_in: Page):
    signed_in.goto("/account")
    signed_in.get_by_label("Your name").fill("Priya R.")
    signed_in.get_by_role("button", name="Save").click()
    expect(signed_in.get_by_role("status")).to_contain_text("saved")
