"""Starts the parts of the embedded runtime, brings back those that die, stops them in order.

Knows processes and logs, nothing of homes' rules or of Django; `local.py` decides what runs.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

from reviewer import keeper, postgres
from reviewer.home import CHECKOUT, Home

MEGABYTE = 1024 * 1024


class PartTrouble(Exception):
    """A part did not come up; the message says where to look."""


@dataclass
class Part:
    """One program under the supervisor, with its restarts."""

    name: str
    command: list[str]
    stop: int = signal.SIGTERM
    grace: float = 10
    options: list[str] = field(default_factory=list)
    process: subprocess.Popen[bytes] | None = None
    output: threading.Thread | None = None
    started: float = 0
    due: float = 0
    delay: float = 0.5

    def pidfile(self, home: Home) -> Path:
        return home.run / f"{self.name}.pid"

    def let_go(self) -> None:
        """Close the pipes to a keeper that has ended."""
        if self.process and self.process.stdin:
            self.process.stdin.close()
        if self.output:
            self.output.join(2)


class Console:
    """Prefixed lines to the terminal and, by part, to files under the home."""

    def __init__(self, home: Home, *, quiet: bool = False) -> None:
        self.home = home
        self.quiet = quiet
        self.lock = threading.Lock()
        self.files: dict[str, RotatingFileHandler] = {}

    def say(self, text: str, part: str = "whetstone") -> None:
        with self.lock:
            if part not in self.files:
                self.files[part] = RotatingFileHandler(
                    self.home.logs / f"{part}.log", maxBytes=10 * MEGABYTE, backupCount=2, delay=True
                )
            file = self.files[part]
            try:
                if file.stream is None:
                    file.stream = file._open()
                file.stream.write(time.strftime("%Y-%m-%dT%H:%M:%S ") + text + "\n")
                file.stream.flush()
                if file.stream.tell() > file.maxBytes:
                    file.doRollover()
            except OSError:
                pass  # A full disk must not stop the supervisor; the terminal still shows the line.
            if self.quiet:
                return
            with contextlib.suppress(OSError, ValueError):
                print(f"{part:<9} │ {text}", flush=True)

    def close(self) -> None:
        with self.lock:
            for file in self.files.values():
                file.close()
            self.files.clear()

    def follow(self, stream: IO[bytes], part: str) -> threading.Thread:
        """Pass on a part's output until it ends."""

        def pump() -> None:
            with stream:
                for line in stream:
                    self.say(line.decode(errors="replace").rstrip(), part)

        thread = threading.Thread(target=pump, daemon=True, name=f"output of {part}")
        thread.start()
        return thread


class Supervisor:
    """Starts the parts, brings back those that die, stops them in order."""

    def __init__(self, home: Home, *, quiet: bool = False) -> None:
        self.home = home
        self.console = Console(home, quiet=quiet)
        self.environment = {**os.environ, "WHETSTONE_HOME": str(home.path), "PYTHONUNBUFFERED": "1"}
        self.parts: list[Part] = []

    def start(self, part: Part) -> None:
        if part not in self.parts:
            self.parts.append(part)
        self._sweep_leftovers(part)
        part.process = subprocess.Popen(  # noqa: S603
            [
                sys.executable, "-I", "-S", keeper.__file__,
                "--stop", str(int(part.stop)), "--grace", str(part.grace),
                "--pidfile", str(part.pidfile(self.home)), *part.options, "--", *part.command,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**self.environment, "WHETSTONE_PART": part.name},
            cwd=CHECKOUT,
            start_new_session=True,
        )  # fmt: skip
        part.started, part.due = time.monotonic(), 0
        assert part.process.stdout is not None  # noqa: S101
        part.output = self.console.follow(part.process.stdout, part.name)

    def _sweep_leftovers(self, part: Part) -> None:
        """End what a killed keeper left: the group it wrote down, if that is still ours."""
        pidfile = part.pidfile(self.home)
        try:
            pid = int(pidfile.read_text())
        except (FileNotFoundError, ValueError):
            return
        if part.name == "postgres":
            postgres.recover(self.home)
        elif _belongs(pid, self.home, part.name):
            keeper.sweep(pid)
        pidfile.unlink(missing_ok=True)

    def watch_once(self) -> None:
        """Bring back each part that has ended, later and later if it keeps ending."""
        now = time.monotonic()
        for part in self.parts:
            if part.process is None or part.process.poll() is None:
                continue
            if not part.due:
                if now - part.started > 60:
                    part.delay = 0.5
                part.due = now + part.delay
                self.console.say(
                    f"{part.name} ended ({_how(part.process.returncode)}); starting it again in {part.delay:g} s."
                )
                part.delay = min(part.delay * 2, 30)
            elif now >= part.due:
                part.let_go()
                self.start(part)

    def stop(self) -> None:
        """Stop the parts in the opposite order of their start, waiting for each."""
        for part in reversed(self.parts):
            process = part.process
            if process is None or process.poll() is not None:
                continue
            process.terminate()
            try:
                process.wait(part.grace + 5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                self._sweep_leftovers(part)
            part.let_go()
        self.parts.clear()
        self.console.close()

    def start_database(self) -> None:
        """Make PostgreSQL if need be, start it and wait until it answers."""
        account = postgres.account_for(self.home)
        postgres.make(self.home, account)
        postgres.recover(self.home)
        part = Part("postgres", postgres.command(self.home), signal.SIGINT, grace=30, options=account.keeper_options)
        for patience in (0.5, 1, 2, 4, 8, 0):
            # After a kill of everything, the last of the old processes may hold its memory for a moment.
            self.start(part)
            try:
                self.wait(lambda: postgres.answers(self.home), part, "PostgreSQL did not start", 60)
                break
            except PartTrouble:
                if not patience or part.process is None or part.process.poll() is None:
                    raise
                time.sleep(patience)
                part.let_go()
        postgres.ensure_database(self.home)

    def wait(self, done: Callable[[], bool], part: Part, complaint: str, seconds: float) -> None:
        """Wait until `done()`; a part that ends meanwhile is trouble at once."""
        deadline = time.monotonic() + seconds
        while not done():
            ended = part.process is None or part.process.poll() is not None
            if ended or time.monotonic() > deadline:
                raise PartTrouble(f"{complaint}. Its last lines are in {self.home.logs / part.name}.log.")
            time.sleep(0.05)


def _belongs(pid: int, home: Home, part: str) -> bool:
    """Whether this process is that part of this home and not a stranger with a reused id."""
    if sys.platform != "linux":
        return bool(postgres.process_command(pid))
    try:
        marks = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
    return f"WHETSTONE_HOME={home.path}".encode() in marks and f"WHETSTONE_PART={part}".encode() in marks


def _how(code: int) -> str:
    if code > 128:
        with contextlib.suppress(ValueError):
            return f"by {signal.Signals(code - 128).name}"
    if code < 0:
        return f"its keeper by {signal.Signals(-code).name}"
    return f"code {code}"
