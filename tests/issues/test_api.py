"""Our own JSON: traces, feedback and rollouts in; traces out; each item judged by itself."""

import json

import pytest
from django.core.management import CommandError, call_command

from issues.models import Import, IntakeRules, Rollout, Signal, SignalName, Span, Trace
from tests import make


@pytest.fixture
def key(shop) -> dict[str, str]:
    return {"Authorization": f"Bearer {make.key(shop, scopes=('ingest', 'api'))[1]}"}


def send(client, what: str, body, headers) -> object:
    return client.post(f"/api/v1/{what}", json.dumps(body), "application/json", headers=headers)


def test_smallest_trace_is_taken_and_read_back(client, shop, key):
    reply = send(client, "traces", {"input": "Where is my order?", "output": "On its way."}, key)
    assert reply.status_code == 200, reply.content
    (trace_id,) = reply.json()["ids"]
    whole = client.get(f"/api/v1/traces/{trace_id}", headers=key).json()
    assert (whole["input"], whole["output"], len(whole["steps"])) == ("Where is my order?", "On its way.", 1)
    listed = client.get("/api/v1/traces", headers=key).json()
    assert [row["trace_id"] for row in listed["traces"]] == [trace_id]


def test_same_request_again_is_the_same_trace(client, shop, key):
    body = {"input": "a", "output": "b", "time": "2026-11-18T10:00:00Z"}
    first, second = (send(client, "traces", body, key).json()["ids"] for _ in range(2))
    assert first == second
    assert Trace.objects.filter(project=shop).count() == 1


def test_bad_item_is_named_and_the_others_are_kept(client, shop, key):
    reply = send(client, "traces", [{"input": "good"}, 7, {"input": "fine", "time": "not a time"}], key)
    answer = reply.json()
    assert (reply.status_code, answer["accepted"]) == (200, 1)
    assert [item["index"] for item in answer["rejected"]] == [1, 2]
    assert "time" in answer["rejected"][1]["error"]


def test_only_bad_items_are_422(client, shop, key):
    assert send(client, "feedback", [{"value": 1}], key).status_code == 422


@pytest.mark.parametrize(
    ("value", "number", "text", "kind"),
    [
        (True, 1.0, "", "yes_no"),
        (1, 1.0, "", "number"),
        (0.25, 0.25, "", "number"),
        ("rude", None, "rude", "category"),
    ],
)
def test_feedback_before_its_trace_waits_for_it(client, shop, key, value, number, text, kind):
    reply = send(client, "feedback", [{"trace_id": "abc", "name": "mood", "value": value, "comment": "so so"}], key)
    assert reply.json()["accepted"] == 1
    send(client, "traces", {"id": "abc", "input": "hi"}, key)
    signals = client.get("/api/v1/traces/abc", headers=key).json()["signals"]
    assert [(s["name"], s["number"], s["text"], s["comment"]) for s in signals] == [("mood", number, text, "so so")]
    assert SignalName.objects.get(project=shop, name="mood").kind == kind


def test_feedback_again_is_one_signal_and_an_id_lets_it_change(client, shop, key):
    said = {"trace_id": "abc", "name": "thumbs", "value": True, "time": "2026-11-18T10:00:00Z"}
    for _ in range(3):
        send(client, "feedback", [said], key)
    assert Signal.objects.filter(project=shop).count() == 1
    for hour, value in ((10, 1), (12, 3), (11, 2)):
        send(client, "feedback", [{**said, "id": "f1", "value": value, "time": f"2026-11-18T{hour}:00:00Z"}], key)
    assert Signal.objects.get(project=shop, key__contains="f1").number == 3


def test_signal_of_a_masked_session_still_finds_it(client, shop, key):
    IntakeRules.objects.create(project=shop, masked_kinds=["email"])
    send(client, "traces", {"id": "abc", "input": "hi", "session_id": "ana@x.example"}, key)
    send(client, "feedback", [{"session_id": "ana@x.example", "name": "stars", "value": 4}], key)
    session = Trace.objects.get(project=shop).session
    assert "@" not in session
    assert Signal.objects.get(project=shop).session == session


def test_direction_of_a_signal_follows_its_name_until_somebody_says_otherwise(client, shop, key):
    send(client, "feedback", [{"trace_id": "a", "name": n, "value": True} for n in ("refunded", "resolved")], key)
    assert dict(SignalName.objects.values_list("name", "higher_is_good")) == {"refunded": False, "resolved": True}


def test_rollout_is_stored_once(client, shop, key):
    body = [{"fact": "release", "value": "482", "time": "2026-11-10T09:00:00Z"}]
    for _ in range(2):
        assert send(client, "rollouts", body, key).status_code == 200
    assert Rollout.objects.get(project=shop).source == "reported"


def test_another_projects_trace_is_not_there(client, shop, elsewhere, key):
    send(client, "traces", {"id": "abc", "input": "hi"}, key)
    theirs = {"Authorization": f"Bearer {make.key(elsewhere, scopes=('api',))[1]}"}
    assert client.get("/api/v1/traces/abc", headers=theirs).status_code == 404
    assert client.get("/api/v1/traces", headers=theirs).json()["traces"] == []


def test_scopes_are_kept_apart(client, shop):
    reading = {"Authorization": f"Bearer {make.key(shop, scopes=('api',))[1]}"}
    writing = {"Authorization": f"Bearer {make.key(shop, scopes=('ingest',))[1]}"}
    assert send(client, "traces", {"input": "x"}, reading).status_code == 403
    assert client.get("/api/v1/traces", headers=writing).status_code == 403


@pytest.mark.parametrize("body", [b"", b"{", b"[[[[", b"\xff", b"[" * 50_000, b"null", b"7", b'"x"', b"[]"])
@pytest.mark.parametrize("what", ["traces", "feedback", "rollouts"])
def test_broken_bodies_get_a_sentence(client, shop, key, what, body):
    reply = client.post(f"/api/v1/{what}", body, "application/json", headers=key)
    assert reply.status_code in {200, 400, 422}, reply.content
    assert reply.json()


def test_openapi_names_every_door(client):
    document = client.get("/api/v1/openapi.json").json()
    assert {"/api/v1/traces", "/api/v1/feedback", "/api/v1/rollouts"} <= set(document["paths"])
    assert "requestBody" in document["paths"]["/api/v1/traces"]["post"]


def test_import_reads_lines_is_safe_to_repeat_and_goes_on_where_it_stopped(shop, tmp_path, capsys):
    lines = [json.dumps({"id": f"t{n}", "input": f"question {n}"}) for n in range(5)]
    file = tmp_path / "history.jsonl"
    file.write_text("\n".join([*lines, "not json", "{}"]))
    call_command("import_traces", str(file), "--project", "fernwood")
    assert Trace.objects.filter(project=shop).count() == 5
    call_command("import_traces", str(file), "--project", "fernwood")
    assert "read already" in capsys.readouterr().out
    Import.objects.update(finished_at=None, items=3)
    Trace.objects.filter(project=shop).delete()
    Span.objects.filter(project=shop).delete()
    call_command("import_traces", str(file), "--project", "fernwood")
    assert set(Trace.objects.values_list("trace_id", flat=True)) == {"t3", "t4"}
    assert "going on after item 3" in capsys.readouterr().out


def test_import_into_no_project_says_how_to_make_one(db, tmp_path):
    (tmp_path / "x").write_text("{}")
    with pytest.raises(CommandError, match="create_project nowhere"):
        call_command("import_traces", str(tmp_path / "x"), "--project", "nowhere")
