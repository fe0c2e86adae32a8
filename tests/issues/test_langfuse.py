"""Langfuse's JSON: the three shapes of a score, the older batches, exports."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from issues.protocols import langfuse
from issues.record import Unreadable
from tests.issues.test_otlp import junk
from tests.issues.wire import payload


def test_scores_of_sdk_3_and_4_come_in_a_batch():
    parsed, successes, errors = langfuse.ingest(payload("langfuse_scores_batch.json"))
    thumb, quality, category, session = parsed.signals
    assert (thumb.value, thumb.trace_id, thumb.comment, thumb.id) == (
        True,
        "f46d724c3aacc4fc45e6670107120952",
        "good",
        "s1",
    )
    assert (quality.value, quality.span_id) == (0.5, "65946d7b502c8e0b")
    assert (category.value, session.value, session.session) == ("great", 2.0, "c1")
    assert thumb.time == datetime(2026, 5, 4, 8, 30, 39, 988562, tzinfo=UTC)
    assert successes == [{"id": f"e{place}", "status": 201} for place in (1, 2, 3, 4)]
    assert [(item["id"], item["status"]) for item in errors] == [("e5", 400), ("e6", 400)]
    assert all(item["message"].endswith(".") for item in errors)


def test_scores_of_sdk_5_come_as_a_list_or_alone():
    body = {"id": "s1", "traceId": "t", "name": "stars", "value": 4, "timestamp": "2026-05-04T08:00:00Z"}
    parsed, errors = langfuse.scores([body, {**body, "name": ""}, 5])
    assert [signal.id for signal in parsed.signals] == ["s1"]
    assert len(errors) == 2
    alone, none = langfuse.scores(body)
    assert (alone.signals, none) == (parsed.signals, [])


def test_a_score_without_an_id_is_the_same_score_when_sent_again():
    body = {"traceId": "t", "name": "stars", "value": 4, "timestamp": "2026-05-04T08:00:00Z"}
    one, other = langfuse.score(body), langfuse.score(dict(body))
    assert one == other
    assert one.id


@pytest.mark.parametrize("value", [None, "", {}, [], float("nan")])
def test_a_score_without_a_value_is_refused(value):
    parsed, errors = langfuse.scores({"traceId": "t", "name": "n", "value": value})
    assert not parsed.signals
    assert "value" in errors[0]


def test_older_batches_bring_traces_and_observations_in_any_order():
    batch = payload("langfuse_observations_batch.json")
    parsed, successes, errors = langfuse.ingest(batch)
    assert not errors
    assert len(successes) == 5
    trace, generation, tool, update = parsed.spans
    assert (trace.trace_id, trace.parent_id, trace.user, trace.session) == ("trace-1", "", "u1", "c1")
    assert (trace.release, trace.tags, trace.attributes) == ("r1", ["vip"], {"metadata.plan": "pro"})
    assert (generation.kind, generation.model, generation.parent_id) == ("llm", "gpt-4o", trace.span_id)
    assert generation.input == [{"role": "user", "content": "hi"}]
    assert (generation.input_tokens, generation.output_tokens, generation.cost) == (10, 3, 0.3)
    assert (generation.prompt_name, generation.prompt_version) == ("greeter", "4")
    assert (tool.parent_id, tool.status, tool.error) == ("gen-1", "error", "not found")
    assert (update.span_id, update.output, update.input) == ("gen-1", [{"role": "assistant", "content": "hello"}], None)


def test_an_export_hangs_its_roots_under_the_trace():
    line = {
        "id": "t",
        "name": "chat",
        "userId": "u",
        "observations": [{"id": "a", "type": "SPAN"}, {"id": "b", "type": "GENERATION", "model": "m"}],
        "scores": [{"name": "toxicity", "value": 0, "source": "EVAL"}],
    }
    parsed = langfuse.from_export(line)
    root, one, other = parsed.spans
    assert (root.user, root.trace_name) == ("u", "chat")
    assert (one.parent_id, other.parent_id, other.kind) == (root.span_id, root.span_id, "llm")
    assert (parsed.signals[0].source, parsed.signals[0].trace_id) == ("evaluator", "t")
    alone = langfuse.from_export({**line, "observations": line["observations"][:1]}).spans
    assert [(span.span_id, span.user) for span in alone] == [("a", "u")]


@pytest.mark.parametrize("body", [None, [], {}, {"batch": {}}, 5])
def test_a_request_without_a_batch_is_refused_whole(body):
    with pytest.raises(Unreadable):
        langfuse.ingest(body)


@settings(max_examples=150, deadline=None)
@given(st.data(), junk)
def test_any_value_in_any_field_is_answered(data, value):
    source = data.draw(st.sampled_from(["langfuse_scores_batch.json", "langfuse_observations_batch.json"]))
    batch = payload(source)
    event = data.draw(st.sampled_from(batch["batch"]))
    where = event if data.draw(st.booleans()) or not event.get("body") else event["body"]
    where[data.draw(st.sampled_from(sorted(where)))] = value
    parsed, successes, errors = langfuse.ingest(batch)
    assert len(successes) + len(errors) == len(batch["batch"])
    json.dumps([[span.input, span.output, span.attributes] for span in parsed.spans], allow_nan=False)
    langfuse.scores(value)
