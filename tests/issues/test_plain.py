"""Our own JSON: the least one can send, the most one can say, and what is refused."""

import gzip
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from issues.protocols import plain
from issues.protocols.clock import read_time
from issues.protocols.imports import from_jsonl_line
from issues.protocols.plain_form import Feedback, Rollout, Trace
from tests.issues.test_otlp import EVERYTHING, junk
from tests.issues.wire import SPAN, TRACE, as_json

DATA = os.environ.get("WHETSTONE_DATA", "")
NOON = "2026-05-04T12:00:00Z"


def test_input_and_output_are_enough_and_a_retry_is_the_same_trace():
    item = {"input": "Where is my order?", "output": "On its way."}
    [span] = plain.parse_traces(item).spans
    assert (span.input, span.output, span.kind, span.parent_id) == (item["input"], item["output"], "chain", "")
    assert plain.parse_traces([item]).spans == [span]
    assert plain.parse_traces({**item, "time": NOON}).spans[0].trace_id != span.trace_id


def test_equal_items_of_one_request_are_two_traces():
    item = {"input": "hi", "output": "hello"}
    one, other = plain.parse_traces([item, item]).spans
    assert one.trace_id != other.trace_id
    assert [span.trace_id for span in plain.parse_traces([item, item]).spans] == [one.trace_id, other.trace_id]


def test_everything_a_trace_can_say():
    parsed = plain.parse_traces(
        {
            "id": "order-77",
            "name": "support",
            "input": [{"role": "user", "content": "Where is it?"}],
            "output": {"role": "assistant", "content": "On its way."},
            "time": NOON,
            "duration_ms": 1500,
            "session_id": 12,
            "user_id": "u1",
            "environment": "production",
            "release": "1.4",
            "model": "gpt-4o",
            "prompt": "support@7",
            "tags": ["vip", "eu"],
            "metadata": {"plan": "pro"},
            "usage": {"prompt_tokens": 10, "output_tokens": 3, "cached_tokens": 2},
            "cost": 0.01,
            "status": "success",
            "shard": 4,
            "feedback": [{"name": "thumbs", "value": True, "comment": "nice"}],
            "outcome": {"resolved": True, "refunded": None},
            "steps": [
                {"name": "search", "documents": ["Ships in two days."], "input": "shipping"},
                {
                    "name": "lookup",
                    "kind": "tool",
                    "arguments": {"id": 77},
                    "result": "shipped",
                    "steps": [{"id": "inner", "input": "x", "error": {"type": "Timeout", "message": "slow"}}],
                },
            ],
        }
    )
    assert not parsed.rejected
    root, search, lookup, inner = parsed.spans
    assert (root.trace_id, root.name, root.kind, root.status) == ("order-77", "support", "llm", "ok")
    assert root.output == [{"role": "assistant", "content": "On its way."}]
    assert root.start == datetime(2026, 5, 4, 12, tzinfo=UTC)
    assert root.end == root.start + timedelta(seconds=1.5)
    assert (root.session, root.user, root.environment, root.release) == ("12", "u1", "production", "1.4")
    assert (root.prompt_name, root.prompt_version, root.tags) == ("support", "7", ["vip", "eu"])
    assert (root.input_tokens, root.output_tokens, root.cached_tokens, root.cost) == (10, 3, 2, 0.01)
    assert root.attributes == {"plan": "pro", "shard": 4}
    assert (search.kind, search.documents, search.parent_id) == (
        "retrieval",
        [{"content": "Ships in two days."}],
        root.span_id,
    )
    assert (lookup.kind, lookup.tool, lookup.input, lookup.output) == ("tool", "lookup", {"id": 77}, "shipped")
    assert (inner.span_id, inner.parent_id, inner.error) == ("inner", lookup.span_id, "Timeout: slow")
    thumbs, resolved = parsed.signals
    assert (thumbs.name, thumbs.value, thumbs.trace_id, thumbs.comment) == ("thumbs", True, "order-77", "nice")
    assert (resolved.name, resolved.value, resolved.source) == ("resolved", True, "outcome")


