"""A virtual environment for each set of client packages, made once and kept in the checkout.

A set is `requirements/<name>.txt`, pinned to the last package. A changed file or another Python makes a new
environment; the folder `.venv-clients` can be deleted at any time.
"""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements"
FOLDER = HERE.parent.parent / ".venv-clients"
_UNREACHABLE = ("Connection", "Network is unreachable", "name resolution", "timed out", "ProxyError", "SSLError")


class Offline(Exception):
    """The packages cannot be fetched from here."""


def python_of(name: str) -> Path:
    """The Python of this set of clients; waits while another process makes it."""
    pinned = (REQUIREMENTS / f"{name}.txt").read_text()
    digest = hashlib.sha256(f"{sys.version}\n{pinned}".encode()).hexdigest()[:12]
    home = FOLDER / f"{name}-{digest}"
    with _alone(name):
        if not (home / "ready").exists():
            for older in FOLDER.glob(f"{name}-*"):
                shutil.rmtree(older)
            _make(home, REQUIREMENTS / f"{name}.txt")
            (home / "ready").touch()
    return home / "bin" / "python"


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """One process at a time for each set; the lock ends with the process that holds it."""
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(home: Path, requirements: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True, timeout=60)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "--quiet"]
    options = ["--no-deps", "--no-compile", "--only-binary", ":all:", "--disable-pip-version-check", "--no-input"]
    # The file names every package, so there is nothing to resolve.
    done = subprocess.run(
        [*pip, *options, "--retries", "2", "--requirement", str(requirements)],
        capture_output=True,
        text=True,
        timeout=240,
    )
    if done.returncode:
        shutil.rmtree(home)
        if any(word in done.stderr for word in _UNREACHABLE):
            raise Offline(f"The packages of {requirements.name} could not be fetched.")
        raise AssertionError(f"pip could not install {requirements.name}:\n{done.stderr[-2_000:]}")
