"""What the Langfuse SDK calls besides OTLP: who the key belongs to, and scores in each generation's shape."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from issues.protocols import langfuse
from issues.protocols.jsontext import read_body
from issues.receive import receive
from issues.views.ingest import intake_door
from reviewer.http import BadKey, authenticate_key
from reviewer.models import ApiKey


def answer(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """An error as the SDK reads it."""
    return JsonResponse({"message": sentence, "error": sentence}, status=status)


@login_not_required
@csrf_exempt
@require_safe
def langfuse_projects(request: HttpRequest) -> HttpResponse:
    """`auth_check`: the key's one project."""
    try:
        key = authenticate_key(request, None)
    except BadKey as error:
        return answer(request, error.status, str(error))
    project = {"id": key.project.slug, "name": key.project.name, "metadata": {}}
    return JsonResponse({"data": [{**project, "organization": {"id": "whetstone", "name": "Whetstone"}}]})


@intake_door(answer)
def langfuse_ingestion(request: HttpRequest, key: ApiKey, body: bytes) -> HttpResponse:
    """A batch of SDK 3 and 4: each item succeeds or fails by itself."""
    parsed, successes, errors = langfuse.ingest(read_body(body))
    receive(key.project_id, parsed)
    return JsonResponse({"successes": successes, "errors": errors}, status=207)


@intake_door(answer)
def langfuse_scores(request: HttpRequest, key: ApiKey, body: bytes) -> HttpResponse:
    """Scores of SDK 5, a list or a single one."""
    parsed, errors = langfuse.scores(read_body(body))
    receive(key.project_id, parsed)
    if not errors:
        return JsonResponse({"message": "Accepted"}, status=202)
    counts = {"accepted": len(parsed.signals), "rejected": len(errors)}
    return JsonResponse({**counts, "errors": [{"message": sentence} for sentence in errors]}, status=207)