def test_steps_that_bring_their_own_root_need_no_second():
    parsed = plain.parse_traces(
        {
            "trace_id": "t",
            "session_id": "s",
            "model": "m",
            "spans": [
                {"span_id": "a", "parent_id": None, "kind": "agent", "input": "q"},
                {"span_id": "b", "parent_id": "a", "kind": "llm", "output": {"content": "hi", "tool_calls": []}},
            ],
        }
    )
    agent, answer = parsed.spans
    assert (agent.span_id, agent.parent_id, agent.session, agent.model) == ("a", "", "s", "m")
    assert (answer.parent_id, answer.model, answer.output) == ("a", "m", [{"role": "assistant", "content": "hi"}])


@pytest.mark.parametrize(
    ("item", "word"),
    [
        (5, "object"),
        ({}, "needs an input"),
        ({"input": "x", "time": "yesterday"}, "write a time"),
        ({"input": "x", "cost": -1}, "cost"),
        ({"input": "x", "usage": {"input_tokens": "many"}}, "usage.input_tokens"),
        ({"input": "x", "steps": {"a": 1}}, "list"),
        ({"input": "x", "steps": [3]}, "steps.0"),
        ({"input": "x", "steps": [{"steps": [{"duration_ms": "long"}]}]}, "steps.0.0"),
        ({"input": "x", "feedback": [{"name": "a"}]}, "value"),
        ({"input": "x", "name": ["a"]}, "name"),
    ],
)
def test_a_bad_item_is_refused_with_its_place_and_the_others_are_taken(item, word):
    parsed = plain.parse_traces([{"input": "good"}, item, {"input": "fine"}])
    assert [span.input for span in parsed.spans] == ["good", "fine"]
    assert not parsed.signals
    [refusal] = parsed.rejected
    assert refusal.index == 1
    assert word in refusal.why
    assert refusal.why.endswith(".")


def test_a_deep_nest_of_steps_is_refused_not_followed():
    item: dict = {"input": "x"}
    for _ in range(500):
        item = {"steps": [item]}
    assert "levels" in plain.parse_traces(item).rejected[0].why


def test_unbelievable_times_and_unknown_kinds_are_kept_as_said():
    [span] = plain.parse_traces({"input": "x", "time": "1970-01-01T00:00:00Z", "kind": "ritual"}).spans
    assert (span.start, span.kind) == (None, "chain")
    assert span.attributes == {"kind": "ritual", "whetstone.start": "1970-01-01T00:00:00Z"}


def test_feedback_about_a_trace_a_step_and_a_session():
    parsed = plain.parse_feedback(
        [
            {"trace_id": "t", "name": "stars", "value": 4, "time": NOON, "id": "mine"},
            {"trace_id": "t", "span_id": "s", "name": "tone", "value": "rude", "source": "evaluator"},
            {"session_id": "c", "name": "resolved", "value": False, "channel": "mail"},
        ]
    )
    stars, tone, resolved = parsed.signals
    assert (stars.value, stars.id, stars.source) == (4.0, "mine", "user")
    assert (tone.value, tone.span_id, tone.source) == ("rude", "s", "evaluator")
    assert (resolved.value, resolved.session, resolved.attributes) == (False, "c", {"channel": "mail"})
    again = plain.parse_feedback({"session_id": "c", "name": "resolved", "value": False}).signals[0]
    assert again.id == resolved.id


@pytest.mark.parametrize(
    "item",
    [
        {"name": "a", "value": 1},
        {"trace_id": "t", "value": 1},
        {"trace_id": "t", "name": "a"},
        {"trace_id": "t", "name": "a", "value": {}},
        {"trace_id": "t", "name": "a", "value": float("nan")},
        "thumbs up",
    ],
)
def test_feedback_that_says_nothing_is_refused(item):
    parsed = plain.parse_feedback([{"trace_id": "t", "name": "a", "value": 0}, item])
    assert (len(parsed.signals), parsed.rejected[0].index) == (1, 1)


def test_rollouts():
    parsed = plain.parse_rollouts(
        [
            {"fact": "Prompt", "name": "support", "version": 8, "time": NOON, "note": "shorter"},
            {"fact": "release"},
            {"fact": "release", "value": "1.5", "time": "2999-01-01"},
        ]
    )
    [rollout] = parsed.rollouts
    assert (rollout.fact, rollout.name, rollout.value, rollout.note) == ("prompt", "support", "8", "shorter")
    assert rollout.time == datetime(2026, 5, 4, 12, tzinfo=UTC)
    assert [item.index for item in parsed.rejected] == [1, 2]


