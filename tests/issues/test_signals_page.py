"""The page of signal names: it opens whatever was sent, and whenever that was."""

import json

import pytest

from tests import make


@pytest.fixture
def send(client, shop):
    secret = make.key(shop)[1]

    def send(*items: dict) -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        return client.post("/api/v1/feedback", json.dumps(items), "application/json", headers=headers).status_code

    return send


def test_name_that_nobody_used_lately_is_listed_without_figures(send, as_jonas, shop):
    assert send({"trace_id": "t1", "name": "stars", "value": 4, "time": "2024-01-01T00:00:00Z"}) == 200
    page = as_jonas.get(f"/p/{shop.slug}/settings/signals").content.decode()
    assert "stars" in page
    assert "not lately" in page


@pytest.mark.parametrize("value", [1e200, -1e200, 1e308, 9e99])
def test_huge_numbers_do_not_break_the_average(send, as_jonas, shop, value):
    send({"trace_id": "t1", "name": "reward", "value": value}, {"trace_id": "t2", "name": "reward", "value": -value})
    send({"trace_id": "t3", "name": "reward", "value": 1.0})
    assert as_jonas.get(f"/p/{shop.slug}/settings/signals").status_code == 200
