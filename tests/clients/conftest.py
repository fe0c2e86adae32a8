"""How a test runs a client: the script in its environment, a relay before the product, the keys of the shop."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client, override_settings
from django.utils.html import escape

from issues.models import Signal, Span, Trace
from reviewer.models import Project
from tests import make
from tests.clients.environments import Offline, python_of
from tests.clients.relay import Relay

SCRIPTS = Path(__file__).resolve().parent / "scripts"
THEIRS = ("OTEL_", "LANGFUSE_", "LANGSMITH_", "LANGCHAIN_", "OPENAI_", "WHETSTONE_", "PYTEST_", "DJANGO_", "PYTHON")
Sent = dict[str, Any]
RunClient = Callable[..., Sent]


@pytest.fixture(autouse=True, scope="session")
def _no_static_files() -> Iterator[None]:
    """The live server outlives single tests and serves no pages here: no static files are collected for it."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture
def relay(live_server) -> Iterator[Relay]:
    """Remembers what the client sent; the product must not have failed on any of it."""
    with Relay(live_server.url, lossy=True) as relay:
        yield relay
    failed = [(done.path, done.status, done.answer[:300]) for done in relay.passed if done.status >= 500]
    assert not failed


@pytest.fixture
def keys(shop: Project) -> tuple[str, str]:
    """Public and secret."""
    key, secret = make.key(shop)
    return key.public, secret


@pytest.fixture
def run_client() -> RunClient:
    """Run `scripts/<script>.py` with the packages of `requirements/<packages>.txt`; it prints what it sent."""

    def run(packages: str, script: str, **environment: str) -> Sent:
        try:
            python = python_of(packages)
        except Offline as error:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"{error} These tests need the package index once.")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(THEIRS)}
        done = subprocess.run(
            [str(python), str(SCRIPTS / f"{script}.py")],
            env={**kept, "NO_PROXY": "*", "PYTHONDONTWRITEBYTECODE": "1", **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr[-4_000:]
        return json.loads(done.stdout.splitlines()[-1]) | {"said": done.stderr}

    return run


class Stored:
    """One trace as the API tells it."""

    def __init__(self, whole: Sent) -> None:
        self.trace = SimpleNamespace(**whole)
        self.spans = {step["span_id"]: SimpleNamespace(**step) for step in whole["steps"]}
        self.signals = {signal["name"]: SimpleNamespace(**signal) for signal in whole["signals"]}

    def named(self, name: str) -> Any:
        found = [span for span in self.spans.values() if span.name == name]
        assert len(found) == 1, f"{name} is not one of {[span.name for span in self.spans.values()]}"
        return found[0]

    def parent(self, span: Any) -> str:
        """The name of the step above."""
        return self.spans[span.parent_id].name if span.parent_id else ""


@pytest.fixture
def stored(client: Client, as_amara: Client, shop: Project) -> Callable[[str], Stored]:
    """The trace from the API; what it holds can also be read on the pages."""

    def read(trace_id: str) -> Stored:
        headers = {"Authorization": f"Bearer {make.key(shop, scopes=('api',))[1]}"}
        reply = client.get(f"/api/v1/traces/{trace_id}", headers=headers)
        assert reply.status_code == 200, reply.content
        whole = reply.json()
        page = as_amara.get(f"/p/{shop.slug}/traces/{trace_id}").content.decode()
        for words in (whole["name"], *whole["tools"], *(signal["name"] for signal in whole["signals"])):
            assert words in page
        assert trace_id in as_amara.get(f"/p/{shop.slug}/traces?range=all").content.decode()
        for step in whole["steps"]:
            page = as_amara.get(f"/p/{shop.slug}/traces/{trace_id}?step={step['span_id']}").content.decode()
            assert escape(step["error"]) in page
            assert step["model"] in page
        return Stored(whole)

    return read


def snapshot(project: Project) -> list[Any]:
    """Every row of the project's telemetry, for comparing before and after."""
    return [
        *Trace.objects.filter(project=project).order_by("trace_id").values_list(),
        *Span.objects.filter(project=project).order_by("trace_id", "span_id").values_list(),
        *Signal.objects.filter(project=project).order_by("key").values_list(),
    ]


def assert_resending_changes_nothing(relay: Relay, project: Project) -> None:
    """Every request is sent once more, the last first: rows, times of change and counts stay as they are."""
    before = snapshot(project)
    requests = relay.stored()
    assert requests
    for request in reversed(requests):
        assert relay.forward("POST", request.path, request.headers, request.body).status < 300
    assert snapshot(project) == before
