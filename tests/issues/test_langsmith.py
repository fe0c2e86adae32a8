"""The LangSmith SDK's multipart, whose halves may come in any order."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from issues.merge import merge
from issues.protocols import langsmith
from issues.record import Unreadable
from tests.issues.test_otlp import junk
from tests.issues.wire import payload

ROOT = "01a1edc6-cb3d-7380-b274-4ccb789e1fff"
TYPE = "multipart/form-data; boundary=fd73eb437e914b3ebbebe24edc310806"


def multipart(parts):
    """As the client writes it."""
    lines = []
    for name, value in parts:
        content = value if isinstance(value, bytes) else json.dumps(value).encode()
        lines.append(
            b"--fd73eb437e914b3ebbebe24edc310806\r\n"
            b'Content-Disposition: form-data; name="%s"\r\n'
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n"
            % (name.encode(), len(content), content)
        )
    return b"".join(lines) + b"--fd73eb437e914b3ebbebe24edc310806--\r\n"


def read(parts):
    return langsmith.runs_multipart(langsmith.parse_multipart(multipart(parts), TYPE))


PARTS = list(payload("langsmith_runs.json").items())


def test_runs_are_read_from_their_parts():
    parsed = read(PARTS)
    assert not parsed.rejected
    agent, docs, chat, tool, end = parsed.spans
    assert (agent.trace_id, agent.span_id, agent.parent_id, agent.name) == (ROOT, ROOT, "", "agent")
    assert (agent.session, agent.user, agent.tags, agent.status) == ("s9", "u9", ["t1"], "")
    assert agent.start == datetime(2026, 5, 4, 8, 29, 50, 781324, tzinfo=UTC)
    assert (docs.kind, docs.documents) == ("retrieval", [{"content": "Paris is sunny", "metadata": {"source": "x"}}])
    assert (docs.parent_id, docs.output) == (ROOT, None)
    assert (chat.kind, chat.model, chat.provider, chat.finish_reason) == ("llm", "gpt-4o", "openai", "stop")
    assert chat.input == [{"role": "user", "content": "Weather?"}]
    assert chat.output[0]["tool_calls"] == [{"id": "c1", "name": "weather", "arguments": {"city": "Paris"}}]
    assert (chat.input_tokens, chat.output_tokens, chat.cached_tokens) == (10, 4, 3)
    assert (tool.kind, tool.tool, tool.status, tool.input) == ("tool", "weather", "error", {"city": "Bad"})
    assert tool.error.startswith("ValueError")
    assert (end.span_id, end.output, end.status) == (ROOT, {"answer": "sunny"}, "ok")
    [signal] = parsed.signals
    assert (signal.name, signal.value, signal.comment) == ("thumb", 1.0, "nice")


def test_the_two_halves_of_a_run_make_the_same_row_in_either_order():
    agent, *_, end = read(PARTS).spans
    one, other = merge(agent, end), merge(end, agent)
    assert one == other
    assert (one.input, one.output, one.status, one.session) == ({"q": "Weather?"}, {"answer": "sunny"}, "ok", "s9")


def test_a_patch_without_its_trace_finds_it_in_the_dotted_order():
    order = f"20260504T082950781324Z{ROOT}.20260504T082950787678Z01a1edc6-cb43-7349-9a6c-81a62fe992c1"
    [span] = langsmith.run({"dotted_order": order}, "01a1edc6-cb43-7349-9a6c-81a62fe992c1").spans
    assert (span.trace_id, span.parent_id, span.kind) == (ROOT, ROOT, "chain")


def test_error_is_the_sentence_and_the_stack_stands_beside_it():
    run_id = "6072e252-acf7-405a-9adb-b00087cb03e1"
    told = "TimeoutError('No answer.')\n\nTraceback (most recent call last):\n  File app.py\nTimeoutError: No answer."
    [span] = langsmith.run({"id": run_id, "trace_id": run_id, "error": told}).spans
    assert (span.status, span.error) == ("error", "TimeoutError('No answer.')")
    assert span.attributes["exception.stacktrace"].startswith("Traceback")
    [bare] = langsmith.run({"id": run_id, "trace_id": run_id, "error": told[told.index("Trace") :]}).spans
    assert bare.error.startswith("Traceback")


def test_json_batches_say_the_same():
    run = {"id": ROOT, "trace_id": ROOT.replace("-", "").upper(), "name": "x", "inputs": {"input": "a"}}
    parsed = langsmith.runs_batch({"post": [run], "patch": [{**run, "outputs": {"output": "b"}}, 5]})
    assert [(span.trace_id, span.input, span.output) for span in parsed.spans] == [(ROOT, "a", None), (ROOT, "a", "b")]
    assert len(parsed.rejected) == 1


def test_one_bad_run_is_rejected_alone():
    parsed = read([("post.nonsense", {"name": "x"}), ("post." + ROOT, b"{"), *PARTS])
    assert len(parsed.spans) == 5
    assert [item.id for item in parsed.rejected] == [ROOT, "nonsense"]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ({"score": 1}, 1.0),
        ({"score": True, "value": "up"}, True),
        ({"value": "up"}, "up"),
        ({"comment": "too slow"}, "comment"),
    ],
)
def test_feedback_has_a_score_or_a_value_or_a_comment(said, value):
    [signal] = langsmith.feedback({"run_id": ROOT, "key": "thumb", **said}).signals
    assert (signal.value, signal.trace_id) == (value, ROOT)


def test_feedback_about_a_step_names_both():
    step = "01a1edc6-cb43-7349-9a6c-81a62fe992c1"
    [signal] = langsmith.feedback({"run_id": step, "trace_id": ROOT, "key": "k", "score": 0}).signals
    assert (signal.trace_id, signal.span_id) == (ROOT, step)


@pytest.mark.parametrize(
    "body", [5, {}, {"key": "a", "score": 1}, {"key": "a", "run_id": ROOT}, {"run_id": ROOT, "score": 1}]
)
def test_feedback_that_says_nothing_is_refused(body):
    parsed = langsmith.feedback(body)
    assert not parsed.signals
    assert parsed.rejected[0].why.endswith(".")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [(b"", TYPE), (b"x", TYPE), (multipart(PARTS), "application/json"), (multipart(PARTS), "multipart/form-data")],
)
def test_a_form_that_is_none_is_refused(body, content_type):
    with pytest.raises(Unreadable, match=r"\.$"):
        langsmith.parse_multipart(body, content_type)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_mutated_forms_raise_nothing_but_unreadable(data):
    body = bytearray(multipart(PARTS))
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(body) - 1))
        body[place : place + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    try:
        langsmith.runs_multipart(langsmith.parse_multipart(bytes(body), TYPE))
    except Unreadable:
        return


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(PARTS) - 1), junk, st.data())
def test_any_value_in_any_part_is_answered(place, value, data):
    parts = json.loads(json.dumps(PARTS))
    if isinstance(parts[place][1], dict) and parts[place][1] and data.draw(st.booleans()):
        parts[place][1][data.draw(st.sampled_from(sorted(parts[place][1])))] = value
    else:
        parts[place][1] = value
    parsed = read(parts)
    json.dumps([[span.input, span.output, span.attributes] for span in parsed.spans], allow_nan=False)
    langsmith.runs_batch({"post": value})
    langsmith.feedback(value)
