"""What the palette finds of telemetry."""

from tests.make_traces import conversation, trace

URL = "/p/fernwood/jump"


def places(client, text: str) -> dict[str, str]:
    groups = client.get(URL, {"q": text}).context["groups"]
    return {place.title: place.url for _, found in groups for place in found}


def test_a_trace_is_found_by_the_beginning_of_its_id(as_jonas, shop):
    conversation(shop)
    assert places(as_jonas, "9f2c")["9f2c71d4"] == "/p/fernwood/traces/9f2c71d4"
    assert "9f2c71d4" not in places(as_jonas, "71d4")


def test_sessions_and_users_are_found_too(as_jonas, shop):
    conversation(shop)
    trace(shop, "odd", session="s-1/2", user="u-1 & co")
    found = places(as_jonas, "s-1")
    assert found["s-1"] == "/p/fernwood/sessions/s-1"
    assert found["s-1/2"].startswith("/p/fernwood/sessions/~")
    assert places(as_jonas, "u-1")["u-1 & co"] == "/p/fernwood/traces?user=u-1+%26+co"


def test_pages_are_offered_by_role(as_jonas, as_priya, shop):
    assert "Intake" in places(as_priya, "masking")
    assert "Intake" not in places(as_jonas, "masking")
    assert {"Traces", "Connect your app", "Signals"} <= set(places(as_jonas, ""))


def test_another_projects_traces_are_not_found(as_jonas, shop, elsewhere):
    trace(elsewhere, "theirs")
    assert "theirs" not in places(as_jonas, "thei")
