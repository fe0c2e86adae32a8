"""Export requests as clients, broken clients and attackers send them."""

import base64
import gzip
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from issues.protocols import otlp
from issues.protocols.jsontext import LEFT_OUT
from issues.record import LONGEST_BODY, LONGEST_TEXT, MOST_ATTRIBUTES, Parsed, Unreadable
from tests.issues.wire import SPAN, START, TRACE, any_value, as_json, as_protobuf, pairs, parse, parse_one, payload

DATA = os.environ.get("WHETSTONE_DATA", "")
both = pytest.mark.parametrize("encoding", ["protobuf", "json"])


@both
def test_ids_times_and_name(encoding):
    [span] = parse(as_json({"parent_id": "00f067aa0ba902b7", "name": "step"}), encoding).spans
    assert (span.trace_id, span.span_id, span.parent_id) == (TRACE, SPAN, "00f067aa0ba902b7")
    assert (span.name, span.kind, span.status) == ("step", "chain", "")
    assert span.start == datetime.fromtimestamp(START // 10**9, UTC)
    assert span.end == span.start + timedelta(seconds=1.5)


@both
@pytest.mark.parametrize(
    "bad",
    [{"trace_id": "abcd"}, {"span_id": "ab"}, {"trace_id": "0" * 32}, {"span_id": "0" * 16}, {"trace_id": ""}],
)
def test_a_span_with_a_bad_id_is_rejected_alone(encoding, bad):
    parsed = parse(as_json({}, bad, {}), encoding)
    assert len(parsed.spans) == 2
    assert len(parsed.rejected) == 1
    assert parsed.rejected[0].why.endswith(".")


@both
def test_a_bad_parent_makes_a_root_and_says_so(encoding):
    itself, short = parse(as_json({"parent_id": SPAN}, {"parent_id": "abcd"}), encoding).spans
    assert (itself.parent_id, itself.attributes) == ("", {"whetstone.parent": SPAN})
    assert (short.parent_id, short.attributes) == ("", {"whetstone.parent": "abcd"})


@both
def test_times_no_clock_meant_are_kept_as_text(encoding):
    spans = [
        {"start": 0, "end": 0},
        {"start": 5, "end": START},
        {"start": 7_258_118_400 * 10**9, "end": 7_258_118_401 * 10**9},
        {"start": START, "end": START - 10**9},
        {"start": 2**64 - 1, "end": 2**64 - 1},
    ]
    nothing, early, late, backward, huge = parse(as_json(*spans), encoding).spans
    assert (nothing.start, nothing.end, nothing.attributes) == (None, None, {})
    assert (early.start, early.attributes["whetstone.start"]) == (None, "1970-01-01T00:00:00+00:00")
    assert (late.start, late.end, late.attributes["whetstone.start"][:4]) == (None, None, "2200")
    assert backward.start is not None
    assert (backward.end, backward.attributes["whetstone.end"][:4]) == (None, "2026")
    assert huge.start is None


@both
def test_long_texts_are_clipped_with_a_mark(encoding):
    long = "x" * 5_000_000
    request = as_json(
        {"attributes": {"note": long, "gen_ai.input.messages": json.dumps([{"role": "user", "content": long}])}}
    )
    [span] = parse(request, encoding).spans
    assert span.attributes["note"].endswith("[clipped by Whetstone: 5,000,000 characters]")
    assert len(span.attributes["note"]) < LONGEST_TEXT + 100
    assert span.input[0]["content"].endswith("[clipped by Whetstone: 5,000,000 characters]")


@both
def test_a_conversation_too_long_to_keep_says_what_was_left_out(encoding):
    talk = [{"role": "user", "content": f"{place} " + "y" * 30_000} for place in range(100)]
    [span] = parse(as_json({"attributes": {"gen_ai.input.messages": json.dumps(talk)}}), encoding).spans
    assert len(json.dumps(span.input)) < LONGEST_BODY + 1000
    assert span.input[0]["content"].startswith("0 ")
    assert "left out by Whetstone" in span.input[2]["content"]
    assert span.input[-1]["content"].startswith("99 ")


@both
def test_a_hundred_thousand_attributes_leave_the_known_ones_readable(encoding):
    many = {f"key.{place}": place for place in range(100_000)} | {"gen_ai.request.model": "m"}
    [span] = parse(as_json({"attributes": many}), encoding).spans
    assert span.model == "m"
    assert len(span.attributes) == MOST_ATTRIBUTES + 1
    assert span.attributes[LEFT_OUT] == 100_000 - MOST_ATTRIBUTES


def test_a_huge_index_costs_nothing():
    span = parse_one(
        {"llm.input_messages.999999999.message.content": "b", "llm.input_messages.1.message.content": "a"}
        | {"llm.input_messages.99999999999999.message.content": "c"}
    )
    assert [message["content"] for message in span.input] == ["a", "b"]
    assert list(span.attributes) == ["llm.input_messages.99999999999999.message.content"]


@both
def test_text_the_database_refuses_is_made_harmless(encoding):
    attributes = {
        "note": "a\x00b",
        "gen_ai.input.messages": '[{"role": "user", "content": "a\\u0000b \\ud800"}]',
        "user.id": "u\x00",
        "k\x00ey": "v",
    }
    [span] = parse(as_json({"attributes": attributes, "name": "n\x00"}), encoding).spans
    text = json.dumps([span.name, span.user, span.input, span.attributes], ensure_ascii=False)
    assert "\x00" not in text
    text.encode()
    assert "\ufffd" in text


def test_numbers_json_has_no_word_for():
    body = (
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [%s]}]}]}'
        % json.dumps(
            {
                "traceId": TRACE,
                "spanId": SPAN,
                "attributes": [
                    {"key": "nan", "value": {"doubleValue": float("nan")}},
                    {"key": "inf", "value": {"doubleValue": float("inf")}},
                    {"key": "gen_ai.input.messages", "value": {"stringValue": '{"n": NaN, "big": 1e999}'}},
                    {"key": "big", "value": {"intValue": 10**400}},
                ],
            }
        ).encode()
    )
    [span] = otlp.parse_traces(body, otlp.JSON).spans
    assert (span.attributes["nan"], span.attributes["inf"]) == ("nan", "inf")
    json.dumps(span.attributes, allow_nan=False)
    json.dumps(span.input, allow_nan=False)


