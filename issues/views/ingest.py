"""The doors for applications: each protocol's address, its own words for errors, one way in.

A view here authenticates the key, asks whether there is room, reads the body within its limits, lets the
protocol's module parse it and hands it to `receive`. The answer is sent when everything is committed.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from issues import pressure
from issues.protocols import otlp
from issues.receive import receive
from issues.record import Unreadable
from issues.views.body import BadBody, read_body
from reviewer.http import BadKey, authenticate_key
from reviewer.models import ApiKey

log = logging.getLogger(__name__)

Answer = Callable[[HttpRequest, int, str], HttpResponse]
View = Callable[..., HttpResponse]


def intake_door(answer: Answer, scope: str = "ingest") -> Callable[[View], View]:
    """Guard an intake view: `view(request, key, body, ...)` is called with a good key and a readable body."""

    def decorate(view: View) -> View:
        @login_not_required
        @csrf_exempt
        @require_POST
        @wraps(view)
        def guarded(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            try:
                key = authenticate_key(request, scope)
                if pressure.too_high():
                    return busy(answer(request, 429, "The intake is full; send this again in a moment."))
                return view(request, key, read_body(request), **kwargs)
            except BadKey as error:
                response = answer(request, error.status, str(error))
                if error.status == 401:
                    response["WWW-Authenticate"] = 'Basic realm="Whetstone"'
                return response
            except BadBody as error:
                return answer(request, error.status, str(error))
            except Unreadable as error:
                return answer(request, 400, str(error))
            except OperationalError as error:
                log.warning("The intake could not reach the database: %s", error)
                return busy(answer(request, 503, "The database cannot be reached; send this again in a moment."))

        return guarded

    return decorate


def busy(response: HttpResponse) -> HttpResponse:
    response["Retry-After"] = str(pressure.RETRY_AFTER)
    return response


def otlp_answer(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """An error as OTLP wants it: a google.rpc.Status in the request's encoding."""
    try:
        as_json = otlp.is_json(request.content_type or "")
    except Unreadable:
        as_json = True
    if as_json:
        return JsonResponse({"code": status, "message": sentence}, status=status)
    return HttpResponse(otlp.status_message(sentence), status=status, content_type=otlp.PROTOBUF)


@intake_door(otlp_answer)
def otlp_traces(request: HttpRequest, key: ApiKey, body: bytes) -> HttpResponse:
    """`POST /v1/traces`, protobuf or JSON."""
    return _otlp(request, key, otlp.parse_traces(body, request.content_type or ""), logs=False)


@intake_door(otlp_answer)
def otlp_logs(request: HttpRequest, key: ApiKey, body: bytes) -> HttpResponse:
    """`POST /v1/logs`: evaluation events; other log records are accepted and not kept."""
    return _otlp(request, key, otlp.parse_logs(body, request.content_type or ""), logs=True)


def _otlp(request: HttpRequest, key: ApiKey, parsed: Any, *, logs: bool) -> HttpResponse:
    receive(key.project_id, parsed)
    kind = request.content_type or otlp.PROTOBUF
    return HttpResponse(
        otlp.response(parsed, kind, logs=logs), content_type=otlp.JSON if otlp.is_json(kind) else otlp.PROTOBUF
    )
