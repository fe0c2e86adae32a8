"""One trace: the conversation, its steps on a time line, and the step somebody looks at."""

from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from issues.models import Trace
from issues.reading import talk
from issues.reading.detail import open_step
from issues.reading.directions import directions_of
from issues.reading.steps import Step, telling_step
from issues.reading.trace import bodies_of, signals_of, steps_of
from reviewer.http import ProjectRequest, in_project

ROWS = 300
"""Steps of the tree that are drawn at once."""


@in_project("read")
@require_safe
def trace(request: ProjectRequest, trace_id: str) -> HttpResponse:
    """The whole page; for htmx the opened step alone, or the next rows of the tree."""
    query = Trace.objects.filter(project=request.project).defer("search")
    found = get_object_or_404(query, trace_id=trace_id.replace("\x00", ""))
    steps = steps_of(found)
    rows = min(_number(request.GET.get("rows", "")) or ROWS, len(steps))
    context: dict[str, Any] = {"trace": found, "steps": steps[:rows], "step_count": len(steps), "rows": rows}
    if request.htmx and "after" in request.GET:
        after = _number(request.GET["after"])
        rows = min(after + ROWS, len(steps))
        return render(request, "issues/trace.html#steps", context | {"steps": steps[after:rows], "rows": rows})
    chosen = _chosen(steps, request.GET.get("step"))
    only_step = request.htmx and request.htmx.target == "step"
    spoken = [] if only_step or request.GET.get("as") else talk.speakers(steps)
    offset = _number(request.GET.get("turns", ""))
    heard = talk.affordable(spoken, offset)
    bodies = bodies_of(found, [step.span_id for step in (*heard, *([chosen] if chosen else []))])
    detail = open_step(chosen, bodies.get(chosen.span_id, {})) if chosen else None
    if detail and request.GET.get("as") == "json":
        return JsonResponse(detail.body, json_dumps_params={"indent": 2, "ensure_ascii": False})
    signals = signals_of(found, directions_of(request.project.pk))
    context |= {"detail": detail, "signals": signals, "chosen": chosen.span_id if chosen else ""}
    if only_step:
        return render(request, "issues/trace.html#step", context)
    context |= {
        "turns": talk.converse(heard, bodies),
        "turns_left": max(0, len(spoken) - offset - len(heard)),
        "turns_next": str(offset + len(heard)),
        "turns_skipped": min(offset, len(spoken)),
    }
    return render(request, "issues/trace.html", context)


def _chosen(steps: list[Step], span_id: str | None) -> Step | None:
    if not span_id:
        return telling_step(steps)
    found = next((step for step in steps if step.span_id == span_id), None)
    if found is None:
        raise Http404("This trace has no such step.")
    return found


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0
