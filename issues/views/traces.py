"""The trace list: every conversation the app had, filtered by its address."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from issues import filters as asked
from issues.directions import directions_of
from issues.over_time import count_over_time
from issues.search import any_trace, choices, page_of
from reviewer.http import ProjectRequest, in_project


@in_project("read")
@require_safe
def traces(request: ProjectRequest) -> HttpResponse:
    """The whole page; for htmx the rows alone, or the bars alone once all are counted."""
    project_id, now = request.project.pk, timezone.now()
    filters = asked.read_filters(request.GET)
    part = request.htmx and not request.htmx.boosted and not request.htmx.history_restore_request
    whole = request.GET.get("count") == "all"
    context: dict[str, Any] = {"filters": filters, "own_query": filters.query()}
    if part and whole:
        context["chart"] = count_over_time(project_id, filters, now=now, whole=True)
        context["too_many"] = context["chart"] is None
        return render(request, "issues/traces.html#chart", context)
    directions, offered = directions_of(project_id), choices(project_id, filters)
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    page = page_of(
        project_id, filters, now=now, directions=directions, before=before, after=after, unusual=offered.unusual
    )
    chart = count_over_time(project_id, filters, now=now, whole=whole, unusual=offered.unusual)
    context |= {
        "rows": page.rows,
        "metered": any(row.trace.tokens is not None or row.trace.cost is not None for row in page.rows),
        "chart": chart or (count_over_time(project_id, filters, now=now) if whole else None),
        "too_many": whole and chart is None,
        "older": filters.query(before=page.older) if page.older else "",
        "newer": filters.query(after=page.newer) if page.newer else "",
        "shown": _shown(len(page.rows), chart.sentence if chart else "", bool(before or after)),
        "none_yet": not page.rows and not (before or after) and any_trace(project_id) is None,
    }
    if part:
        response = render(request, "issues/traces.html#rows", context)
        response["HX-Push-Url"] = request.path + filters.query()
        return response
    context |= {"directions": directions, "offered": offered, "ranges": asked.RANGES}
    return render(request, "issues/traces.html", context | {"traffic": asked.TRAFFIC, "between": asked.BETWEEN})


def _shown(rows: int, sentence: str, further: bool) -> str:
    if not rows:
        return ""
    return f"{rows} of {sentence}" + (", from further back" if further else "") if sentence else f"{rows} traces"
