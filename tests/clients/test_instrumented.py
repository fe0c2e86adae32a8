"""An OpenAI client under OpenInference and under OpenLLMetry, against a model provider on loopback."""

import pytest

from tests.clients.conftest import assert_resending_changes_nothing
from tests.clients.model_server import ANSWER, model_server

pytestmark = [pytest.mark.clients, pytest.mark.xdist_group("opentelemetry")]


@pytest.mark.parametrize("convention", ["openinference", "openllmetry"])
def test_calls_arrive_with_messages_tools_tokens_and_the_error(run_client, relay, stored, shop, keys, convention):
    with model_server() as models:
        sent = run_client(
            "opentelemetry",
            "instrumented_app",
            CONVENTION=convention,
            OPENAI_BASE_URL=models,
            OPENAI_API_KEY="none",
            OTEL_EXPORTER_OTLP_ENDPOINT=relay.url,
            OTEL_EXPORTER_OTLP_HEADERS=f"Authorization=Bearer%20{keys[1]}",
            OTEL_RESOURCE_ATTRIBUTES="deployment.environment=staging,service.version=2.4.1",
        )
    assert sent["flushed"]
    assert sent["streamed"] == "Goodbye."
    found = stored(sent["trace"])

    trace = found.trace
    assert (trace.name, trace.spans, trace.errors) == ("answer a customer", 6, 1)
    assert (trace.session, trace.user) == ("session-1", "user-1")
    assert trace.tags == (["beta", "web"] if convention == "openinference" else [])
    assert (trace.environment, trace.release) == ("staging", "2.4.1")
    assert (trace.input_tokens, trace.output_tokens) == (150, 24)
    assert trace.model_names == ["small-2026", "retired-1", "streamed"]
    assert trace.tools == ["lookup_order"]
    assert (trace.input, trace.output) == ("Where is order 1047?", ANSWER)

    root = found.named("answer a customer")
    assert root.kind == "agent"
    assert {found.parent(span) for span in found.spans.values() if span is not root} == {root.name}
    calls = [span for span in found.spans.values() if span.kind == "llm"]
    assert len(calls) == 4
    by_model = {(span.model, span.finish_reason): span for span in calls}
    asks = "tool_calls" if convention == "openinference" else "tool_call"
    first, second = by_model["small-2026", asks], by_model["small-2026", "stop"]
    assert (first.input_tokens, first.output_tokens) == (50, 10)
    assert first.content["input"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where is order 1047?"},
    ]
    assert first.prompt == ("@7" if convention == "openinference" else "")  # it tells no name
    wanted = {"id": "call_1", "name": "lookup_order", "arguments": {"order": "1047"}}
    assert first.content["output"][0]["tool_calls"] == [wanted]
    heard = second.content["input"]
    assert [message["role"] for message in heard] == ["system", "user", "assistant", "tool"]
    assert heard[2]["tool_calls"] == [wanted]
    assert heard[3]["tool_call_id"] == "call_1"
    assert second.content["output"][0]["content"] == ANSWER
    streamed = by_model["streamed", "stop"]
    assert streamed.content["output"][0]["content"] == "Goodbye."
    assert (streamed.input_tokens, streamed.output_tokens) == (20, 2)

    failed = next(span for span in calls if span.status == "error")
    assert failed.model == "retired-1"
    assert "The model retired-1 does not exist." in failed.error
    tool = found.named("lookup_order")
    assert (tool.kind, tool.tool) == ("tool", "lookup_order")
    assert (tool.content["input"], tool.content["output"]) == ({"order": "1047"}, {"status": "shipped"})

    assert_resending_changes_nothing(relay, shop)
