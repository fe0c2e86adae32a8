"""The target endpoint: a message and the versions to use in, the answer and its trace out."""

import json
import threading
import urllib.error
import urllib.request

import pytest

from issues.models import Trace
from reviewer.demo import target
from reviewer.demo.artifacts import fetch
from reviewer.demo.client import Client
from reviewer.demo.serve import Server
from tests import make
from tests.demo.cases import cases


@pytest.fixture
def app():
    server = Server(0, None)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join(5)
    server.server_close()


def call(app: Server, body, path: str = "/answer", method: str = "POST") -> tuple[int, dict]:
    data = None if method == "GET" else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{app.server_address[1]}{path}", data, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=10) as reply:
            return reply.status, json.loads(reply.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def test_it_answers_with_output_versions_and_a_trace(app):
    status, told = call(app, {"input": "Where is my parcel FW-20003?"})
    assert status == 200
    assert told["output"]
    assert told["versions"]["support-answer"] == "9"
    assert told["simulated"] is True
    assert told["usage"]["output_tokens"] > 0
    [block] = told["trace"]["resourceSpans"]
    assert {span["traceId"] for span in block["scopeSpans"][0]["spans"]} == {told["trace_id"]}


def test_the_versions_it_is_given_decide_what_it_does(app):
    failing = next(
        case for case in cases("lost_not_delayed", 30) if case.roll("lost_not_delayed") < 0.5 and case.language == "en"
    )
    case = {"message": failing.message, "customer": failing.customer.number, "order": failing.order.number}
    old = fetch("support-answer", "7")
    _, bad = call(app, {"input": case, "prompts": {"support-answer": {"version": "7"}}})
    rule = "tell the customer the parcel is lost and offer a refund or a replacement."
    text = old.text.replace(rule, "read the reason and give the new date.")
    _, good = call(app, {"input": case, "prompts": {"support-answer": {"text": text, "version": "10"}}})
    assert "lost" in bad["output"] or "missing" in bad["output"]
    assert "lost" not in good["output"]
    assert good["versions"]["support-answer"] == "10"


def test_tools_and_guardrails_can_be_given_too(app):
    guard = {"definition": {"checks": [{"op": "contains", "value": "tent"}]}, "version": "9"}
    tool = {"definition": {"name": "lookup_order", "parameters": {"properties": {"order_id": {}}}}}
    _, told = call(
        app,
        {
            "input": "Is the Ridge tent in stock?",
            "guardrails": {"input-safety": guard},
            "tools": {"lookup_order": tool},
        },
    )
    assert told["versions"] | {"input-safety": "9", "lookup_order": "draft"} == told["versions"]
    assert "cannot" in told["output"] or "not able" in told["output"]


def test_the_same_sample_gives_the_same_answer_and_another_may_not(app):
    bodies = [{"input": "Is the Heron stove in stock?", "sample": sample} for sample in (0, 0, *range(1, 9))]
    outputs = [call(app, body)[1]["output"] for body in bodies]
    assert outputs[0] == outputs[1]
    assert len(set(outputs)) > 3


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        ([], "JSON object"),
        ({}, "input needs a message"),
        ({"input": {"message": "  "}}, "input needs a message"),
        ({"input": "x" * 20_001}, "at most 20,000"),
        ({"input": "hi", "prompts": {"nothing": {"version": "1"}}}, "There is no prompt 'nothing'"),
        ({"input": "hi", "prompts": {"support-answer": {"version": "99"}}}, "has no version 99"),
        ({"input": "hi", "prompts": {"lookup_order": {"text": "x"}}}, "is a tool"),
        ({"input": "hi", "prompts": {"support-answer": {"text": 5}}}, "text is a string"),
        (
            {"input": "hi", "prompts": {"support-answer": {"text": "x", "settings": {"max_tokens": "many"}}}},
            "max_tokens",
        ),
        ({"input": "hi", "tools": {"lookup_order": {"definition": 3}}}, "definition is an object"),
        (
            {
                "input": "hi",
                "guardrails": {"input-safety": {"definition": {"checks": [{"op": "regex", "value": "("}]}}},
            },
            "cannot be read",
        ),
        (
            {"input": "hi", "guardrails": {"input-safety": {"definition": {"checks": [{"op": "eval"}]}}}},
            "There is no check",
        ),
        ({"input": "hi", "prompts": 3}, "object by name"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_sentence(app, body, sentence):
    status, told = call(app, body)
    assert status == 400
    assert sentence in told["error"]


def test_other_addresses_and_sizes(app):
    assert call(app, None, "/health", "GET")[1]["simulated"] is True
    assert call(app, None, "/nothing", "GET")[0] == 404
    assert call(app, {}, "/other")[0] == 404


@pytest.mark.parametrize("text", ["?", "\x00", "🙂" * 50, "FW-99999999999999999999", "{product} {0} %s", "<b>&amp;"])
def test_odd_messages_never_break_it(text):
    told, _ = target.answer({"input": {"message": text, "customer": "nobody", "order": "x"}})
    assert told["output"]


@pytest.mark.django_db(transaction=True)
def test_with_a_run_mark_the_trace_is_sent_and_is_no_production_traffic(live_server, shop):
    server = Server(0, Client(live_server.url, make.key(shop)[1]))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        _, told = call(server, {"input": "Do you price match?", "run": "experiment"})
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()
    trace = Trace.objects.get(trace_id=told["trace_id"])
    assert trace.run == "experiment"
