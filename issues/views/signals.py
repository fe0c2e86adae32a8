"""The signals of a project: which names there are, and which direction is good."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from issues import ruling
from issues.forms import DirectionForm
from issues.models import SignalName
from issues.reading.directions import MOST_NAMES, directions_of
from reviewer.http import ProjectRequest, in_project


@in_project("read")
@require_safe
def signals(request: ProjectRequest) -> HttpResponse:
    figures = ruling.signal_figures(request.project.pk, timezone.now())
    directions = directions_of(request.project.pk)
    names = list(SignalName.objects.filter(project=request.project).order_by("name")[:MOST_NAMES])
    unused: dict[str, Any] = {"count": 0, "average": None, "last": None, "words": []}
    kinds = dict(SignalName._meta.get_field("kind").flatchoices)
    rows = [
        {"name": name, "kind": kind, "kind_label": kinds[kind], **figures.get(name.name, unused)}
        for name in names
        for kind in [directions[name.name].kind if name.name in directions else name.kind]
    ]
    return render(request, "issues/signals.html", {"rows": rows})


@in_project("set_weights")
@require_POST
def change_direction(request: ProjectRequest, signal: int) -> HttpResponse:
    name = get_object_or_404(SignalName.objects.select_related("project"), project=request.project, pk=signal)
    form = DirectionForm(request.POST, name=name)
    if not form.is_valid():
        messages.error(request, "Choose which direction is good.")
    elif ruling.change_direction(name, values=form.cleaned_data, actor=request.user):
        messages.success(request, f"From now on “{name.name}” is read that way.")
    return redirect("signals", request.project.slug)
