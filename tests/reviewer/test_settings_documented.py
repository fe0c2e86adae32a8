"""Every setting is declared in one place, so the documented table is the whole list."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer import env, handbook

CHECKOUT = Path(__file__).resolve().parent.parent.parent
BEFORE_SETTINGS = {"reviewer/env.py", "reviewer/home.py", "reviewer/local.py"}
"""Modules that may touch the environment themselves: they run before or beside the settings."""
NOT_OURS = {"DJANGO_SETTINGS_MODULE", "PATH", "PYTHONPATH"}
READS = re.compile(
    r"""(?:environ(?:\.get|\.setdefault|\.pop)?|getenv)\s*[\[(]\s*["']([A-Z][A-Z0-9_]*)["']"""
    r"""|["']([A-Z][A-Z0-9_]*)["']\s+(?:not )?in (?:os\.)?environ"""
)


def sources() -> list[Path]:
    return [
        CHECKOUT / "manage.py",
        *(f for app in ("reviewer", "issues", "prompts") for f in (CHECKOUT / app).rglob("*.py")),
    ]


def test_every_setting_is_in_the_table():
    html = handbook.pages()["settings"].html
    assert env.SETTINGS
    for setting in env.SETTINGS.values():
        assert f"<td><code>{setting.name}</code></td>" in html
        assert setting.meaning.endswith(".")


def test_no_code_reads_a_variable_that_is_not_declared():
    for file in sources():
        for match in READS.finditer(file.read_text()):
            name = match[1] or match[2]
            assert name in env.SETTINGS or name in NOT_OURS, f"{file} reads {name}"


def test_the_environment_is_read_in_few_places():
    """Anything else would bypass the check above, for example with a computed name."""
    for file in sources():
        place = file.relative_to(CHECKOUT).as_posix()
        text = re.sub(r"environ\.setdefault\(\"DJANGO_SETTINGS_MODULE\"", "", file.read_text())
        if place not in BEFORE_SETTINGS and re.search(r"os\.environ\b|\bgetenv\b", text):
            used = [line for line in text.splitlines() if re.search(r"os\.environ\b|\bgetenv\b", line)]
            assert all(re.search(r"\*\*os\.environ|dict\(os\.environ\)|=os\.environ\b", line) for line in used), place


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("WHETSTONE_DEBUG", "perhaps", "WHETSTONE_DEBUG is 'perhaps'; use 1 or 0."),
        ("DATABASE_POOL", "many", "DATABASE_POOL is 'many'; use a whole number."),
        ("DATABASE_POOL", "0", "DATABASE_POOL is 0; it must be at least 1."),
        ("WHETSTONE_URL", "whetstone.example", "WHETSTONE_URL is 'whetstone.example'; use an address like"),
        ("EMAIL_URL", "http://mail", "EMAIL_URL must start with smtp:// or smtps://."),
    ],
)
def test_a_value_that_cannot_be_right_is_named(name: str, value: str, sentence: str):
    assert sentence in complaint(**{"SECRET_KEY": "x" * 50, name: value})


def test_production_needs_a_secret_key():
    assert "SECRET_KEY is not set." in complaint()


def complaint(**environ: str) -> str:
    """What the settings say when they refuse to load."""
    environ = {"PATH": "", "DATABASE_URL": "postgresql:///none", **environ}
    command = [sys.executable, "-c", "import reviewer.settings"]
    done = subprocess.run(command, cwd=CHECKOUT, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode
    return done.stderr
