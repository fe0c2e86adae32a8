"""One load on one product, and the figures it gives."""

import threading
import time
from dataclasses import dataclass
from typing import Protocol

from tests.bench.ingest.bodies import Template
from tests.bench.ingest.load import Address, Sent, send
from tests.bench.ingest.usage import machine_seconds

POLL = 0.2
SAMPLE = 5.0


class Product(Protocol):
    name: str
    address: Address
    ahead: int | None
    """Acknowledged spans that may wait to be stored before the sender waits too; None where none ever wait."""

    def cpu(self) -> dict[str, float]: ...

    def memory_mb(self) -> float: ...

    def stored(self) -> int: ...

    def bytes(self) -> int: ...


@dataclass(frozen=True)
class Figures:
    """What a leg of the run showed."""

    name: str
    per_request: int
    sent: Sent
    stored: int
    seconds: float
    """From the first byte sent until the last acknowledged span could be queried, or the time was up."""
    disk: float
    """Bytes a span."""
    memory: float
    cpu: dict[str, float]
    """Processor microseconds a stored span, by part."""
    idle: float
    """Share of the machine's processors that nobody used."""
    others: float
    """Share that neither the product nor the sender used: with much of it, a rate says little."""

    @property
    def rate(self) -> float:
        return self.stored / self.seconds

    @property
    def lag(self) -> int:
        """Acknowledged, and not to be found when the time was up."""
        return self.sent.spans - self.stored


def measure(
    product: Product, traces: list[Template], *, per_request: int, spans: int, connections: int, seconds: float,
    disk: bool = True,
) -> Figures:  # fmt: skip
    """Send a load, wait until it can be queried, at most so many seconds in all.

    To measure the disk a database is asked to write everything to its files, which makes its next writes dearer: leave
    it out where the cost of writing is the question.
    """
    _warm_up(product, traces, connections)
    size = product.bytes() if disk else 0
    known, cpu, machine = product.stored(), product.cpu(), machine_seconds()
    with _Watch(product) as watch:
        begun = time.monotonic()
        with send(
            product.address,
            traces,
            per_request=per_request,
            spans=spans,
            connections=connections,
            seconds=seconds,
            ahead=product.ahead,
        ) as sending:
            while product.ahead is not None and not sending.is_over(POLL):
                sending.allow(product.stored() - known + product.ahead)
            sent = sending.outcome()
        while (stored := product.stored() - known) < sent.spans and time.monotonic() - begun < seconds:
            time.sleep(POLL)
        took = time.monotonic() - begun
    spent = {part: seconds - cpu[part] for part, seconds in product.cpu().items()}
    busy, idle = (now - then for now, then in zip(machine_seconds(), machine, strict=True))
    whole = busy + idle
    return Figures(
        name=product.name,
        per_request=per_request,
        sent=sent,
        stored=stored,
        seconds=took,
        disk=(product.bytes() - size) / max(stored, 1) if disk else 0.0,
        memory=watch.most,
        cpu={part: 1e6 * seconds / max(stored, 1) for part, seconds in spent.items()},
        idle=idle / whole,
        others=max(0.0, busy - sum(spent.values()) - sent.cpu) / whole,
    )


def _warm_up(product: Product, traces: list[Template], connections: int) -> None:
    """A few requests on as many connections, so that imports, partitions and caches are not measured."""
    with send(product.address, traces, per_request=1, spans=400, connections=connections, seconds=60) as sending:
        sending.outcome()
    deadline = time.monotonic() + 60
    while product.stored() < 1 and time.monotonic() < deadline:
        time.sleep(POLL)
    known = -1
    while (now := product.stored()) != known and time.monotonic() < deadline:
        known = now
        time.sleep(1)


class _Watch:
    """The most memory seen during a load, looked at now and then."""

    def __init__(self, product: Product) -> None:
        self.product, self.most, self.over = product, 0.0, threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self.over.wait(SAMPLE):
            self.most = max(self.most, self.product.memory_mb())

    def __enter__(self) -> "_Watch":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()
        self.most = max(self.most, self.product.memory_mb())
