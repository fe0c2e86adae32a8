"""Each convention's own spans, as its instrumentation writes them, in the fields of a record."""

import pytest

from tests.issues.wire import SPAN, TRACE, as_json, parse, parse_one, payload


def spans(name, encoding):
    parsed = parse(as_json(*payload(name)), encoding)
    assert not parsed.rejected
    return parsed.spans, parsed.signals


pytestmark = pytest.mark.parametrize("encoding", ["protobuf", "json"])
CALL = {"id": "call_1", "name": "weather", "arguments": {"city": "Paris"}}


def test_genai_chat_is_read_whole(encoding):
    (chat, *_), _ = spans("genai.json", encoding)
    assert (chat.kind, chat.provider, chat.model) == ("llm", "openai", "gpt-4o-mini-2024-07-18")
    assert (chat.input_tokens, chat.output_tokens, chat.cached_tokens) == (20, 5, 8)
    assert (chat.session, chat.prompt_name, chat.prompt_version) == ("conv-1", "support", "7")
    assert chat.finish_reason == "tool_calls"
    assert chat.input == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Weather in Paris?"},
        {
            "role": "assistant",
            "content": [{"type": "reasoning", "text": "I need the tool."}],
            "tool_calls": [{"id": "call_0", "name": "weather", "arguments": {"city": "Lyon"}}],
        },
        {"role": "tool", "content": "rain", "tool_call_id": "call_0"},
    ]
    assert chat.output == [{"role": "assistant", "content": "", "tool_calls": [CALL]}]
    assert chat.attributes == {
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.request.temperature": 0.1,
        "gen_ai.response.id": "c1",
    }


def test_genai_tool_and_retrieval(encoding):
    (_, tool, search, *_), _ = spans("genai.json", encoding)
    assert (tool.kind, tool.tool, tool.input, tool.output) == ("tool", "weather", {"city": "Paris"}, {"sky": "clear"})
    assert tool.attributes == {"gen_ai.tool.type": "function", "gen_ai.tool.call.id": "call_1"}
    assert (search.kind, search.input) == ("retrieval", "weather rules")
    assert search.documents == [{"id": "d1", "score": 0.9, "content": "Rain is wet."}]


def test_genai_old_spellings_and_message_events(encoding):
    (_, _, _, chat, _), signals = spans("genai.json", encoding)
    assert (chat.kind, chat.provider, chat.model) == ("llm", "anthropic", "claude-3-5-sonnet")
    assert (chat.input_tokens, chat.output_tokens, chat.finish_reason) == (11, 2, "end_turn")
    assert chat.input == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hello"},
        {"role": "tool", "content": "42", "tool_call_id": "t1"},
    ]
    assert chat.output == [
        {
            "role": "assistant",
            "content": "Hi",
            "tool_calls": [{"id": "t2", "name": "add", "arguments": {"a": 1}}],
        }
    ]
    assert [event["name"] for event in chat.events] == ["cache.miss"]
    [signal] = signals
    assert (signal.name, signal.value, signal.comment, signal.source) == ("relevance", 0.8, "on topic", "evaluator")
    assert (signal.trace_id, signal.span_id, signal.attributes) == (TRACE, chat.span_id, {"label": "relevant"})
    assert signal.id == spans("genai.json", encoding)[1][0].id


def test_an_error_keeps_its_words_and_its_exception(encoding):
    (*_, failed), _ = spans("genai.json", encoding)
    assert (failed.status, failed.error) == ("error", "Connection error.")
    assert failed.attributes == {"error.type": "APIConnectionError"}
    assert failed.events[0]["attributes"]["exception.stacktrace"] == "Traceback"


