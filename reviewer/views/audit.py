"""The audit log, for admins."""

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from reviewer import trail
from reviewer.http import ProjectRequest, in_project

FILTERS = ("who", "verb", "kind")


@in_project("read_audit")
@require_safe
def audit_log(request: ProjectRequest) -> HttpResponse:
    """Filters are in the address, so that a view of the log can be sent to a colleague."""
    chosen = {name: request.GET.get(name, "").replace("\x00", "")[:60] for name in FILTERS}
    before = request.GET.get("before", "")
    page = trail.page_of(trail.rows_of(request.project, **chosen), before=before)
    older = QueryDict(mutable=True)
    older.update({name: value for name, value in chosen.items() if value})
    newest = older.urlencode()
    older["before"] = str(page.older)
    context = {
        "rows": page.rows,
        "older": f"?{older.urlencode()}" if page.older else "",
        "newer": f"?{newest}" if before else "",
        "shown": f"{len(page.rows)} lines" + (", from further back" if before else ""),
        "filtered": any(chosen.values()),
        "nobody": trail.NOBODY,
        **chosen,
        **trail.choices(request.project),
    }
    template = (
        "reviewer/audit_log.html#rows" if request.htmx and not request.htmx.boosted else "reviewer/audit_log.html"
    )
    return render(request, template, context)
