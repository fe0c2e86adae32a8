"""One-time links that let people in: to join a project, or to become the first admin of a new instance.

Only a link's hash is kept, so it can be shown when it is made and never again. Whoever uses or revokes
an invitation first locks its row, so it is used once.
"""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from reviewer.audit import record
from reviewer.mail import link_to, queue_mail
from reviewer.models import Invitation, InvitationQuerySet, Membership, Project, User, hash_token, new_token
from reviewer.people import EmailTaken, add_member, clean_email, create_project, create_user, lock_project
from reviewer.refused import Refused
from reviewer.roles import Role

GOOD_FOR = timedelta(days=7)


class AlreadyMember(Refused):
    def __init__(self, email: str, project: Project) -> None:
        super().__init__(f"{email} is a member of {project} already.")


class InvitationClosed(Refused):
    """Used, revoked or expired: each state has its sentence."""

    status = 410
    TO_JOIN = {
        "accepted": "This invitation was used already. Sign in with the account it made.",
        "revoked": "This invitation was withdrawn. Ask an admin of the project for a new one.",
        "expired": "This invitation has expired. Ask an admin of the project for a new one.",
    }
    TO_SET_UP = {
        "accepted": "This instance is set up already. Sign in with the account you made.",
        "revoked": "This set-up link was replaced. Use the newest one.",
        "expired": "This set-up link has expired. `manage.py first_admin_link` prints a new one.",
    }

    def __init__(self, invitation: Invitation) -> None:
        sentences = self.TO_JOIN if invitation.project_id else self.TO_SET_UP
        super().__init__(sentences[invitation.state])


class ForSomeoneElse(Refused):
    status = 403

    def __init__(self, invitation: Invitation, user: User) -> None:
        super().__init__(f"This invitation is for {invitation.email}; you are signed in as {user.email}.")


class SignInFirst(Refused):
    def __init__(self, email: str) -> None:
        super().__init__(f"{email} has an account already. Sign in, then accept the invitation.")


class HasAdmin(Refused):
    def __init__(self) -> None:
        super().__init__("This instance has an admin already. Use `manage.py create_user` or an admin’s invitation.")


# --- inviting -------------------------------------------------------------------------------------


def invite(project: Project, *, email: str, role: Role, actor: User) -> tuple[Invitation, str]:
    """Make the link and mail it; an earlier link for the same person stops working."""
    email = clean_email(email)
    with transaction.atomic():
        lock_project(project)
        if Membership.objects.filter(project=project, user__email=email).exists():
            raise AlreadyMember(email, project)
        waiting = project.invitations.filter(email=email, accepted_at=None, revoked_at=None)
        waiting.update(revoked_at=timezone.now())
        token = new_token()
        invitation = Invitation.objects.create(
            project=project,
            email=email,
            role=role,
            token_hash=hash_token(token),
            created_by=actor,
            expires_at=timezone.now() + GOOD_FOR,
        )
        record("invited", invitation, project=project, actor=actor, name=email, detail={"role": role})
        return invitation, _send_link(invitation, token, actor)


def resend_invitation(invitation: Invitation, *, actor: User) -> str:
    """A new link in place of the old one, good for another week."""
    with transaction.atomic():
        current = _locked(invitation)
        if current.state in {"accepted", "revoked"}:
            raise InvitationClosed(current)
        token = new_token()
        Invitation.objects.filter(pk=current.pk).update(
            token_hash=hash_token(token), expires_at=timezone.now() + GOOD_FOR, revoked_at=None
        )
        current.refresh_from_db(fields=["expires_at"])
        record("sent a new link to", current, project=current.project, actor=actor, name=current.email)
        return _send_link(current, token, actor)


def _send_link(invitation: Invitation, token: str, actor: User) -> str:
    link = link_to("invitation", token)
    context = {"invitation": invitation, "project": invitation.project, "actor": actor, "link": link}
    queue_mail(invitation.email, template="invitation", context=context)
    return link


