"""The other products, as their own packages start them: each in its own environment, on a new folder, loopback only."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.bench.ingest.load import Address
from tests.bench.ingest.usage import cpu_seconds, disk_bytes, family, memory_mb
from tests.runtime.instance import CHECKOUT, free_port

ENVIRONMENTS = CHECKOUT / ".venv-bench"
REQUIREMENTS = CHECKOUT / "tests" / "bench" / "requirements"
START_SECONDS = 120
AHEAD = 10_000
"""Acknowledged spans that a peer may have waiting: more would only measure how it fares when it is flooded."""


@dataclass
class Peer:
    """A running product under measurement, with its SQLite database as it is by default."""

    name: str
    process: subprocess.Popen[bytes]
    folder: Path
    database: Path
    address: Address
    ahead: int | None = AHEAD

    def cpu(self) -> dict[str, float]:
        return {"server": cpu_seconds([self.process.pid])}

    def memory_mb(self) -> float:
        return memory_mb([self.process.pid])

    def stored(self) -> int:
        """Spans in its database, which is what its pages and its API read."""
        try:
            with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)) as connection:
                return int(connection.execute("SELECT count(*) FROM spans").fetchone()[0])
        except sqlite3.OperationalError:
            return 0

    def bytes(self) -> int:
        """Its folder without SQLite's write-ahead log, which is moved into the database as far as readers let it."""
        with (
            contextlib.suppress(sqlite3.OperationalError),
            closing(sqlite3.connect(self.database, timeout=30)) as connection,
        ):
            connection.execute("PRAGMA wal_checkpoint(FULL)")
        logs = sum(path.stat().st_blocks * 512 for path in self.folder.glob("*.db-*") if path.exists())
        return disk_bytes(self.folder) - logs


def mlflow() -> AbstractContextManager[Peer]:
    return _running(
        "mlflow",
        lambda folder, port: [
            "server", "--host", "127.0.0.1", "--port", str(port), "--backend-store-uri", f"sqlite:///{folder}/mlflow.db",
            "--default-artifact-root", str(folder / "artifacts"),
        ],
        "mlflow.db",
        {"MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "true"},
        {"x-mlflow-experiment-id": "0"},
    )  # fmt: skip


def phoenix() -> AbstractContextManager[Peer]:
    return _running(
        "phoenix",
        lambda folder, port: ["serve"],
        "phoenix.db",
        {"PHOENIX_HOST": "127.0.0.1", "PHOENIX_GRPC_PORT": str(free_port()), "PHOENIX_TELEMETRY_ENABLED": "false"},
        {},
    )


@contextmanager
def _running(name, words, database: str, settings: dict[str, str], headers: dict[str, str]) -> Iterator[Peer]:
    program = _installed(name)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        folder, port = Path(place), free_port()
        environment = {"PATH": f"{program.parent}:{os.environ.get('PATH', '')}", "HOME": place, **settings}
        if name == "phoenix":
            environment |= {"PHOENIX_PORT": str(port), "PHOENIX_WORKING_DIR": place}
        with (folder / "output.log").open("wb") as log:
            process = subprocess.Popen(
                [program, *words(folder, port)], cwd=folder, env=environment, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        try:
            _wait(process, port, folder)
            yield Peer(name, process, folder, folder / database, Address(port, headers))
        finally:
            _stop(process)


def _installed(name: str) -> Path:
    """The product's program; its environment is made once and kept outside git."""
    home = ENVIRONMENTS / name
    if not (home / ".made").exists():
        print(f"Setting up {home.relative_to(CHECKOUT)}: some minutes, once.", flush=True)
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        wanted = ["--requirement", str(REQUIREMENTS / f"{name}.txt")]
        subprocess.run([home / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *wanted], check=True)
        (home / ".made").touch()
    return home / "bin" / name


def _wait(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if _listens(process.pid, port):
            time.sleep(3)  # All of its processes, not only the first.
            return
        time.sleep(0.3)
    said = (folder / "output.log").read_text(errors="replace")[-2_000:]
    raise SystemExit(f"The peer did not start within {START_SECONDS} s:\n{said}")


def _listens(pid: int, port: int) -> bool:
    for part in family([pid]):
        with contextlib.suppress(psutil.Error):
            if any(
                wire.status == psutil.CONN_LISTEN and wire.laddr.port == port for wire in part.net_connections("tcp")
            ):
                return True
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the processes that we started: the peer's own session, which nobody else is in."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(15)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
    process.wait()
