"""The demo uses Whetstone only as a customer would: over HTTP. And nothing but `demo truth` knows the truth."""

import ast
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reviewer.demo import plan, scenario
from reviewer.demo.extras import ANSWER_FAULTS, TOOL_FAULTS
from reviewer.demo.modes import MODES, SIDE_EFFECTS
from reviewer.demo.telemetry import encode, feedback_of, request_of
from reviewer.management.commands.demo import requests_of

CHECKOUT = Path(__file__).resolve().parent.parent.parent
FOLDER = CHECKOUT / "reviewer" / "demo"
PRODUCT_SIDE = {"accounts.py", "tour.py"}
APP = sorted(file for file in FOLDER.rglob("*.py") if file.name not in PRODUCT_SIDE)
START = datetime(2026, 11, 4, tzinfo=UTC)


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


@pytest.mark.parametrize("file", APP, ids=lambda file: file.stem)
def test_the_app_imports_nothing_of_whetstone(file: Path):
    for name in imported(file):
        top = name.split(".")[0]
        assert top in sys.stdlib_module_names or top == "re2" or name.startswith("reviewer.demo."), name
        assert not name.startswith("reviewer.demo.accounts")


def test_the_app_runs_without_django_issues_or_prompts():
    code = (
        "import sys, reviewer.demo.serve; "
        "print([name for name in sys.modules if name.split('.')[0] in "
        "{'django', 'issues', 'prompts', 'celery', 'torch'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_nothing_in_the_pipeline_reads_the_truth():
    """Only the command and the app's own modules import what is planted."""
    allowed = {CHECKOUT / "reviewer/management/commands/demo.py"}
    for folder in ("issues", "prompts", "reviewer"):
        for file in (CHECKOUT / folder).rglob("*.py"):
            if FOLDER in file.parents or file in allowed:
                continue
            names = imported(file)
            for secret in ("modes", "plan", "scenario", "extras", "simulator", "rules"):
                assert not any(name.startswith(f"reviewer.demo.{secret}") for name in names), file
            assert "truth.jsonl" not in file.read_text()


def secrets_in(text: str) -> list[str]:
    words = [*MODES, *SIDE_EFFECTS, *TOOL_FAULTS, *ANSWER_FAULTS, "planted", "truth", "failure mode"]
    words += [mode.title for mode in MODES.values()]
    return [word for word in words if word in text]


def test_no_payload_of_the_history_tells_the_truth():
    turns = list(plan.history(START, traces=1200))
    body = encode(request_of([(turn.run, plan.identity(1, "trace", turn.number), START) for turn in turns])).decode()
    assert secrets_in(body) == []
    said = [feedback_of(turn, "t", START, START + timedelta(days=30)) for turn in turns]
    assert secrets_in(json.dumps(said)) == []


def test_no_payload_of_a_scenario_tells_the_truth():
    made = scenario.make(11, traces=700)
    assert secrets_in(json.dumps([body for _, body in requests_of(made)])) == []
    assert "scenario" not in json.dumps([body for _, body in requests_of(made)])


def test_it_is_labelled_as_simulated_wherever_it_shows():
    turn = next(plan.history(START, traces=20))
    [block] = request_of([(turn.run, "0" * 32, START)])["resourceSpans"]
    spans = block["scopeSpans"][0]["spans"]
    told = [{pair["key"]: pair["value"] for pair in span["attributes"]} for span in spans]
    assert told[0]["fernwood.simulated"] == {"boolValue": True}
    models = [item["gen_ai.request.model"]["stringValue"] for item in told if "gen_ai.request.model" in item]
    assert models
    assert all(name.startswith("sim-") for name in models)
    assert all(
        item["gen_ai.provider.name"] == {"stringValue": "simulated"} for item in told if "gen_ai.provider.name" in item
    )
