"""The hourly sweep."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils import timezone

from reviewer.models import Invitation, SignInAttempt
from reviewer.tasks import tidy
from tests import make


def test_it_forgets_what_no_longer_counts_and_keeps_the_rest(as_priya, shop, priya):
    past = timezone.now() - timedelta(days=2)
    make.invitation(shop, priya)
    expired, _ = make.invitation(shop, priya, "late@fernwood.example")
    Invitation.objects.filter(pk=expired.pk).update(expires_at=past)
    Session.objects.create(session_key="old", session_data="", expire_date=past)
    SignInAttempt.objects.create(email="a@b.example", address="192.0.2.1", at=past)
    recent = SignInAttempt.objects.create(email="a@b.example", address="192.0.2.1")
    for _ in range(2):
        tidy()
    assert Session.objects.count() == 1
    assert SignInAttempt.objects.get() == recent
    expired.refresh_from_db()
    assert (expired.state, expired.revoked_at) == ("expired", past)
    assert Invitation.objects.open().count() == 1
