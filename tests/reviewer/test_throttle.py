"""Counting tries."""

from datetime import timedelta

import pytest
from django.utils import timezone

from reviewer.models import SignInAttempt
from reviewer.throttle import LIMITS, WINDOW, TooManyTries, admit, network

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::"),
        ("unknown", "0.0.0.0"),
        ("", "0.0.0.0"),
    ],
)
def test_what_counts_as_one_address(address, counted_as):
    assert network(address) == counted_as


def test_the_window_slides():
    for _ in range(LIMITS["sign_in"].by_email):
        admit("sign_in", email="a@b.example", address="192.0.2.1")
    with pytest.raises(TooManyTries):
        admit("sign_in", email="a@b.example", address="192.0.2.1")
    oldest = SignInAttempt.objects.order_by("pk").first()
    SignInAttempt.objects.filter(pk=oldest.pk).update(at=timezone.now() - WINDOW)
    admit("sign_in", email="a@b.example", address="192.0.2.1")


def test_the_wait_is_told_in_minutes():
    for _ in range(LIMITS["reset"].by_email):
        admit("reset", email="a@b.example", address="192.0.2.1")
    SignInAttempt.objects.update(at=timezone.now() - WINDOW + timedelta(seconds=50))
    with pytest.raises(TooManyTries, match=r"Wait 1 minute and try again\.") as error:
        admit("reset", email="a@b.example", address="192.0.2.1")
    assert 0 < error.value.seconds <= 50


@pytest.mark.parametrize("email", ["x" * 5000, "a\x00b@c.example", ""])
def test_odd_addresses_are_counted_too(email):
    admit("sign_in", email=email, address="192.0.2.1")
    assert SignInAttempt.objects.count() == 1
