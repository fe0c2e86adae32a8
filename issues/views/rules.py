"""What a project says about its intake: masking, retention, production; for admins."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from issues import receive, ruling
from issues.forms import IntakeForm, TryForm
from reviewer.http import ProjectRequest, in_project


@in_project("manage_people")
@require_http_methods(["GET", "HEAD", "POST"])
def intake_settings(request: ProjectRequest) -> HttpResponse:
    form = IntakeForm(request.POST) if request.method == "POST" else IntakeForm.of(receive.rules_of(request.project.pk))
    if form.is_valid():
        if ruling.change_rules(request.project, values=form.values(), actor=request.user):
            messages.success(request, "Saved. It holds for what arrives from now on.")
        return redirect("intake_settings", request.project.slug)
    return _page(request, {"form": form, "trying": TryForm()}, 422 if form.is_bound else 200)


@in_project("manage_people")
@never_cache
@require_POST
def try_masking(request: ProjectRequest) -> HttpResponse:
    """Show a text as it would be stored, by the rules in force. Nothing is kept."""
    rules = receive.rules_of(request.project.pk)
    trying = TryForm(request.POST)
    context: dict[str, Any] = {"form": IntakeForm.of(rules), "trying": trying}
    if trying.is_valid():
        masked, counts = receive.redactor_for(rules).text(trying.cleaned_data["text"])
        context |= {"masked": masked, "counts": sorted((counts or {}).items())}
    return _page(request, context, 200 if trying.is_valid() else 422)


def _page(request: ProjectRequest, context: dict[str, Any], status: int) -> HttpResponse:
    if request.htmx and request.htmx.target == "tried":
        return render(request, "issues/intake_settings.html#tried", context)
    context["lately"] = ruling.masked_lately(request.project.pk)
    context["looked_at"] = ruling.LOOKED_AT
    return render(request, "issues/intake_settings.html", context, status=status)
