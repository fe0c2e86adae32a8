"""The sender: a few keep-alive connections in one process of its own, and what it saw."""

import http.client
import multiprocessing
import os
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from tests.bench.ingest.bodies import Template, bodies

PATIENCE = 60
RETRIED = {429, 502, 503}


@dataclass
class Sent:
    """What one load did: acknowledged spans, times of the requests, and the sender's own cost."""

    spans: int = 0
    requests: int = 0
    bytes: int = 0
    refused: int = 0
    errors: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    seconds: float = 0.0
    cpu: float = 0.0

    def quantile(self, share: float) -> float:
        """Milliseconds of a POST."""
        ordered = sorted(self.times) or [0.0]
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(frozen=True)
class Address:
    port: int
    headers: dict[str, str]
    path: str = "/v1/traces"


class Sending:
    """A load under way in its own process."""

    def __init__(self, allowed: int, *arguments: Any) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe(duplex=False)
        self.allowed = context.Value("q", allowed)
        self.job = context.Process(target=_sender, args=(theirs, self.allowed, *arguments))
        self.job.start()
        theirs.close()

    def allow(self, spans: int) -> None:
        """Send no more than so many spans in all, until more are allowed."""
        self.allowed.value = spans

    def is_over(self, within: float) -> bool:
        return self.pipe.poll(within)

    def outcome(self) -> Sent:
        """What was seen, after the last answer."""
        return self.pipe.recv()


@contextmanager
def send(
    address: Address, traces: list[Template], *, per_request: int, spans: int, connections: int, seconds: float,
    ahead: int | None = None,
) -> Iterator[Sending]:  # fmt: skip
    """Send until so many spans are acknowledged or the time is up; no more than `ahead` until more are allowed."""
    sending = Sending(2**62 if ahead is None else ahead, address, traces, per_request, spans, connections, seconds)
    try:
        yield sending
    finally:
        sending.job.join(10)
        if sending.job.is_alive():
            sending.job.terminate()


def _sender(
    pipe: Connection, allowed: Any, address: Address, traces: list[Template], per_request: int, spans: int,
    connections: int, seconds: float,
) -> None:  # fmt: skip
    sent, lock = Sent(), threading.Lock()
    # Requests are made a little ahead, so that no connection waits for its bytes.
    ready: queue.Queue[tuple[int, bytes] | None] = queue.Queue(maxsize=2 * connections)
    made = bodies(traces, per_request, spans)
    begun, cpu = time.monotonic(), _cpu()
    deadline = begun + seconds
    threads = [
        threading.Thread(target=_connection, args=(address, ready, deadline, sent, lock)) for _ in range(connections)
    ]
    for thread in threads:
        thread.start()
    _fill(ready, made, deadline, connections, allowed)
    for thread in threads:
        thread.join()
    sent.seconds, sent.cpu = time.monotonic() - begun, _cpu() - cpu
    pipe.send(sent)


def _cpu() -> float:
    told = os.times()
    return told.user + told.system


def _fill(
    ready: "queue.Queue[tuple[int, bytes] | None]",
    made: Iterator[tuple[int, bytes]],
    deadline: float,
    connections: int,
    allowed: Any,
) -> None:
    given = 0
    for item in made:
        given += item[0]
        while time.monotonic() < deadline:
            if given > allowed.value:
                time.sleep(0.05)
                continue
            try:
                ready.put(item, timeout=1)
                break
            except queue.Full:
                continue
        else:
            break
    for _ in range(connections):
        try:
            ready.put(None, timeout=PATIENCE)
        except queue.Full:
            return


def _connection(
    address: Address,
    ready: "queue.Queue[tuple[int, bytes] | None]",
    deadline: float,
    sent: Sent,
    lock: threading.Lock,
) -> None:
    """One keep-alive connection. An answer that asks to wait is obeyed and counted; another error is remembered."""
    headers = {**address.headers, "Content-Type": "application/x-protobuf"}
    wire = http.client.HTTPConnection("127.0.0.1", address.port, timeout=PATIENCE)
    while (item := ready.get()) is not None:
        spans, body = item
        while time.monotonic() < deadline:
            begun = time.perf_counter()
            try:
                wire.request("POST", address.path, body, headers)
                reply = wire.getresponse()
                told, status = reply.read(), reply.status
            except OSError as error:
                wire.close()
                told, status = repr(error).encode(), 0
            took = time.perf_counter() - begun
            with lock:
                sent.times.append(took)
                if status == 200:
                    sent.requests += 1
                    sent.spans += spans
                    sent.bytes += len(body)
                    break
                sent.refused += status in RETRIED
                if status not in RETRIED:
                    sent.errors.append(f"{status}: {told[:300]!r}")
                    break
            time.sleep(0.5)
    wire.close()
