"""Passwords: changing one, and the one-time link that sets a new one.

The link's token is signed over the password's hash and the last sign-in, so it works once and for a day.
A changed password ends every other session, because sessions are signed over it too.
"""

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import F
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from reviewer.audit import record
from reviewer.mail import link_to, queue_mail
from reviewer.models import User
from reviewer.people import may_sign_in
from reviewer.refused import Refused
from reviewer.throttle import forgive


class LinkExpired(Refused):
    status = 410

    def __init__(self) -> None:
        super().__init__("This link was used already or is older than a day.")


class WrongPassword(Refused):
    def __init__(self) -> None:
        super().__init__("That is not your current password.")


class NoPassword(Refused):
    def __init__(self) -> None:
        super().__init__("The demo’s accounts have no password: sign in with one click.")


def reset_link(user: User) -> str:
    """A link that lets its holder set this person's password, once, within a day."""
    if user.is_demo:
        raise NoPassword
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return link_to("reset_password", uid, default_token_generator.make_token(user))


def request_reset(email: str) -> None:
    """Mail the link to those who have an account; the caller cannot tell whether that happened."""
    user = User.objects.filter(email=email.strip().lower()).first()
    if user is not None and may_sign_in(user) and not user.is_demo:
        with transaction.atomic():
            queue_mail(user.email, template="reset", context={"user": user, "link": reset_link(user)})


def person_behind(uid: str, *, token: str) -> User:
    """Whose password this link sets; LinkExpired when it sets none any more."""
    return _checked(uid, token, lock=False)


def reset_password(uid: str, *, token: str, password: str) -> User:
    """Set the password and use up the link; the row is locked, so of two at once one is refused."""
    with transaction.atomic():
        user = _checked(uid, token, lock=True)
        user.set_password(password)
        user.save(update_fields=["password"])
        record("reset the password of", user, project=None, actor=user)
        forgive(email=user.email)
    return user


def _checked(uid: str, token: str, *, lock: bool) -> User:
    try:
        pk = int(urlsafe_base64_decode(uid))
    except ValueError:
        raise LinkExpired from None
    people = User.objects.select_for_update() if lock else User.objects.all()
    user = people.filter(pk=pk).first() if pk < 2**63 else None
    if user is None or not may_sign_in(user) or not default_token_generator.check_token(user, token):
        raise LinkExpired
    return user


def change_password(user: User, *, current: str, new: str) -> None:
    """Set a new password for somebody who knows the old one. The caller keeps its own session alive."""
    if user.is_demo:
        raise NoPassword
    if not user.check_password(current):
        raise WrongPassword
    with transaction.atomic():
        user.set_password(new)
        user.save(update_fields=["password"])
        record("changed the password of", user, project=None, actor=user)


def end_sessions(user: User) -> None:
    """Sign the person out everywhere; the caller keeps its own session alive."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(session_round=F("session_round") + 1)
        record("ended the sessions of", user, project=None, actor=user)
    user.refresh_from_db(fields=["session_round"])
