"""Invitation links: join a project, or set up a new instance."""

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from reviewer import invitations
from reviewer.forms import FirstAdminForm, JoinForm
from reviewer.invitations import InvitationClosed
from reviewer.models import Invitation, User
from reviewer.refused import Refused


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """One address, three people: somebody new, somebody with an account, the first admin."""
    found = invitations.find_invitation(token)
    if found is None:
        raise Http404("There is no such invitation. Check that you copied the whole link.")
    if found.state != "open":
        return _closed(request, InvitationClosed(found))
    if found.project is None:
        return _set_up(request, found)
    if request.user.is_authenticated:
        return _join(request, found, request.user)
    if User.objects.filter(email=found.email).exists():
        return render(request, "reviewer/invitation.html", {"invitation": found, "case": "sign_in"})
    return _join_as_new(request, found)


def _join(request: HttpRequest, found: Invitation, user: User) -> HttpResponse:
    if request.method == "POST":
        try:
            project = invitations.accept_invitation(found, user=user)
        except Refused as error:
            return _closed(request, error)
        messages.success(request, f"You are now in {project} as {found.get_role_display().lower()}.")
        return redirect("home", project.slug)
    case = "join" if user.email == found.email else "someone_else"
    return render(request, "reviewer/invitation.html", {"invitation": found, "case": case})


def _join_as_new(request: HttpRequest, found: Invitation) -> HttpResponse:
    person = User(email=found.email, name=request.POST.get("name", ""))
    form = JoinForm(request.POST if request.method == "POST" else None, user=person)
    if form.is_valid():
        data = form.cleaned_data
        try:
            project, user = invitations.accept_with_new_account(found, name=data["name"], password=data["password"])
        except Refused as error:
            return _closed(request, error)
        login(request, user)
        messages.success(request, f"Welcome to {project}.")
        return redirect("home", project.slug)
    context = {"invitation": found, "case": "new", "form": form}
    return render(request, "reviewer/invitation.html", context, status=422 if form.is_bound else 200)


def _set_up(request: HttpRequest, found: Invitation) -> HttpResponse:
    form = FirstAdminForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            project, user = invitations.make_first_admin(found, **form.cleaned_data)
        except Refused as error:
            form.add_error(None, str(error))
        else:
            login(request, user)
            messages.success(request, f"{project} is ready, and you are its admin.")
            return redirect("home", project.slug)
    return render(request, "reviewer/set_up.html", {"form": form}, status=422 if form.is_bound else 200)


def _closed(request: HttpRequest, error: Refused) -> HttpResponse:
    return render(request, "reviewer/link_closed.html", {"sentence": error}, status=error.status)
