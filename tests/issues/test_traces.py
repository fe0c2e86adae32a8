"""The trace list."""

from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse

from issues.models import SignalName
from tests import make_traces
from tests.make_traces import NOON, say, trace, traces

URL = "/p/fernwood/traces"


def asked(response) -> list[str]:
    return [str(row["asked"]) for row in response.context["rows"]]


def test_the_newest_comes_first_with_what_was_asked_and_answered(as_jonas, shop):
    make_traces.conversation(shop)
    trace(shop, "later", at=60)
    response = as_jonas.get(URL)
    assert asked(response) == ["Question later", "Where is my order FW-20418?"]
    page = unescape(response.content.decode())
    for text in (
        "It arrives on 19 November.",
        "1 failed step",
        "s-1",
        "u-1",
        "answer@7",
        "small-1",
        "920",
        "thumbs: no",
    ):
        assert text in page


def test_a_new_project_is_shown_the_way_to_connect(as_jonas, shop):
    page = as_jonas.get(URL).content.decode()
    assert "No traces yet" in page
    assert reverse("connect", args=["fernwood"]) in page


def test_filters_that_match_nothing_can_be_cleared(as_jonas, shop):
    trace(shop, "one")
    page = as_jonas.get(URL, {"model": "nobody"}).content.decode()
    assert "Nothing matches" in page
    assert "Clear filters" in page
    assert "No traces yet" not in page


def test_other_projects_traces_are_not_there(as_jonas, shop, elsewhere):
    trace(elsewhere, "theirs")
    assert "theirs" not in as_jonas.get(URL).content.decode()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"model": "small"}, {"a"}),
        ({"prompt": "answer@7"}, {"a"}),
        ({"environment": "staging"}, {"b"}),
        ({"release": "r1"}, {"b"}),
        ({"session": "s1"}, {"a", "b"}),
        ({"user": "u1"}, {"a"}),
        ({"status": "failed"}, {"c"}),
        ({"q": "parcel"}, {"a"}),
        ({"q": "parcel OR umbrella"}, {"a", "b"}),
        ({"q": '"lost parcel"'}, {"a"}),
        ({"q": '"parcel lost"'}, set()),
        ({"traffic": "runs"}, {"d"}),
        ({"traffic": "all"}, {"a", "b", "c", "d"}),
        ({"signal": "any:thumbs"}, {"a", "b"}),
        ({"signal": "good:thumbs"}, {"a"}),
        ({"signal": "bad:thumbs"}, {"b"}),
        ({"signal": "bad:refunded"}, {"c"}),
        ({"signal": "good:refunded"}, set()),
        ({"range": "between", "start": "2026-11-14T11:59", "end": "2026-11-14T12:01"}, {"a"}),
        ({"range": "between", "start": "2026-11-14T12:01"}, {"b", "c"}),
        ({"model": "small", "status": "failed"}, set()),
        ({"session": "s1", "environment": "staging"}, {"b"}),
    ],
)
def test_each_filter_lets_through_what_it_says(as_jonas, shop, query, found):
    trace(
        shop,
        "a",
        model="small",
        prompt_name="answer",
        prompt_version="7",
        session="s1",
        user="u1",
        input="a lost parcel",
    )
    trace(shop, "b", at=120, environment="staging", release="r1", session="s1", input="b umbrella")
    trace(shop, "c", at=180, status="error", error="c broke", input="c")
    trace(shop, "d", at=240, run="experiment", input="d")
    say(shop, "thumbs", True, "a")
    say(shop, "thumbs", False, "b")
    say(shop, "refunded", True, "c")
    assert {text[0] for text in asked(as_jonas.get(URL, query))} == found


def test_the_last_hour_is_counted_from_now(as_jonas, shop):
    from django.utils import timezone

    now = timezone.now()
    trace(shop, "fresh", start=now - timedelta(minutes=5))
    trace(shop, "old", start=now - timedelta(hours=3))
    assert asked(as_jonas.get(URL, {"range": "1h"})) == ["Question fresh"]
    assert asked(as_jonas.get(URL, {"range": "24h"})) == ["Question fresh", "Question old"]


def test_the_direction_somebody_set_decides_what_is_bad(as_jonas, shop):
    trace(shop, "a")
    say(shop, "stars", 5, "a")
    say(shop, "stars", 1, "b")
    assert asked(as_jonas.get(URL, {"signal": "good:stars"})) == ["Question a"]
    SignalName.objects.filter(name="stars").update(higher_is_good=False)
    assert asked(as_jonas.get(URL, {"signal": "bad:stars"})) == ["Question a"]


def test_pages_follow_each_other_without_gap_or_repeat_and_back(as_jonas, shop):
    traces(shop, 130)
    every = [f"Question {number}" for number in range(129, -1, -1)]
    query: str | None = ""
    seen, pages = [], []
    while query is not None:
        response = as_jonas.get(URL + query)
        pages.append(asked(response))
        seen += pages[-1]
        last, query = response, response.context["older"] or None
    assert seen == every
    assert [len(page) for page in pages] == [50, 50, 30]
    back = as_jonas.get(URL + last.context["newer"])
    assert asked(back) == pages[1]
    first = as_jonas.get(URL + back.context["newer"])
    assert asked(first) == pages[0]
    assert first.context["newer"] == ""


