"""The OpenTelemetry SDK: only its endpoint and headers are set, as its documentation says."""

import gzip
import time
from threading import Thread

import pytest

from issues import pressure
from issues.models import Pending, Span, Trace
from tests.clients.conftest import assert_resending_changes_nothing

pytestmark = [pytest.mark.clients, pytest.mark.xdist_group("opentelemetry")]


def settings_for(url: str, secret: str, compression: str = "gzip") -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": url,
        "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer%20{secret}",
        "OTEL_EXPORTER_OTLP_COMPRESSION": compression,
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=production,service.version=2.4.1",
        "OTEL_SERVICE_NAME": "support",
    }


@pytest.mark.parametrize("compression", ["gzip", "none"])
def test_conversation_arrives_whole_and_a_retry_adds_nothing(run_client, relay, stored, shop, keys, compression):
    sent = run_client("opentelemetry", "otel_app", **settings_for(relay.url, keys[1], compression))
    assert sent["flushed"]
    export = relay.stored()[0]
    assert (export.path, export.headers["content-type"]) == ("/v1/traces", "application/x-protobuf")
    assert ("content-encoding" in export.headers) == (compression == "gzip")
    assert len([done for done in relay.passed if done.path == "/v1/traces"]) == 2, "the answer was lost once"

    found = stored(sent["trace"])
    trace = found.trace
    assert (trace.name, trace.spans, trace.errors) == ("invoke_agent support", 5, 1)
    assert (trace.session, trace.user) == ("conversation-1", "user-1")
    assert (trace.environment, trace.release) == ("production", "2.4.1")
    assert (trace.input_tokens, trace.output_tokens) == (130, 22)
    assert (trace.model_names, trace.prompts) == (["small-1"], ["support/answer@7"])
    assert trace.tools == ["lookup_order", "send_mail"]
    assert (trace.input, trace.output) == ("Where is order 1047?", "It is on its way.")

    root = found.named("invoke_agent support")
    assert (root.kind, root.status) == ("agent", "ok")
    assert root.content["attributes"]["shop.basket"] == 3
    assert {found.parent(span) for span in found.spans.values() if span is not root} == {root.name}

    first, second = found.spans[sent["first"]], found.spans[sent["second"]]
    assert (first.kind, first.finish_reason, first.input_tokens) == ("llm", "tool_calls", 50)
    assert first.content["input"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Where is order 1047?"},
    ]
    assert first.content["output"][0]["tool_calls"] == [
        {"id": "call_1", "name": "lookup_order", "arguments": {"order": "1047"}}
    ]
    assert [message["role"] for message in second.content["input"]] == ["system", "user", "assistant", "tool"]
    assert second.content["input"][-1]["tool_call_id"] == "call_1"
    assert second.finish_reason == "stop"

    tool = found.named("execute_tool lookup_order")
    assert (tool.kind, tool.tool, tool.status) == ("tool", "lookup_order", "")
    assert (tool.content["input"], tool.content["output"]) == ({"order": "1047"}, {"status": "shipped"})
    failed = found.named("execute_tool send_mail")
    assert (failed.kind, failed.status) == ("tool", "error")
    assert "The mail server did not answer." in failed.error

    assert_resending_changes_nothing(relay, shop)


def test_evaluation_sent_with_the_log_exporter_is_a_signal_of_its_trace(run_client, relay, stored, shop, keys):
    sent = run_client("opentelemetry", "otel_app", **settings_for(relay.url, keys[1]))
    signal = stored(sent["trace"]).signals["helpfulness"]
    assert (signal.number, signal.comment) == (0.75, "It answers the question.")
    log = next(done for done in relay.passed if done.path == "/v1/logs")
    assert b"helpfulness" in gzip.decompress(log.body)


def test_full_intake_makes_the_exporter_wait_and_its_retry_brings_everything(
    run_client, relay, stored, shop, keys, settings
):
    relay.lossy = False
    settings.INTAKE_PENDING_LIMIT = 2
    Pending.objects.bulk_create([Pending(project=shop, trace_id=str(number), step="seen") for number in range(3)])
    pressure.forget()

    def make_room() -> None:
        while not relay.passed:
            time.sleep(0.02)
        settings.INTAKE_PENDING_LIMIT = 10**6

    waiter = Thread(target=make_room, daemon=True)
    waiter.start()
    sent = run_client("opentelemetry", "otel_app", **settings_for(relay.url, keys[1]))
    waiter.join(10)
    pressure.forget()
    assert [done.status for done in relay.passed if done.path == "/v1/traces"] == [429, 200]
    assert stored(sent["trace"]).trace.spans == 5


def test_wrong_key_is_refused_and_the_exporter_says_so(run_client, relay, shop):
    sent = run_client("opentelemetry", "otel_app", **settings_for(relay.url, "wk_live_wrong"))
    assert {done.status for done in relay.passed} == {401}
    assert all(b"unknown or revoked" in done.answer for done in relay.passed)
    assert "Failed to export spans batch code: 401, reason: Unauthorized" in sent["said"]
    assert not Trace.objects.exists()
    assert not Span.objects.exists()


def test_revoked_key_is_refused_like_an_unknown_one(run_client, relay, stored, shop, keys):
    shop.api_keys.update(revoked_at="2026-01-01T00:00:00Z")
    run_client("opentelemetry", "otel_app", **settings_for(relay.url, keys[1]))
    assert {done.status for done in relay.passed} == {401}
    assert not Trace.objects.exists()
