"""Chromium for the tests that need a browser: found on this machine, started once for the run."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client, override_settings
from playwright.sync_api import BrowserContext, Page, ViewportSize

from reviewer.models import User

# Playwright's synchronous interface runs an event loop in this thread; Django would refuse the database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

HERE = Path(__file__).parent
MISSING = "No Chromium found. Get one with `apt-get install chromium`, or name yours in PLAYWRIGHT_CHROMIUM."
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE: ViewportSize = {"width": 1440, "height": 900}
MIDDLE: ViewportSize = {"width": 1000, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(autouse=True, scope="session")
def _static_from_source() -> Iterator[None]:
    """The live server outlives single tests: let it look for static files itself, none are collected."""
    with override_settings(WHITENOISE_AUTOREFRESH=True, WHITENOISE_USE_FINDERS=True):
        yield


@pytest.fixture(scope="session")
def base_url() -> None:
    """Each test has a server of its own; the plugin's fixture of this name would warn, and warnings are errors."""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    path = os.environ.get("PLAYWRIGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return {**browser_type_launch_args, "executable_path": path, "args": ARGS}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": WIDE, "reduced_motion": "reduce"}


@pytest.fixture
def trouble(page: Page) -> list[str]:
    """What the browser complained about: script errors, refused styles, answers that failed."""
    heard: list[str] = []
    page.on("console", lambda said: heard.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


def sign_in(context: BrowserContext, user: User, address: str) -> None:
    """Give the browser a session of this person, without the form."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    host = urlsplit(address).hostname or ""
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "domain": host, "path": "/"}])


@pytest.fixture
def visit(page: Page, live_server: Any, context: BrowserContext) -> Callable[..., Page]:
    """Open a path, as a person or as nobody."""

    def go(path: str, user: User | None = None) -> Page:
        if user is not None:
            sign_in(context, user, live_server.url)
        page.goto(live_server.url + path)
        return page

    return go
