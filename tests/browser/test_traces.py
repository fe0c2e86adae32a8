"""Reading traces with hands on the keys: dragging over the bars, moving through rows, turns and steps."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import make_traces


@pytest.fixture
def busy(shop) -> None:
    make_traces.traces(shop, 70)
    make_traces.conversation(shop)


def test_dragging_over_the_bars_narrows_the_list(visit, jonas, busy, trouble):
    page: Page = visit("/p/fernwood/traces", jonas)
    box = page.locator("[data-brush]").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 30, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("range=between&start=2026-11-14T12"))
    expect(page.get_by_role("link", name=re.compile("Remove the filter Time"))).to_be_visible()
    assert 5 < page.locator("tbody tr").count() < 40
    assert trouble == []


def test_a_bar_is_a_link(visit, jonas, busy):
    page: Page = visit("/p/fernwood/traces", jonas)
    page.locator("[data-brush] a").nth(3).click()
    page.wait_for_url("**range=between**")
    assert page.locator("tbody tr").count() < 10


def test_a_filter_swaps_the_rows_and_keeps_the_address(visit, jonas, busy, trouble):
    page: Page = visit("/p/fernwood/traces", jonas)
    page.get_by_label("Status").select_option("failed")
    expect(page).to_have_url(re.compile(r"traces\?status=failed$"))
    expect(page.locator("tbody tr")).to_have_count(1)
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(50)
    assert trouble == []


def test_rows_open_by_key(visit, jonas, busy):
    page: Page = visit("/p/fernwood/traces", jonas)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/traces/t00068")


def test_steps_open_by_arrow_and_turns_by_letter(visit, jonas, busy, trouble):
    page: Page = visit("/p/fernwood/traces/9f2c71d4", jonas)
    heading = page.locator("#step-name")
    expect(heading).to_have_text("lookup_order")
    page.keyboard.press("ArrowDown")
    expect(heading).to_have_text("write")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(heading).to_have_text("plan")
    expect(page).to_have_url(re.compile(r"\?step=b"))
    expect(page.locator("[data-steps] [aria-current]")).to_have_count(1)
    page.reload()
    expect(heading).to_have_text("plan")
    page.keyboard.press("j")
    expect(page.locator("[data-rows] > [data-at]")).to_have_count(1)
    assert trouble == []


def test_more_steps_come_on_demand(visit, jonas, shop, trouble):
    root = make_traces.span("big", "root", name="root")
    make_traces.store(shop, root, *(make_traces.span("big", f"{n:04}", "root", at=n) for n in range(700)))
    page: Page = visit("/p/fernwood/traces/big", jonas)
    for rows in (300, 600, 701):
        expect(page.locator("[data-steps] th")).to_have_count(rows)
        if rows < 701:
            page.get_by_text(re.compile("Show more steps")).click()
    assert trouble == []


def test_the_first_trace_is_noticed_without_reloading(visit, jonas, shop, trouble):
    page: Page = visit("/p/fernwood/connect", jonas)
    expect(page.get_by_text("Waiting for your first trace")).to_be_visible()
    make_traces.trace(shop, "first")
    expect(page.get_by_text("Received", exact=True)).to_be_visible(timeout=8_000)
    page.get_by_role("link", name="Open it").click()
    page.wait_for_url("**/traces/first")
    assert trouble == []


def test_a_way_to_connect_is_chosen(visit, priya, shop):
    page: Page = visit("/p/fernwood/connect", priya)
    page.get_by_text("Langfuse SDK", exact=True).click()
    expect(page.get_by_text(re.compile("LANGFUSE_HOST"))).to_be_visible()
    expect(page.get_by_text(re.compile("OTEL_EXPORTER_OTLP_ENDPOINT"))).to_be_hidden()


def test_a_text_is_tried_in_place(visit, priya, shop, trouble):
    page: Page = visit("/p/fernwood/settings/intake", priya)
    page.get_by_label("Text").fill("key sk-abcdefghijklmnop1234567890")
    page.get_by_role("button", name="Show it masked").click()
    expect(page.locator("#tried .mask")).to_have_text("openai_key")
    assert trouble == []
