"""Broken requests at every door: each is answered, none with a 500, and what was stored can be read.

The tests try a few at each door; `make prove` tries 20,000. A failure names its door and number, which make the same
request again.
"""

import pytest

from issues.models import Signal, Trace
from issues.reading.addresses import address
from tests import make
from tests.issues.mutate import Door, broken_request, doors

DOORS = doors()
TRIED = 26
PROVED = 20_000 // len(DOORS) + 1


def attempt(client, door: Door, number: int, secret: str) -> int:
    body, content_type, headers = broken_request(door, number)
    try:
        headers["Authorization"] = f"Bearer {secret}"
        reply = client.generic("POST", door.path, body, content_type, headers=headers)
    except Exception as error:
        error.add_note(f"{door.path}, {door.content_type}, number {number}: {body[:300]!r}")
        raise
    assert reply.status_code < 500, (door.path, number, body[:300], reply.content[:300])
    if reply.status_code >= 400:
        assert len(reply.content) > 10, (door.path, number, "a refusal needs a sentence")
    return reply.status_code


def assert_everything_can_be_read(client, as_amara, shop, most: int) -> None:
    secret = make.key(shop, scopes=("api",))[1]
    for page in ("traces?range=all", "settings/signals"):
        assert as_amara.get(f"/p/{shop.slug}/{page}").status_code == 200
    headers = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/traces?limit=500", headers=headers).status_code == 200
    for trace_id in Trace.objects.filter(project=shop).values_list("trace_id", flat=True)[:most]:
        assert as_amara.get(f"/p/{shop.slug}/traces/{address(trace_id)}").status_code == 200, trace_id
    for session in set(Trace.objects.exclude(session="").values_list("session", flat=True)[:most]):
        assert as_amara.get(f"/p/{shop.slug}/sessions/{address(session)}").status_code == 200, session


@pytest.mark.parametrize("name", DOORS)
def test_door_takes_its_own_requests_unbroken(client, shop, name):
    door, secret = DOORS[name], make.key(shop)[1]
    for body in door.bodies:
        reply = client.post(door.path, body, door.content_type, headers={"Authorization": f"Bearer {secret}"})
        assert reply.status_code < 300, (reply.status_code, reply.content)


@pytest.mark.parametrize("name", DOORS)
def test_broken_requests_are_answered_and_what_is_stored_can_be_read(client, as_amara, shop, settings, name):
    settings.INTAKE_PENDING_LIMIT = 10**9
    secret = make.key(shop)[1]
    answers = [attempt(client, DOORS[name], number, secret) for number in range(TRIED)]
    assert min(answers) < 300, "some of the broken requests are still whole enough"
    assert_everything_can_be_read(client, as_amara, shop, 10)


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", DOORS)
def test_twenty_thousand_broken_requests_are_answered(client, as_amara, shop, settings, name):
    settings.INTAKE_PENDING_LIMIT = 10**9
    secret = make.key(shop)[1]
    answers = [attempt(client, DOORS[name], number, secret) for number in range(PROVED)]
    assert len(set(answers)) > 1
    assert_everything_can_be_read(client, as_amara, shop, 200)
    assert Signal.objects.filter(project=shop, at__year__gt=2100).count() == 0
