"""The trace list: every conversation the app had, filtered by its address."""

from typing import Any
from urllib.parse import quote

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from issues.reading import filters as asked
from issues.reading.addresses import address
from issues.reading.directions import directions_of
from issues.reading.over_time import count_over_time
from issues.reading.search import Found, Listed, any_trace, choices, page_of
from issues.templatetags.telemetry import line, money, took
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
        "rows": _lines(request, page.rows),
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


def _lines(request: ProjectRequest, rows: list[Found[Listed]]) -> list[dict[str, Any]]:
    """The rows in plain words. As dictionaries with ready addresses: the page looks up a thousand of these."""
    traces, sessions = (reverse(view, args=[request.project.slug, "x"])[:-1] for view in ("trace", "session"))
    return [
        {
            "at": row.trace.started_at,
            "url": traces + address(row.trace.trace_id),
            "asked": line(row.trace.asked or row.trace.name or row.trace.trace_id),
            "answered": line(row.trace.answered or row.trace.error or "No answer"),
            "failed": _failed(row.trace.errors),
            "run": row.trace.run,
            "who": row.trace.user or row.trace.session,
            "user": row.trace.user,
            "user_url": f"?user={quote(row.trace.user, safe='')}",
            "session": row.trace.session,
            "session_url": sessions + address(row.trace.session),
            "prompt": next(iter(row.trace.prompts), ""),
            "prompts": ", ".join(row.trace.prompts),
            "model": next(iter(row.trace.model_names), ""),
            "models": ", ".join(row.trace.model_names),
            "took": took(row.trace.seconds),
            "tokens": "–" if row.trace.tokens is None else f"{row.trace.tokens:,}",
            "cost": money(row.trace.cost),
            "signals": row.shown,
            "more": row.more,
        }
        for row in rows
    ]


def _failed(errors: int) -> str:
    return f"{errors:,} failed step{'' if errors == 1 else 's'}" if errors else ""


def _shown(rows: int, sentence: str, further: bool) -> str:
    if not rows:
        return ""
    return f"{rows} of {sentence}" + (", from further back" if further else "") if sentence else f"{rows} traces"
