"""A person's own account: name, theme, password, sessions."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from reviewer import passwords, people, throttle
from reviewer.forms import AccountForm, ChangePasswordForm
from reviewer.http import UserRequest, client_address
from reviewer.models import User
from reviewer.refused import Refused
from reviewer.roles import Role
from reviewer.views.access import too_many


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: UserRequest) -> HttpResponse:
    # The form must not touch request.user: with an error it would show the rejected name in the shell.
    form = AccountForm(request.POST if request.method == "POST" else None, instance=User(**_facts(request.user)))
    if form.is_valid():
        if people.change_account(request.user, **form.cleaned_data):
            messages.success(request, "Your account is saved.")
        return redirect("account")
    return _page(request, form=form, password_form=ChangePasswordForm(), status=422 if form.is_bound else 200)


@never_cache
@sensitive_post_parameters("current", "password")
@require_POST
def change_password(request: UserRequest) -> HttpResponse:
    """Guesses at the current password count like guesses at the door."""
    form = ChangePasswordForm(request.POST, user=request.user)
    if form.is_valid():
        email, address = request.user.email, client_address(request)
        try:
            throttle.admit("sign_in", email=email, address=address)
            data = form.cleaned_data
            passwords.change_password(request.user, current=data["current"], new=data["password"])
        except throttle.TooManyTries as error:
            return too_many(request, error)
        except Refused as error:
            form.add_error("current", str(error))
        else:
            throttle.forgive(email=email, address=address)
            update_session_auth_hash(request, request.user)
            messages.success(request, "Your password is changed. Other browsers are signed out.")
            return redirect("account")
    return _page(request, form=AccountForm(instance=request.user), password_form=form, status=422)


@require_POST
def end_sessions(request: UserRequest) -> HttpResponse:
    passwords.end_sessions(request.user)
    update_session_auth_hash(request, request.user)
    messages.success(request, "Every other browser is signed out.")
    return redirect("account")


def _page(request: UserRequest, *, status: int, **forms: object) -> HttpResponse:
    memberships = list(request.user.memberships.select_related("project").order_by("project__name", "project__slug"))
    may_create = any(each.role == Role.ADMIN for each in memberships)
    context = {**forms, "memberships": memberships, "may_create": may_create}
    return render(request, "reviewer/account.html", context, status=status)


def _facts(user: User) -> dict[str, object]:
    return {"pk": user.pk, "email": user.email, "name": user.name, "theme": user.theme}
