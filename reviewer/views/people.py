"""An admin's page of members and invitations, and what can be done there."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from reviewer import invitations
from reviewer import people as steps
from reviewer.forms import InviteForm, RoleForm
from reviewer.http import ProjectRequest, in_project
from reviewer.models import Membership, MembershipQuerySet
from reviewer.refused import Refused
from reviewer.roles import ABILITIES, Role
from reviewer.views import once


@in_project("manage_people")
@never_cache
@require_safe
def people(request: ProjectRequest) -> HttpResponse:
    return _page(request, InviteForm())


def _page(request: ProjectRequest, form: InviteForm, status: int = 200) -> HttpResponse:
    project = request.project
    members = list(_members(request).order_by("user__name", "user__email"))
    context = {
        "form": form,
        "members": members,
        "invitations": project.invitations.filter(accepted_at=None, revoked_at=None)
        .select_related("created_by")
        .order_by("-created_at"),
        "link": once.take(request, "link"),
        "removing": next((each for each in members if str(each.pk) == request.GET.get("remove")), None),
        "roles": list(Role),
        "abilities": [(ability, [role.includes(ability.least) for role in Role]) for ability in ABILITIES.values()],
    }
    return render(request, "reviewer/people.html", context, status=status)


def _members(request: ProjectRequest) -> MembershipQuerySet:
    return request.project.memberships.current(demo=settings.DEMO).select_related("user", "project")


@in_project("manage_people")
@require_POST
def invite_person(request: ProjectRequest) -> HttpResponse:
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
    try:
        invitation, link = invitations.invite(request.project, email=email, role=role, actor=request.user)
    except Refused as error:
        form.add_error("email", str(error))
        return _page(request, form, status=error.status)
    once.keep(request, "link", {"email": invitation.email, "link": link})
    messages.success(request, f"{invitation.email} is invited.")
    return redirect("people", request.project.slug)


@in_project("manage_people")
@require_POST
def resend_invitation(request: ProjectRequest, invitation: int) -> HttpResponse:
    found = get_object_or_404(request.project.invitations, pk=invitation)
    try:
        link = invitations.resend_invitation(found, actor=request.user)
    except Refused as error:
        messages.error(request, str(error))
    else:
        once.keep(request, "link", {"email": found.email, "link": link})
        messages.success(request, f"{found.email} has a new link. The old one no longer works.")
    return redirect("people", request.project.slug)


@in_project("manage_people")
@require_POST
def revoke_invitation(request: ProjectRequest, invitation: int) -> HttpResponse:
    found = get_object_or_404(request.project.invitations, pk=invitation)
    if invitations.revoke_invitation(found, actor=request.user):
        messages.success(request, f"The invitation of {found.email} is withdrawn.")
    return redirect("people", request.project.slug)


@in_project("manage_people")
@require_POST
def change_role(request: ProjectRequest, membership: int) -> HttpResponse:
    member = get_object_or_404(_members(request), pk=membership)
    form = RoleForm(request.POST)
    try:
        if not form.is_valid():
            messages.error(request, "Choose one of the three roles.")
        elif steps.change_role(member, role=Role(form.cleaned_data["role"]), actor=request.user):
            messages.success(request, f"{member.user} is now {member.get_role_display().lower()}.")
    except Refused as error:
        messages.error(request, str(error))
    return _back(request, member)


@in_project("manage_people")
@require_POST
def remove_person(request: ProjectRequest, membership: int) -> HttpResponse:
    member = get_object_or_404(_members(request), pk=membership)
    try:
        if steps.remove_person(member, actor=request.user):
            messages.success(request, f"{member.user} is no longer in {request.project}.")
            if member.user_id == request.user.pk:
                return redirect("start")
    except Refused as error:
        messages.error(request, str(error))
    return redirect("people", request.project.slug)


def _back(request: ProjectRequest, member: Membership) -> HttpResponse:
    """To the list; or to the overview for admins who just gave up their own role."""
    own = member.user_id == request.user.pk and not member.may("manage_people")
    return redirect("home" if own else "people", request.project.slug)
