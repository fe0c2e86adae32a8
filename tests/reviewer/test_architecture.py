"""What ARCHITECTURE.md and the README say is so: import rules, paths, commands, migrations."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

CHECKOUT = Path(__file__).resolve().parent.parent.parent
ARCHITECTURE = (CHECKOUT / "ARCHITECTURE.md").read_text()
README = (CHECKOUT / "README.md").read_text()
CONTRACTS: list[dict[str, Any]] = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]


def told(contract: dict[str, Any]) -> str:
    """A contract as ARCHITECTURE.md shows it."""
    if contract["type"] == "layers":
        lines = contract["layers"]
    else:
        never = "never import " + ", ".join(contract["forbidden_modules"])
        lines = [", ".join(contract["source_modules"]), never]
    return f"### {contract['name']}\n\n" + "\n".join(f"    {line}" for line in lines) + "\n"


def test_the_import_rules_hold():
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-logo", "--no-cache"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("contract", CONTRACTS, ids=[contract["name"] for contract in CONTRACTS])
def test_the_import_rules_are_told_as_they_are(contract: dict[str, Any]):
    assert told(contract) in ARCHITECTURE


def test_no_rule_is_told_that_nobody_checks():
    section = ARCHITECTURE.partition("## Who may import whom")[2].partition("\n## ")[0]
    assert re.findall(r"^### (.*)$", section, re.MULTILINE) == [contract["name"] for contract in CONTRACTS]


@pytest.mark.parametrize("text", [ARCHITECTURE, README], ids=["ARCHITECTURE.md", "README.md"])
def test_every_path_that_is_named_exists(text: str):
    for path in re.findall(r"`((?:reviewer|issues|prompts|templates|static|tests)/[\w./-]*)`", text):
        assert (CHECKOUT / path).exists(), path


def test_every_module_of_the_house_has_its_place():
    for file in (CHECKOUT / "reviewer").glob("*.py"):
        if file.stem in {"__init__", "apps", "refused", "forms"}:
            continue
        assert f"`reviewer/{file.name}`" in ARCHITECTURE, f"ARCHITECTURE.md does not say what {file.name} is for"


def test_the_readme_opens_with_the_two_commands_and_a_screenshot():
    first_screen = README.partition("\n## ")[0]
    commands = [line.split("#")[0].strip() for line in first_screen.splitlines() if line.startswith("    ")]
    assert commands == ["make run", "make test"]
    assert "](docs/screenshot.png)" in first_screen


def test_the_readme_names_only_targets_that_exist():
    targets = set(re.findall(r"^([a-z-]+):.*## ", (CHECKOUT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", README)) <= targets


@pytest.mark.django_db
def test_the_migrations_are_complete():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