def test_traces_of_the_same_moment_are_told_apart(as_jonas, shop):
    make_traces.store(shop, *(make_traces.span(f"same{n:03}", "1", input=f"q{n}") for n in range(60)))
    first = as_jonas.get(URL)
    second = as_jonas.get(URL + first.context["older"])
    assert len({*asked(first), *asked(second)}) == 60


def test_new_traces_do_not_shift_a_page(as_jonas, shop):
    traces(shop, 60)
    older = URL + as_jonas.get(URL).context["older"]
    before = asked(as_jonas.get(older))
    trace(shop, "newest", at=9_000)
    assert asked(as_jonas.get(older)) == before


@pytest.mark.parametrize(
    "query",
    ["before=x", "before=2026~", "after=~~~", "before=2026-11-14T12:00:00%2B00:00~a%00b", "range=between&start=1-1",
     "range=between&start=0001-01-01T00:00&end=9999-12-31T23:59", "range=never", "status=maybe", "signal=thumbs",
     "signal=good:", "q=%00%27%22%5C%3A%2A%21", "q=" + "x" * 5_000, "session=%F0%9F%98%80", "traffic=none",
     "count=all"],
)  # fmt: skip
def test_a_broken_address_is_read_as_far_as_it_makes_sense(as_jonas, shop, query):
    trace(shop, "one")
    assert as_jonas.get(f"{URL}?{query}").status_code == 200


def test_the_bars_count_every_trace_and_link_to_their_time(as_jonas, shop):
    traces(shop, 40)
    trace(shop, "broken", at=30, status="error", error="no")
    chart = as_jonas.get(URL).context["chart"]
    assert (chart.traces, chart.failed, chart.whole) == (41, 1, True)
    assert sum(slot.traces for slot in chart.slots) == 41
    assert len(chart.slots) <= 60
    slot = chart.slots[0]
    narrowed = as_jonas.get(URL + slot.query)
    assert len(narrowed.context["rows"]) == slot.traces
    assert narrowed.context["chart"].traces == slot.traces


def test_where_there_are_very_many_the_newest_are_counted_first_and_the_rest_on_demand(as_jonas, shop, monkeypatch):
    monkeypatch.setattr("issues.reading.over_time.AT_ONCE", 10)
    traces(shop, 30)
    response = as_jonas.get(URL)
    assert response.context["chart"].whole is False
    assert "Only the newest 10 are counted" in response.content.decode()
    whole = as_jonas.get(URL, {"count": "all"})
    assert whole.context["chart"].traces == 30
    part = as_jonas.get(URL, {"count": "all"}, headers={"HX-Request": "true"})
    assert b"30 traces" in part.content
    assert b"<table" not in part.content


def test_htmx_gets_the_rows_alone_and_a_tidy_address(as_jonas, shop):
    trace(shop, "one", model="small")
    response = as_jonas.get(URL, {"model": "small", "q": "", "status": ""}, headers={"HX-Request": "true"})
    assert response["HX-Push-Url"] == f"{URL}?model=small"
    assert b"<html" not in response.content
    assert b"Question one" in response.content


def test_each_filter_in_force_can_be_removed_alone(as_jonas, shop):
    trace(shop, "one")
    page = unescape(as_jonas.get(URL, {"model": "small", "status": "failed"}).content.decode())
    assert 'href="/p/fernwood/traces?status=failed"' in page
    assert 'href="/p/fernwood/traces?model=small"' in page


def test_the_filters_offer_what_the_newest_traces_hold(as_jonas, shop):
    trace(shop, "one", model="m10", prompt_name="answer", prompt_version="v2", environment="production")
    trace(shop, "two", model="m9", prompt_name="answer", prompt_version="v10", release="r1")
    offered = as_jonas.get(URL, {"model": "gone"}).context["offered"]
    assert offered.model == ["m9", "m10", "gone"]
    assert offered.prompt == ["answer@v2", "answer@v10"]
    assert (offered.environment, offered.release) == (["production"], ["r1"])


@pytest.mark.parametrize("odd", ["a/b", "..", "line\nbreak", "50%", "ü?#&", "~tilde", "x" * 128, "//", "a b"])
def test_ids_of_any_form_have_an_address(as_jonas, shop, odd):
    trace(shop, odd, session=odd, input="odd")
    row = as_jonas.get(URL).context["rows"][0]
    assert as_jonas.get(row["url"]).context["trace"].trace_id == odd
    assert as_jonas.get(row["session_url"]).context["name"] == odd


def test_markup_in_a_trace_is_text(as_jonas, shop):
    trace(shop, "one", input="<script>alert(1)</script>", model='"><b>', session="'\"><i>")
    page = as_jonas.get(URL).content.decode()
    assert "<script>alert" not in page
    assert "<b>" not in page.partition("<table")[2].partition("</table>")[0]


@pytest.mark.parametrize("count", [50, 150])
def test_the_number_of_queries_does_not_grow(as_jonas, shop, count, django_assert_num_queries):
    traces(shop, count)
    as_jonas.get(URL)
    with django_assert_num_queries(10):  # Four of them are every page's own.
        response = as_jonas.get(URL)
    assert len(response.context["rows"]) == 50


def test_noon_is_shown_in_the_zone_of_the_instance(as_jonas, shop, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    trace(shop, "one", start=NOON)
    chart = as_jonas.get(URL, {"range": "between", "start": "2026-11-14T20:00", "end": "2026-11-14T22:00"}).context[
        "chart"
    ]
    assert chart.traces == 1