@pytest.mark.parametrize(
    "value",
    [
        *(NOON, "2026-05-04T14:00:00+02:00", "2026-05-04 12:00:00", "1777896000", datetime(2026, 5, 4, 12)),  # noqa: DTZ001
        *(1777896000, 1777896000.0, 1777896000000, 1777896000000000, 1777896000000000000, [1777896000, 0]),
    ],
)
def test_a_time_may_be_written_in_many_ways(value):
    assert read_time(value) == datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize("value", [None, "", "soon", True, {}, [1], float("nan"), float("inf"), 10**40, "9" * 50])
def test_what_is_no_time_is_none(value):
    assert read_time(value) is None


def test_the_forms_describe_themselves():
    for model in (Trace, Feedback, Rollout):
        json.dumps(model.model_json_schema())
    assert "steps" in Trace.model_json_schema(by_alias=True)["properties"]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([*sorted(Trace.model_fields), "trace_id", "spans"]), junk, st.booleans())
def test_any_value_in_any_field_is_answered(field, value, nested):
    item = {"input": "x", field: value}
    parsed = plain.parse_traces([{"steps": [item]} if nested else item, {"input": "good"}])
    assert parsed.spans[-1].input == "good"
    json.dumps([[span.input, span.output, span.attributes, span.documents] for span in parsed.spans], allow_nan=False)
    plain.parse_feedback({"trace_id": "t", "name": "n", field: value, "value": value})
    plain.parse_rollouts({"fact": "f", "value": value, field: value})
    from_jsonl_line(value)
    from_jsonl_line({"trace": value, "observations": value, field: value})
    from_jsonl_line(
        {"context": {"trace_id": TRACE, "span_id": SPAN}, "attributes": value, "events": value, field: value}
    )


def test_lines_of_every_kind_are_recognised():
    printed = {
        "name": "chat",
        "context": {"trace_id": "0x" + TRACE, "span_id": "0x" + SPAN},
        "parent_id": None,
        "start_time": NOON,
        "end_time": "2026-05-04T12:00:01Z",
        "status": {"status_code": "ERROR", "description": "no"},
        "attributes": {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"},
        "events": [{"name": "note", "timestamp": NOON, "attributes": {"a": 1}}],
        "resource": {"attributes": {"service.version": "3"}},
    }
    [span] = from_jsonl_line(printed).spans
    assert (span.trace_id, span.kind, span.model, span.error, span.release) == (TRACE, "llm", "m", "no", "3")
    assert span.start == datetime(2026, 5, 4, 12, tzinfo=UTC)
    assert span.end == span.start + timedelta(seconds=1)
    assert len(from_jsonl_line(as_json(*EVERYTHING)).spans) == len(EVERYTHING)
    assert from_jsonl_line({"input": "a"}).spans[0].input == "a"
    assert len(from_jsonl_line([printed, printed]).spans) == 2
    assert from_jsonl_line("text").rejected


@pytest.mark.skipif(not DATA, reason="WHETSTONE_DATA is not set")
def test_the_benchmark_conversations_come_in_with_their_rewards():
    traces, spans, rewards = set(), 0, []
    with gzip.open(Path(DATA, "traces", "tau_bench.traces.jsonl.gz")) as lines:
        for line in lines:
            parsed = from_jsonl_line(json.loads(line))
            assert not parsed.rejected
            traces |= {span.trace_id for span in parsed.spans}
            spans += len(parsed.spans)
            rewards += [signal.value for signal in parsed.signals]
            assert sum(not span.parent_id for span in parsed.spans) == 1
    assert (len(traces), spans, len(rewards), rewards.count(0)) == (785, 16_904, 785, 498)


@pytest.mark.skipif(not DATA, reason="WHETSTONE_DATA is not set")
def test_exported_framework_traces_come_in_whole():
    with gzip.open(Path(DATA, "compat", "langfuse_framework_traces.jsonl.gz")) as lines:
        for line in lines:
            told = json.loads(line)
            parsed = from_jsonl_line(told)
            assert not parsed.rejected
            assert len(parsed.spans) == len(told["observations"])
            assert len(parsed.signals) == len(told["trace"].get("scores") or [])
            assert any(span.kind == "llm" for span in parsed.spans)
    spans = from_jsonl_line(
        json.loads(gzip.decompress(Path(DATA, "compat", "openinference_vercel_v6_spans.json.gz").read_bytes()))
    ).spans
    assert len(spans) == 10
    assert all(span.model and span.input and span.input_tokens for span in spans)
