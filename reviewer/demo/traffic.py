"""The present: conversations that keep coming, their feedback a little later, for as long as somebody lets them.

A conversation that takes minutes in the plan is told in real time; feedback that customers give hours later comes
within minutes, so that a fix can be seen to work while one watches. After two hours the rate falls to a tenth: a demo
that was forgotten overnight should not fill the disk.
"""

import heapq
import itertools
import json
import random
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reviewer.demo import plan
from reviewer.demo.client import Client, Unreachable
from reviewer.demo.shop import World
from reviewer.demo.telemetry import encode, request_of

EASE_AFTER = 2 * 3600.0
SOONEST_FEEDBACK, LATEST_FEEDBACK = 2.0, 240.0
TRUTH = "live-truth.jsonl"
LONGEST_TRUTH = 5_000_000


class Traffic:
    """Live conversations: what is due is in a heap, and `step` sends what is due now."""

    def __init__(self, client: Client, folder: Path, *, rate: float, start: datetime, seed: str = "") -> None:
        self.client, self.folder, self.rate, self.start = client, folder, rate, start
        self.seed = seed or secrets.token_hex(8)
        self.world = World()
        self.count = itertools.count()
        self.order = itertools.count()
        self.due: list[tuple[float, int, Callable[[], None]]] = []
        self.began = time.monotonic()
        self.sent = 0

    def at(self, moment: float, act: Callable[[], None]) -> None:
        heapq.heappush(self.due, (moment, next(self.order), act))

    def converse(self) -> None:
        """Start one conversation; its turns and what is said about them become due."""
        number = f"{self.seed}-{next(self.count)}"
        hour = (datetime.now(UTC) - self.start).total_seconds() / 3600
        rng, now = random.Random(number), time.monotonic()  # noqa: S311 - a simulation
        for turn in plan.conversation(rng, self.world, number, hour, self.start):
            moment = now + min((turn.hour - hour) * 3600, 120.0) + turn.run.seconds
            self.at(moment, lambda turn=turn: self.send(turn))  # type: ignore[misc]

    def send(self, turn: plan.Turn) -> None:
        trace_id = plan.identity("live", turn.number)
        began = datetime.now(UTC) - timedelta(seconds=turn.run.seconds)
        self.client.post("/v1/traces", encode(request_of([(turn.run, trace_id, began)])), tries=3)
        self.sent += 1
        self.keep_truth({**plan.truth_of(turn, "live"), "trace_id": trace_id})
        for place, signal in enumerate(turn.signals):
            wait = min(SOONEST_FEEDBACK + signal["after"] / 200, LATEST_FEEDBACK)
            told = {key: value for key, value in signal.items() if key != "after"}
            told |= {"trace_id": trace_id, "id": plan.identity(trace_id, "signal", place)}
            self.at(time.monotonic() + wait, lambda told=told: self.say(told))  # type: ignore[misc]

    def say(self, told: dict[str, Any]) -> None:
        self.client.post("/api/v1/feedback", [{**told, "time": datetime.now(UTC).isoformat()}], tries=3)

    def keep_truth(self, told: dict[str, Any]) -> None:
        """For `demo truth` alone; the file stays small."""
        file = self.folder / TRUTH
        if file.exists() and file.stat().st_size > LONGEST_TRUTH:
            file.replace(self.folder / f"{TRUTH}.1")
        with file.open("a") as lines:
            lines.write(json.dumps(told) + "\n")

    def pace(self) -> float:
        """Seconds until the next conversation."""
        eased = 0.1 if time.monotonic() - self.began > EASE_AFTER else 1.0
        return random.expovariate(self.rate * eased / plan.TURNS)

    def run(self, stop: threading.Event, *, most: int | None = None, log: Callable[[str], None] = print) -> None:
        """Keep going until told to stop; what cannot be sent is dropped with a line, as a real app would."""
        following, complained = time.monotonic(), 0.0
        while not stop.is_set() and (most is None or self.sent < most):
            now = time.monotonic()
            if now >= following:
                self.converse()
                following = max(following + self.pace(), now - 1)
            while self.due and self.due[0][0] <= now and not stop.is_set():
                try:
                    heapq.heappop(self.due)[2]()
                except Unreachable as error:
                    if now - complained > 30:
                        complained = now
                        log(f"Live traffic was not taken: {error}")
            soonest = min(following, self.due[0][0] if self.due else following)
            stop.wait(max(0.01, min(soonest - time.monotonic(), 0.5)))
