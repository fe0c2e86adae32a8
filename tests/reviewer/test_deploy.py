"""Production without a container engine: every command of the container files, run one by one."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict

from reviewer import env
from reviewer.postgres import BINARIES
from tests.background.stage import CHECKOUT, Process, Stage, free_port, stage, until

pytestmark = [pytest.mark.background, pytest.mark.xdist_group("deploy")]
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((CHECKOUT / "compose.yaml").read_text())["services"]
OURS = ("prepare", "web", "worker", "beat")
DOCKERFILE = (CHECKOUT / "Dockerfile").read_text()
ADDRESS = {"WHETSTONE_URL": "https://whetstone.example", "TRUSTED_PROXIES": "1"}


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage("redis", tmp_path_factory.mktemp("deploy")) as own:
        own.manage("collectstatic", "--no-input", "--verbosity=0")
        yield own


@pytest.fixture(scope="module")
def places(instance: Stage) -> dict[str, str]:
    """What is elsewhere when there is no container: the port and beat's file."""
    return {"8000": str(free_port()), "/tmp/beat": str(instance.folder / "beat")}


def here(command: list[str], places: dict[str, str]) -> list[str]:
    """The same command in this environment: our Python, our port, our folder."""
    words = [sys.executable if word == "python" else word for word in command]
    for there, ours in places.items():
        words = [word.replace(there, ours) for word in words]
    return words


def healthcheck(service: str) -> list[str]:
    kind, *command = SERVICES[service]["healthcheck"]["test"]
    assert kind == "CMD"
    return command


def healthy(instance: Stage, command: list[str]) -> bool:
    everything = {**instance.env, **ADDRESS}
    return subprocess.run(command, cwd=CHECKOUT, env=everything, capture_output=True, timeout=30).returncode == 0


def test_compose_sets_only_what_is_a_setting():
    for service in OURS:
        assert set(SERVICES[service]["environment"]) <= set(env.SETTINGS)


def test_every_service_has_a_health_check_or_ends():
    for name, service in SERVICES.items():
        assert service["healthcheck"].get("test") or (name == "prepare" and service["restart"] == "no")


def test_the_image_starts_web_as_compose_does():
    [command] = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    [check] = re.findall(r"^ +CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert json.loads(command) == SERVICES["web"]["command"]
    assert json.loads(check) == healthcheck("web")


def test_the_documentation_shows_the_same_commands():
    text = (CHECKOUT / "reviewer/docs/production.md").read_text()
    for service in OURS:
        command = " ".join(word for word in SERVICES[service]["command"] if word).removeprefix("python -m ")
        assert f"`{command}`" in text, command


def test_the_image_copies_only_files_that_exist_and_does_not_run_as_root():
    [first] = re.findall(r"^COPY (.* .*) \./$", DOCKERFILE, re.MULTILINE)
    assert all((CHECKOUT / name).is_file() for name in first.split())
    last_user = re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE)[-1]
    assert last_user != "root"
    assert f"useradd --uid 10001 --no-create-home {last_user}" in DOCKERFILE


def test_the_static_files_are_collected_as_the_image_does_it(tmp_path: Path):
    [settings, command] = re.findall(r"^RUN (SECRET_KEY=.*) \\\n +python (manage.py collectstatic .*) \\$",
                                     DOCKERFILE, re.MULTILINE)[0]  # fmt: skip
    given = dict(word.split("=", 1) for word in settings.split())
    environ = {**os.environ, **given, "STATIC_ROOT": str(tmp_path)}
    subprocess.run([sys.executable, *command.split()], cwd=CHECKOUT, env=environ, check=True, timeout=120)
    assert (tmp_path / "staticfiles.json").exists()


def test_deploy_check_is_clean(instance: Stage):
    instance.manage("check", "--deploy", "--fail-level", "WARNING", **ADDRESS)


def test_database_health_check(instance: Stage):
    environ = {**os.environ, "PATH": f"{BINARIES}:{os.environ['PATH']}"}
    words = {key: value for key, value in _server(instance).items() if value}
    subprocess.run(healthcheck("db"), env={**environ, **words}, check=True, capture_output=True, timeout=30)


def _server(instance: Stage) -> dict[str, str]:
    known = conninfo_to_dict(instance.url)
    return {"PGHOST": str(known.get("host") or ""), "PGPORT": str(known.get("port") or "")}


def test_redis_starts_with_its_command_and_is_healthy(tmp_path: Path):
    port = str(free_port())
    process = Process([*SERVICES["redis"]["command"], "--port", port], dict(os.environ), tmp_path / "redis.log")
    try:
        check, *words = healthcheck("redis")
        ping = [check, "-p", port, *words]
        until(lambda: subprocess.run(ping, capture_output=True, timeout=10).returncode == 0, within=20)
    finally:
        process.stop()


def test_prepare_runs_twice_and_beside_another(instance: Stage, places: dict[str, str]):
    command = here(SERVICES["prepare"]["command"], places)
    both = [instance.start(command, **ADDRESS) for _ in range(2)]
    assert [process.child.wait(120) for process in both] == [0, 0], both[0].output + both[1].output


def test_web_serves_and_is_healthy(instance: Stage, places: dict[str, str]):
    check = here(healthcheck("web"), places)
    assert not healthy(instance, check)
    process = instance.start(here(SERVICES["web"]["command"], places), **ADDRESS)
    try:
        until(lambda: healthy(instance, check), within=60)
        assert ask(places, "/docs")[0] == 301, "plain http is sent to https"
        assert ask(places, "/docs", {"X-Forwarded-Proto": "https"})[0] == 200
        status, body = ask(places, "/readyz")
        assert json.loads(body)["checks"]["database"]["ok"], body
        assert status in {200, 503}
    finally:
        process.stop()


def ask(places: dict[str, str], path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args: Any) -> None:
            return None

    request = urllib.request.Request(f"http://127.0.0.1:{places['8000']}{path}", headers=headers or {})
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=10) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_worker_starts_and_is_healthy_until_it_is_gone(instance: Stage, places: dict[str, str]):
    check = here(healthcheck("worker"), places)
    assert not healthy(instance, check)
    process = instance.start(here(SERVICES["worker"]["command"], places), **ADDRESS)
    try:
        until(lambda: healthy(instance, check), within=60, every=1)
    finally:
        process.signal(signal.SIGKILL)
    with_age = "UPDATE reviewer_heartbeat SET at = at - interval '1 minute' RETURNING 1"
    assert instance.rows(with_age)
    assert not healthy(instance, check)


def test_beat_starts_and_is_healthy(instance: Stage, places: dict[str, str]):
    check = here(healthcheck("beat"), places)
    assert not healthy(instance, check)
    process = instance.start(here(SERVICES["beat"]["command"], places), **ADDRESS)
    try:
        until(lambda: healthy(instance, check), within=60)
        assert process.child.poll() is None, process.output
    finally:
        process.stop()
