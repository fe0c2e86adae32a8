"""The page of one trace."""

import re
from html import unescape

import pytest

from issues.record import CLIPPED
from tests import make_traces
from tests.make_traces import say, span, store, trace

URL = "/p/fernwood/traces/"


def page(client, trace_id: str = "9f2c71d4", query: str = "") -> str:
    return unescape(client.get(URL + trace_id + query).content.decode())


def test_it_tells_what_happened(as_jonas, shop):
    make_traces.conversation(shop)
    text = page(as_jonas)
    for part in (
        "“Where is my order FW-20418?”", "1 failed step", "production", "r7", "vip", "u-1", "s-1", "answer@7",
        "small-1", "920", "$0.004", "5 steps", "thumbs: no", "“It came the next day”",
    ):  # fmt: skip
        assert part in text, part


def test_the_conversation_is_told_once_though_every_call_repeats_it(as_jonas, shop):
    make_traces.conversation(shop)
    turns = as_jonas.get(URL + "9f2c71d4").context["turns"]
    assert [turn.role for turn in turns] == ["system", "user", "assistant", "assistant"]
    call = turns[2].calls[0]
    assert (call.name, call.arguments) == ("lookup_order", {"order": "FW-20418"})
    assert call.result == {"status": "delayed"}
    assert call.step.failed


def test_a_client_that_sends_only_what_is_new_gives_the_same_conversation(as_jonas, shop):
    say_ = lambda role, text: {"role": role, "content": text}  # noqa: E731
    store(
        shop,
        span("t", "1", kind="llm", input=[say_("user", "Hello")], output=[say_("assistant", "Hi, what is it?")]),
        span("t", "2", at=2, kind="llm", input=[say_("user", "My order")], output=[say_("assistant", "Which?")]),
        span("t", "3", at=4, kind="tool", tool="find", input={"q": 1}, output="none"),
    )
    turns = as_jonas.get(URL + "t").context["turns"]
    told = [turn.blocks[0][1] for turn in turns if turn.blocks]
    assert told == ["Hello", "Hi, what is it?", "My order", "Which?"]
    assert turns[-1].calls[0].result == "none"


def test_the_failed_step_is_open_first_and_any_other_can_be_chosen(as_jonas, shop):
    make_traces.conversation(shop)
    assert as_jonas.get(URL + "9f2c71d4").context["chosen"] == "c"
    response = as_jonas.get(URL + "9f2c71d4?step=e")
    assert response.context["chosen"] == "e"
    assert "Orders take three days." in response.content.decode()
    assert "parent not received" in response.content.decode()


def test_htmx_gets_the_step_alone(as_jonas, shop):
    make_traces.conversation(shop)
    response = as_jonas.get(URL + "9f2c71d4?step=b", headers={"HX-Request": "true", "HX-Target": "step"})
    assert b"<html" not in response.content
    assert b"small-1" in response.content
    assert b"Conversation" not in response.content


def test_a_step_opens_as_json(as_jonas, shop):
    make_traces.conversation(shop)
    assert as_jonas.get(URL + "9f2c71d4?step=c&as=json").json()["input"] == {"order": "FW-20418"}


@pytest.mark.parametrize("path", ["nothing", "9f2c71d4?step=nothing", "~%25", "~_w"])
def test_what_is_not_there_is_404(as_jonas, shop, path):
    make_traces.conversation(shop)
    assert as_jonas.get(URL + path).status_code == 404


def test_another_projects_trace_is_not_found(as_jonas, shop, elsewhere):
    make_traces.conversation(elsewhere)
    assert as_jonas.get(URL + "9f2c71d4").status_code == 404


def test_circles_and_lost_parents_are_shown_once_each(as_jonas, shop):
    store(
        shop,
        span("t", "a", "c", name="first"),
        span("t", "b", "a", at=1, name="second"),
        span("t", "c", "b", at=2, name="third"),
        span("t", "d", "d", at=3, name="own parent"),
        span("t", "e", "gone", at=4, name="orphan"),
        span("t", "f", "e", at=5, name="orphan's child"),
    )
    steps = as_jonas.get(URL + "t").context["steps"]
    assert sorted(step.span_id for step in steps) == list("abcdef")
    by_id = {step.span_id: step for step in steps}
    assert [by_id[i].depth for i in "abcdef"] == [0, 1, 2, 0, 0, 1]
    assert by_id["e"].note == "parent not received"
    assert by_id["a"].note == by_id["d"].note == "names its own descendant as parent"


