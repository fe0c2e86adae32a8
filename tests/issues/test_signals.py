"""The page of signals, and saying which direction is good."""

import pytest
from django.utils import timezone

from issues.models import SignalName
from reviewer.models import Audit
from tests.make_traces import say, trace

URL = "/p/fernwood/settings/signals"


@pytest.fixture
def told(shop) -> dict[str, SignalName]:
    now = timezone.now()
    for number in range(4):
        say(shop, "thumbs", number > 0, f"t{number}", time=now)
        say(shop, "stars", number + 1, f"t{number}", time=now)
        say(shop, "refunded", number == 0, f"t{number}", time=now)
        say(shop, "ending", ["solved", "gave up"][number % 2], f"t{number}", time=now)
    return {name.name: name for name in SignalName.objects.all()}


def test_it_tells_names_kinds_and_figures(as_jonas, told):
    rows = {row["name"].name: row for row in as_jonas.get(URL).context["rows"]}
    assert rows["stars"]["average"] == 2.5
    assert rows["thumbs"]["count"] == 4
    assert rows["ending"]["words"] == [("gave up", 2), ("solved", 2)]
    page = as_jonas.get(URL).content.decode()
    assert "75% yes" in page
    assert "no is good" in page


def test_an_admin_turns_a_direction_and_the_log_says_so(as_priya, told, shop):
    trace(shop, "t3")
    path = f"{URL}/{told['stars'].pk}/direction"
    assert as_priya.post(path, {"higher_is_good": "no"}).status_code == 302
    told["stars"].refresh_from_db()
    assert told["stars"].higher_is_good is False
    row = Audit.objects.get(verb="said what is good about")
    assert (row.target_name, row.detail) == ("stars", {"good": "lower"})
    as_priya.post(path, {"higher_is_good": "no"})
    assert Audit.objects.filter(verb="said what is good about").count() == 1


def test_an_admin_lists_the_good_words_of_a_category(as_priya, told, shop):
    trace(shop, "t0")
    as_priya.post(f"{URL}/{told['ending'].pk}/direction", {"good_values": "solved, , answered"})
    told["ending"].refresh_from_db()
    assert told["ending"].good_values == ["solved", "answered"]
    said = {each.signal.name: each.tone for each in as_priya.get("/p/fernwood/traces/t0").context["signals"]}
    assert said == {"thumbs": "bad", "stars": "bad", "refunded": "bad", "ending": "good"}


def test_nonsense_changes_nothing(as_priya, told):
    as_priya.post(f"{URL}/{told['stars'].pk}/direction", {"higher_is_good": "sideways"})
    as_priya.post(f"{URL}/{told['stars'].pk}/direction", {})
    told["stars"].refresh_from_db()
    assert told["stars"].higher_is_good is True
    assert not Audit.objects.exists()


def test_without_signals_it_says_what_to_do(as_jonas, shop):
    assert "No signals yet" in as_jonas.get(URL).content.decode()


def test_the_number_of_queries_does_not_grow(as_jonas, told, shop, django_assert_num_queries):
    for number in range(20):
        say(shop, f"score {number}", 0.5, "t0")
    with django_assert_num_queries(8):
        as_jonas.get(URL)
