"""The simulated shop from the shell: live traffic, the planted truth, fresh scenarios."""

import contextlib
import json
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from reviewer.demo import plan, scenario
from reviewer.demo.accounts import ensure_demo_accounts, ensure_demo_key
from reviewer.demo.client import Client, Unreachable
from reviewer.demo.status import KEY, read_status
from reviewer.demo.telemetry import encode, feedback_of, request_of
from reviewer.demo.traffic import TRUTH, Traffic

BATCH = 125


class Command(BaseCommand):
    help = "The simulated shop: keep traffic coming, print what is planted, make a fresh scenario."

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        traffic = acts.add_parser("traffic", help="send live conversations until stopped")
        traffic.add_argument("--rate", type=float, default=2.0, help="traces a second (2)")
        traffic.add_argument("--most", type=int, help="stop after this many traces")
        acts.add_parser("truth", help="print the planted truth, one JSON object a line: trace id, mode, cause")
        fresh = acts.add_parser("scenario", help="make a fresh random scenario")
        fresh.add_argument("--seed", type=int, required=True)
        fresh.add_argument("--traces", type=int, default=scenario.TRACES)
        fresh.add_argument("--out", type=Path, help="write its requests here, and its truth beside it (.truth)")
        fresh.add_argument("--post", action="store_true", help="send it to a running Whetstone")
        for each in (traffic, fresh):
            each.add_argument("--url", default="", help="the Whetstone to send to (the one that runs on this home)")
            each.add_argument("--key", default="", help="an API key with the scope ingest (the shop's own)")

    def handle(self, *args: Any, act: str, **options: Any) -> None:
        if act == "truth":
            for line in planted_truth(settings.HOME.demo):
                self.stdout.write(json.dumps(line))
        elif act == "traffic":
            self.traffic(**options)
        else:
            self.scenario(**options)

    def traffic(self, *, rate: float, most: int | None, url: str, key: str, **_: Any) -> None:
        if rate <= 0:
            raise CommandError("The rate is above 0.")
        status = read_status(settings.HOME.demo)
        end = datetime.fromisoformat(status["end"]) if status else datetime.now(UTC)
        client = client_for(url, key)
        self.stdout.write(f"Sending about {rate:g} traces a second to {client.url}. Ctrl-C stops it.")
        live = Traffic(client, settings.HOME.demo, rate=rate, start=end - timedelta(days=plan.DAYS))
        with contextlib.suppress(KeyboardInterrupt):
            live.run(threading.Event(), most=most, log=self.stderr.write)
        self.stdout.write(f"{live.sent:,} traces sent.")

    def scenario(self, *, seed: int, traces: int, out: Path | None, post: bool, url: str, key: str, **_: Any) -> None:
        made = scenario.make(seed, traces=traces)
        if out:
            with out.open("w") as lines:
                for kind, body in requests_of(made):
                    lines.write(json.dumps({kind: body}, ensure_ascii=False) + "\n")
            with out.with_name(out.name + ".truth").open("w") as lines:
                lines.writelines(json.dumps(line) + "\n" for line in made.truth())
        if post:
            client = client_for(url, key)
            paths = {"traces": "/v1/traces", "feedback": "/api/v1/feedback", "rollouts": "/api/v1/rollouts"}
            try:
                for kind, body in requests_of(made):
                    client.post(paths[kind], encode(body))
            except Unreachable as error:
                raise CommandError(str(error)) from None
        counts: dict[str, int] = {}
        for turn in made.turns:
            counts[turn.run.mode] = counts.get(turn.run.mode, 0) + 1
        modes = [
            {"mode": one.mode, "traces": counts.get(one.mode, 0), "cause": one.cause, "silent": one.silent}
            for one in made.planted
        ]
        self.stdout.write(json.dumps({"seed": seed, "traces": len(made.turns), "modes": modes}))


def planted_truth(folder: Path) -> Iterator[dict[str, Any]]:
    """The history's truth is made again from its seed; the live one was kept by whoever sent it."""
    status = read_status(folder)
    if status:
        start = datetime.fromisoformat(status["end"]) - timedelta(days=plan.DAYS)
        for turn in plan.history(start, seed=status["seed"], traces=status["asked"]):
            yield plan.truth_of(turn, status["seed"])
    for name in (f"{TRUTH}.1", TRUTH):
        if (folder / name).exists():
            with (folder / name).open() as lines:
                yield from (json.loads(line) for line in lines)


def requests_of(made: scenario.Scenario) -> Iterator[tuple[str, Any]]:
    """What an application would have sent in these days."""
    yield "rollouts", made.rollouts
    until = made.start + timedelta(days=scenario.DAYS)
    for place in range(0, len(made.turns), BATCH):
        batch = made.turns[place : place + BATCH]
        runs = [(turn.run, made.trace_id(turn), made.start + timedelta(hours=turn.hour)) for turn in batch]
        yield "traces", request_of(runs)
        said = [signal for turn in batch for signal in feedback_of(turn, made.trace_id(turn), made.start, until)]
        if said:
            yield "feedback", said


def client_for(url: str, key: str) -> Client:
    """The running instance of this home, with the shop's own key, unless told otherwise."""
    if not url:
        try:
            url = json.loads((settings.HOME.run / "owner").read_text()).get("url", "")
        except (OSError, ValueError):
            url = ""
    if not key:
        ensure_demo_key(ensure_demo_accounts(), settings.HOME.demo)
        key = (settings.HOME.demo / KEY).read_text().strip()
    return Client(url or settings.PUBLIC_URL, key)
