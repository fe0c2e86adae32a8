"""`make bench-ingest`: the same export requests to Whetstone, Phoenix and MLflow, one after the other.

Compare the ratios within one run; spans per second and milliseconds belong to the machine.
"""

import argparse
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager

from tests.bench.ingest import peers, whetstone
from tests.bench.ingest.bodies import templates
from tests.bench.ingest.growth import growth
from tests.bench.ingest.measure import Figures, Product, measure
from tests.bench.ingest.table import details, headline, table

SIZES = (50, 1)
PEER_SECONDS = 120.0
OUR_SECONDS = 600.0
STARTS: dict[str, Callable[[], AbstractContextManager[Product]]] = {
    "whetstone": whetstone.running,
    "mlflow": peers.mlflow,
    "phoenix": peers.phoenix,
}


def main() -> None:
    asked = read_arguments()
    names = asked.only or (["whetstone"] if asked.skip_peers else list(STARTS))
    traces, source = templates()
    print(headline(traces, source, connections=asked.connections), flush=True)
    if asked.growth:
        growth(traces, connections=asked.connections)
        return
    found: list[Figures] = []
    for size in asked.per_request or SIZES:
        for name in names:
            seconds = OUR_SECONDS if name == "whetstone" else asked.peer_seconds
            with STARTS[name]() as product:
                figures = measure(
                    product, traces, per_request=size, spans=asked.spans, connections=asked.connections, seconds=seconds
                )
            print(details(figures), flush=True)
            found.append(figures)
    print(table(found))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench-ingest", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", choices=list(STARTS), help="measure this one; may be repeated")
    parser.add_argument("--skip-peers", action="store_true", help="the same as --only whetstone")
    parser.add_argument("--spans", type=int, default=170_000, help="spans to send a leg (170000)")
    parser.add_argument("--connections", type=int, default=4, help="keep-alive connections of the sender (4)")
    parser.add_argument(
        "--per-request", type=int, action="append", metavar="TRACES", help="traces a request (50 and 1)"
    )
    parser.add_argument("--peer-seconds", type=float, default=PEER_SECONDS, help="time for a peer's leg (120)")
    parser.add_argument("--growth", action="store_true", help="cost a span at 200,000 and at 2 million stored spans")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
