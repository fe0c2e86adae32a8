"""A session: the conversation across its traces, in the order it was had."""

from django.db.models import Count, Max, Min, Q, Sum
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from issues.models import Signal, Trace
from issues.reading.directions import directions_of, say
from issues.reading.search import with_signals
from reviewer.http import ProjectRequest, in_project

PAGE = 25


@in_project("read")
@require_safe
def session(request: ProjectRequest, session: str) -> HttpResponse:
    """Oldest first, as it was said; pages are cut by time."""
    project_id, name = request.project.pk, session.replace("\x00", "")
    every = Trace.objects.filter(project_id=project_id, session=name).exclude(session="")
    totals = every.aggregate(
        traces=Count("trace_id"), failed=Count("trace_id", filter=Q(errors__gt=0)), first=Min("started_at"),
        last=Max("ended_at"), cost=Sum("cost"), read=Sum("input_tokens"), wrote=Sum("output_tokens"), user=Max("user"),
    )  # fmt: skip
    if not totals["traces"]:
        raise Http404("No trace of this project belongs to such a session.")
    directions = directions_of(project_id)
    after = request.GET.get("after", "").replace("\x00", "")
    ordered = every.order_by("started_at", "trace_id").defer("search", "redacted")
    if start := every.filter(trace_id=after).values_list("started_at", flat=True).first() if after else None:
        ordered = ordered.filter(started_at__gte=start).exclude(started_at=start, trace_id__lte=after)
    found = list(ordered[: PAGE + 1])
    signals = Signal.objects.filter(project_id=project_id, session=name).exclude(session="").order_by("at", "id")
    context = {
        "name": name,
        "totals": totals,
        "tokens": (totals["read"] or 0) + (totals["wrote"] or 0),
        "turns": with_signals(project_id, found[:PAGE], directions),
        "older": found[PAGE - 1].trace_id if len(found) > PAGE else "",
        "further": bool(start),
        "signals": [say(signal, directions) for signal in signals.filter(trace_id="")[:100]],
    }
    return render(request, "issues/session.html", context)
