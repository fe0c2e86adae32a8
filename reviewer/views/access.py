"""The way in and out: sign in, sign out, a forgotten password."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from reviewer import passwords, throttle
from reviewer.demo.accounts import DEMO_PEOPLE, demo_person
from reviewer.forms import ForgotForm, PasswordForm, SignInForm
from reviewer.http import client_address
from reviewer.refused import Refused
from reviewer.throttle import TooManyTries

page = require_http_methods(["GET", "HEAD", "POST"])


def next_address(request: HttpRequest) -> str:
    """Where the person was going, if that is here; never another site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else resolve_url(settings.LOGIN_REDIRECT_URL)


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@page
def sign_in(request: HttpRequest) -> HttpResponse:
    after, status = next_address(request), 200
    if request.user.is_authenticated:
        return redirect(after)
    form = SignInForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        email, address = form.cleaned_data["email"], client_address(request)
        try:
            throttle.admit("sign_in", email=email, address=address)
        except TooManyTries as error:
            return too_many(request, error)
        user = authenticate(request, email=email, password=form.cleaned_data["password"])
        if user is not None:
            throttle.forgive(email=email, address=address)
            login(request, user)
            return redirect(after)
        form.add_error(None, "The e-mail or the password is wrong.")
    if form.is_bound:
        status = 422
    context = {"form": form, "next": after, "demo_people": DEMO_PEOPLE if settings.DEMO else []}
    return render(request, "reviewer/sign_in.html", context, status=status)


def too_many(request: HttpRequest, error: TooManyTries) -> HttpResponse:
    response = render(request, "reviewer/too_many.html", {"sentence": error}, status=error.status)
    response["Retry-After"] = str(error.seconds)
    return response


@login_not_required
@require_POST
def sign_in_demo(request: HttpRequest, role: str) -> HttpResponse:
    """One click, in demo mode only; otherwise this address does not exist."""
    if not settings.DEMO or (user := demo_person(role)) is None:
        raise Http404("There is no such demo account.")
    login(request, user)
    return redirect(next_address(request))


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    after = request.POST.get("next")
    logout(request)
    return redirect(next_address(request) if after else "sign_in")


@login_not_required
@never_cache
@page
def forgot_password(request: HttpRequest) -> HttpResponse:
    """The answer is the same whether or not there is such an account."""
    form = ForgotForm(request.POST if request.method == "POST" else None)
    asked = settings.MAIL_WORKS and form.is_valid()
    if asked:
        try:
            throttle.admit("reset", email=form.cleaned_data["email"], address=client_address(request))
        except TooManyTries as error:
            return too_many(request, error)
        passwords.request_reset(form.cleaned_data["email"])
    context = {"form": form, "asked": form.cleaned_data["email"] if asked else ""}
    return render(request, "reviewer/forgot.html", context, status=422 if form.is_bound and not asked else 200)


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@page
def reset_password(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    try:
        user = passwords.person_behind(uid, token=token)
        form = PasswordForm(request.POST if request.method == "POST" else None, user=user)
        if form.is_valid():
            passwords.reset_password(uid, token=token, password=form.cleaned_data["password"])
            logout(request)
            messages.success(request, "Your password is changed. Sign in with the new one.")
            return redirect("sign_in")
    except Refused as error:
        return render(request, "reviewer/link_closed.html", {"sentence": error}, status=410)
    context = {"form": form, "person": user}
    return render(request, "reviewer/reset.html", context, status=422 if form.is_bound else 200)
