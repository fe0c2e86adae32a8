"""Real conversations from the folder WHETSTONE_DATA names: every file goes in, its counts come out, in any order."""

import gzip
import json
import os
import random
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import Sum

from issues.models import Signal, Span, Trace
from tests import make
from tests.issues.test_intake import rows
from tests.issues.wire import as_protobuf

DATA = Path(os.environ.get("WHETSTONE_DATA") or "nowhere")
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="WHETSTONE_DATA does not name a folder")


def files(folder: str) -> list[Path]:
    found = sorted((DATA / folder).glob("*.gz"))
    assert found
    return found


def post(client, project, body: bytes, content_type: str = "application/json", **headers: str) -> None:
    headers["Authorization"] = f"Bearer {make.key(project)[1]}"
    reply = client.post("/v1/traces", body, content_type, headers=headers)
    assert reply.status_code == 200, reply.content[:300]
    assert reply.content in (b"", b"{}"), "every span was taken"


def counts(project) -> tuple[int, int]:
    return Trace.objects.filter(project=project).count(), Span.objects.filter(project=project).count()


def flattened(request: dict) -> list[dict]:
    """The same request with one span in each resource block, so that it can be shuffled."""
    return [
        {"resource": block["resource"], "scopeSpans": [{"scope": scope.get("scope", {}), "spans": [span]}]}
        for block in request["resourceSpans"]
        for scope in block["scopeSpans"]
        for span in scope["spans"]
    ]


def test_all_exports_come_in_and_once_more_changes_nothing(client, shop, settings):
    settings.INTAKE_PENDING_LIMIT = 10**9
    for path in files("otlp"):
        post(client, shop, path.read_bytes(), **{"Content-Encoding": "gzip"})
    assert counts(shop) == (785, 16_904)
    assert Trace.objects.filter(project=shop).aggregate(total=Sum("spans"))["total"] == 16_904
    before = rows(shop)
    changed = Trace.objects.filter(project=shop).latest("changed_at").changed_at
    for path in reversed(files("otlp")):
        post(client, shop, path.read_bytes(), **{"Content-Encoding": "gzip"})
    assert rows(shop) == before
    assert Trace.objects.filter(project=shop).latest("changed_at").changed_at == changed


def test_shuffled_doubled_and_cut_anywhere_the_rows_are_the_same(client, shop, elsewhere):
    whole = gzip.decompress(files("otlp")[0].read_bytes())
    post(client, shop, whole)
    spans = flattened(json.loads(whole))
    dice = random.Random(7)
    order = [*spans, *dice.sample(spans, len(spans) // 3)]
    dice.shuffle(order)
    while order:
        batch, order = order[:400], order[400:]
        request = {"resourceSpans": batch}
        if dice.random() < 0.5:
            post(client, elsewhere, as_protobuf(request), "application/x-protobuf")
        else:
            post(client, elsewhere, json.dumps(request).encode())
    assert counts(elsewhere) == counts(shop) == (100, len(spans))
    assert [row[1:] for row in rows(elsewhere)] == [row[1:] for row in rows(shop)]


def test_whole_histories_come_in_one_request(client, shop):
    (path,) = files("otlp_full_history")
    whole = gzip.decompress(path.read_bytes())
    assert len(whole) > 25 * 2**20
    post(client, shop, whole)
    assert counts(shop) == (100, len(flattened(json.loads(whole))))
    before = rows(shop)
    post(client, shop, path.read_bytes(), **{"Content-Encoding": "gzip"})
    assert rows(shop) == before


def test_traces_of_other_tools_are_imported_whole(shop, as_jonas):
    packed = (DATA / "compat" / "langfuse_framework_traces.jsonl.gz").read_bytes()
    lines = [json.loads(line) for line in gzip.decompress(packed).splitlines()]
    printed = json.loads(gzip.decompress((DATA / "compat" / "openinference_vercel_v6_spans.json.gz").read_bytes()))
    for _ in range(2):
        call_command("import_traces", *map(str, files("compat")), "--project", shop.slug, "--again")
    spans = {(line["trace"]["id"], step["id"]) for line in lines for step in line["observations"]}  # one is there twice
    spans |= {(span["spanContext"]["traceId"], span["spanContext"]["spanId"]) for span in printed}
    traces = {trace_id for trace_id, _ in spans}
    assert counts(shop) == (len(traces), len(spans))
    for trace_id in traces:
        assert as_jonas.get(f"/p/{shop.slug}/traces/{trace_id}").status_code == 200


def test_conversations_with_their_outcomes_are_imported(shop):
    call_command("import_traces", str(DATA / "traces" / "tau_bench.traces.jsonl.gz"), "--project", shop.slug)
    assert counts(shop) == (785, 16_904)
    rewards = Signal.objects.filter(project=shop, name="reward")
    assert (rewards.count(), rewards.filter(number=0).count()) == (785, 498)
    assert set(rewards.values_list("trace_id", flat=True)) <= set(Trace.objects.values_list("trace_id", flat=True))
