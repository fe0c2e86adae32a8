"""`--growth`: whether a span costs more to store when many are stored already."""

from tests.bench.ingest import whetstone
from tests.bench.ingest.bodies import Template
from tests.bench.ingest.load import send
from tests.bench.ingest.measure import Figures, measure

MARKS = (200_000, 2_000_000)
WINDOWS = {50: 40_000, 1: 20_000}
"""Spans measured at a mark, by traces a request."""
ALLOWED = 1.3
PATIENCE = 1_800.0


def growth(traces: list[Template], *, connections: int) -> None:
    """Fill one instance to each mark, measure a window there at both request sizes, and compare."""
    found: dict[int, list[Figures]] = {size: [] for size in WINDOWS}
    with whetstone.running() as product:
        for mark in MARKS:
            missing = mark - product.stored() - sum(WINDOWS.values()) // 2
            with send(
                product.address, traces, per_request=50, spans=missing, connections=connections, seconds=PATIENCE
            ) as sending:
                sending.outcome()
            for size, spans in WINDOWS.items():
                stored = product.stored()
                leg = measure(
                    product,
                    traces,
                    per_request=size,
                    spans=spans,
                    connections=connections,
                    seconds=PATIENCE,
                    disk=False,
                )
                found[size].append(leg)
                print(
                    f"at {stored:>9,} stored spans, {size:>2} traces a request: {cost(leg):.0f} µs of CPU a span"
                    f" ({', '.join(f'{part} {micros:.0f}' for part, micros in leg.cpu.items())}),"
                    f" {leg.rate:,.0f} spans/s, p95 {leg.sent.quantile(0.95):.0f} ms",
                    flush=True,
                )
    for size, (first, last) in found.items():
        print(f"{size} a request: {cost(last) / cost(first):.2f} times the CPU a span (at most {ALLOWED} is the aim)")


def cost(leg: Figures) -> float:
    """Processor microseconds a span of the parts that take it in."""
    return leg.cpu["web"] + leg.cpu["postgres"]
