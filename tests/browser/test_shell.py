"""Keys, palette, menus, dialogs, toasts and copying, in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from reviewer.models import Membership
from tests.browser.conftest import PHONE
from tests.browser.look import violations


@pytest.fixture
def home(visit, priya, shop, elsewhere) -> Page:
    Membership.objects.create(project=elsewhere, user=priya, role="viewer")
    return visit(f"/p/{shop.slug}", priya)


@pytest.fixture
def developer(visit, priya, settings) -> Page:
    settings.DEBUG = True
    return visit("/components", priya)


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.textContent.trim() || document.activeElement.id")


def test_palette_jumps_by_keyboard_alone(home: Page, trouble):
    home.keyboard.press("Control+k")
    box = home.get_by_role("combobox", name=re.compile("Jump"))
    expect(box).to_be_focused()
    expect(home.get_by_role("option").first).to_be_visible()
    box.fill("audit")
    expect(home.get_by_role("option").first).to_contain_text("Audit log")
    expect(box).to_have_attribute("aria-activedescendant", "palette-0")
    assert violations(home) == []
    home.keyboard.press("Enter")
    home.wait_for_url("**/settings/audit")
    assert trouble == []


def test_arrows_move_through_the_palette_and_around_its_ends(home: Page):
    home.keyboard.press("Control+k")
    options = home.get_by_role("option")
    expect(options.first).to_have_attribute("aria-selected", "true")
    home.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    home.keyboard.press("ArrowDown")
    home.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    home.keyboard.press("Escape")
    expect(home.locator("#palette")).to_be_hidden()


def test_palette_says_when_it_finds_nothing(home: Page):
    home.keyboard.press("Control+k")
    home.get_by_role("combobox", name=re.compile("Jump")).fill("zzzzzz")
    expect(home.get_by_text("Nothing by that name here.")).to_be_visible()
    assert violations(home) == []


def test_question_mark_shows_the_keys_and_escape_gives_the_focus_back(home: Page):
    home.get_by_role("link", name="Home").focus()
    home.keyboard.press("?")
    dialog = home.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    assert violations(home) == []
    home.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(home.get_by_role("link", name="Home")).to_be_focused()


def test_slash_goes_to_the_search_and_typing_there_is_only_typing(home: Page):
    home.keyboard.press("/")
    search = home.get_by_role("searchbox").first
    expect(search).to_be_focused()
    home.keyboard.type("j?/k")
    expect(search).to_have_value("j?/k")
    expect(home.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_j_and_k_move_through_rows_and_enter_opens(developer: Page):
    for key, name in (("j", "Priya Raman 1"), ("j", "Priya Raman 2"), ("k", "Priya Raman 1"), ("k", "Priya Raman 1")):
        developer.keyboard.press(key)
        assert focused(developer) == name
    developer.keyboard.press("Enter")
    developer.wait_for_url("**#row-1")


def test_a_key_of_the_page_presses_its_button(developer: Page):
    developer.keyboard.press("o")
    dialog = developer.get_by_role("dialog", name="Roll production back to v6?")
    expect(dialog).to_be_visible()
    assert violations(developer) == []
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()


def test_copying_puts_the_text_on_the_clipboard(developer: Page, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    developer.get_by_role("button", name="Copy: Public key").click()
    expect(developer.get_by_role("status").get_by_text("Copied to the clipboard.")).to_be_visible()
    assert developer.evaluate("navigator.clipboard.readText()") == "wk_pub_3fA9"
    developer.get_by_role("button", name="Copy: OpenTelemetry settings").click()
    assert developer.evaluate("navigator.clipboard.readText()").startswith("OTEL_EXPORTER_OTLP_ENDPOINT=")


def test_toasts_leave_by_themselves_unless_they_should_stay(developer: Page):
    developer.clock.install()
    developer.goto(developer.url + "?toast")
    good, bad = developer.get_by_text("#209 confirmed."), developer.locator(".toast.t-bad")
    expect(good).to_be_visible()
    assert violations(developer) == []
    developer.clock.run_for(7000)
    expect(good).to_have_count(0)
    bad.get_by_role("button", name="Dismiss").click()
    developer.clock.run_for(500)
    expect(bad).to_have_count(0)


def test_the_switcher_and_the_menu_open_without_faults(home: Page):
    home.get_by_role("button", name="Switch project").click()
    expect(home.locator("#switcher").get_by_role("link", name="Elsewhere Ltd")).to_be_visible()
    assert violations(home) == []
    home.get_by_role("button", name=re.compile("your menu")).click()
    expect(home.locator("#switcher")).to_be_hidden()
    assert violations(home) == []
    home.get_by_role("button", name="Sign out").click()
    home.wait_for_url("**/sign-in")


def test_the_menu_of_a_phone_has_the_rail_and_the_projects(home: Page):
    home.set_viewport_size(PHONE)
    home.get_by_role("button", name="Menu", exact=True).click()
    expect(home.get_by_role("navigation", name="Main")).to_be_visible()
    assert violations(home) == []
    home.get_by_role("button", name="Switch project").click()
    home.locator("#switcher").get_by_role("link", name="Elsewhere Ltd").click()
    home.wait_for_url("**/p/elsewhere")


@pytest.mark.parametrize(("theme", "scheme"), [("dark", "dark"), ("light", "light"), ("system", "light dark")])
def test_the_theme_of_the_account_wins(theme, scheme, visit, priya, shop):
    priya.theme = theme
    priya.save(update_fields=["theme"])
    page = visit(f"/p/{shop.slug}", priya)
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme


def test_a_lost_session_leads_back_to_the_sign_in_page(home: Page, context):
    context.clear_cookies()
    home.keyboard.press("Control+k")
    home.wait_for_url("**/sign-in?next=**")
