"""Storage: once, in any order, the same rows; the summary is computed, not trusted."""

import random
from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection, connections
from hypothesis import HealthCheck, given, settings, strategies

from issues import expire, seen
from issues.intake import store_spans
from issues.merge import merge
from issues.models import IntakeRules, Pending, Rollout, Span, Trace
from issues.models.telemetry import bucket_of
from issues.record import SpanRecord
from issues.redact import Redactor
from tests import make

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
KEPT = Redactor({"secrets"}).text


def span(trace: str, number: int, parent: int | None = None, **fields) -> SpanRecord:
    begun = NOON + timedelta(seconds=number)
    return SpanRecord(
        trace,
        f"{number:016x}",
        f"{parent:016x}" if parent is not None else "",
        **{"name": f"step {number}", "start": begun, "end": begun + timedelta(seconds=1), **fields},
    )


def conversation(trace: str = "t1") -> list[SpanRecord]:
    return [
        span(trace, 0, kind="agent", name="support", session="s1", user="u1", input="Where is my order?", output="On its way."),  # noqa: E501
        span(trace, 1, 0, kind="llm", model="small-1", prompt_name="answer", prompt_version="7", input_tokens=10, output_tokens=5),  # noqa: E501
        span(trace, 2, 0, kind="tool", tool="lookup_order", status="error", error="Order not found"),
        span(trace, 3, 0, kind="llm", model="small-1", input_tokens=20, output_tokens=7, cost=0.5),
    ]  # fmt: skip