def revoke_invitation(invitation: Invitation, *, actor: User) -> bool:
    """Make the link useless; False when it is used or revoked already."""
    with transaction.atomic():
        current = _locked(invitation)
        if current.accepted_at or current.revoked_at:
            return False
        Invitation.objects.filter(pk=current.pk).update(revoked_at=timezone.now())
        record("withdrew the invitation of", current, project=current.project, actor=actor, name=current.email)
    return True


def mark_expired_invitations() -> int:
    """Expired links leave the list of open ones, as if revoked at that moment."""
    waiting = Invitation.objects.filter(accepted_at=None, revoked_at=None, expires_at__lte=timezone.now())
    return waiting.update(revoked_at=F("expires_at"))


# --- accepting ------------------------------------------------------------------------------------


def find_invitation(token: str) -> Invitation | None:
    return Invitation.objects.select_related("project", "created_by").filter(token_hash=hash_token(token)).first()


def accept_invitation(invitation: Invitation, *, user: User) -> Project:
    """A person with an account joins; who is a member by now keeps their role."""
    with transaction.atomic():
        project = _take(invitation, user=user)
        add_member(project, user=user, role=Role(invitation.role), actor=user)
    return project


def accept_with_new_account(invitation: Invitation, *, name: str, password: str) -> tuple[Project, User]:
    """A person without an account opens one and joins."""
    with transaction.atomic():
        _open(invitation)
        try:
            user = create_user(invitation.email, name=name, password=password, actor=None)
        except EmailTaken:
            raise SignInFirst(invitation.email) from None
        return accept_invitation(invitation, user=user), user


def _take(invitation: Invitation, *, user: User) -> Project:
    """Use the invitation up for this person, once."""
    current = _open(invitation)
    if current.project is None or current.email != user.email:
        raise ForSomeoneElse(current, user)
    Invitation.objects.filter(pk=current.pk).update(accepted_at=timezone.now(), accepted_by=user)
    return current.project


def _open(invitation: Invitation) -> Invitation:
    current = _locked(invitation)
    if current.state != "open":
        raise InvitationClosed(current)
    return current


def _locked(invitation: Invitation) -> Invitation:
    waiting = Invitation.objects.select_for_update(of=("self",)).select_related("project")
    return waiting.get(pk=invitation.pk)


# --- the first admin ------------------------------------------------------------------------------


def has_admin() -> bool:
    """True once a real person looks after some project."""
    admins = Membership.objects.filter(role=Role.ADMIN, user__is_active=True)
    return (admins if settings.DEMO else admins.filter(user__is_demo=False)).exists()


def first_admin_link() -> str:
    """The set-up link of a new instance."""
    token = first_admin_token()
    if token is None:
        raise HasAdmin
    return link_to("invitation", token)


def first_admin_token() -> str | None:
    """What the set-up link ends with; None once there is an admin. The one printed before stops working."""
    with transaction.atomic():
        if has_admin():
            return None
        _setup_links().update(revoked_at=timezone.now())
        token = new_token()
        Invitation.objects.create(role=Role.ADMIN, token_hash=hash_token(token), expires_at=timezone.now() + GOOD_FOR)
    return token


def make_first_admin(
    invitation: Invitation, *, name: str, email: str, password: str, project_name: str
) -> tuple[Project, User]:
    """Turn the set-up link into a person, a project, and that person's role in it. All other links end."""
    with transaction.atomic():
        # All set-up links are locked in one order: of two used at once, one finds itself revoked.
        list(_setup_links().select_for_update().order_by("pk"))
        current = _open(invitation)
        if has_admin():
            raise HasAdmin
        user = create_user(email, name=name, password=password, actor=None)
        project = create_project(project_name, actor=user)
        Invitation.objects.filter(pk=current.pk).update(accepted_at=timezone.now(), accepted_by=user)
        _setup_links().update(revoked_at=timezone.now())
    return project, user


def _setup_links() -> InvitationQuerySet:
    return Invitation.objects.filter(project=None, accepted_at=None, revoked_at=None)
