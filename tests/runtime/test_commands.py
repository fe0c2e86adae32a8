"""Management commands and the home they talk to."""

import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.runtime.instance import Instance, manage

pytestmark = [pytest.mark.runtime, pytest.mark.xdist_group("runtime")]


def test_key_made_at_the_shell_opens_the_running_instance(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Instance(home, "--no-demo") as instance:
        instance.wait_ready()
        assert manage(home, "create_project", "lakeside", "--name", "Lakeside").returncode == 0
        made = manage(home, "create_key", "--project", "lakeside", "--scopes", "ingest,api", "--json")
        assert made.returncode == 0, made.stderr
        assert len(made.stdout.splitlines()) == 1
        key = json.loads(made.stdout)
        assert set(key) == {"public", "secret"}
        request = urllib.request.Request(
            f"{instance.url}/api/v1/key", headers={"Authorization": f"Bearer {key['secret']}"}
        )
        with urllib.request.urlopen(request) as reply:
            assert json.loads(reply.read())["project"] == "lakeside"


def test_first_command_on_a_new_home_makes_the_database_and_stops_it_after(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = manage(home, "create_project", "lakeside")
    assert first.returncode == 0, first.stderr
    assert "exists already" in manage(home, "create_project", "lakeside").stdout
    assert not (home / "postgres" / "postmaster.pid").exists()


def test_commands_at_the_same_time_on_a_stopped_home_wait_for_each_other(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert manage(home, "prepare").returncode == 0
    with ThreadPoolExecutor(3) as pool:
        outcomes = list(pool.map(lambda name: manage(home, "create_project", name), ["one", "two", "three"]))
    assert [outcome.returncode for outcome in outcomes] == [0, 0, 0], [outcome.stderr for outcome in outcomes]
