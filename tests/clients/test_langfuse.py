"""Langfuse SDK 3, 4 and 5 as drop-ins: host and keys are set, nothing else."""

import pytest

from issues.models import Signal, Span, Trace
from tests.clients.conftest import Stored, assert_resending_changes_nothing

pytestmark = [pytest.mark.clients, pytest.mark.xdist_group("langfuse")]
GENERATIONS = ["langfuse3", "langfuse4", "langfuse5"]


def settings_for(generation: str, url: str, public: str, secret: str) -> dict[str, str]:
    return {
        "LANGFUSE_HOST" if generation == "langfuse3" else "LANGFUSE_BASE_URL": url,
        "LANGFUSE_PUBLIC_KEY": public,
        "LANGFUSE_SECRET_KEY": secret,
        "LANGFUSE_TRACING_ENVIRONMENT": "production",
        "LANGFUSE_RELEASE": "2.4.1",
    }


@pytest.mark.parametrize("generation", GENERATIONS)
def test_trace_and_scores_arrive_whole_and_a_retry_adds_nothing(run_client, relay, stored, shop, keys, generation):
    sent = run_client(generation, "langfuse_app", **settings_for(generation, relay.url, *keys))
    assert sent["version"].startswith(generation[-1])
    assert sent["auth"] is True
    assert len(relay.passed) > len(relay.stored()) + 3, "the first answer to each request was lost"
    found = stored(sent["trace"])

    trace = found.trace
    assert (trace.name, trace.spans, trace.errors) == ("support", 7, 2)
    assert (trace.session, trace.user, trace.tags) == ("session-1", "user-1", ["beta", "web"])
    assert (trace.environment, trace.release) == ("production", "2.4.1")
    assert (trace.input_tokens, trace.output_tokens, trace.cost) == (130, 22, 0.0015)
    assert (trace.model_names, trace.prompts) == (["small-1"], ["support/answer@7"])
    assert trace.tools == ["lookup_order", "send_mail"]
    assert (trace.input, trace.output) == ("Where is order 1047?", "It is on its way.")

    assert {span.name: span.kind for span in found.spans.values()} == {
        "answer a customer": "agent",
        "decide": "llm",
        "lookup_order": "tool",
        "find help": "retrieval",
        "send_mail": "tool",
        "render": "chain",
        "answer": "llm",
    }
    root = found.spans[sent["root"]]
    assert {found.parent(span) for span in found.spans.values() if span is not root} == {root.name}
    decide = found.spans[sent["decide"]]
    assert (decide.model, decide.prompt, decide.input_tokens) == ("small-1", "support/answer@7", 50)
    assert decide.content["input"][1] == {"role": "user", "content": "Where is order 1047?"}
    assert decide.content["output"][0]["tool_calls"] == [
        {"id": "call_1", "name": "lookup_order", "arguments": {"order": "1047"}}
    ]
    tool = found.named("lookup_order")
    assert (tool.tool, tool.content["input"]) == ("lookup_order", {"order": "1047"})
    assert tool.content["output"] == {"status": "shipped"}
    mail, render = found.named("send_mail"), found.named("render")
    assert (mail.status, mail.error) == ("error", "The mail server did not answer.")
    assert render.status == "error"
    assert "No template for web" in render.error

    paths = ["score" if "otel" not in done.path else "spans" for done in relay.stored()]
    assert (paths[0], paths[-1]) == ("score", "score"), "one came before its trace, others after it"
    assert_scores(found, sent)
    assert_resending_changes_nothing(relay, shop)


def assert_scores(found: Stored, sent: dict) -> None:
    signals = found.signals
    assert set(signals) == {"booked", "tone", "helpfulness", "stars"}
    assert signals["booked"].number == 1
    assert (signals["tone"].text, signals["tone"].span_id) == ("friendly", sent["answer"])
    assert (signals["helpfulness"].number, signals["helpfulness"].comment) == (0.75, "It answers.")
    assert (signals["stars"].number, signals["stars"].span_id) == (4, "")
    resolved = Signal.objects.get(name="resolved")
    assert (resolved.session, resolved.trace_id, resolved.number) == (found.trace.session, "", 1)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_wrong_keys_are_refused_in_words_the_sdk_understands(run_client, relay, stored, shop, keys, generation):
    settings = settings_for(generation, relay.url, keys[0], "wk_live_wrong")
    sent = run_client(generation, "langfuse_app", **settings)
    assert sent["auth"] is False
    assert sent["refusal"].startswith("UnauthorizedError")
    assert "unknown or revoked" in sent["refusal"]
    assert {done.status for done in relay.passed} == {401}
    assert len({done.path for done in relay.passed}) == 3, "the check, the spans and the score"
    assert not any(model.objects.exists() for model in (Trace, Span, Signal))
