"""For load balancers and supervisors: does the process live, can the instance work. Open to all."""

from dataclasses import asdict

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from reviewer import readiness


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is looked at."""
    return HttpResponse("alive\n", content_type="text/plain")


@login_not_required
@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Everything the product needs, one by one; 503 when something is missing."""
    checks = readiness.look()
    ready = all(check.ok for check in checks.values())
    order = ("database", "migrations", "broker", "worker", "queue")
    body = {"ready": ready, "checks": {name: asdict(checks[name]) for name in order}}
    return JsonResponse(body, status=200 if ready else 503, json_dumps_params={"indent": 1, "ensure_ascii": False})
