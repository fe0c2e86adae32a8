"""The demo under the supervisor: its history comes in while the pages work, survives kill -9, and is there once."""

import json
import os
import re
import signal
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from reviewer.demo.status import read_status
from tests.runtime.instance import Instance, Visitor, eventually, manage

pytestmark = [pytest.mark.runtime, pytest.mark.xdist_group("runtime")]


def test_the_history_comes_in_once_although_the_shop_is_killed_in_the_middle(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Instance(home, "--demo-rate", "0") as instance:
        instance.wait_ready()
        visitor = Visitor(instance.url).sign_in_demo("viewer")
        eventually(lambda: read_status(home / "demo").get("sent", 0) > 300, 60, instance)
        assert "coming in" in visitor.get("/p/fernwood")
        os.kill(instance.pid("demo"), signal.SIGKILL)
        instance.wait_for("demo ended")
        status = eventually(lambda: (found := read_status(home / "demo")).get("done") and found, 120, instance)
        assert 4_700 < status["sent"] == status["of"] < 5_300
        assert "coming in" not in visitor.get("/p/fernwood")

        truth = manage(home, "demo", "truth")
        lines = [json.loads(line) for line in truth.stdout.splitlines()]
        assert len(lines) == status["of"], truth.stderr
        assert 0.08 < sum(line["mode"] is not None for line in lines) / len(lines) < 0.13
        key = json.loads(manage(home, "create_key", "--project", "fernwood", "--scopes", "api", "--json").stdout)
        assert _stored(instance.url, key["secret"]) == {line["trace_id"] for line in lines}

        address = re.search(r"answers at (\S+)", instance.wait_for("The simulated shop answers at"))
        assert address
        request = urllib.request.Request(address[1], json.dumps({"input": "Where is FW-20003?"}).encode())
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10) as reply:
            assert json.loads(reply.read())["simulated"] is True
        assert instance.stop() == 0
        assert not instance.processes()


def _stored(url: str, secret: str) -> set[str]:
    """Every trace id, page by page, as an app with a key would read them."""
    found: set[str] = set()
    before = ""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        query = "?limit=500" + (f"&before={urllib.parse.quote(before)}" if before else "")
        request = urllib.request.Request(f"{url}/api/v1/traces{query}", headers={"Authorization": f"Bearer {secret}"})
        with opener.open(request, timeout=30) as reply:
            page = json.loads(reply.read())
        found |= {trace["trace_id"] for trace in page["traces"]}
        if not page["before"]:
            return found
        before = page["before"]


def test_without_the_demo_there_is_no_shop(tmp_path: Path) -> None:
    with Instance(tmp_path / "home", "--no-demo") as instance:
        instance.wait_ready()
        assert not (tmp_path / "home" / "run" / "demo.pid").exists()
        assert not (tmp_path / "home" / "demo").exists()
        assert "simulated shop" not in instance.output
        assert instance.stop() == 0
