"""`manage.py up`: starts, says how to sign in, stops cleanly, and explains what is in its way."""

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import psutil
import pytest

from tests.runtime.instance import CHECKOUT, Instance, Visitor, clean_environment, eventually, free_port, manage

pytestmark = [pytest.mark.runtime, pytest.mark.xdist_group("runtime")]


def test_demo_starts_serves_a_signed_in_page_and_stops_without_leftovers(tmp_path: Path) -> None:
    with Instance(tmp_path / "home") as instance:
        instance.wait_ready()
        assert f"Whetstone is ready at {instance.url}" in instance.output
        page = Visitor(instance.url).sign_in_demo("admin").get("/")
        assert "Fernwood shop" in page
        eventually(instance.is_ready, 60, instance)
        for part in ("postgres", "worker", "web"):
            assert (tmp_path / "home" / "logs" / f"{part}.log").stat().st_size > 0
        assert any(line.startswith("postgres  │ ") for line in instance.lines)
        assert instance.stop(signal.SIGINT) == 0
        assert not instance.processes()
        stops = [line for line in instance.lines if "│" in line]
        assert "Stopped." in stops[-1]


def test_web_and_supervisor_never_load_torch(tmp_path: Path) -> None:
    with Instance(tmp_path / "home") as instance:
        instance.wait_ready()
        Visitor(instance.url).sign_in_demo("reviewer").get("/")
        web = psutil.Process(instance.pid("web"))
        for process in [web, *web.children(recursive=True), psutil.Process(instance.process.pid)]:
            maps = Path(f"/proc/{process.pid}/maps").read_text()
            assert "libtorch" not in maps
            assert "python" in maps or "postgres" in maps


def test_without_demo_a_one_time_link_makes_the_first_admin(tmp_path: Path) -> None:
    with Instance(tmp_path / "home", "--no-demo") as instance:
        instance.wait_ready()
        link = re.search(r"(/invitation/\S+)", instance.wait_for("/invitation/"))
        assert link
        visitor = Visitor(instance.url)
        assert "Amara" not in visitor.get("/sign-in")
        visitor.get(link[1])
        page = visitor.post(
            link[1],
            name="Ada Fernandez",
            email="ada@fernwood.example",
            password="a long enough secret",
            project_name="Fernwood shop",
        )
        assert "Fernwood shop" in page
        with pytest.raises(urllib.request.HTTPError) as gone:
            Visitor(instance.url).get(link[1])
        assert gone.value.code in {404, 410}
        instance.stop()
    with Instance(tmp_path / "home", "--no-demo") as again:
        again.wait_ready()
        assert "/invitation/" not in again.output


def test_second_up_on_the_same_home_is_told_where_the_first_runs(tmp_path: Path) -> None:
    with Instance(tmp_path / "home") as first:
        first.wait_ready()
        with Instance(tmp_path / "home") as second:
            assert second.process.wait(30) == 1
            second.reader.join(5)
            assert f"already runs on {tmp_path / 'home'} at {first.url}" in second.output


def test_taken_port_is_named_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with Instance(tmp_path / "home", port=port) as instance:
            assert instance.process.wait(30) == 1
            instance.reader.join(5)
            assert f"Port {port} cannot be used" in instance.output
            assert f"--port {port + 1}" in instance.output
    assert not (tmp_path / "home" / "postgres").exists()


def _refusal(home: Path) -> str:
    outcome = manage(home, "up", "--home", str(home), "--port", str(free_port()))
    assert outcome.returncode == 1, outcome.stdout
    assert "Traceback" not in outcome.stderr
    return outcome.stderr


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    assert "is no Whetstone home" in _refusal(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize(("found", "words"), [("0", "an older Whetstone"), ("999", "a newer Whetstone")])
def test_home_of_another_format_is_refused_with_advice(tmp_path: Path, found: str, words: str) -> None:
    (tmp_path / "FORMAT").write_text(found)
    assert words in _refusal(tmp_path)


def test_data_of_an_older_postgresql_is_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "FORMAT").write_text("1")
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("15\n")
    assert "was made by PostgreSQL 15" in _refusal(tmp_path)


def test_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "Choose another folder with --home" in _refusal(tmp_path / "file" / "home")


def test_full_disk_is_said_plainly(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(small)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        assert re.search(r"has \d+ MB left", _refusal(small / "home"))
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_reset_starts_anew_and_leaves_other_homes_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert manage(home, "prepare").returncode == 0
    assert manage(home, "create_project", "left-over").returncode == 0
    key = (home / "secret_key").read_text()
    with Instance(home, "--reset", "--no-demo") as instance:
        instance.wait_ready()
        instance.wait_for("/invitation/")
        assert (home / "secret_key").read_text() != key
        again = manage(home, "create_project", "left-over")
        assert again.returncode == 0, again.stderr


def test_up_works_as_an_ordinary_user(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("the other tests already run as an ordinary user")
    person = pwd.getpwnam("nobody")
    python = next((path for path in _interpreters() if _can_run(path, person.pw_uid)), None)
    if python is None:
        pytest.skip("this checkout or its Python is closed to other users")
    folder = Path(tempfile.mkdtemp(prefix="whetstone-user-"))
    try:
        os.chown(folder, person.pw_uid, person.pw_gid)
        with Instance(
            folder / "home",
            python=python,
            environment={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            user=person.pw_uid,
            group=person.pw_gid,
            extra_groups=[],
        ) as instance:
            instance.wait_ready()
            assert {process.username() for process in instance.processes()} == {"nobody"}
            eventually(instance.is_ready, 60, instance)
            assert instance.stop() == 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _interpreters() -> list[str]:
    """Our own Python, else the system's of the same version, which others can reach."""
    return [sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"]


def _can_run(python: str, uid: int) -> bool:
    try:
        return subprocess.run([python, "-c", "open('manage.py')"], cwd=CHECKOUT, user=uid).returncode == 0
    except OSError:
        return False


def test_up_works_below_a_folder_that_is_closed_to_others(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with Instance(closed / ("a-rather-long-name-" * 6) / "home", "--no-demo") as instance:
        instance.wait_ready()
        assert closed.stat().st_mode & 0o777 == 0o700
        assert instance.stop() == 0


def test_up_refuses_to_run_beside_a_given_database(tmp_path: Path) -> None:
    environment = clean_environment(tmp_path / "home", DATABASE_URL="postgresql:///x", SECRET_KEY="x" * 50)
    outcome = subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert outcome.returncode == 1
    assert "DATABASE_URL is set" in outcome.stderr
