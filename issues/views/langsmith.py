"""What the LangSmith SDK calls: what the server can do, runs in parts or batches, feedback."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from issues.protocols import langsmith
from issues.protocols.jsontext import read_body
from issues.receive import receive
from issues.record import Parsed
from issues.views.ingest import intake_door
from reviewer.models import ApiKey


def answer(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """An error as the SDK reads it."""
    return JsonResponse({"detail": sentence}, status=status)


@login_not_required
@csrf_exempt
@require_safe
def langsmith_info(request: HttpRequest) -> HttpResponse:
    """Read by the client before its first run, without a key."""
    return JsonResponse(langsmith.INFO)


def _taking(parse: Callable[[bytes, HttpRequest], Parsed]) -> Callable[..., HttpResponse]:
    @wraps(parse)
    def take(request: HttpRequest, key: ApiKey, body: bytes, **_: Any) -> HttpResponse:
        parsed = parse(body, request)
        receive(key.project_id, parsed)
        told = [rejected.why for rejected in parsed.rejected]
        if told and not parsed.spans and not parsed.signals:
            return answer(request, 422, told[0])
        return JsonResponse({"message": "Accepted", "errors": told}, status=202)

    return take


@intake_door(answer)
@_taking
def langsmith_multipart(body: bytes, request: HttpRequest) -> Parsed:
    """`POST /runs/multipart`, what the SDK does by default."""
    return langsmith.runs_multipart(langsmith.parse_multipart(body, request.headers.get("Content-Type", "")))


@intake_door(answer)
@_taking
def langsmith_batch(body: bytes, request: HttpRequest) -> Parsed:
    """`POST /runs/batch`."""
    return langsmith.runs_batch(read_body(body))


@intake_door(answer)
@_taking
def langsmith_feedback(body: bytes, request: HttpRequest) -> Parsed:
    """`POST /feedback`."""
    return langsmith.feedback(read_body(body))
