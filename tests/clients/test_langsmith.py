"""The LangSmith SDK: endpoint and key are set, nothing else."""

import pytest

from issues.models import Signal, Span, Trace
from tests.clients.conftest import assert_resending_changes_nothing

pytestmark = [pytest.mark.clients, pytest.mark.xdist_group("langsmith")]


def settings_for(url: str, secret: str) -> dict[str, str]:
    return {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_ENDPOINT": url,
        "LANGSMITH_API_KEY": secret,
        "LANGSMITH_PROJECT": "support",
    }


def test_runs_and_feedback_arrive_whole_and_a_retry_adds_nothing(run_client, relay, stored, shop, keys):
    sent = run_client("langsmith", "langsmith_app", **settings_for(relay.url, keys[1]))
    assert "refusal" not in sent
    assert {"/runs/multipart", "/feedback"} <= {done.path for done in relay.stored()}
    assert len([done for done in relay.passed if done.method == "POST"]) > len(relay.stored())
    found = stored(sent["trace"])

    trace = found.trace
    assert (trace.name, trace.spans, trace.errors) == ("support", 6, 1)
    assert (trace.session, trace.user, trace.tags) == ("session-1", "user-1", ["beta", "web"])
    assert (trace.environment, trace.release) == ("production", "2.4.1")
    assert (trace.input_tokens, trace.output_tokens) == (130, 22)
    assert trace.model_names == ["small-1"]
    assert trace.tools == ["lookup_order", "send_mail"]
    assert (trace.input, trace.output) == ("Where is order 1047?", "It is on its way.")
    assert trace.ended_at > trace.started_at

    assert {span.name: span.kind for span in found.spans.values()} == {
        "support": "chain",
        "decide": "llm",
        "lookup_order": "tool",
        "find_help": "retrieval",
        "send_mail": "tool",
        "answer": "llm",
    }
    root = found.spans[sent["trace"]]
    assert {found.parent(span) for span in found.spans.values() if span is not root} == {"support"}
    decide = found.spans[sent["decide"]]
    assert (decide.input_tokens, decide.output_tokens, decide.finish_reason) == (50, 10, "tool_calls")
    assert decide.content["input"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where is order 1047?"},
    ]
    assert decide.content["output"][0]["tool_calls"] == [
        {"id": "call_1", "name": "lookup_order", "arguments": {"order": "1047"}}
    ]
    tool, help_found = found.named("lookup_order"), found.named("find_help")
    assert (tool.content["input"], tool.content["output"]) == ({"order": "1047"}, {"status": "shipped"})
    assert tool.status == "ok"
    assert help_found.content["documents"][0]["content"] == "An article about orders."
    mail = found.named("send_mail")
    assert mail.status == "error"
    assert mail.error == "TimeoutError('The mail server did not answer.')"
    assert "raise TimeoutError" in mail.content["attributes"]["exception.stacktrace"]

    paths = [done.path for done in relay.stored()]
    assert (paths[0], paths[-1]) == ("/feedback", "/feedback"), "one came before its trace, one long after"
    assert set(Signal.objects.values_list("name", "key")) == set(sent["feedback"].items())
    signals = found.signals
    assert signals["booked"].number == 1
    assert (signals["tone"].text, signals["tone"].span_id) == ("friendly", sent["answer"])
    assert (signals["helpfulness"].number, signals["helpfulness"].comment) == (0.75, "It answers.")
    assert (signals["stars"].number, signals["stars"].comment) == (4, "A day later.")

    assert_resending_changes_nothing(relay, shop)


def test_wrong_key_is_refused_and_the_sdk_says_why(run_client, relay, shop):
    sent = run_client("langsmith", "langsmith_app", **settings_for(relay.url, "wk_live_wrong"))
    assert sent["refusal"].startswith("LangSmithAuthError")
    assert {done.status for done in relay.passed if done.method == "POST"} == {401}
    assert not any(model.objects.exists() for model in (Trace, Span, Signal))
