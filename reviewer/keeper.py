"""Keeps one part of the embedded runtime (a database, a worker, a web server) on a short leash.

The supervisor starts a keeper, the keeper starts the part. The keeper's standard input is a pipe whose
other end only the supervisor holds: when the supervisor goes away in whatever manner, the pipe closes
and the keeper stops the part. When the part ends, the keeper sweeps what is left of its process group,
so a killed web server leaves no worker on the port. If the keeper itself is killed, the kernel tells the
part (on Linux), and the supervisor sweeps by the process id the keeper wrote down.

Runs as a script with the standard library alone, so that it starts in milliseconds and stays small.
"""

import argparse
import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable

PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 1, 8, 47, 2
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522


class CannotBecome(OSError):
    """The kernel refused the account or the capability asked for."""


def become(uid: int | None, gid: int | None, *, search: bool, parent_death: int = 0) -> Callable[[], None]:
    """What a child does before it runs its program: change account, keep the right to pass folders.

    PostgreSQL refuses to run as root. `search` lets the lesser account read below folders that are closed
    to it (a checkout in root's own home), and nothing else.
    """

    def prepare() -> None:
        libc = ctypes.CDLL(None, use_errno=True)

        def call(outcome: int) -> None:
            if outcome != 0:
                raise CannotBecome(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

        if uid is not None and gid is not None:
            if search:
                call(libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
            os.setgroups([])
            os.setgid(gid)
            os.setuid(uid)
            if search:
                header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
                bit = 1 << CAP_DAC_READ_SEARCH
                sets = (ctypes.c_uint32 * 6)(bit, bit, bit, 0, 0, 0)
                call(libc.capset(header, sets))
                call(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0))
        if parent_death and sys.platform == "linux":
            # After the change of account, which would clear it.
            libc.prctl(PR_SET_PDEATHSIG, parent_death, 0, 0, 0)

    return prepare


def sweep(group: int) -> None:
    """End whatever is left of a process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def keep(
    command: list[str],
    *,
    stop: int,
    grace: float,
    pidfile: str,
    uid: int | None,
    gid: int | None,
    search: bool,
) -> int:
    """Run the command until it ends, or until it is told to stop or the supervisor is gone."""
    awake, waker = os.pipe()
    os.set_blocking(awake, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        asked = True

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    part = subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=become(uid, gid, search=search, parent_death=stop),
    )
    with open(pidfile, "w") as file:
        file.write(str(part.pid))
    watched, deadline = [0, awake], 0.0
    while part.poll() is None:
        if asked and not deadline:
            part.send_signal(stop)
            deadline = time.monotonic() + grace
        elif deadline and time.monotonic() > deadline:
            sweep(part.pid)
        readable, _, _ = select.select(watched, [], [], 0.5 if deadline else 5)
        if awake in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(awake, 512)
        if 0 in readable and not os.read(0, 64):
            watched, asked = [awake], True
    sweep(part.pid)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(pidfile)
    return part.returncode if part.returncode >= 0 else 128 - part.returncode


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--stop", type=int, required=True)
    parser.add_argument("--grace", type=float, required=True)
    parser.add_argument("--pidfile", required=True)
    parser.add_argument("--uid", type=int)
    parser.add_argument("--gid", type=int)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("command", nargs="+")
    options = vars(parser.parse_args())
    sys.exit(keep(options.pop("command"), **options))


if __name__ == "__main__":
    main()