def test_openinference_messages_come_in_the_order_of_their_index(encoding):
    (chat, *_), _ = spans("openinference.json", encoding)
    assert (chat.kind, chat.provider, chat.model) == ("llm", "azure", "gpt-4o-mini-2024-07-18")
    assert chat.input == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Weather in Paris?"},
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "content": "sunny", "tool_call_id": "call_1"},
    ]
    assert chat.output == [{"role": "assistant", "content": "It is sunny."}]
    assert (chat.input_tokens, chat.output_tokens, chat.cached_tokens, chat.cost) == (20, 5, 8, 0.002)
    assert (chat.prompt_name, chat.prompt_version, chat.session, chat.user) == ("support", "v3", "s1", "u1")
    assert (chat.tags, chat.status, chat.finish_reason) == (["beta", "eu"], "ok", "tool_calls")
    assert set(chat.attributes) == {
        "llm.invocation_parameters",
        "llm.tools.0.tool.json_schema",
        "metadata",
        "llm.system",
    }


def test_openinference_annotations_are_signals(encoding):
    _, signals = spans("openinference.json", encoding)
    said = {signal.name: signal for signal in signals}
    assert (said["helpful"].value, said["helpful"].source, said["helpful"].span_id) == (1.0, "user", SPAN)
    assert (said["resolved"].value, said["resolved"].source, said["resolved"].span_id) == ("no", "evaluator", "")
    assert said["resolved"].trace_id == TRACE
    assert (said["stars"].session, said["stars"].trace_id, said["stars"].value) == ("s1", "", 4.0)
    assert len({signal.id for signal in signals}) == 3


def test_openinference_tool_and_retriever(encoding):
    (_, tool, search), _ = spans("openinference.json", encoding)
    assert (tool.kind, tool.tool, tool.input, tool.output) == ("tool", "weather", {"city": "Paris"}, "sunny")
    assert (search.kind, search.input) == ("retrieval", "rules")
    assert search.documents == [
        {"id": "d1", "content": "Rain is wet.", "score": 0.5, "metadata": {"source": "kb"}},
        {"content": "Snow is cold."},
    ]


def test_openllmetry_indexed_messages(encoding):
    (chat, tool, flow), _ = spans("openllmetry.json", encoding)
    assert (chat.kind, chat.provider, chat.model) == ("llm", "OpenAI", "gpt-4o-2024-08-06")
    assert chat.input == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "content": "sunny", "tool_call_id": "call_1"},
    ]
    assert (chat.output, chat.finish_reason) == ([{"role": "assistant", "content": "Sunny."}], "stop")
    assert (chat.input_tokens, chat.output_tokens) == (9, 2)
    assert (chat.trace_name, chat.user, chat.session) == ("weather_bot", "u7", "s7")
    assert (chat.prompt_name, chat.prompt_version) == ("weather", "3")
    assert (tool.kind, tool.tool, tool.input["args"], tool.output) == ("tool", "get_weather", ["Paris"], '"sunny"')
    assert flow.kind == "chain"


def test_langfuse_observations(encoding):
    (answer, lookup, step), _ = spans("langfuse_spans.json", encoding)
    assert (answer.kind, answer.model, answer.release, answer.environment) == ("llm", "gpt-4o", "r1", "staging")
    assert answer.input == [{"role": "user", "content": "hi"}]
    assert answer.output == [{"role": "assistant", "content": "hello"}]
    assert (answer.input_tokens, answer.output_tokens, answer.cached_tokens) == (10, 3, 2)
    assert answer.cost == pytest.approx(0.3)
    assert (answer.prompt_name, answer.prompt_version) == ("greeter", "4")
    assert (answer.trace_name, answer.tags, answer.user, answer.session) == ("conversation", ["a", "b"], "u1", "s1")
    assert answer.attributes == {
        "langfuse.observation.model.parameters": '{"temperature": 0.2}',
        "langfuse.trace.metadata.plan": "pro",
        "langfuse.observation.usage_details": {"input_audio": 1},
    }
    assert (lookup.kind, lookup.tool, lookup.status, lookup.error) == ("tool", "lookup", "error", "not found")
    assert (step.kind, step.status) == ("chain", "")
    assert step.attributes["langfuse.observation.level"] == "WARNING"


