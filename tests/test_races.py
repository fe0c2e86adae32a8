"""Two at once: each race is first shown without its lock, by hand, then stopped by the step."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from django.db import connection

from reviewer.invitations import (
    InvitationClosed,
    accept_with_new_account,
    find_invitation,
    first_admin_link,
    invite,
    make_first_admin,
    revoke_invitation,
)
from reviewer.keys import revoke_key
from reviewer.mail import send_waiting_mail
from reviewer.models import Audit, Invitation, Membership, OutgoingMail, Project, SignInAttempt, User
from reviewer.passwords import LinkExpired, reset_link, reset_password
from reviewer.people import LastAdmin, change_role, remove_person
from reviewer.refused import Refused
from reviewer.roles import Role
from reviewer.throttle import LIMITS, TooManyTries, admit
from tests import make

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "a phrase nobody guesses"


@pytest.fixture(autouse=True)
def _no_mail(settings) -> None:
    """Commits are real here; without mail nobody is woken."""
    settings.MAIL_WORKS = False


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Run the actions on connections of their own, started together; their results or their refusals."""
    start = Barrier(len(actions))

    def run(action: Callable[[], object]) -> object:
        start.wait(timeout=10)
        try:
            return action()
        except Refused as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def by_hand() -> psycopg.Connection:
    """A plain connection to the test's database, in a transaction of its own."""
    settings = connection.get_connection_params()
    named = {name: settings[name] for name in ("dbname", "user", "password", "host", "port") if settings.get(name)}
    return psycopg.connect(**named)


@pytest.fixture
def two_admins() -> tuple[Project, Membership, Membership]:
    project = make.project("fernwood")
    for name in ("Priya Raman", "Ida Holm"):
        make.member(project, "admin", name)
    first, second = Membership.objects.select_related("project", "user").order_by("pk")
    return project, first, second


def admins(project: Project) -> int:
    return project.memberships.filter(role="admin").count()


def test_without_a_lock_two_admins_can_demote_each_other(two_admins):
    """What the step's lock is for: each sees the other as the admin who stays."""
    project, first, second = two_admins
    others = "SELECT count(*) FROM reviewer_membership WHERE project_id = %s AND role = 'admin' AND id <> %s"
    demote = "UPDATE reviewer_membership SET role = 'viewer' WHERE id = %s"
    with by_hand() as one, by_hand() as two:
        assert one.execute(others, [project.pk, first.pk]).fetchone() == (1,)
        assert two.execute(others, [project.pk, second.pk]).fetchone() == (1,)
        one.execute(demote, [first.pk])
        two.execute(demote, [second.pk])
    assert admins(project) == 0


def test_two_admins_who_demote_each_other_leave_one(two_admins):
    project, first, second = two_admins
    results = at_once(
        lambda: change_role(first, role=Role.VIEWER, actor=second.user),
        lambda: change_role(second, role=Role.VIEWER, actor=first.user),
    )
    assert admins(project) == 1
    assert sorted(type(result) for result in results if result is not True) == [LastAdmin]
    assert Audit.objects.filter(verb="changed the role of").count() == 1


def test_one_removed_and_one_demoted_leave_one(two_admins):
    project, first, second = two_admins
    at_once(
        lambda: remove_person(first, actor=second.user),
        lambda: change_role(second, role=Role.REVIEWER, actor=first.user),
    )
    assert admins(project) == 1


def test_removing_twice_at_once_writes_one_line(two_admins):
    _, first, second = two_admins
    results = at_once(*[lambda: remove_person(first, actor=second.user)] * 3)
    assert sorted(map(str, results)) == ["False", "False", "True"]
    assert Audit.objects.filter(verb="removed").count() == 1


@pytest.fixture
def invited() -> Invitation:
    project = make.project("fernwood")
    priya = make.member(project, "admin", "Priya Raman")
    return invite(project, email="lea@fernwood.example", role=Role.REVIEWER, actor=priya)[0]