def test_a_step_without_times_and_a_trace_without_words_are_shown(as_jonas, shop):
    store(shop, span("t", "a", start=None, end=None, name="silent", kind="chain"))
    text = page(as_jonas, "t")
    assert "silent" in text
    assert "no time was told" in text
    assert "Nothing that was said was recorded" in text


def test_clipped_and_masked_places_are_marked(as_jonas, shop):
    clipped = "long" + CLIPPED.format("5,000,000")
    trace(shop, "t", input="key sk-abcdefghijklmnop1234567890", output=clipped)
    response = as_jonas.get(URL + "t")
    text = unescape(response.content.decode())
    assert "1 openai_key" in text
    assert '<span class="mask" title="Masked before it was stored">openai_key</span>' in text
    assert '<span class="clip">… [clipped by Whetstone: 5,000,000 characters]</span>' in text
    assert "sk-abc" not in text


def test_long_texts_and_large_objects_are_folded(as_jonas, shop):
    make_traces.conversation(shop, long=True)
    text = page(as_jonas, query="?step=d")
    assert "Show all 2,1" in text
    assert "Everything else it sent, 9 attributes" in text


def test_markup_in_a_trace_is_text(as_jonas, shop):
    evil = "<script>alert(1)</script>"
    trace(
        shop, "t", name=evil, input=evil, output={evil: [evil, {"x": evil * 50}]}, error=evil, status="error",
        model=evil, tags=[evil], attributes={evil: evil}, events=[{"name": evil}],
        documents=[{"content": evil, "score": evil}],
    )  # fmt: skip
    say(shop, evil, evil, "t", comment=evil)
    assert "<script>alert" not in as_jonas.get(URL + "t").content.decode()


@pytest.mark.parametrize(
    "told",
    [
        {"input": [{"role": "user"}], "output": [{"role": "assistant", "tool_calls": [None, {"name": None}]}]},
        {"input": [{"role": "tool", "content": "no call"}], "output": 7},
        {"input": {"a": {"b": {"c": [1, [2, [3]]]}}}, "output": [[], {}, None, True, 1.5]},
        {"input": [{"role": "user", "content": [{"type": "image_url", "image_url": "x"}, "plain", 5]}]},
        {"output": [{"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}]}]},
        {"documents": [{"metadata": {"page": 3}}], "events": [{"name": "exception", "attributes": {}}]},
        {"input": "{not json", "output": "[1, 2"},
    ],
)
def test_whatever_was_sent_can_be_looked_at(as_jonas, shop, told):
    for kind in ("llm", "tool", "retrieval"):
        trace(shop, kind, **{"input": None, "output": None, "kind": kind, **told})
        assert as_jonas.get(URL + kind).status_code == 200


def large(shop, count: int) -> None:
    spans = [span("big", "0" * 8, name="root", kind="agent", took=count)]
    for number in range(1, count):
        parent = f"{(number - 1) // 3:08x}"
        kind = ("llm", "tool", "chain")[number % 3]
        spans.append(
            span("big", f"{number:08x}", parent, at=number, kind=kind, name=f"step {number}", input="x" * 3_000)
        )
    store(shop, *spans)


def test_a_trace_of_3000_steps_opens_with_its_first_and_loads_the_rest_on_demand(
    as_jonas, shop, django_assert_max_num_queries
):
    large(shop, 3_000)
    with django_assert_max_num_queries(9):
        response = as_jonas.get(URL + "big")
    assert len(response.context["steps"]) == 300
    assert len(response.content) < 700_000
    assert "300 of 3,000 are here" in response.content.decode()
    seen = [step.span_id for step in response.context["steps"]]
    for after in range(300, 3_000, 300):
        part = as_jonas.get(f"{URL}big?after={after}", headers={"HX-Request": "true"})
        assert b"<html" not in part.content
        seen += re.findall(r"\?step=(\w+)#step", part.content.decode())
    assert len(seen) == len(set(seen)) == 3_000
    assert len(as_jonas.get(URL + "big?rows=600").context["steps"]) == 600
    assert as_jonas.get(URL + "big?turns=80").context["turns_skipped"] == 80


@pytest.mark.parametrize("count", [3, 200])
def test_the_number_of_queries_does_not_grow(as_jonas, shop, count, django_assert_num_queries):
    large(shop, count)
    as_jonas.get(URL + "big")
    with django_assert_num_queries(9):
        as_jonas.get(URL + "big")


def test_what_was_said_about_the_session_is_there_too(as_jonas, shop):
    make_traces.conversation(shop)
    say(shop, "resolved", True, session="s-1")
    assert "about the session" in page(as_jonas)
