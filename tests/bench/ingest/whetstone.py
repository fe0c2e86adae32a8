"""Whetstone itself: `manage.py up --no-demo` on a new home, two web processes, a key made from the shell."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from reviewer import postgres
from reviewer.home import Home
from tests.bench.ingest.load import Address
from tests.bench.ingest.usage import cpu_seconds, memory_mb
from tests.runtime.instance import Instance, manage

SIZES = (
    "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c"
    " WHERE c.relkind = 'r' AND c.relname LIKE 'issues_%'"
)


@dataclass
class Whetstone:
    """A running instance under measurement."""

    instance: Instance
    address: Address
    name: str = "whetstone"
    ahead: int | None = None

    def parts(self) -> list[int]:
        return [self.instance.pid(part) for part in ("web", "postgres")]

    def cpu(self) -> dict[str, float]:
        return {part: cpu_seconds([self.instance.pid(part)]) for part in ("web", "postgres", "worker")}

    def memory_mb(self) -> float:
        """Web processes and PostgreSQL together, without the worker."""
        return memory_mb(self.parts())

    def stored(self) -> int:
        """Spans that can be read now, counted in the table that the pages read."""
        return self._ask("SELECT count(*) FROM issues_span")

    def bytes(self) -> int:
        """Tables of the intake with their indexes and TOAST, without the write-ahead log, after a checkpoint."""
        return self._ask(SIZES, before="CHECKPOINT")

    def _ask(self, question: str, before: str = "") -> int:
        with psycopg.connect(postgres.address(Home(self.instance.home)), autocommit=True) as connection:
            if before:
                connection.execute(before)  # type: ignore[arg-type]
            row = connection.execute(question).fetchone()  # type: ignore[arg-type]
        return int(row[0]) if row else 0


@contextmanager
def running() -> Iterator[Whetstone]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with Instance(home, "--no-demo").wait_ready() as instance:
            _told(manage(home, "create_project", "bench"))
            made = _told(manage(home, "create_key", "--project", "bench", "--scopes", "ingest", "--json"))
            secret = json.loads(made.strip().splitlines()[-1])["secret"]
            yield Whetstone(instance, Address(instance.port, {"Authorization": f"Bearer {secret}"}))


def _told(done) -> str:
    if done.returncode:
        raise SystemExit(f"The instance could not be prepared: {done.stderr.strip()[-500:]}")
    return done.stdout
