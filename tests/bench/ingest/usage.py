"""What a product costs the machine: processor seconds, memory, disk."""

import contextlib
from collections.abc import Iterable
from pathlib import Path

import psutil


def family(pids: Iterable[int]) -> list[psutil.Process]:
    """These processes and everything below them."""
    found: dict[int, psutil.Process] = {}
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(pid)
            found |= {part.pid: part for part in [top, *top.children(recursive=True)]}
    return list(found.values())


def cpu_seconds(pids: Iterable[int]) -> float:
    """User and system time of living processes and of the children they have outlived."""
    total = 0.0
    for process in family(pids):
        with contextlib.suppress(psutil.Error):
            told = process.cpu_times()
            total += told.user + told.system + told.children_user + told.children_system
    return total


def machine_seconds() -> tuple[float, float]:
    """Busy and idle seconds of all processors together; waiting for the disk is idle."""
    told = psutil.cpu_times()
    idle = told.idle + getattr(told, "iowait", 0.0)
    return sum(told) - idle - getattr(told, "guest", 0.0) - getattr(told, "guest_nice", 0.0), idle


def memory_mb(pids: Iterable[int]) -> float:
    """Resident memory; a page that several processes share counts once (PSS)."""
    total = 0
    for process in family(pids):
        with contextlib.suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 2**20


def disk_bytes(folder: Path) -> int:
    """What the files in a folder take on disk."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file():
                total += path.stat().st_blocks * 512
    return total
