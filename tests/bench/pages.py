"""`make bench`: how long a start takes, and what each page costs against an empty one, in one run.

Figures are medians of server time over one kept-open connection; compare the ratios, not the milliseconds.
"""

import http.client
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import psutil
import psycopg

from reviewer import postgres
from reviewer.home import Home
from tests.runtime.instance import Instance, Visitor

ROUNDS = 150
AUDIT_ROWS = 10_000
TRACES = 1_000_000
PAGES = {
    "an empty page (account)": "/account",
    "project home": "/p/fernwood",
    "people": "/p/fernwood/settings/people",
    "API keys": "/p/fernwood/settings/keys",
    f"audit log, {AUDIT_ROWS:,} rows": "/p/fernwood/settings/audit",
    "documentation": "/docs/settings",
    f"traces, {TRACES:,} stored": "/p/fernwood/traces",
    "traces, all time": "/p/fernwood/traces?range=all",
    "traces with failed steps": "/p/fernwood/traces?range=all&status=failed",
    "traces by text": "/p/fernwood/traces?range=all&q=order+4711",
    "traces of one session": "/p/fernwood/traces?range=all&session=s4711",
}


def start(home: Path) -> tuple[Instance, float, float]:
    """An instance, the seconds until it said it was ready, and until its first page was served."""
    begun = time.monotonic()
    instance = Instance(home).wait_ready()
    ready = time.monotonic() - begun
    Visitor(instance.url).get("/sign-in")
    return instance, ready, time.monotonic() - begun


def fill(home: Path) -> None:
    with psycopg.connect(postgres.address(Home(home)), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO reviewer_audit (project_id, actor_name, verb, target_kind, target_id, target_name, detail)"
            " SELECT (SELECT id FROM reviewer_project LIMIT 1), 'shell', 'created', 'apikey', n, 'key ' || n, '{}'"
            " FROM generate_series(1, %s) n",
            [AUDIT_ROWS],
        )
        connection.execute(
            "INSERT INTO issues_trace (project_id, trace_id, bucket, started_at, ended_at, name, spans, errors, error,"
            ' model_names, prompts, tools, tags, session, "user", environment, release, run, input_tokens,'
            " output_tokens, cost, input, output, redacted, search)"
            " SELECT (SELECT id FROM reviewer_project LIMIT 1), md5(n::text), 2960, now() - n * interval '1.2 seconds',"
            " now() - n * interval '1.2 seconds' + interval '3 seconds', 'support', 20, (n %% 9 = 0)::int,"
            " CASE WHEN n %% 9 = 0 THEN 'Order not found' ELSE '' END, ARRAY['small-' || n %% 3],"
            " ARRAY['answer@' || n / 200000], ARRAY['lookup_order'], '{}', 's' || n / 4, 'u' || n %% 5000,"
            " 'production', 'r' || n / 100000, '', 900, 120, 0.004, 'Where is my order ' || n, 'It is on its way.',"
            " '{}', to_tsvector('simple', 'support where is my order ' || n || ' it is on its way')"
            " FROM generate_series(1, %s) n",
            [TRACES],
        )
        connection.execute("VACUUM ANALYZE issues_trace")
        connection.execute("ANALYZE")


def median_ms(instance: Instance, path: str, cookie: str) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", instance.port)
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        connection.request("GET", path, headers={"Cookie": cookie})
        reply = connection.getresponse()
        reply.read()
        times.append((time.perf_counter() - begun) * 1000)
        if reply.status != 200:
            sys.exit(f"{path} answered {reply.status}")
    connection.close()
    return statistics.median(times)


def resident_mb(pid: int) -> float:
    process = psutil.Process(pid)
    return sum(part.memory_full_info().pss for part in [process, *process.children(recursive=True)]) / 2**20


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        first, first_ready, _ = start(home)
        first.stop()
        instance, second_ready, second_page = start(home)
        with instance:
            fill(home)
            visitor = Visitor(instance.url).sign_in_demo("admin")
            jar = next(h.cookiejar for h in visitor.opener.handlers if hasattr(h, "cookiejar"))
            cookie = "; ".join(f"{item.name}={item.value}" for item in jar)
            print(f"Whetstone bench, {datetime.now(UTC):%Y-%m-%d}, {psutil.cpu_count()} cores\n")
            print(f"first start on a new home   ready after {first_ready:5.1f} s")
            print(
                f"second start                ready after {second_ready:5.1f} s, first page after {second_page:.1f} s"
            )
            for part in ("postgres", "web", "worker"):
                print(f"{part:<9} memory            {resident_mb(instance.pid(part)):6.0f} MB")
            print(f"\n{'page':<30}{'median ms':>10}{'ratio':>8}")
            base = 0.0
            for name, path in PAGES.items():
                took = median_ms(instance, path, cookie)
                base = base or took
                print(f"{name:<30}{took:>10.1f}{took / base:>8.2f}")


if __name__ == "__main__":
    main()
