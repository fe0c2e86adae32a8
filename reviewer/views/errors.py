"""What people see when something is refused, missing or broken: a sentence, and a way on.

Machines that call the API get the same sentence as JSON. The page for our own failures (500) is drawn
without the database, because the database may be what failed.
"""

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from reviewer.http import UserRequest

API_PATHS = ("/api/", "/v1/")

BAD_REQUEST = "The browser sent something we cannot read. Go back, reload the page and try again."
FORBIDDEN = "Your role does not include this. Ask an admin of the project if you need it."
NOT_FOUND = "There is nothing at this address, or you are not a member of the project it belongs to."
SERVER_ERROR = "This is our fault, and it is in the log. Nothing you entered was saved; try again in a minute."
CSRF = "This page was open for too long, or you signed in elsewhere meanwhile. Go back, reload it and send it again."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The text of a refused request is Django's own and for the log, not for people."""
    return _answer(request, 400, "That request made no sense", BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 403, "You may not do this here", str(exception) or FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A sentence raised by our own code is shown; the resolver's own (a dict of patterns) is not."""
    given = exception.args[0] if isinstance(exception, Http404) and exception.args else ""
    return _answer(request, 404, "There is nothing here", given if isinstance(given, str) and given else NOT_FOUND)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _answer(request, 403, "The page is out of date", CSRF)


def server_error(request: HttpRequest) -> HttpResponse:
    """No context processors, no session, no user: only the template."""
    if _is_api(request):
        return JsonResponse({"error": SERVER_ERROR}, status=500)
    page = render_to_string("errors/500.html", {"code": 500, "title": "Something broke", "sentence": SERVER_ERROR})
    return HttpResponse(page, status=500)


def _answer(request: HttpRequest, code: int, title: str, sentence: str) -> HttpResponse:
    if _is_api(request):
        return JsonResponse({"error": sentence}, status=code)
    # Middleware may have failed before it knew the person; then the page stands alone.
    user = getattr(cast(UserRequest, request), "user", None)
    shell = "base.html" if user is not None and user.is_authenticated else "base_plain.html"
    context = {"code": code, "title": title, "sentence": sentence, "shell": shell}
    return render(request, "errors/error.html", context, status=code)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith(API_PATHS)