def rows(project) -> list[tuple]:
    """Everything stored, but for the moments of arrival."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM issues_span WHERE project_id = %s ORDER BY trace_id, span_id", [project.pk])
        spans = cursor.fetchall()
        names = [f.attname for f in Trace._meta.concrete_fields if f.attname not in {"received_at", "changed_at"}]
        columns = ",".join(f'"{name}"' for name in names)
        cursor.execute(f"SELECT {columns} FROM issues_trace WHERE project_id = %s ORDER BY trace_id", [project.pk])
        return [*spans, *cursor.fetchall()]


def test_trace_is_summed_up_from_its_spans(shop):
    assert store_spans(shop.pk, conversation(), mask=KEPT) == 4
    trace = Trace.objects.get(project=shop, trace_id="t1")
    assert (trace.name, trace.spans, trace.errors, trace.error) == ("support", 4, 1, "Order not found")
    assert (trace.input, trace.output, trace.session, trace.user) == ("Where is my order?", "On its way.", "s1", "u1")
    assert (trace.input_tokens, trace.output_tokens, trace.cost) == (30, 12, 0.5)
    assert (trace.model_names, trace.prompts, trace.tools) == (["small-1"], ["answer@7"], ["lookup_order"])
    assert trace.started_at == NOON
    assert trace.seconds == 4.0


def test_totals_repeated_by_an_agent_are_counted_once(shop):
    spans = conversation()
    spans[0].input_tokens, spans[0].output_tokens = 30, 12
    store_spans(shop.pk, spans, mask=KEPT)
    assert Trace.objects.get(project=shop).input_tokens == 30


def test_retried_export_changes_nothing(shop):
    store_spans(shop.pk, conversation(), mask=KEPT)
    before, changed = rows(shop), Trace.objects.get(project=shop).changed_at
    assert store_spans(shop.pk, conversation(), mask=KEPT) == 0
    assert rows(shop) == before
    assert Trace.objects.get(project=shop).changed_at == changed


def test_late_root_gives_the_trace_its_name_and_words(shop):
    spans = conversation()
    store_spans(shop.pk, spans[1:], mask=KEPT)
    assert Trace.objects.get(project=shop).name == "step 1"
    store_spans(shop.pk, spans[:1], mask=KEPT)
    trace = Trace.objects.get(project=shop)
    assert (trace.name, trace.input, trace.spans) == ("support", "Where is my order?", 4)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=strategies.integers(0, 10**6))
def test_any_order_any_batches_and_any_repeats_give_the_same_rows(shop, seed):
    dice = random.Random(seed)
    told = []
    for trace in ("a", "b", "c"):
        for number in range(dice.randint(1, 6)):
            parent = dice.choice([None, *range(number), 99]) if number else None
            for _ in range(dice.randint(1, 3)):  # the same span in several halves
                told.append(
                    span(
                        trace, number, parent if dice.random() < 0.9 else None,
                        kind=dice.choice(["chain", "llm", "tool"]),
                        status=dice.choice(["", "ok", "error"]),
                        error=dice.choice(["", "no", "not at all"]),
                        model=dice.choice(["", "m1", "m2"]),
                        input=dice.choice([None, "hello", [{"role": "user", "content": "hi there"}], {"a": 1}]),
                        output=dice.choice([None, "bye", {"b": [1, 2]}]),
                        session=dice.choice(["", "s1", "s2"]),
                        tags=dice.sample(["x", "y", "z"], 2),
                        input_tokens=dice.choice([None, 3, 5]),
                        attributes=dict(dice.sample([("p", 1), ("q", "2"), ("r", None)], 2)),
                        start=dice.choice([None, NOON + timedelta(seconds=dice.randint(0, 9))]),
                        end=dice.choice([None, NOON + timedelta(seconds=dice.randint(10, 19))]),
                    )
                )  # fmt: skip
    outcomes = []
    for attempt in range(2):
        project = make.project()
        order = told * 2 if attempt else list(told)
        dice.shuffle(order)
        while order:
            size = dice.randint(1, len(order))
            batch, order = order[:size], order[size:]
            store_spans(project.pk, [copy(item) for item in batch], mask=KEPT, now=NOON)
        outcomes.append([row[1:] for row in _without_arrival(project)])  # the project differs, nothing else
    assert outcomes[0] == outcomes[1]


def copy(record: SpanRecord) -> SpanRecord:
    return merge(record, SpanRecord(record.trace_id, record.span_id))


def _without_arrival(project) -> list[tuple]:
    """Rows of traces whose start is known; an untold start is the moment of arrival, which is not ours to repeat."""
    known = set(Span.objects.filter(project=project, started_at__isnull=False).values_list("trace_id", flat=True))
    return [row for row in rows(project) if known & {str(value) for value in row[:12]}]


@pytest.mark.django_db(transaction=True)
def test_concurrent_exports_of_one_trace_end_as_one_trace(shop):
    barrier, failures = Barrier(4), []

    def export(part: int) -> None:
        try:
            barrier.wait()
            for _ in range(5):
                store_spans(shop.pk, [copy(item) for item in conversation()[part:]], mask=KEPT)
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [Thread(target=export, args=(part,)) for part in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures
    trace = Trace.objects.get(project=shop)
    assert (trace.spans, trace.input_tokens, Span.objects.filter(project=shop).count()) == (4, 30, 4)


def test_two_projects_may_use_the_same_ids(shop, elsewhere):
    store_spans(shop.pk, conversation(), mask=KEPT)
    store_spans(elsewhere.pk, conversation()[:2], mask=KEPT)
    assert Trace.objects.get(project=shop).spans == 4
    assert Trace.objects.get(project=elsewhere).spans == 2


def test_secrets_are_masked_before_anything_is_written_and_counted(shop):
    secret = "sk-" + "a1B2" * 10
    store_spans(shop.pk, [span("t", 0, input=f"use {secret}", error=f"bad key {secret}", status="error")], mask=KEPT)
    trace = Trace.objects.get(project=shop)
    assert secret not in str(rows(shop))
    assert trace.input == "use [redacted:openai_key]"
    assert trace.redacted == {"openai_key": 2}


def test_masked_people_stay_different_people(shop):
    mask = Redactor({"email"}).text
    store_spans(shop.pk, [span("t1", 0, user="ana@x.example"), span("t2", 0, user="bo@x.example")], mask=mask)
    users = set(Trace.objects.filter(project=shop).values_list("user", flat=True))
    assert len(users) == 2
    assert not any("@" in user for user in users)


def test_cycles_and_missing_parents_are_stored_and_summed_up(shop):
    loop = [span("t", 0, 1, input_tokens=1), span("t", 1, 0, input_tokens=2), span("t", 2, 77)]
    store_spans(shop.pk, loop, mask=KEPT)
    assert Trace.objects.get(project=shop).spans == 3


def test_words_of_inputs_and_outputs_can_be_searched(shop):
    store_spans(shop.pk, conversation(), mask=KEPT)
    assert Trace.objects.filter(project=shop, search="order").exists()
    assert not Trace.objects.filter(project=shop, search="umbrella").exists()


def test_rollouts_are_noted_when_first_seen_and_moved_back_by_older_traffic(shop):
    store_spans(shop.pk, conversation(), mask=KEPT)
    assert seen.note_first_seen() == 1
    assert not Pending.objects.exists()
    first = Rollout.objects.get(project=shop, fact="prompt")
    assert (first.name, first.value, first.at) == ("answer", "7", NOON)
    older = conversation("t0")
    for item in older:
        item.start = NOON - timedelta(days=1)
    store_spans(shop.pk, older, mask=KEPT)
    seen.note_first_seen()
    assert Rollout.objects.get(project=shop, fact="prompt").at == NOON - timedelta(days=1)


@pytest.mark.django_db(transaction=True)
def test_old_weeks_are_dropped_and_newer_and_other_projects_rows_stay(shop, elsewhere):
    long_ago = NOON - timedelta(days=200)
    IntakeRules.objects.create(project=elsewhere, keep_days=0)
    store_spans(shop.pk, conversation("old"), mask=KEPT, now=long_ago)
    store_spans(elsewhere.pk, conversation("old"), mask=KEPT, now=long_ago)
    store_spans(shop.pk, conversation("new"), mask=KEPT, now=NOON)
    assert expire.expire(NOON) == 1
    assert set(Trace.objects.values_list("project_id", "trace_id")) == {(shop.pk, "new"), (elsewhere.pk, "old")}
    assert Span.objects.filter(project=shop).count() == 4
    assert Span.objects.filter(project=elsewhere).count() == 4
    IntakeRules.objects.update(keep_days=30)
    assert expire.expire(NOON) == 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s), to_regclass(%s)", [_table(long_ago), _table(NOON)])
        old, new = cursor.fetchone()
        assert old is None
        assert new is not None


def _table(moment: datetime) -> str:
    return f"issues_span_{bucket_of(moment)}"
