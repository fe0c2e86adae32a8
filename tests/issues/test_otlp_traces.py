"""`POST /v1/traces` and `/v1/logs`: keys, encodings, limits, partial success, and nothing that answers 500."""

import gzip
import json
import zlib

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from issues import pressure
from issues.models import Pending, Signal, Span, Trace
from tests import make

TRACE = "5b8aa5a2d2c872e8321cf37308d69df2"


@pytest.fixture
def secret(shop) -> str:
    return make.key(shop)[1]


def request_with(*spans: dict) -> dict:
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"spans": list(spans)}]}]}


def one_span(span_id: str = "051581bf3cb55c13", **fields) -> dict:
    return {
        "traceId": TRACE,
        "spanId": span_id,
        "name": "chat small-1",
        "startTimeUnixNano": "1793809414761000000",
        "endTimeUnixNano": "1793809415761000000",
        "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}],
        **fields,
    }


def post(client, body, secret, content_type="application/json", path="/v1/traces", **headers):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(path, data, content_type, headers={"Authorization": f"Bearer {secret}", **headers})


def test_span_is_stored_when_the_answer_comes(client, shop, secret):
    reply = post(client, request_with(one_span()), secret)
    assert (reply.status_code, reply.json()) == (200, {})
    assert Span.objects.get(project=shop).kind == "llm"


def test_trailing_paths_of_other_clients_reach_the_same_door(client, shop, secret):
    assert post(client, request_with(one_span()), secret, path="/api/public/otel/v1/traces").status_code == 200
    assert Trace.objects.filter(project=shop).count() == 1


def test_bad_span_is_rejected_alone_and_named(client, shop, secret):
    reply = post(client, request_with(one_span(), one_span("abc")), secret)
    partial = reply.json()["partialSuccess"]
    assert int(partial["rejectedSpans"]) == 1
    assert partial["errorMessage"]
    assert Span.objects.filter(project=shop).count() == 1


@pytest.mark.parametrize(
    ("headers", "status", "words"),
    [
        ({"Authorization": ""}, 401, "Send an API key"),
        ({"Authorization": "Bearer wk_live_nothing"}, 401, "unknown or revoked"),
        ({"Authorization": "Basic !!!"}, 401, "base64"),
    ],
)
def test_without_a_good_key_nothing_is_stored(client, shop, secret, headers, status, words):
    reply = client.post("/v1/traces", json.dumps(request_with(one_span())), "application/json", headers=headers)
    assert reply.status_code == status
    assert words in reply.json()["message"]
    assert not Trace.objects.exists()


def test_key_without_the_scope_is_told_so(client, shop):
    other = make.key(shop, scopes=("api",))[1]
    reply = post(client, request_with(one_span()), other)
    assert reply.status_code == 403
    assert "ingest" in reply.json()["message"]


def test_sessions_cookie_opens_nothing(as_priya):
    assert as_priya.post("/v1/traces", "{}", "application/json").status_code == 401


def test_gzip_is_read_and_a_bomb_is_stopped_at_the_limit(client, shop, secret, settings):
    body = gzip.compress(json.dumps(request_with(one_span())).encode())
    assert post(client, body, secret, **{"Content-Encoding": "gzip"}).status_code == 200
    settings.INTAKE_MAX_BYTES = 2**20
    bomb = gzip.compress(b"[" * 50_000_000)
    reply = post(client, bomb, secret, **{"Content-Encoding": "gzip"})
    assert reply.status_code == 413
    assert "1 MB" in reply.json()["message"]


@pytest.mark.parametrize(
    ("body", "encoding", "status"),
    [
        (b"{", "", 400),
        (b"\xff\xfe", "", 400),
        (b"[" * 100_000, "", 400),
        (b"null", "", 400),
        (b'{"resourceSpans": 7}', "", 400),
        (b"not gzip", "gzip", 400),
        (gzip.compress(b"{}", mtime=0)[:-6], "gzip", 400),
        (zlib.compress(b"{}"), "deflate", 200),
        (b"{}", "br", 415),
    ],
)
def test_broken_bodies_get_a_sentence(client, shop, secret, body, encoding, status):
    headers = {"Content-Encoding": encoding} if encoding else {}
    reply = post(client, body, secret, **headers)
    assert reply.status_code == status, reply.content
    if status != 200:
        assert len(reply.json()["message"]) > 10


def test_unknown_content_type_is_refused(client, shop, secret):
    assert post(client, b"x", secret, "text/plain").status_code == 400


def test_broken_protobuf_is_answered_in_protobuf(client, shop, secret):
    reply = post(client, b"\x0a\xff\xff\xff", secret, "application/x-protobuf")
    assert reply.status_code == 400
    assert reply["Content-Type"] == "application/x-protobuf"
    assert reply.content[:1] == b"\x12"


def test_empty_protobuf_request_is_fine(client, shop, secret):
    reply = post(client, b"", secret, "application/x-protobuf")
    assert reply.status_code == 200
    assert ExportTraceServiceResponse.FromString(reply.content) == ExportTraceServiceResponse()


def test_get_is_refused(client):
    assert client.get("/v1/traces").status_code == 405


def test_full_queue_asks_to_wait_and_takes_the_retry(client, shop, secret, settings):
    settings.INTAKE_PENDING_LIMIT = 2
    Pending.objects.bulk_create([Pending(project=shop, trace_id=str(n), step="seen") for n in range(3)])
    pressure.forget()
    try:
        reply = post(client, request_with(one_span()), secret)
        assert (reply.status_code, reply["Retry-After"]) == (429, "2")
        Pending.objects.all().delete()
        pressure.forget()
        assert post(client, request_with(one_span()), secret).status_code == 200
    finally:
        pressure.forget()


def test_evaluation_event_in_a_log_becomes_a_signal_of_its_trace(client, shop, secret):
    record = {
        "timeUnixNano": "1793809416761000000",
        "traceId": TRACE,
        "spanId": "051581bf3cb55c13",
        "eventName": "gen_ai.evaluation.result",
        "attributes": [
            {"key": "gen_ai.evaluation.name", "value": {"stringValue": "relevance"}},
            {"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": 0.25}},
        ],
    }
    body = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}
    for _ in range(2):
        assert post(client, body, secret, path="/v1/logs").status_code == 200
    signal = Signal.objects.get(project=shop)
    assert (signal.name, signal.number, signal.trace_id) == ("relevance", 0.25, TRACE)


@pytest.mark.parametrize("moment", ["0", "1", "7258118400000000000", "18446744073709551615", "-5", "x"])
def test_impossible_times_are_kept_as_told_and_the_trace_gets_its_arrival(client, shop, secret, moment):
    reply = post(client, request_with(one_span(startTimeUnixNano=moment)), secret)
    assert reply.status_code == 200
    trace = Trace.objects.filter(project=shop).first()
    if trace:
        assert trace.started_at.year >= 2026