def test_ten_thousand_spans_with_the_same_id_are_read():
    assert len(parse(as_json(*({"span_id": SPAN} for _ in range(10_000)))).spans) == 10_000


def test_json_in_snake_case_with_enum_names_numbers_and_base64_ids():
    request = {
        "resource_spans": [
            {
                "resource": {"attributes": [{"key": "service.version", "value": {"string_value": "2"}}]},
                "scope_spans": [
                    {
                        "spans": [
                            {
                                "trace_id": base64.b64encode(bytes.fromhex(TRACE)).decode(),
                                "span_id": base64.b64encode(bytes.fromhex(SPAN)).decode(),
                                "start_time_unix_nano": START,
                                "end_time_unix_nano": str(START),
                                "status": {"code": "STATUS_CODE_ERROR", "message": "no"},
                                "attributes": [
                                    {"key": "gen_ai.usage.input_tokens", "value": {"int_value": 7}},
                                    {"key": "flag", "value": {"bool_value": True}},
                                    {"key": "list", "value": {"array_value": {"values": [{"int_value": "1"}]}}},
                                    {"key": "map", "value": {"kvlist_value": {"values": pairs({"a": 0})}}},
                                ],
                                "surprise": {"new": "field"},
                            }
                        ]
                    }
                ],
            }
        ]
    }
    [span] = otlp.parse_traces(json.dumps(request).encode(), "application/json; charset=utf-8").spans
    assert (span.trace_id, span.span_id, span.release) == (TRACE, SPAN, "2")
    assert (span.status, span.error, span.input_tokens) == ("error", "no", 7)
    assert span.attributes == {"flag": True, "list": [1], "map": {"a": 0}}


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", otlp.JSON),
        (b"[]", otlp.JSON),
        (b"{", otlp.JSON),
        (b'{"resource": 1}', otlp.JSON),
        (b"[" * 100_000, otlp.JSON),
        (b'{"a":' * 100_000, otlp.JSON),
        (b"[],\x00" * 5_000_000, otlp.JSON),
        (b"\xff\xfe", otlp.JSON),
        (b"hello", otlp.PROTOBUF),
        (b"\x0a\xff\xff\xff\xff\x0f", otlp.PROTOBUF),
        (b"{}", "text/html"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_with_a_sentence(body, content_type):
    with pytest.raises(Unreadable, match=r"\.$"):
        otlp.parse_traces(body, content_type)


def test_an_empty_request_is_fine():
    assert otlp.parse_traces(b"", otlp.PROTOBUF) == Parsed()
    assert otlp.parse_traces(b"{}", otlp.JSON) == Parsed()


def test_one_span_with_invalid_utf8_is_rejected_alone_in_protobuf():
    body = as_protobuf(as_json({"name": "good"}, {"name": "bad-one"}, {"name": "fine"})).replace(
        b"bad-one", b"bad\xff\xfe-x"
    )
    parsed = otlp.parse_traces(body, otlp.PROTOBUF)
    assert [span.name for span in parsed.spans] == ["good", "fine"]
    assert "UTF-8" in parsed.rejected[0].why


def test_invalid_utf8_in_json_is_shown_replaced():
    body = json.dumps(as_json({"name": "bad-one"})).encode().replace(b"bad-one", b"bad\xff")
    assert otlp.parse_traces(body, otlp.JSON).spans[0].name == "bad\ufffd"


@both
def test_values_nested_too_deep_do_not_stop_the_others(encoding):
    deep: object = "x"
    for _ in range(60):
        deep = [deep]
    request = as_json({"name": "good"}, {"attributes": {}})
    request["resourceSpans"][0]["scopeSpans"][0]["spans"][1]["attributes"] = [
        {"key": "deep", "value": any_value(deep)},
        {"key": "gen_ai.input.messages", "value": {"stringValue": "[" * 900 + "]" * 900}},
    ]
    if encoding == "protobuf":
        message = ExportTraceServiceRequest()
        message.ParseFromString(as_protobuf(as_json({"name": "good"}, {})))
        value = message.resource_spans[0].scope_spans[0].spans[1].attributes.add(key="deep").value
        for _ in range(60):
            value = value.array_value.values.add()
        parsed = otlp.parse_traces(message.SerializeToString(), otlp.PROTOBUF)
        assert len(parsed.spans) + len(parsed.rejected) == 2
    else:
        parsed = parse(request, encoding)
        assert len(parsed.spans) == 2
    assert parsed.spans[0].name == "good"
    json.dumps([span.attributes for span in parsed.spans] + [span.input for span in parsed.spans])


def test_the_reply_names_the_first_reasons():
    parsed = parse(as_json({"trace_id": "ab"}, {"trace_id": "ab"}, {}))
    reply = ExportTraceServiceResponse.FromString(otlp.response(parsed, otlp.PROTOBUF))
    assert reply.partial_success.rejected_spans == 2
    assert reply.partial_success.error_message == "A trace id has 16 bytes; this one has 1."
    assert json.loads(otlp.response(parsed, otlp.JSON))["partialSuccess"]["rejectedSpans"] == "2"
    assert otlp.response(Parsed(), otlp.PROTOBUF) == b""
    assert otlp.response(Parsed(), otlp.JSON) == b"{}"


def test_evaluation_logs_become_signals_and_other_logs_are_passed_over():
    good = {
        "eventName": "gen_ai.evaluation.result",
        "traceId": TRACE,
        "spanId": SPAN,
        "timeUnixNano": str(START),
        "attributes": pairs({"gen_ai.evaluation.name": "tone", "gen_ai.evaluation.score.label": "rude"}),
    }
    bad = {**good, "attributes": pairs({"gen_ai.evaluation.name": "tone"})}
    lost = {**good, "traceId": ""}
    request = {
        "resourceLogs": [{"scopeLogs": [{"logRecords": [good, good, bad, lost, {"body": {"stringValue": "hi"}}]}]}]
    }
    parsed = otlp.parse_logs(json.dumps(request).encode(), otlp.JSON)
    one, again = parsed.signals
    assert (one.name, one.value, one.source, one.trace_id, one.span_id) == ("tone", "rude", "evaluator", TRACE, SPAN)
    assert one.id == again.id
    assert len(parsed.rejected) == 2
    reply = ExportLogsServiceResponse.FromString(otlp.response(parsed, otlp.PROTOBUF, logs=True))
    assert reply.partial_success.rejected_log_records == 2


def test_evaluation_logs_in_protobuf():
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    request = ExportLogsServiceRequest()
    record = (
        request.resource_logs.add()
        .scope_logs.add()
        .log_records.add(event_name="gen_ai.evaluation.result", trace_id=bytes.fromhex(TRACE), time_unix_nano=START)
    )
    record.attributes.add(key="gen_ai.evaluation.name").value.string_value = "tone"
    record.attributes.add(key="gen_ai.evaluation.score.value").value.double_value = 0.5
    [signal] = otlp.parse_logs(request.SerializeToString(), otlp.PROTOBUF).signals
    assert (signal.value, signal.trace_id, signal.span_id) == (0.5, TRACE, "")
    with pytest.raises(Unreadable):
        otlp.parse_logs(b"hello", otlp.PROTOBUF)


EVERYTHING = [
    span
    for name in ("genai", "openinference", "openllmetry", "langfuse_spans", "vercel")
    for span in payload(f"{name}.json")
]
SEEDS = {
    otlp.PROTOBUF: as_protobuf(as_json(*EVERYTHING)),
    otlp.JSON: json.dumps(as_json(*EVERYTHING)).encode(),
}
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(SEEDS)), st.data())
def test_mutated_bytes_raise_nothing_but_unreadable(content_type, data):
    body = bytearray(SEEDS[content_type])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(body) - 1))
        cut = data.draw(st.integers(0, 4))
        body[place : place + cut] = data.draw(st.binary(max_size=4))
    try:
        parsed = otlp.parse_traces(bytes(body), content_type)
    except Unreadable:
        return
    json.dumps([[span.input, span.output, span.attributes, span.events] for span in parsed.spans], allow_nan=False)
    otlp.response(parsed, content_type)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(EVERYTHING), junk, st.data())