def test_without_a_lock_an_invitation_is_taken_twice(invited):
    """Both transactions find it open before either has used it up."""
    is_open = "SELECT accepted_at IS NULL FROM reviewer_invitation WHERE id = %s"
    take = "UPDATE reviewer_invitation SET accepted_at = now() WHERE id = %s"
    with by_hand() as one, by_hand() as two:
        assert one.execute(is_open, [invited.pk]).fetchone() == (True,)
        assert two.execute(is_open, [invited.pk]).fetchone() == (True,)
        assert one.execute(take, [invited.pk]).rowcount == 1
        one.commit()
        assert two.execute(take, [invited.pk]).rowcount == 1


def test_an_invitation_accepted_twice_at_once_makes_one_member(invited):
    results = at_once(*[lambda: accept_with_new_account(invited, name="Lea", password=PASSWORD)] * 2)
    assert [type(result) for result in results if isinstance(result, Refused)] == [InvitationClosed]
    assert User.objects.filter(email="lea@fernwood.example").count() == 1
    assert Membership.objects.filter(user__email="lea@fernwood.example").count() == 1


def test_an_invitation_is_either_accepted_or_withdrawn(invited):
    at_once(
        lambda: accept_with_new_account(invited, name="Lea", password=PASSWORD),
        lambda: revoke_invitation(invited, actor=invited.created_by),
    )
    accepted = Invitation.objects.get().state == "accepted"
    assert Membership.objects.filter(user__email="lea@fernwood.example").exists() == accepted
    assert Audit.objects.filter(verb="withdrew the invitation of").exists() != accepted


def test_inviting_somebody_twice_at_once_leaves_one_open_link(invited):
    project, actor = invited.project, invited.created_by
    at_once(*[lambda: invite(project, email="new@fernwood.example", role=Role.VIEWER, actor=actor)] * 3)
    assert Invitation.objects.open().filter(email="new@fernwood.example").count() == 1


def test_a_set_up_link_used_twice_at_once_makes_one_admin():
    setup = find_invitation(first_admin_link().rsplit("/", 1)[1])
    answers = {"name": "Ida", "password": PASSWORD, "project_name": "Support bot"}
    results = at_once(
        lambda: make_first_admin(setup, email="ida@company.example", **answers),
        lambda: make_first_admin(setup, email="eve@company.example", **answers),
    )
    assert len([result for result in results if isinstance(result, Refused)]) == 1
    assert User.objects.count() == Project.objects.count() == Membership.objects.count() == 1


def test_a_reset_link_used_twice_at_once_sets_one_password():
    user = make.user()
    uid, token = reset_link(user).rsplit("/", 2)[1:]
    results = at_once(
        lambda: reset_password(uid, token=token, password="the first long phrase"),
        lambda: reset_password(uid, token=token, password="the second long phrase"),
    )
    assert len([result for result in results if isinstance(result, LinkExpired)]) == 1


def test_guessing_in_parallel_gets_no_more_tries_than_one_by_one():
    tries = LIMITS["sign_in"].by_email + 6
    results = at_once(*[lambda: admit("sign_in", email="amara@fernwood.example", address="192.0.2.1")] * tries)
    refused = [result for result in results if isinstance(result, TooManyTries)]
    assert tries - len(refused) <= LIMITS["sign_in"].by_email
    assert SignInAttempt.objects.count() == tries - len(refused)


def test_a_key_revoked_twice_at_once_is_written_down_once():
    key, _ = make.key(make.project("fernwood"))
    assert sorted(map(str, at_once(*[lambda: revoke_key(key, actor="shell")] * 3))) == ["False", "False", "True"]
    assert Audit.objects.filter(verb="revoked the key").count() == 1


def test_two_workers_send_each_mail_once():
    OutgoingMail.objects.bulk_create(
        OutgoingMail(to=f"p{n}@fernwood.example", subject="Hello", body="Hello") for n in range(12)
    )
    assert sum(map(int, map(str, at_once(send_waiting_mail, send_waiting_mail, send_waiting_mail)))) == 12
    assert set(OutgoingMail.objects.values_list("tries", flat=True)) == {1}
