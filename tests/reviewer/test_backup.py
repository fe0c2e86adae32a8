"""The backup and restore commands of the documentation, run as they stand on a real home."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer import handbook
from tests.runtime.instance import CHECKOUT, Instance, clean_environment, manage

pytestmark = [pytest.mark.runtime, pytest.mark.xdist_group("runtime")]


def commands(heading: str) -> str:
    """The indented block under a heading of the chapter on operations."""
    text = (handbook.FOLDER / "operations.md").read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return "\n".join(line[4:] for line in text.splitlines() if line.startswith("    "))


def run(script: str, *, home: Path, folder: Path) -> None:
    """In another folder, so the paths of the checkout become full ones."""
    script = script.replace(".venv/bin/python", shlex.quote(sys.executable))
    script = script.replace("manage.py", shlex.quote(str(CHECKOUT / "manage.py")))
    script = script.replace(".whetstone/", f"{shlex.quote(str(home))}/")
    environ = clean_environment(home, PYTHONPATH=str(CHECKOUT))
    done = subprocess.run(
        ["bash", "-eu", "-c", script], cwd=folder, env=environ, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_was_backed_up_can_be_restored_into_a_new_home(tmp_path: Path):
    old, new = tmp_path / "old", tmp_path / "new"
    with Instance(old, "--no-demo") as instance:
        instance.wait_ready()
        assert manage(old, "create_project", "shop", "--name", "Our shop").returncode == 0
        run(commands("Back up"), home=old, folder=tmp_path)
    assert (tmp_path / "whetstone.secret_key").read_text() == (old / "secret_key").read_text()

    with Instance(new, "--no-demo") as instance:
        instance.wait_ready()
        run(commands("Restore"), home=new, folder=tmp_path)
    with Instance(new, "--no-demo") as instance:
        instance.wait_ready()
        assert "exists already" in manage(new, "create_project", "shop").stdout
        assert manage(new, "create_key", "--project", "shop", "--scopes", "api", "--json").returncode == 0
