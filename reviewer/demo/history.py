"""The past, sent at the first start: fourteen days in large batches, with progress that others can read.

It can be stopped anywhere and started again: ids and times come from the plan, whose end is written down before the
first batch, so that what is sent twice is stored once.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reviewer.demo import plan
from reviewer.demo.client import Client
from reviewer.demo.status import read_status, write_status
from reviewer.demo.telemetry import encode, feedback_of, request_of

BATCH = 125
SENDERS = 2


def rollouts(start: datetime) -> list[dict[str, Any]]:
    """What went live in these days, as the shop's release script reports it."""
    return [
        {"fact": fact, "name": name, "value": value, "time": (start + timedelta(hours=hour)).isoformat(), "note": note}
        for hour, fact, name, value, note in plan.ROLLOUTS
    ]


def fill(
    client: Client, folder: Path, *, now: datetime | None = None, traces: int = plan.TRACES, seed: int = plan.SEED,
    log: Callable[[str], None] = print,
) -> dict[str, Any]:  # fmt: skip
    """Send what is missing of the history; returns its status when all of it is there."""
    status = read_status(folder)
    if not status:
        end = (now or datetime.now(UTC)).replace(second=0, microsecond=0)
        status = {
            "end": end.isoformat(),
            "seed": seed,
            "asked": traces,
            "of": traces,
            "sent": 0,
            "batches": 0,
            "done": False,
        }
        write_status(folder, status)
    if status["done"]:
        return status
    began = datetime.now(UTC)
    end = datetime.fromisoformat(status["end"])
    start, seed = end - timedelta(days=plan.DAYS), status["seed"]
    turns = list(plan.history(start, seed=seed, traces=status["asked"]))
    client.post("/api/v1/rollouts", rollouts(start))
    # Newest first: the pages are of use at once, and what fills in later is further back.
    batches = [turns[place : place + BATCH] for place in range(0, len(turns), BATCH)][::-1]
    status["of"], done = len(turns), status["batches"]
    waiting: list[Future[int]] = []
    with ThreadPoolExecutor(SENDERS) as pool:
        for batch in batches[done:]:
            waiting.append(pool.submit(_send, client, batch, seed, start, end))
            if len(waiting) >= SENDERS * 2:
                _note(folder, status, waiting.pop(0).result())
        for future in waiting:
            _note(folder, status, future.result())
    seconds = (datetime.now(UTC) - began).total_seconds()
    status |= {"done": True, "seconds": round(seconds, 1)}
    write_status(folder, status)
    log(f"History: {status['sent']:,} traces of 14 days sent in {seconds:.0f} s.")
    return status


def _send(client: Client, batch: list[plan.Turn], seed: int, start: datetime, end: datetime) -> int:
    ids = [plan.identity(seed, "trace", turn.number) for turn in batch]
    runs = [(turn.run, name, start + timedelta(hours=turn.hour)) for turn, name in zip(batch, ids, strict=True)]
    client.post("/v1/traces", encode(request_of(runs)))
    said = [signal for turn, name in zip(batch, ids, strict=True) for signal in feedback_of(turn, name, start, end)]
    if said:
        client.post("/api/v1/feedback", said)
    return len(batch)


def _note(folder: Path, status: dict[str, Any], sent: int) -> None:
    """Batches are noted in order, so that a restart goes on at the first one that may be missing."""
    status["sent"] += sent
    status["batches"] += 1
    write_status(folder, status)
