"""The page of the audit log."""

import pytest
from django.db import DatabaseError, transaction

from reviewer.audit import record
from reviewer.keys import create_key
from reviewer.models import Audit

URL = "/p/fernwood/settings/audit"


@pytest.fixture
def long_log(shop, priya, amara) -> None:
    Audit.objects.bulk_create(
        Audit(
            project=shop,
            actor=[priya, amara, None][number % 3],
            actor_name=["Priya Raman", "Amara Osei", "shell"][number % 3],
            verb=["invited", "removed"][number % 2],
            target_kind=["user", "apikey"][number % 2],
            target_id=str(number),
            target_name=f"Target {number}",
        )
        for number in range(300)
    )


def names(response) -> list[str]:
    return [row.target_name for row in response.context["rows"]]


def test_it_tells_who_did_what(as_priya, shop, priya, amara):
    record("changed the role of", amara, project=shop, actor=priya, detail={"from": "viewer", "to": "reviewer"})
    page = as_priya.get(URL).content.decode()
    for text in ("Priya Raman", "changed the role of", "Amara Osei", "from viewer to reviewer"):
        assert text in page


def test_pages_follow_each_other_without_gap_or_repeat(as_priya, long_log):
    seen, query = [], ""
    while query is not None:
        response = as_priya.get(URL + query)
        seen += names(response)
        query = response.context["older"] or None
    assert seen == [f"Target {number}" for number in range(299, -1, -1)]


def test_new_rows_do_not_shift_a_page(as_priya, long_log, shop):
    older = URL + as_priya.get(URL).context["older"]
    before = names(as_priya.get(older))
    record("created", shop, project=shop, actor="shell")
    assert names(as_priya.get(older)) == before


def test_filters_are_in_the_address_and_combine(as_priya, long_log, amara):
    response = as_priya.get(URL, {"who": amara.pk, "verb": "removed", "kind": "apikey"})
    assert {(row.actor_name, row.verb, row.target_kind) for row in response.context["rows"]} == {
        ("Amara Osei", "removed", "apikey")
    }
    assert "before=" not in response.context["older"]
    response = as_priya.get(URL, {"verb": "removed"})
    assert "verb=removed" in response.context["older"]


def test_what_the_shell_and_keys_did_can_be_found(as_priya, long_log):
    rows = as_priya.get(URL, {"who": "none"}).context["rows"]
    assert {row.actor_name for row in rows} == {"shell"}


def test_the_filters_offer_what_the_log_holds(as_priya, long_log):
    context = as_priya.get(URL).context
    assert [person.name for person in context["people"]] == ["Amara Osei", "Priya Raman"]
    assert context["verbs"] == ["invited", "removed"]
    assert context["kinds"] == [("apikey", "API keys"), ("user", "People")]


@pytest.mark.parametrize(
    "query", ["who=x", "who=99999999999999999999", "before=x", "before=99999999999999999999", "verb=%00"]
)
def test_odd_addresses_break_nothing(as_priya, long_log, query):
    assert as_priya.get(f"{URL}?{query}").status_code == 200


def test_an_empty_log_says_so(as_priya):
    assert "Nothing has happened yet" in as_priya.get(URL).content.decode()
    assert "Nothing matches" in as_priya.get(URL, {"verb": "flew"}).content.decode()


def test_another_projects_rows_are_not_shown(as_priya, elsewhere):
    record("created", elsewhere, project=elsewhere, actor="shell")
    assert names(as_priya.get(URL)) == []


def test_htmx_gets_the_rows_alone(as_priya, long_log):
    response = as_priya.get(URL, {"verb": "removed"}, HTTP_HX_REQUEST="true")
    assert "<html" not in response.content.decode()
    assert "Target 299" in response.content.decode()


def test_the_number_of_queries_is_the_same_for_one_row_and_for_three_hundred(
    as_priya, long_log, django_assert_max_num_queries
):
    with django_assert_max_num_queries(9):
        assert as_priya.get(URL).status_code == 200


def test_it_needs_an_admin(as_amara, as_jonas):
    assert as_amara.get(URL).status_code == 403
    assert as_jonas.get(URL).status_code == 403


def test_the_row_is_rolled_back_with_the_change(shop, priya):
    """A line never tells of something that did not happen."""
    with pytest.raises(DatabaseError), transaction.atomic():
        create_key(shop, name="x" * 200, scopes=["ingest"], actor=priya)
    assert not Audit.objects.exists()
