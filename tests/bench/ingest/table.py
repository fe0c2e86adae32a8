"""The figures as lines of text."""

from datetime import UTC, datetime

import psutil

from tests.bench.ingest.bodies import Template
from tests.bench.ingest.measure import Figures

HEAD = ("", "spans/s", "ratio", "POST p50", "p95 ms", "bytes/1,000 spans", "ratio", "memory MB", "ratio")


def headline(traces: list[Template], source: str, *, connections: int) -> str:
    spans = sum(trace.spans for trace in traces)
    size = sum(len(trace.content) for trace in traces)
    return (
        f"Whetstone bench-ingest, {datetime.now(UTC):%Y-%m-%d}, {psutil.cpu_count()} cores, {connections} connections\n"
        f"{source}: {len(traces):,} traces, {spans:,} spans, {size / spans:,.0f} bytes a span on the wire\n"
    )


def details(leg: Figures) -> str:
    """One leg, as it comes in."""
    sent = leg.sent
    spent = ", ".join(f"{part} {micros:.0f}" for part, micros in leg.cpu.items())
    told = (
        f"{leg.name}, {leg.per_request} a request: {leg.stored:,} spans in {leg.seconds:.1f} s = {leg.rate:,.0f}/s;"
        f" p50 {sent.quantile(0.5):.0f} p95 {sent.quantile(0.95):.0f} ms; {leg.disk:,.0f} bytes a span;"
        f" {leg.memory:.0f} MB; CPU µs a span: {spent}; sender {100 * sent.cpu / leg.seconds:.0f}% of a core;"
        f" machine {100 * leg.idle:.0f}% idle, {100 * leg.others:.0f}% used by others"
    )
    if leg.lag > 0:
        told += f"; {leg.lag:,} acknowledged spans were not queryable when the time was up"
    if sent.refused:
        told += f"; asked {sent.refused:,} times to wait"
    for error in list(dict.fromkeys(sent.errors))[:3]:
        told += f"\n  error {error}"
    return told


def table(found: list[Figures]) -> str:
    lines = []
    for size in dict.fromkeys(leg.per_request for leg in found):
        legs = [leg for leg in found if leg.per_request == size]
        peers = [leg for leg in legs if leg.name != "whetstone" and leg.stored]
        best = max((leg.rate for leg in peers), default=0)
        disk = min((leg.disk for leg in peers), default=0)
        memory = min((leg.memory for leg in peers), default=0)
        lines.append(f"\n{size} {'trace' if size == 1 else 'traces'} a request; ratios to the better peer")
        lines.append("{:<12}{:>9}{:>8}{:>10}{:>8}{:>19}{:>8}{:>11}{:>8}".format(*HEAD))
        for leg in legs:
            lines.append(
                f"{leg.name:<12}{leg.rate:>9,.0f}{_ratio(leg.rate, best):>8}{leg.sent.quantile(0.5):>10.0f}"
                f"{leg.sent.quantile(0.95):>8.0f}{1000 * leg.disk:>19,.0f}{_ratio(leg.disk, disk):>8}"
                f"{leg.memory:>11.0f}{_ratio(leg.memory, memory):>8}"
            )
    return "\n".join(lines)


def _ratio(value: float, base: float) -> str:
    return f"{value / base:.2f}" if base else "-"
