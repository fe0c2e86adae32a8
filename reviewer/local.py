"""The embedded runtime: one supervisor for PostgreSQL, the worker and the web server.

`manage.py up` comes here; every other command comes through `database_for`, which lends it the home's
database. A home has one owner at a time: `up` for as long as it runs, or a single command that had to
start the database itself. The owner holds a lock that the kernel releases when it dies, so nothing stale
can keep a home closed.
"""

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NoReturn

from reviewer import postgres
from reviewer.home import FORMAT, Home
from reviewer.supervisor import MEGABYTE, PartTrouble, Supervisor

LEAST_FREE = 300 * MEGABYTE
WITHOUT_DATABASE = {"up", "help", "--help", "-h", "version", "--version", "check", "collectstatic"}


class Trouble(Exception):
    """Something the person at the shell has to do something about; the message says what."""


TROUBLES = (Trouble, PartTrouble, postgres.DatabaseTrouble)


# --- the home -------------------------------------------------------------------------------------


def claim_home(home: Home) -> None:
    """Make the folder, or check that it is one of ours and has room to work."""
    if home.path.exists() and not home.version_file.exists() and any(home.path.iterdir()):
        raise Trouble(f"{home.path} holds other files and is no Whetstone home. Choose another with --home.")
    try:
        home.path.mkdir(mode=0o755, parents=True, exist_ok=True)
        free = shutil.disk_usage(home.path).free
        if free < LEAST_FREE:
            raise Trouble(
                f"The disk that holds {home.path} has {free // MEGABYTE} MB left; Whetstone needs "
                f"{LEAST_FREE // MEGABYTE} MB. Free some space, or choose another disk with --home."
            )
        if not home.version_file.exists():
            home.version_file.write_text(f"{FORMAT}\n")
        home.run.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise Trouble(_unusable(home, error)) from error


def settle_home(home: Home) -> None:
    """With the home owned: check its format, complete its folders and its key."""
    try:
        _check_format(home)
        for folder in (home.logs, home.mail):
            folder.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(home.path / "secret_key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(50))
    except OSError as error:
        raise Trouble(_unusable(home, error)) from error


def _unusable(home: Home, error: OSError) -> str:
    return f"{home.path} cannot be used: {error.strerror or error}. Choose another folder with --home."


def _check_format(home: Home) -> None:
    found = home.version_file.read_text().strip()
    if found != str(FORMAT):
        newer = found.isdigit() and int(found) > FORMAT
        advice = (
            "update Whetstone, or choose another folder with --home"
            if newer
            else "export it with the Whetstone that made it, or start anew with --reset"
        )
        raise Trouble(
            f"{home.path} was made by {'a newer' if newer else 'an older'} Whetstone "
            f"(format {found or 'unknown'}, this one reads {FORMAT}): {advice}."
        )


def reset_home(home: Home) -> None:
    """Delete what an owned home holds; its lock file stays, as we hold it."""
    for entry in home.path.iterdir():
        if entry == home.run:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    shutil.rmtree(home.sockets, ignore_errors=True)
    home.version_file.write_text(f"{FORMAT}\n")


@contextlib.contextmanager
def owning(home: Home, what: str) -> Iterator[IO[str]]:
    """Own the home for the time of the block; raises `Owned` when another process does."""
    with open(home.run / "owner", "a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise Owned(file.read()) from None
        note(file, what=what)
        try:
            yield file
        finally:
            file.truncate(0)


def note(file: IO[str], **facts: Any) -> None:
    """Write into the lock file who owns the home, for those who find it taken."""
    file.truncate(0)
    json.dump({"pid": os.getpid(), **facts}, file)
    file.flush()


class Owned(Exception):
    """Another process owns this home."""

    def __init__(self, text: str) -> None:
        super().__init__("this home is in use")
        try:
            self.owner: dict[str, Any] = json.loads(text)
        except ValueError:
            self.owner = {}


# --- commands -------------------------------------------------------------------------------------


@contextlib.contextmanager
def database_for(argv: list[str]) -> Iterator[None]:
    """Lend a management command the database of its home, starting it when nobody runs it."""
    command = argv[1] if len(argv) > 1 else "help"
    if command == "up":
        _settle_environment(argv[2:])
    if command in WITHOUT_DATABASE or os.environ.get("DATABASE_URL"):
        yield
        return
    try:
        with lent_database(Home.current(), f"manage.py {command}"):
            if command not in {"prepare", "migrate"} and postgres.is_empty(Home.current()):
                _prepare()
            yield
    except TROUBLES as error:
        give_up(error)


@contextlib.contextmanager
def lent_database(home: Home, what: str, patience: float = 60) -> Iterator[None]:
    """Use the database of a running `up`; else start it for this block alone."""
    claim_home(home)
    deadline, told = time.monotonic() + patience, False
    while True:
        try:
            with owning(home, what):
                settle_home(home)
                supervisor = Supervisor(home, quiet=True)
                try:
                    supervisor.start_database()
                    yield
                finally:
                    supervisor.stop()
                return
        except Owned as owned:
            by_up = owned.owner.get("what") == "up"
            if by_up and postgres.answers(home):
                yield
                return
            if not told and not by_up and owned.owner:
                told = True
                print(
                    f"Waiting for {owned.owner.get('what')} (process {owned.owner.get('pid')}).",
                    file=sys.stderr,
                )
            if time.monotonic() > deadline:
                raise Trouble(
                    f"{home.path} is in use by {owned.owner.get('what', 'another process')} "
                    f"(process {owned.owner.get('pid', 'unknown')}). Try again when it is done."
                ) from None
            time.sleep(0.1)


def _prepare() -> None:
    """A new home gets its tables before its first command."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("prepare", verbosity=0)


def _settle_environment(argv: list[str]) -> None:
    """Settings are read once, so `up` turns its options into environment before Django starts."""
    for position, word in enumerate(argv):
        if word == "--home" and position + 1 < len(argv):
            os.environ["WHETSTONE_HOME"] = str(Path(argv[position + 1]).resolve())
        elif word.startswith("--home="):
            os.environ["WHETSTONE_HOME"] = str(Path(word.partition("=")[2]).resolve())
        elif word == "--port" and position + 1 < len(argv):
            os.environ.setdefault("WHETSTONE_URL", f"http://127.0.0.1:{argv[position + 1]}")
        elif word.startswith("--port="):
            os.environ.setdefault("WHETSTONE_URL", f"http://127.0.0.1:{word.partition('=')[2]}")
    os.environ["WHETSTONE_DEMO"] = "0" if "--no-demo" in argv else "1"


def give_up(error: Exception) -> NoReturn:
    print(f"Whetstone: {error}", file=sys.stderr)
    sys.exit(1)


def check_port(port: int) -> None:
    """Refuse a port that somebody listens on, before anything is started."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise Trouble(
                f"Port {port} cannot be used: {error.strerror}. "
                f"Stop the program that has it, or choose another with --port {port + 1}."
            ) from None


def web_answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False
