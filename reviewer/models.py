"""People, projects, roles, keys and the audit log: the records below both apps.

Facts and constraints only; what changes these rows is in `people.py`, `keys.py` and `mail.py`.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from reviewer.roles import ABILITIES, SCOPES, Role, may


def hash_token(token: str) -> str:
    """How secrets are kept: they are long and random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token(prefix: str = "", size: int = 32) -> str:
    return prefix + secrets.token_urlsafe(size)


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser):
    """A person. Signs in with an e-mail address, kept in lower case."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    is_demo = models.BooleanField(default=False, help_text="One of the demo's accounts; lives in demo mode only.")
    theme = models.CharField(
        max_length=6,
        default="system",
        choices=[("system", "As the system"), ("light", "Light"), ("dark", "Dark")],
    )
    session_round = models.PositiveIntegerField(default=0, help_text="Raised to end every session of this person.")
    created_at = models.DateTimeField(db_default=Now())

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_is_lower_case")
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def get_session_auth_hash(self) -> str:
        """What a session is signed over: a new password or a new round ends those before it."""
        return salted_hmac(
            "reviewer.User.session", f"{self.password}:{self.session_round}", algorithm="sha256"
        ).hexdigest()

    @property
    def initials(self) -> str:
        words = (self.name or self.email).replace("@", " ").split()
        return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()

    @property
    def tint(self) -> int:
        """Which of the five avatar colours this person has, always the same one."""
        return (self.pk or 0) % 5 + 1


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user: Any) -> ProjectQuerySet:
        """The projects this person is a member of; nobody else may know that they exist."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(memberships__user=user)


class Project(models.Model):
    """One application under review. Everything else belongs to exactly one project."""

    slug = models.CharField(
        max_length=40,
        unique=True,
        validators=[RegexValidator(r"^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?\Z", "Use a–z, 0–9 and hyphens.")],
    )
    name = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_default=Now())

    objects = ProjectQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    def current(self, *, demo: bool) -> MembershipQuerySet:
        """Members who can sign in: demo accounts count in demo mode only."""
        active = self.filter(user__is_active=True)
        return active if demo else active.filter(user__is_demo=False)


class Membership(models.Model):
    """A person's role in a project."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=8, choices=[(role.value, role.label) for role in Role])
    created_at = models.DateTimeField(db_default=Now())

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=[r.value for r in Role]), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.project} as {self.role}"

    def may(self, ability: str) -> bool:
        return may(self.role, ability)

    @property
    def abilities(self) -> dict[str, bool]:
        """For templates: `{% if can.manage_keys %}`."""
        return {name: may(self.role, name) for name in ABILITIES}


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> InvitationQuerySet:
        return self.filter(accepted_at=None, revoked_at=None, expires_at__gt=timezone.now())


class Invitation(models.Model):
    """A one-time link. With a project: to join it. Without: to become the first admin of a new instance."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, null=True, related_name="invitations")
    email = models.EmailField(blank=True)
    role = models.CharField(max_length=8, choices=[(role.value, role.label) for role in Role])
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "email"],
                condition=models.Q(accepted_at=None, revoked_at=None),
                name="invitation_one_open_per_person",
            ),
            models.CheckConstraint(condition=models.Q(role__in=[r.value for r in Role]), name="invitation_role"),
        ]

    def __str__(self) -> str:
        return f"Invitation of {self.email or 'the first admin'}"

    @property
    def state(self) -> str:
        """One of open, accepted, revoked, expired. The hourly sweep marks expired ones as revoked then."""
        if self.accepted_at:
            return "accepted"
        if self.revoked_at and self.revoked_at < self.expires_at:
            return "revoked"
        return "open" if self.expires_at > timezone.now() else "expired"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def live(self) -> ApiKeyQuerySet:
        return self.filter(revoked_at=None)


class ApiKey(models.Model):
    """What an application signs in with. The secret is shown once and kept as a hash."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="api_keys")
    name = models.CharField(max_length=80)
    public = models.CharField(max_length=64, unique=True)
    secret_hash = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=20))
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scopes__contained_by=list(SCOPES)) & models.Q(scopes__len__gt=0),
                name="api_key_scopes",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.public})"


class Audit(models.Model):
    """Who did what to what, and why. Append-only: a database trigger refuses everything else."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, null=True, related_name="audit")
    at = models.DateTimeField(db_default=Now())
    actor = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    actor_name = models.CharField(max_length=160, help_text="As it was then: a person, a key, or “shell”.")
    verb = models.CharField(max_length=60)
    target_kind = models.CharField(max_length=40)
    target_id = models.CharField(max_length=64)
    target_name = models.CharField(max_length=200)
    detail = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["project", "-id"], name="audit_by_project"),
            models.Index(fields=["project", "target_kind", "target_id", "-id"], name="audit_by_target"),
            models.Index(fields=["project", "actor", "-id"], name="audit_by_actor"),
            models.Index(fields=["project", "verb", "-id"], name="audit_by_verb"),
            models.Index(fields=["project", "target_kind", "-id"], name="audit_by_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.actor_name} {self.verb} {self.target_name}"

    @property
    def detail_text(self) -> str:
        """The detail in words: “from viewer to admin”, “scopes ingest, api”."""
        detail = dict(self.detail)
        words = [f"from {detail.pop('from')} to {detail.pop('to')}"] if {"from", "to"} <= detail.keys() else []
        for name, value in detail.items():
            words.append(f"{name} {', '.join(map(str, value)) if isinstance(value, list) else value}")
        return ", ".join(words)


class SignInAttempt(models.Model):
    """A failed sign-in, or a wish for a new password: kept for the throttle, swept when it no longer counts."""

    kind = models.CharField(max_length=10, default="sign_in", choices=[("sign_in", "Sign-in"), ("reset", "Reset")])
    email = models.CharField(max_length=254)
    address = models.GenericIPAddressField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["email", "at"], name="sign_in_by_email"),
            models.Index(fields=["address", "at"], name="sign_in_by_address"),
        ]

    def __str__(self) -> str:
        return f"{self.email} from {self.address}"


class Heartbeat(models.Model):
    """When each worker last said that it lives."""

    worker = models.CharField(max_length=200, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.worker


class OutgoingMail(models.Model):
    """A mail to send. The row is the queue: a worker claims it, sends it, marks it."""

    to = models.EmailField()
    subject = models.CharField(max_length=200)
    body = models.TextField()
    created_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(db_default=Now())
    tries = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=models.Q(sent_at=None), name="mail_waiting")]

    def __str__(self) -> str:
        return f"{self.subject} to {self.to}"
