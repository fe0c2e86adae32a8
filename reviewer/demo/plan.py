"""What was live when, and who wrote when: the shop's fourteen days and its present.

A plan is a pure function of its seed. Times are hours from the start of the history, so that the same history can end
at any moment; only the rhythm of the week needs to know which weekday that is.
"""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from reviewer.demo.artifacts import Artifact, fetch
from reviewer.demo.assistant import Run, reply
from reviewer.demo.case import Case, Serving
from reviewer.demo.customers import asked_again, draw_case, react
from reviewer.demo.modes import MODES
from reviewer.demo.shop import World, chance

DAYS = 14
TRACES = 5_000
TURNS = 1.093
"""Traces a conversation has, on average."""
SEED = 1
MODELS = (("sim-small-2026-10", 0.58), ("sim-large-2026-08", 0.30), ("sim-deep-2026-09", 0.12))

# Hours from the start at which something went live: fact, name, value, note.
ROLLOUTS: tuple[tuple[float, str, str, str, str], ...] = (
    (0.0, "prompt", "support-answer", "6", "Pick-up points are not deliveries"),
    (0.0, "release", "", "481", "Shop release 481"),
    (76.0, "release", "", "482", "Shop release 482: one shape for all tools"),
    (76.0, "tool", "lookup_order", "4", "Same shape as the other tools"),
    (101.2, "prompt", "support-answer", "7", "Shorter rules for delivery problems"),
    (152.5, "guardrail", "input-safety", "3", "Wider list after a review"),
    (219.4, "prompt", "support-answer", "8", "Read the reason before saying lost"),
    (241.0, "release", "", "483", "Shop release 483: handbook headings renamed"),
    (278.3, "prompt", "support-answer", "9", "A warmer voice"),
)
OUTAGE = (236.0, "eu-south")
"""Since when the courier of one region is hard to reach."""

_HOURS = (2, 1, 1, 1, 1, 2, 5, 9, 13, 15, 16, 16, 15, 15, 14, 14, 15, 17, 20, 22, 20, 15, 9, 4)
_WEEK = (1.1, 1.0, 0.95, 1.0, 1.05, 0.85, 1.2)


def live_at(hour: float, fact: str, name: str, before: str) -> str:
    """The value of a fact at that hour."""
    value = before
    for since, kind, which, new, _ in ROLLOUTS:
        if kind == fact and which == name and since <= hour:
            value = new
    return value


def serving_at(hour: float, customer: str, channel: str, overrides: dict[str, Artifact] | None = None) -> Serving:
    """What serves this customer at that hour; buckets are sticky."""
    release = live_at(hour, "release", "", "481")
    draw, model = chance("model", customer, int(hour // 6)), MODELS[-1][0]
    for name, share in MODELS:
        if draw < share:
            model = name
            break
        draw -= share
    wanted = {
        "support-answer": live_at(hour, "prompt", "support-answer", "6"),
        "support-router": "3" if channel == "mobile" else "2",
        "support-plan": "3",
        "search-query": "2",
        "refund-answer": "3" if chance("refund-test", customer) < 0.4 else "2",
        "return-form": "1",
        "lookup_order": live_at(hour, "tool", "lookup_order", "3"),
        "courier_status": "1",
        "create_refund": "2",
        "input-safety": live_at(hour, "guardrail", "input-safety", "2"),
    }
    artifacts = {name: fetch(name, version) for name, version in wanted.items()} | (overrides or {})
    return Serving(
        artifacts=artifacts,
        model=model,
        release=release,
        environment="beta" if chance("beta", customer) < 0.05 else "production",
        outages=frozenset({OUTAGE[1]}) if hour >= OUTAGE[0] else frozenset(),
        renamed=frozenset({"warranty"}) if release >= "483" else frozenset(),
    )


@dataclass
class Turn:
    """One trace of a plan: when, which conversation, what happened, what was said about it."""

    number: str
    hour: float
    session: str
    run: Run
    signals: list[dict[str, Any]]


def identity(seed: object, *what: object, size: int = 16) -> str:
    """An id that is the same each time the plan is made."""
    return hashlib.blake2b("\x1f".join(map(str, (seed, *what))).encode(), digest_size=size).hexdigest()


def busy_hours(start: datetime, days: int) -> list[float]:
    """The weight of each hour, by the hour of the day and the day of the week."""
    weights = []
    for hour in range(days * 24):
        at = start + timedelta(hours=hour)
        weights.append(_HOURS[at.hour] * _WEEK[at.weekday()])
    return weights


def history(start: datetime, *, seed: int = SEED, traces: int = TRACES, days: int = DAYS) -> Iterator[Turn]:
    """All turns of the history in order of their conversations' beginning."""
    world, rng = World(), random.Random(f"history {seed}")  # noqa: S311 - a simulation
    weights = busy_hours(start, days)
    hours = rng.choices(range(days * 24), weights, k=round(traces / TURNS))
    for place, hour in enumerate(sorted(hour + rng.random() for hour in hours)):
        for turn in conversation(random.Random(f"{seed} {place}"), world, f"{seed}-{place}", hour, start):  # noqa: S311
            if turn.hour < days * 24:
                yield turn


def conversation(
    rng: random.Random,
    world: World,
    number: str,
    hour: float,
    start: datetime,
    overrides: dict[str, Artifact] | None = None,
) -> Iterator[Turn]:
    """One to three turns of one customer."""
    case: Case = draw_case(rng, world)
    session = "s-" + identity("session", number, size=5)
    for turn in range(3):
        serving = serving_at(hour, case.customer.number, case.customer.channel, overrides)
        at = start + timedelta(hours=hour)
        run = reply(world, case, serving, at=at, session=session)
        reaction = react(rng, run)
        yield Turn(f"{number}-{turn}", hour, session, run, reaction.signals)
        hour += (run.seconds + rng.uniform(12, 240)) / 3600
        if reaction.again:
            case = asked_again(rng, case, run)
        elif rng.random() < 0.3:
            follow = draw_case(rng, world)
            order = follow.order if follow.order and follow.order.customer == case.customer.number else None
            if (
                follow.intent in {"policy", "stock", "compare", "hazard", "warranty"}
                and follow.language == case.language
            ):
                earlier = (*case.earlier, ("user", case.message), ("assistant", run.answer))[-4:]
                case = Case(follow.message, case.customer, order, follow.intent, follow.language, earlier=earlier)
            else:
                return
        else:
            return


def truth_of(turn: Turn, seed: object) -> dict[str, Any]:
    """What `demo truth` prints about one turn."""
    mode = MODES.get(turn.run.mode)
    return {
        "trace_id": identity(seed, "trace", turn.number),
        "mode": turn.run.mode or None,
        "cause": mode.told() if mode else None,
        "modes": turn.run.modes,
        "session": turn.session,
    }
