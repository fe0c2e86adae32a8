"""The JSON API: typed operations, one kind of error, keys as the only way in.

A session's cookie never opens it, so it needs no CSRF token. Every error is `{"error": "<sentence>"}`.
The apps add their routers in `urls.py`, before `urls()` is called.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.decorators import login_not_required
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from ninja.security.base import AuthBase

from reviewer import __version__
from reviewer.http import BadKey, authenticate_key
from reviewer.models import ApiKey


class Key(AuthBase):
    """A live API key with the scope; without one named, any live key."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = "The secret of an API key, made under Settings, API keys."

    def __init__(self, scope: str | None = None) -> None:
        self.scope = scope
        super().__init__()

    def __call__(self, request: HttpRequest) -> ApiKey:
        return authenticate_key(request, self.scope)


class KeyRequest(HttpRequest):
    """A request that came in with a key."""

    auth: ApiKey


api = NinjaAPI(
    title="Whetstone",
    version=__version__,
    description='Everything an application may do with its key. Errors are one sentence: `{"error": "…"}`.',
    docs_url=None,  # its page needs inline scripts, which our policy forbids
    auth=Key(),
    urls_namespace="api",
)


class Problem(Schema):
    error: str


class KeyFacts(Schema):
    project: str
    project_name: str
    name: str
    public: str
    scopes: list[str]


@api.get("/key", response={200: KeyFacts, 401: Problem}, url_name="key", summary="What this key is and may do")
def read_key(request: HttpRequest) -> dict[str, Any]:
    key = cast(KeyRequest, request).auth
    return {
        "project": key.project.slug,
        "project_name": key.project.name,
        "name": key.name,
        "public": key.public,
        "scopes": key.scopes,
    }


# --- errors ---------------------------------------------------------------------------------------


def problem(status: int, sentence: str, **headers: str) -> JsonResponse:
    return JsonResponse({"error": sentence}, status=status, headers=headers)


@api.exception_handler(BadKey)
def _bad_key(request: HttpRequest, error: BadKey) -> HttpResponse:
    response = problem(error.status, str(error))
    if error.status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="Whetstone"'
    return response


@api.exception_handler(ValidationError)
def _not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    where = [(".".join(str(part) for part in item["loc"][1:]), item["msg"]) for item in error.errors]
    return problem(422, "; ".join(f"{name}: {message}" if name else message for name, message in where))


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    waits = {"Retry-After": "2"} if error.status_code in {429, 503} else {}
    return problem(error.status_code, str(error), **waits)


@api.exception_handler(OperationalError)
def _away(request: HttpRequest, error: OperationalError) -> HttpResponse:
    return problem(503, "The database cannot be reached; send this again in a moment.", **{"Retry-After": "2"})


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, "There is no such thing in this project.")


@login_not_required
@csrf_exempt
def no_such_address(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Anything below /api/ that nothing answers, said in JSON."""
    return problem(404, f"There is nothing at {request.path}. The addresses are in /api/v1/openapi.json.")


def urls() -> tuple[list[URLPattern], str, str]:
    """The addresses below /api/v1/, for `path()`: keys guard them, not the sign-in page."""
    patterns, app, namespace = cast(tuple[list[URLPattern], str, str], api.urls)
    for pattern in patterns:
        pattern.callback = _in_json(pattern.callback)
    return [*patterns, path("<path:rest>", no_such_address, name="no_such_address")], app, namespace


def _in_json(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @login_not_required
    @csrf_exempt
    @wraps(view)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, **kwargs)
        except Http404:
            return no_such_address(request)
        if response.status_code == 405:
            return problem(405, f"This address does not take {request.method}.", Allow=response["Allow"])
        return response

    return answer
