"""Slowing down those who guess passwords or ask for many reset mails.

An attempt is written down before it is judged and counts itself, so however many arrive at once,
no more than the limit are let through. A refused attempt takes its row back: whoever keeps trying
does not keep the door shut longer.
"""

import ipaddress
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.utils import timezone

from reviewer.models import SignInAttempt
from reviewer.refused import Refused

WINDOW = timedelta(minutes=15)
FORGET_AFTER = timedelta(days=1)


@dataclass(frozen=True)
class Limit:
    """Most attempts within the window for one e-mail address and from one network address."""

    by_email: int
    by_address: int


LIMITS = {"sign_in": Limit(10, 30), "reset": Limit(3, 20)}


class TooManyTries(Refused):
    """Carries the seconds until a try is welcome again, for Retry-After."""

    status = 429

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        minutes = max(1, -(-seconds // 60))
        super().__init__(f"Too many tries. Wait {minutes} minute{'s' if minutes > 1 else ''} and try again.")


def admit(kind: str, *, email: str, address: str) -> None:
    """Count this attempt, or raise TooManyTries."""
    email, address, limit = _email(email), network(address), LIMITS[kind]
    attempt = SignInAttempt.objects.create(kind=kind, email=email, address=address)
    same_email, same_address = Q(email=email), Q(address=address)
    seen = SignInAttempt.objects.filter(same_email | same_address, kind=kind, at__gt=Now() - WINDOW).aggregate(
        by_email=Count("pk", filter=same_email),
        by_address=Count("pk", filter=same_address),
        oldest_by_email=Min("at", filter=same_email),
        oldest_by_address=Min("at", filter=same_address),
    )
    free_at = [seen[f"oldest_{key}"] + WINDOW for key in ("by_email", "by_address") if seen[key] > getattr(limit, key)]
    if free_at:
        attempt.delete()
        raise TooManyTries(max(1, round((max(free_at) - timezone.now()).total_seconds())))


def forgive(*, email: str, address: str | None = None) -> None:
    """Forget the failures of somebody who proved to be the right person, there or (after a reset) anywhere."""
    attempts = SignInAttempt.objects.filter(kind="sign_in", email=_email(email))
    if address is not None:
        attempts = attempts.filter(address=network(address))
    attempts.delete()


def forget_old_attempts() -> int:
    return SignInAttempt.objects.filter(at__lt=Now() - FORGET_AFTER).delete()[0]


def network(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 that one IPv6 customer is given."""
    try:
        parsed = ipaddress.ip_address(address.strip().partition("%")[0])
    except ValueError:
        return "0.0.0.0"  # noqa: S104
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


def _email(email: str) -> str:
    return email.replace("\x00", "").strip().lower()[:254]