def test_any_value_under_any_known_key_is_survived(span, value, data):
    key = data.draw(st.sampled_from(sorted(span["attributes"])))
    as_text = json.dumps(value)
    for put in (value, as_text):
        request = as_json(span)
        item = request["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
        item["attributes"] = [pair for pair in item["attributes"] if pair["key"] != key]
        item["attributes"].append({"key": key, "value": {"stringValue": put} if put is as_text else any_value(put)})
        [record] = otlp.parse_traces(json.dumps(request).encode(), otlp.JSON).spans
        json.dumps([record.input, record.output, record.documents, record.attributes], allow_nan=False)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["resourceSpans", "scopeSpans", "spans", "attributes", "events", "status", "resource"]), junk)
def test_any_json_in_any_place_is_survived(field, value):
    request = json.dumps(as_json({"attributes": {"a": 1}, "events": [{"name": "e"}]}))
    tree = json.loads(request, object_hook=lambda node: {**node, field: value} if field in node else node)
    try:
        otlp.parse_traces(json.dumps(tree).encode(), otlp.JSON)
    except Unreadable:
        assert field == "resourceSpans"


@pytest.mark.skipif(not DATA, reason="WHETSTONE_DATA is not set")
@pytest.mark.parametrize(("folder", "traces", "spans"), [("otlp", 785, 16_904), ("otlp_full_history", 100, None)])
def test_the_benchmark_traffic_comes_in_whole(folder, traces, spans):
    seen: set[str] = set()
    ids: set[tuple[str, str]] = set()
    kinds: dict[str, int] = {}
    for path in sorted(Path(DATA, folder).glob("*.gz")):
        parsed = otlp.parse_traces(gzip.decompress(path.read_bytes()), otlp.JSON)
        assert not parsed.rejected
        for span in parsed.spans:
            seen.add(span.trace_id)
            ids.add((span.trace_id, span.span_id))
            kinds[span.kind] = kinds.get(span.kind, 0) + 1
            assert span.start
            assert span.environment == "production"
            assert span.kind != "llm" or (span.model and (span.input or span.error))
            assert span.kind != "tool" or (span.tool and span.output is not None)
    assert len(seen) == traces
    assert spans is None or len(ids) == spans
    assert set(kinds) == {"agent", "llm", "tool"}
