"""An admin's page of API keys."""

from django.contrib import messages
from django.db.models import F
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from reviewer import keys as steps
from reviewer.forms import KeyForm
from reviewer.http import ProjectRequest, in_project
from reviewer.roles import SCOPES
from reviewer.views import once


@in_project("manage_keys")
@never_cache
@require_safe
def keys(request: ProjectRequest) -> HttpResponse:
    return _page(request, KeyForm())


def _page(request: ProjectRequest, form: KeyForm, status: int = 200) -> HttpResponse:
    every = request.project.api_keys.select_related("created_by")
    listed = list(every.order_by(F("revoked_at").desc(nulls_first=True), "-created_at"))
    live = [key for key in listed if key.revoked_at is None]
    context = {
        "form": form,
        "keys": listed,
        "revoking": next((key for key in live if str(key.pk) == request.GET.get("revoke")), None),
        "new": once.take(request, "key"),
        "scopes": SCOPES,
    }
    return render(request, "reviewer/keys.html", context, status=status)


@in_project("manage_keys")
@require_POST
def create_key(request: ProjectRequest) -> HttpResponse:
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    name, scopes = form.cleaned_data["name"], form.cleaned_data["scopes"]
    key, secret = steps.create_key(request.project, name=name, scopes=scopes, actor=request.user)
    once.keep(request, "key", {"name": key.name, "public": key.public, "secret": secret})
    return redirect("keys", request.project.slug)


@in_project("manage_keys")
@require_POST
def revoke_key(request: ProjectRequest, key: int) -> HttpResponse:
    found = get_object_or_404(request.project.api_keys.select_related("project"), pk=key)
    if steps.revoke_key(found, actor=request.user):
        messages.success(request, f"The key {found.name} no longer works.")
    return redirect("keys", request.project.slug)