def test_vercel_ai_sdk(encoding):
    (chat, outer, tool), _ = spans("vercel.json", encoding)
    assert (chat.kind, chat.model, chat.provider) == ("llm", "gpt-4o-mini-2024-07-18", "openai.responses")
    assert chat.input[2]["tool_calls"] == [{"id": "c1", "name": "weather", "arguments": {"city": "Paris"}}]
    assert chat.input[3] == {"role": "tool", "content": {"sky": "clear"}, "tool_call_id": "c1", "name": "weather"}
    assert chat.output == [
        {"role": "assistant", "content": "Clear.", "tool_calls": [{"id": "c2", "name": "close", "arguments": {}}]}
    ]
    assert (chat.input_tokens, chat.output_tokens, chat.cached_tokens) == (15, 3, 4)
    assert (chat.user, chat.session, chat.finish_reason) == ("u3", "s3", "stop")
    assert outer.kind == "agent"
    assert outer.input == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Weather?"}]
    assert (tool.kind, tool.tool, tool.input, tool.output) == ("tool", "weather", {"city": "Paris"}, {"sky": "clear"})


def test_the_more_deliberate_convention_wins_and_the_other_word_is_kept(encoding):
    span = parse_one(
        {
            "gen_ai.operation.name": "chat",
            "langfuse.observation.type": "tool",
            "session.id": "ours",
            "gen_ai.conversation.id": "theirs",
            "gen_ai.usage.prompt_tokens": 3,
            "gen_ai.usage.input_tokens": 4,
            "input.value": "low",
            "langfuse.observation.input": "high",
        }
    )
    assert (span.kind, span.session, span.input_tokens, span.input) == ("tool", "ours", 4, "high")
    assert span.attributes == {"gen_ai.conversation.id": "theirs", "gen_ai.usage.prompt_tokens": 3}


def test_the_resource_tells_environment_and_release_and_stands_on_entry_spans(encoding):
    resource = {
        "service.name": "bot",
        "service.version": "1.4",
        "deployment.environment.name": "production",
        "telemetry.sdk.name": "opentelemetry",
    }
    request = as_json({}, {"parent_id": SPAN}, resource=resource, scope="app")
    root, child = parse(request, encoding).spans
    assert (root.environment, root.release, child.environment) == ("production", "1.4", "production")
    assert root.attributes == {"service.name": "bot", "scope.name": "app"}
    assert child.attributes == {}


def test_an_unknown_operation_is_kept_and_the_kind_guessed(encoding):
    span = parse_one({"gen_ai.operation.name": "ponder", "gen_ai.request.model": "m"})
    assert (span.kind, span.attributes) == ("llm", {"gen_ai.operation.name": "ponder"})


def test_a_run_that_is_no_production_traffic_says_so(encoding):
    assert parse_one({"whetstone.run": "experiment"}).run == "experiment"


def test_a_number_that_is_none_stays_an_attribute(encoding):
    span = parse_one({"gen_ai.usage.input_tokens": "many", "llm.cost.total": "much", "gen_ai.usage.output_tokens": -4})
    assert (span.input_tokens, span.cost, span.output_tokens) == (None, None, None)
    assert set(span.attributes) == {"gen_ai.usage.input_tokens", "llm.cost.total", "gen_ai.usage.output_tokens"}


def test_openinference_call_that_failed_names_its_model_in_the_parameters(encoding):
    asked = {"openinference.span.kind": "LLM", "llm.invocation_parameters": '{"model": "retired-1", "temperature": 0}'}
    parsed = parse(as_json({"attributes": asked, "status": {"code": 2, "message": "No such model."}}), encoding)
    [call] = parsed.spans
    assert (call.model, call.status, call.error) == ("retired-1", "error", "No such model.")
    named = parse(as_json({"attributes": {**asked, "llm.model_name": "small-1"}}), encoding).spans[0]
    assert named.model == "small-1"
