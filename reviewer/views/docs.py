"""The documentation inside the product: open to all, since one may need it before one can sign in."""

from collections.abc import Iterable

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from reviewer import handbook
from reviewer.jump import Place, register
from reviewer.models import Membership


@login_not_required
@require_safe
def docs_index(request: HttpRequest) -> HttpResponse:
    return render(request, "docs/index.html", {"parts": handbook.parts()})


@login_not_required
@require_safe
def docs_page(request: HttpRequest, page: str) -> HttpResponse:
    found = handbook.pages().get(page)
    if found is None:
        raise Http404("The documentation has no such page.")
    return render(request, "docs/page.html", {"page": found, "parts": handbook.parts()})


@login_not_required
@require_safe
def docs_search(request: HttpRequest) -> HttpResponse:
    query = " ".join(request.GET.get("q", "").split())[:100]
    template = "docs/search.html#hits" if request.htmx else "docs/search.html"  # type: ignore[attr-defined]
    return render(request, template, {"query": query, "hits": handbook.search(query), "parts": handbook.parts()})


@register("Help")
def _help(membership: Membership, text: str) -> Iterable[Place]:
    """The documentation's place in the palette."""
    for hit in handbook.search(text):
        page, _, anchor = hit.path.partition("#")
        yield Place(hit.title, reverse("docs_page", args=[page]) + (f"#{anchor}" if anchor else ""), hit.hint)
