"""Fresh scenarios: different each time, hard on purpose, and the same again for the same seed."""

import json
from collections import Counter
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from issues.models import Trace
from reviewer.demo import plan, scenario, wording
from reviewer.demo.extras import TOOL_FAULTS
from tests import make

END = datetime(2026, 11, 18, tzinfo=UTC)
SEEDS = (1, 2, 3, 4, 5, 6)


@pytest.fixture(scope="module")
def made() -> dict[int, scenario.Scenario]:
    return {seed: scenario.make(seed, end=END, traces=1500) for seed in SEEDS}


def test_the_same_seed_makes_the_same_scenario(made):
    again = scenario.make(1, end=END, traces=1500)
    assert list(again.truth()) == list(made[1].truth())
    assert [turn.run.answer for turn in again.turns] == [turn.run.answer for turn in made[1].turns]


def test_seeds_differ_in_modes_causes_and_wording(made):
    assert len({tuple(one.mode for one in each.planted) for each in made.values()}) == len(SEEDS)
    assert len({json.dumps([one.cause for one in each.planted]) for each in made.values()}) == len(SEEDS)
    one, two = ({wording.normalised(turn.run.case.message) for turn in made[seed].turns} for seed in (1, 2))
    assert len(one & two) / len(one) < 0.05


def test_every_planted_mode_is_there_often_enough_and_no_other(made):
    for each in made.values():
        counts = Counter(line["mode"] for line in each.truth() if line["mode"])
        assert set(counts) == {one.mode for one in each.planted}
        assert min(counts.values()) >= 10
        assert 0.08 < sum(counts.values()) / len(each.turns) < 0.35


def test_every_scenario_is_hard(made):
    for each in made.values():
        assert any(one.cause is None for one in each.planted)
        assert any(one.silent for one in each.planted)
        assert sum(one.mode in TOOL_FAULTS for one in each.planted) >= 3
    assert any(one.together for each in made.values() for one in each.planted)


def test_silent_failures_are_told_by_no_customer(made):
    for each in made.values():
        silent = {one.mode for one in each.planted if one.silent}
        turns = [turn for turn in each.turns if turn.run.mode in silent]
        said = [turn for turn in turns if any(s["source"] == "user" and s["value"] is not True for s in turn.signals)]
        assert len(said) <= max(2, len(turns) // 10)


def test_the_cause_really_stands_out(made):
    """Inside its circumstances a mode is many times as frequent as outside."""
    for each in made.values():
        for one in each.planted:
            if not one.when:
                continue
            inside, outside = Counter(), Counter()
            for turn in each.turns:
                facts = turn.run.serving.facts(turn.run.case)
                met = all(facts.get(name) == value for name, value in one.when.items())
                (inside if met else outside)[turn.run.mode == one.mode] += 1
            rates = [group[True] / max(group.total(), 1) for group in (inside, outside)]
            assert rates[0] > 3 * rates[1], (each.seed, one)


def test_the_command_writes_requests_and_the_truth_beside_them(tmp_path, capsys):
    out = tmp_path / "seven.jsonl"
    call_command("demo", "scenario", "--seed", "7", "--traces", "300", "--out", str(out))
    told = json.loads(capsys.readouterr().out)
    kinds = Counter(next(iter(json.loads(line))) for line in out.read_text().splitlines())
    assert set(kinds) == {"rollouts", "traces", "feedback"}
    truth = [json.loads(line) for line in (tmp_path / "seven.jsonl.truth").read_text().splitlines()]
    assert len(truth) == told["traces"]
    assert sum(mode["traces"] for mode in told["modes"]) == sum(line["mode"] is not None for line in truth)


@pytest.mark.django_db(transaction=True)
def test_the_command_posts_it_and_a_second_time_changes_nothing(live_server, shop, capsys):
    options = [
        "demo",
        "scenario",
        "--seed",
        "8",
        "--traces",
        "120",
        "--post",
        "--url",
        live_server.url,
        "--key",
        make.key(shop)[1],
    ]
    call_command(*options)
    count = Trace.objects.count()
    assert count == json.loads(capsys.readouterr().out)["traces"]
    call_command(*options)
    assert Trace.objects.count() == count
    with pytest.raises(CommandError, match="401"):
        call_command(*options[:-1], "wrong")


@pytest.mark.django_db(transaction=True)
def test_the_traffic_command_sends_and_the_truth_command_tells(live_server, settings, tmp_path, capsys):
    from reviewer.home import Home

    settings.HOME = Home(tmp_path)
    call_command("demo", "traffic", "--rate", "80", "--most", "8", "--url", live_server.url)
    assert "traces sent" in capsys.readouterr().out
    call_command("demo", "truth")
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["trace_id"] for line in told} == set(Trace.objects.values_list("trace_id", flat=True))
    assert plan.identity("a") == plan.identity("a")


def test_a_rate_must_be_above_zero():
    with pytest.raises(CommandError, match="above 0"):
        call_command("demo", "traffic", "--rate", "0")
