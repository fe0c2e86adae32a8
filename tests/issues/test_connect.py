"""Getting started: snippets, a key shown once, the wait for the first trace."""

from html import unescape

from reviewer.http import authenticate_key
from reviewer.models import ApiKey, Audit
from tests.make_traces import trace

URL = "/p/fernwood/connect"
POLL = {"HX-Request": "true", "HX-Target": "waiting"}


def test_the_snippets_hold_the_real_address(as_jonas, shop, settings):
    settings.PUBLIC_URL = "https://whetstone.fernwood.example/"
    page = unescape(as_jonas.get(URL).content.decode())
    assert "OTEL_EXPORTER_OTLP_ENDPOINT=https://whetstone.fernwood.example\n" in page
    assert 'endpoint="https://whetstone.fernwood.example/v1/traces"' in page
    assert "LANGFUSE_HOST=https://whetstone.fernwood.example\n" in page
    assert "LANGSMITH_ENDPOINT=https://whetstone.fernwood.example\n" in page
    assert "curl https://whetstone.fernwood.example/api/v1/traces" in page


def test_a_key_made_here_stands_in_every_snippet_this_once(as_priya, shop, rf):
    assert as_priya.post(URL + "/key").url == URL
    response = as_priya.get(URL)
    new = response.context["new"]
    page = unescape(response.content.decode())
    assert f"authorization=Bearer%20{new['secret']}" in page
    assert f"LANGFUSE_PUBLIC_KEY={new['public']}" in page
    assert page.count(new["secret"]) >= 6
    assert "no-store" in response["Cache-Control"]
    key = authenticate_key(rf.post("/v1/traces", headers={"Authorization": f"Bearer {new['secret']}"}), "ingest")
    assert (key.project, key.scopes) == (shop, ["ingest"])
    assert new["secret"] not in as_priya.get(URL).content.decode()


def test_asking_whether_a_trace_came_does_not_use_up_the_secret(as_priya, shop):
    as_priya.post(URL + "/key")
    as_priya.get(URL, headers=POLL)
    assert as_priya.get(URL).context["new"]


def test_making_a_key_is_in_the_audit_log(as_priya, shop, priya):
    as_priya.post(URL + "/key")
    assert Audit.objects.get(verb="created the key").actor == priya


def test_others_are_told_whom_to_ask(as_jonas, shop, priya):
    page = as_jonas.get(URL).content.decode()
    assert "Priya Raman" in page
    assert URL + "/key" not in page
    assert as_jonas.post(URL + "/key").status_code == 403
    assert not ApiKey.objects.exists()


def test_the_line_waits_and_then_offers_the_trace(as_jonas, shop):
    waiting = as_jonas.get(URL, headers=POLL)
    assert b"Waiting for your first trace" in waiting.content
    assert b'hx-trigger="every 2s"' in waiting.content
    assert b"<html" not in waiting.content
    trace(shop, "first")
    received = as_jonas.get(URL, headers=POLL)
    assert b"Received" in received.content
    assert b"/p/fernwood/traces/first" in received.content
    assert b"hx-trigger" not in received.content
    assert b"Received" in as_jonas.get(URL).content


def test_home_leads_here(as_priya, shop):
    assert URL in as_priya.get("/p/fernwood").content.decode()
