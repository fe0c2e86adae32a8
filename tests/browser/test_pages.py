"""Every page of the product, found through its own addresses: axe, both themes, both sizes, no complaints."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from reviewer.models import Membership, Project, User
from reviewer.passwords import reset_link
from reviewer.urls import urlpatterns
from tests import make, make_traces
from tests.browser.look import faults

NOT_FOR_EYES = {"healthz", "readyz"}
"""Addresses for machines; API addresses are left out by their namespace."""


def pages(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    """Every named address outside a namespace: later pages join by being in urls.py."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            if pattern.name and pattern.name not in NOT_FOR_EYES:
                yield pattern
        elif not pattern.namespace:
            yield from pages(pattern.url_patterns)


PAGES = {str(pattern.name): pattern for pattern in pages(urlpatterns)}


@pytest.fixture
def examples(shop: Project, elsewhere: Project, priya: User, amara: User, jonas: User) -> dict[str, Any]:
    """A value for every parameter that an address of ours has. A new parameter needs a line here."""
    Membership.objects.create(project=elsewhere, user=priya, role="viewer")
    key, _ = make.key(shop, name="Production, the web chat and everything else that talks to customers")
    invited, path = make.invitation(shop, priya)
    reset = urlsplit(reset_link(amara)).path.split("/")
    return {
        "project": shop.slug,
        "page": "roles",
        "role": "admin",
        "membership": amara.memberships.get().pk,
        "invitation": invited.pk,
        "key": key.pk,
        "signal": make_traces.signal_name(shop).pk,
        "trace_id": make_traces.conversation(shop, long=True),
        "session": "s-1",
        "uid": reset[-2],
        "token": reset[-1],
        "invitation_token": path.split("/")[-1],
        "rest": "nothing",
    }


def address(name: str, examples: dict[str, Any]) -> str:
    values = dict(examples)
    if name == "invitation":
        values["token"] = values["invitation_token"]
    return reverse(name, kwargs={key: values[key] for key in _parameters(name)})


def _parameters(name: str) -> list[str]:
    inside = ["project"] if name in {str(p.name) for p in _project_pages()} else []
    return [*inside, *PAGES[name].pattern.converters]


def _project_pages() -> Iterator[URLPattern]:
    for pattern in urlpatterns:
        if isinstance(pattern, URLResolver) and "project" in pattern.pattern.converters:
            yield from pages(pattern.url_patterns)


def is_page(client: Client, path: str) -> bool:
    """A page is what answers a plain GET with HTML; addresses that only take forms are no pages."""
    response = client.get(path)
    return response.status_code == 200 and response["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_has_no_faults_for_an_admin(name, visit, priya, examples, trouble, as_priya, settings):
    settings.DEBUG = name == "components"
    path = address(name, examples)
    if is_page(as_priya, path):
        assert faults(visit(path, priya)) == []
        assert trouble == []


@pytest.mark.parametrize("name", sorted(n for n, p in PAGES.items() if not getattr(p.callback, "login_required", True)))
def test_open_page_has_no_faults_for_nobody(name, visit, examples, trouble, client, settings):
    settings.DEMO = True
    path = address(name, examples)
    if is_page(client, path):
        assert faults(visit(path)) == []
        assert trouble == []


@pytest.mark.parametrize("query", ["?toast", ""])
def test_components_with_and_without_toasts(query, visit, priya, trouble, settings):
    settings.DEBUG = True
    assert faults(visit("/components" + query, priya)) == []
    assert trouble == []


@pytest.mark.parametrize("path", ["/nowhere", "/p/fernwood/settings/keys", "/p/elsewhere"])
def test_refusals_have_no_faults(path, visit, jonas, elsewhere):
    assert faults(visit(path, jonas)) == []


def test_a_project_without_anything_has_no_faults(visit, priya, shop, trouble):
    quiet = ("/traces", "/connect", "/settings/signals", "/settings/intake")
    for path in ("", "/settings/people", "/settings/keys", "/settings/audit", "/jump?q=zzzz", *quiet):
        assert faults(visit(f"/p/{shop.slug}{path}", priya)) == []
    assert trouble == []
