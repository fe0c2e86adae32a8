"""Every address × every kind of person × reading and writing: the whole table of who gets what.

A pattern in the resolver that is missing here fails the test; so does a row whose pattern is gone.
The stranger is admin of another project: ours must not exist for them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from reviewer.roles import ABILITIES, Role, may
from tests import make, make_traces
from tests.conftest import signed_in

PEOPLE = ("anonymous", "stranger", "viewer", "reviewer", "admin")


@dataclass(frozen=True)
class Row:
    """One address: what each of the PEOPLE gets for GET and for POST with `data`."""

    pattern: str
    get: str
    post: str
    path: str
    data: dict[str, str]

    def __str__(self) -> str:
        return self.pattern


FILLED = {"project": "fernwood", "role": "admin", "page": "roles", "rest": "nothing"}


def row(pattern: str, get: str, post: str, **data: str) -> Row:
    """The path is the pattern with its parts filled; ids are filled when the records are there."""
    path = re.sub(r"<\w+:(\w+)>", lambda part: FILLED.get(part[1], f"{{{part[1]}}}"), f"/{pattern}")
    return Row(pattern, get, post, path, data)


READ = "302 404 200 200 200"
NO_POST = "302 404 405 405 405"
A_READ = "302 404 403 403 200"
A_405 = "302 404 403 403 405"
A_DO = "302 404 403 403 302"
FOR_ALL = "200 200 200 200 200"
NO_SUCH = "404 404 404 404 404"
NEVER = "405 405 405 405 405"
LEAVES = "302 302 302 302 302"
KEYED = "401 401 401 401 401"  # a key opens it, a person never
P = "p/<slug:project>"
S = P + "/settings"
NEW = {"name": "Lea Brandt", "password": "a phrase nobody guesses"}
GUESS = {"email": "amara@fernwood.example", "password": "wrong password"}
SELF = {"name": "Another Name", "theme": "dark"}
INVITE = {"email": "new@fernwood.example", "role": "viewer"}
NAMED = {"name": "Another name"}
ROLE = {"role": "admin"}
GOOD = {"higher_is_good": "no"}
RULES = {"masked_kinds": "email", "keep_days": "30", "production": "production"}
PASTED = {"text": "Write to lea@fernwood.example"}
KEY = {"name": "Production", "scopes": "ingest"}

# fmt: off
TABLE = [
    #                                                        GET                    POST
    row("",                                                  LEAVES,                "302 405 405 405 405"),
    row("sign-in",                                           "200 302 302 302 302", "422 302 302 302 302", **GUESS),
    row("sign-in/demo/<str:role>",                           NEVER,                 NO_SUCH),
    row("sign-out",                                          NEVER,                 LEAVES),
    row("forgot",                                            FOR_ALL,               "422 422 422 422 422"),
    row("reset/<str:uid>/<str:token>",                       FOR_ALL,               LEAVES,                **NEW),
    row("invitation/<str:token>",                            FOR_ALL,               "302 403 403 403 403", **NEW),
    row("account",                                           "302 200 200 200 200", LEAVES,                **SELF),
    row("account/password",                                  "302 405 405 405 405", "302 422 422 422 422"),
    row("account/sessions/end",                              "302 405 405 405 405", LEAVES),
    row("projects/new",                                      "302 200 403 403 200", "302 302 403 403 302", **NAMED),
    row(P,                                                   READ,                  NO_POST),
    row(P + "/jump",                                         READ,                  NO_POST),
    row(P + "/traces",                                       READ,                  NO_POST),
    row(P + "/traces/<id:trace_id>",                         READ,                  NO_POST),
    row(P + "/sessions/<id:session>",                        READ,                  NO_POST),
    row(P + "/connect",                                      READ,                  NO_POST),
    row(P + "/connect/key",                                  A_405,                 A_DO),
    row(S + "/signals",                                      READ,                  NO_POST),
    row(S + "/signals/<int:signal>/direction",               A_405,                 A_DO,                  **GOOD),
    row(S + "/intake",                                       A_READ,                A_DO,                  **RULES),
    row(S + "/intake/try",                                   A_405,                 A_READ,                **PASTED),
    row(S,                                                   A_READ,                A_DO,                  **NAMED),
    row(S + "/people",                                       A_READ,                A_405),
    row(S + "/people/invite",                                A_405,                 A_DO,                  **INVITE),
    row(S + "/people/<int:membership>/role",                 A_405,                 A_DO,                  **ROLE),
    row(S + "/people/<int:membership>/remove",               A_405,                 A_DO),
    row(S + "/invitations/<int:invitation>/resend",          A_405,                 A_DO),
    row(S + "/invitations/<int:invitation>/revoke",          A_405,                 A_DO),
    row(S + "/keys",                                         A_READ,                A_405),
    row(S + "/keys/create",                                  A_405,                 A_DO,                  **KEY),
    row(S + "/keys/<int:key>/revoke",                        A_405,                 A_DO),
    row(S + "/audit",                                        A_READ,                A_405),
    row("docs",                                              FOR_ALL,               NEVER),
    row("docs/search",                                       FOR_ALL,               NEVER),
    row("docs/<slug:page>",                                  FOR_ALL,               NEVER),
    row("demo/progress",                                     "302 404 404 404 404", "302 405 405 405 405"),
    row("demo/tour",                                         "302 405 405 405 405", "302 404 404 404 404"),
    row("components",                                        "302 404 404 404 404", "302 405 405 405 405"),
    row("healthz",                                           FOR_ALL,               NEVER),
    row("readyz",                                            "503 503 503 503 503", NEVER),
    row("api/v1/",                                           NO_SUCH,               NO_SUCH),
    row("api/v1/openapi.json",                               FOR_ALL,               FOR_ALL),
    row("v1/traces",                                         NEVER,                 KEYED),
    row("v1/logs",                                           NEVER,                 KEYED),
    row("api/public/otel/v1/traces",                         NEVER,                 KEYED),
    row("api/public/projects",                               KEYED,                 NEVER),
    row("api/public/ingestion",                              NEVER,                 KEYED),
    row("api/public/scores",                                 NEVER,                 KEYED),
    row("otel/v1/traces",                                    NEVER,                 KEYED),
    row("info",                                              FOR_ALL,               NEVER),
    row("runs/multipart",                                    NEVER,                 KEYED),
    row("runs/batch",                                        NEVER,                 KEYED),
    row("feedback",                                          NEVER,                 KEYED),
    row("api/v1/traces",                                     KEYED,                 KEYED),
    row("api/v1/traces/<path:trace_id>",                     KEYED,                 NEVER),
    row("api/v1/feedback",                                   NEVER,                 KEYED),
    row("api/v1/rollouts",                                   NEVER,                 KEYED),
    row("api/v1/key",                                        "401 401 401 401 401", NEVER),
    row("api/v1/<path:rest>",                                NO_SUCH,               NO_SUCH),
    row("api/<path:rest>",                                   NO_SUCH,               NO_SUCH),
]
# fmt: on


def patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        route = before + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from patterns(entry, route)
        else:
            yield route, entry


RESOLVED = dict(patterns(get_resolver()))


@dataclass(frozen=True)
class World:
    """The cast signed in, and the ids that addresses are filled with."""

    clients: dict[str, Client]
    ours: dict[str, object]
    theirs: dict[str, object]
    link: str

    def path(self, each: Row) -> str:
        """Both one-time links end in a token; only the pattern tells which."""
        return self.link if each.pattern.startswith("invitation/") else each.path.format(**self.ours)


@pytest.fixture
def world(shop, elsewhere, jonas, amara, priya, stranger) -> World:
    people = {"stranger": stranger, "viewer": jonas, "reviewer": amara, "admin": priya}
    invitation, link = make.invitation(shop, priya)
    their_invitation, _ = make.invitation(elsewhere, stranger)
    guest = make.member(shop, "viewer", "Gus Guest")
    return World(
        {"anonymous": Client()} | {name: signed_in(user) for name, user in people.items()},
        {
            "membership": shop.memberships.get(user=guest).pk,
            "invitation": invitation.pk,
            "key": make.key(shop)[0].pk,
            "signal": make_traces.signal_name(shop).pk,
            "trace_id": make_traces.conversation(shop),
            "session": "s-1",
            "uid": urlsafe_base64_encode(force_bytes(guest.pk)),
            "token": default_token_generator.make_token(guest),
        },
        {
            "membership": elsewhere.memberships.get().pk,
            "invitation": their_invitation.pk,
            "key": make.key(elsewhere)[0].pk,
            "signal": make_traces.signal_name(elsewhere).pk,
        },
        link,
    )


def test_every_pattern_is_in_the_table():
    assert {each.pattern for each in TABLE} == set(RESOLVED)
    assert len(TABLE) == len(RESOLVED)


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("each", TABLE, ids=str)
def test_everybody_gets_what_the_table_says(world: World, each: Row, method: str):
    got = []
    for person in PEOPLE:
        with transaction.atomic():
            data = each.data if method == "post" else {}
            got.append(str(getattr(world.clients[person], method)(world.path(each), data).status_code))
            transaction.set_rollback(True)
    assert " ".join(got) == getattr(each, method)


@pytest.mark.parametrize("each", TABLE, ids=str)
def test_other_methods_change_nothing_and_break_nothing(world: World, each: Row):
    for method in ("put", "patch", "delete", "options"):
        status = getattr(world.clients["admin"], method)(world.path(each)).status_code
        assert status in {302, 401, 404, 405} or each.pattern == "api/v1/openapi.json", (method, status)


PROJECT_ROWS = [each for each in TABLE if each.pattern.startswith(P)]


@pytest.mark.parametrize("each", PROJECT_ROWS, ids=str)
def test_the_views_ability_agrees_with_the_table(each: Row):
    """A role without the ability gets 403 for everything, a role with it never does."""
    ability = RESOLVED[each.pattern].callback.ability  # type: ignore[attr-defined]
    assert ability in ABILITIES
    for statuses in (each.get.split(), each.post.split()):
        assert statuses[:2] == ["302", "404"]
        for role, status in zip(Role, statuses[2:], strict=True):
            assert (status == "403") is not may(role, ability)


@pytest.mark.parametrize("each", [each for each in PROJECT_ROWS if re.search(r"<int:", each.pattern)], ids=str)
def test_another_projects_object_is_not_found(world: World, each: Row):
    path = each.path.format(**world.theirs)
    assert world.clients["admin"].post(path, each.data).status_code == 404


@pytest.mark.parametrize("each", PROJECT_ROWS, ids=str)
def test_a_project_that_does_not_exist_answers_like_one_of_others(world: World, each: Row):
    as_stranger, path = world.clients["stranger"], world.path(each)
    assert as_stranger.get(path).status_code == 404
    assert as_stranger.get(path.replace("/p/fernwood", "/p/nowhere")).status_code == 404
