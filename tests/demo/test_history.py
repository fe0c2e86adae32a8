"""The history goes through the whole intake, and a second start changes nothing."""

import stat
from datetime import UTC, datetime, timedelta

import pytest

from issues.models import Rollout, Signal, Span, Trace
from reviewer.demo import history, plan
from reviewer.demo.accounts import ensure_demo_accounts, ensure_demo_key
from reviewer.demo.client import Client, Unreachable
from reviewer.demo.status import KEY, read_status, write_status
from reviewer.management.commands.demo import planted_truth
from reviewer.models import ApiKey
from tests import make

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime.now(UTC)


@pytest.fixture
def client(live_server, shop) -> Client:
    return Client(live_server.url, make.key(shop)[1])


def counts() -> tuple[int, int, int, int]:
    return (
        Trace.objects.count(),
        Span.objects.count(),
        Signal.objects.count(),
        Rollout.objects.filter(source="reported").count(),
    )


def test_history_is_stored_once_however_often_it_is_sent(client, tmp_path):
    status = history.fill(client, tmp_path, traces=260, now=NOW, log=lambda _: None)
    assert status["done"]
    assert status["sent"] == status["of"] == Trace.objects.count()
    first = counts()
    assert first[1] > 4 * first[0]
    assert first[3] == len(plan.ROLLOUTS)
    assert history.fill(client, tmp_path, traces=260, log=lambda _: None) == status

    write_status(tmp_path, status | {"done": False, "sent": 0, "batches": 0})
    history.fill(client, tmp_path, log=lambda _: None)
    assert counts() == first


def test_a_start_that_was_cut_off_goes_on_where_it_stopped(client, tmp_path):
    class Breaks(Client):
        left = 3

        def post(self, path, body, **options):
            if path == "/v1/traces":
                if not self.left:
                    raise Unreachable("gone")
                self.left -= 1
            return super().post(path, body, **options)

    broken = Breaks(client.url, client.key)
    with pytest.raises(Unreachable):
        history.fill(broken, tmp_path, traces=700, now=NOW, log=lambda _: None)
    before = read_status(tmp_path)
    assert not before["done"]
    status = history.fill(client, tmp_path, log=lambda _: None)
    assert status["end"] == before["end"]
    assert status["sent"] == status["of"] == Trace.objects.count()


def test_facts_of_the_runs_are_understood_by_the_intake(client, tmp_path):
    history.fill(client, tmp_path, traces=400, now=NOW, log=lambda _: None)
    trace = Trace.objects.exclude(session="").order_by("-started_at").first()
    assert trace is not None
    assert trace.user.startswith("C-")
    assert trace.release == "483"
    assert trace.environment in {"production", "beta"}
    assert all(name.startswith("sim-") for name in trace.model_names)
    assert set(Span.objects.values_list("kind", flat=True)) == {"agent", "guardrail", "llm", "tool", "retrieval"}
    assert Trace.objects.filter(prompts__contains=["support-answer@9"]).exists()
    assert Trace.objects.exclude(error="").exists()
    assert Trace.objects.filter(cost__gt=0).exists()
    assert set(Signal.objects.values_list("name", flat=True)) >= {"thumbs", "resolved", "refunded"}
    assert not Trace.objects.exclude(run="").exists()


def test_the_truth_names_exactly_the_traces_that_were_sent(client, tmp_path):
    history.fill(client, tmp_path, traces=200, now=NOW, log=lambda _: None)
    told = list(planted_truth(tmp_path))
    assert {line["trace_id"] for line in told} == set(Trace.objects.values_list("trace_id", flat=True))
    failing = [line for line in told if line["mode"]]
    assert failing
    assert all(set(line["cause"]) == {"kind", "field", "value", "also"} for line in failing)


def test_the_past_ends_now_and_is_fourteen_days_long(client, tmp_path):
    history.fill(client, tmp_path, traces=400, now=NOW, log=lambda _: None)
    first, last = (Trace.objects.order_by(order).first() for order in ("started_at", "-started_at"))
    assert first is not None
    assert last is not None
    assert NOW - timedelta(days=14, minutes=2) <= first.started_at < NOW - timedelta(days=13)
    assert NOW - timedelta(hours=14) < last.started_at <= NOW


def test_a_key_that_is_refused_is_said_at_once(live_server, shop, tmp_path):
    with pytest.raises(Unreachable, match="401"):
        history.fill(Client(live_server.url, "wk_live_wrong"), tmp_path, traces=50, log=lambda _: None)


def test_the_app_gets_one_key_in_a_file_of_its_own(db, tmp_path):
    project = ensure_demo_accounts()
    ensure_demo_key(project, tmp_path / "demo")
    file = tmp_path / "demo" / KEY
    secret = file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    ensure_demo_key(project, tmp_path / "demo")
    assert file.read_text() == secret
    assert ApiKey.objects.count() == 1
    ApiKey.objects.update(revoked_at=NOW)
    ensure_demo_key(project, tmp_path / "demo")
    assert file.read_text() != secret
    assert ApiKey.objects.live().get().scopes == ["ingest", "prompts:read"]
