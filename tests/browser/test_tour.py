"""The demo's lines on top of a page: in its flow, readable everywhere, gone with one click; they need no scripts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewer.demo.accounts import ensure_demo_accounts
from reviewer.demo.status import write_status
from reviewer.demo.tour import STEPS
from reviewer.home import Home
from reviewer.models import User
from tests.browser.conftest import sign_in
from tests.browser.look import faults


@pytest.fixture
def jonas_of_the_demo(settings, tmp_path, transactional_db) -> User:
    settings.DEMO, settings.HOME = True, Home(tmp_path)
    ensure_demo_accounts()
    return User.objects.get(email="jonas@fernwood.example")


def test_the_tour_walks_through_its_steps_and_stays_closed(visit: Callable[..., Page], jonas_of_the_demo: User):
    page = visit("/p/fernwood", jonas_of_the_demo)
    tour = page.get_by_label("Tour of the demo")
    assert faults(page) == []
    for step in STEPS[1:]:
        tour.get_by_role("button", name=re.compile("^Next")).click()
        expect(tour).to_contain_text(step.title)
        assert page.url.endswith(step.url)
    tour.get_by_role("button", name="Done").click()
    expect(tour).to_have_count(0)
    page.get_by_role("button", name="Take the tour").click()
    expect(tour).to_contain_text(STEPS[0].title)
    tour.get_by_role("button", name="Close the tour").click()
    expect(tour).to_have_count(0)


def test_it_covers_nothing(visit: Callable[..., Page], jonas_of_the_demo: User):
    page = visit("/p/fernwood/traces", jonas_of_the_demo)
    tour, heading = page.get_by_label("Tour of the demo").bounding_box(), page.locator("h1").bounding_box()
    assert tour
    assert heading
    assert tour["y"] + tour["height"] <= heading["y"]


def test_the_progress_line_moves_on_by_itself(visit: Callable[..., Page], jonas_of_the_demo: User, settings):
    write_status(settings.HOME.demo, {"sent": 1250, "of": 5018, "done": False})
    page = visit("/p/fernwood", jonas_of_the_demo)
    line = page.locator("#filling")
    expect(line).to_contain_text("1,250 of 5,018")
    assert faults(page) == []
    write_status(settings.HOME.demo, {"sent": 2500, "of": 5018, "done": False})
    expect(line).to_contain_text("2,500 of 5,018")
    write_status(settings.HOME.demo, {"sent": 5018, "of": 5018, "done": True})
    expect(line).to_contain_text("5,018 conversations")
    line.get_by_role("link").click()
    expect(line).to_have_count(0)


def test_it_works_without_scripts(browser: Browser, live_server, jonas_of_the_demo: User):
    with browser.new_context(java_script_enabled=False, base_url=live_server.url) as context:
        sign_in(context, jonas_of_the_demo, live_server.url)
        page = context.new_page()
        page.goto("/p/fernwood")
        page.get_by_role("button", name=re.compile("^Next")).click()
        assert "Tour 2 of 5" in page.content()
        page.get_by_role("button", name="Close the tour").click()
        assert "Tour of the demo" not in page.content()
