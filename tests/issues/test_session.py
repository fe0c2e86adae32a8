"""The page of a session."""

from tests.make_traces import say, span, store, trace

URL = "/p/fernwood/sessions/"


def test_the_conversation_is_told_across_traces_in_order(as_jonas, shop):
    trace(shop, "two", at=60, session="s 1", user="u1", cost=0.25, input_tokens=10)
    trace(shop, "one", session="s 1", user="u1", cost=0.5, status="error", error="broke")
    trace(shop, "other", session="s 2")
    say(shop, "thumbs", False, "two", comment="No help")
    say(shop, "resolved", True, session="s 1")
    response = as_jonas.get("/p/fernwood/sessions/s%201")
    assert [turn.trace.trace_id for turn in response.context["turns"]] == ["one", "two"]
    totals = response.context["totals"]
    assert (totals["traces"], totals["failed"], totals["cost"]) == (2, 1, 0.75)
    page = response.content.decode()
    for text in ("Question one", "Answer two", "/p/fernwood/traces/two", "No help", "resolved: yes"):
        assert text in page
    assert "Question other" not in page


def test_a_long_session_is_read_page_by_page(as_jonas, shop):
    store(shop, *(span(f"t{n:03}", "1", at=n // 2, session="s", input=f"q{n}") for n in range(60)))
    query: str | None = ""
    seen = []
    while query is not None:
        context = as_jonas.get(f"{URL}s{query}").context
        seen += [turn.trace.trace_id for turn in context["turns"]]
        query = f"?after={context['older']}" if context["older"] else None
    assert seen == [f"t{n:03}" for n in range(60)]


def test_an_unknown_session_and_another_projects_are_404(as_jonas, shop, elsewhere):
    trace(elsewhere, "one", session="s")
    trace(shop, "two")
    for path in ("s", "nothing", "~"):
        assert as_jonas.get(URL + path).status_code == 404


def test_the_number_of_queries_does_not_grow(as_jonas, shop, django_assert_num_queries):
    for size in (2, 30):
        store(shop, *(span(f"t{n:03}", "1", at=n, session="s") for n in range(size)))
        with django_assert_num_queries(9):
            as_jonas.get(f"{URL}s")
