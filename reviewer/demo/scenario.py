"""Fresh scenarios for measurement: other modes, other causes, other wording, made from a seed that nobody has tuned to.

Hard on purpose: some modes have no cause at all, some facts move together (a release with a prompt version), three
modes are caught by one detector (their tool calls fail), and some failures are silent: no customer says a word. A
scenario may be made harder, never softer.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from reviewer.demo import artifacts, plan
from reviewer.demo.assistant import reply
from reviewer.demo.case import Case, Fault, Serving
from reviewer.demo.customers import MIX, QUIET, Temper, asked_again, draw_case, react
from reviewer.demo.extras import ANSWER_FAULTS, TOOL_FAULTS
from reviewer.demo.modes import MODES
from reviewer.demo.shop import World, chance

DAYS = 7
TRACES = 2_000
LEAST_MET = 30
TALKING = {"track", "refund", "policy", "source", "warranty", "compare", "stock", "hazard", "gift", "cancel"}
ORDERS = {"track", "refund", "gift", "cancel"}
SITES: dict[str, tuple[set[str], str]] = {
    "lost_not_delayed": ({"track"}, "exception"),
    "wrong_language": (TALKING, "foreign"),
    "refund_window": ({"refund"}, "delivered_old"),
    "wrong_order_id": (ORDERS, ""),
    "tool_loop": ({"track", "cancel"}, ""),
    "courier_outage": ({"track"}, "in_transit"),
    "empty_retrieval": ({"policy", "source", "warranty"}, ""),
    "invented_citation": ({"source"}, ""),
    "broken_json": ({"return_form"}, ""),
    "cut_off": ({"compare"}, ""),
    "over_refusal": ({"hazard", "stock"}, ""),
    "slow_model": (TALKING, ""),
    "leaked_email": ({"gift"}, ""),
    "no_handover": ({"person"}, ""),
    **{
        mode: (
            {"refund"} if tool == "create_refund" else {"track"} if tool == "courier_status" else ORDERS,
            "in_transit" if tool == "courier_status" else "",
        )
        for mode, (tool, _) in TOOL_FAULTS.items()
    },
    **dict.fromkeys(ANSWER_FAULTS, (TALKING - {"compare"}, "")),
}
"""Where a mode can strike: which questions, which kind of order."""
USES = {
    "refund_window": "refund-answer",
    "broken_json": "return-form",
    "no_handover": "support-router",
    "empty_retrieval": "search-query",
    "tool_loop": "support-plan",
    "refund_conflict": "create_refund",
    "refund_ledger": "create_refund",
    "order_archive": "lookup_order",
    "order_schema": "lookup_order",
    "wrong_order_id": "lookup_order",
    "courier_quota": "courier_status",
    "courier_login": "courier_status",
    "courier_outage": "courier_status",
    "over_refusal": "input-safety",
}
"""The artifact whose version can be the cause; support-answer for the rest."""


@dataclass
class Planted:
    """One mode of a scenario with its cause, or with none."""

    mode: str
    when: dict[str, str]
    often: float = 0.0
    silent: bool = False
    together: dict[str, str] = field(default_factory=dict)

    @property
    def cause(self) -> dict[str, Any] | None:
        if not self.when:
            return None
        name, value = next(iter(self.when.items()))
        also = [
            {"field": _told(key), "value": one} for key, one in {**self.when, **self.together}.items() if key != name
        ]
        return {"kind": _kind(name), "field": _told(name), "value": value, "also": also}


def _kind(name: str) -> str:
    if name in artifacts.NAMES:
        return artifacts.versions(name)[next(iter(artifacts.versions(name)))].kind + " version"
    return {"order": "input kind", "language": "input kind"}.get(name, name)


def _told(name: str) -> str:
    """The fact as telemetry shows it."""
    return f"{_kind(name).removesuffix(' version')} {name}" if name in artifacts.NAMES else name


@dataclass
class Scenario:
    """What is planted, what went live when, and every turn."""

    seed: int
    start: datetime
    planted: list[Planted]
    rollouts: list[dict[str, Any]]
    turns: list[plan.Turn]

    def trace_id(self, turn: plan.Turn) -> str:
        return plan.identity("scenario", self.seed, turn.number)

    def truth(self) -> Iterator[dict[str, Any]]:
        causes = {one.mode: one for one in self.planted}
        for turn in self.turns:
            one = causes.get(turn.run.mode)
            yield {
                "trace_id": self.trace_id(turn),
                "mode": turn.run.mode or None,
                "cause": one.cause if one else None,
                "silent": one.silent if one else False,
                "modes": turn.run.modes,
                "session": turn.session,
            }


class _Maker:
    def __init__(self, seed: int, traces: int, start: datetime) -> None:
        self.seed, self.traces, self.start = seed, traces, start
        self.rng = random.Random(f"scenario {seed}")  # noqa: S311 - a simulation
        self.world = World(f"scenario {seed}")
        rng = self.rng
        self.models = rng.sample(
            ["sim-small-2026-10", "sim-large-2026-08", "sim-deep-2026-09", "sim-nano-2026-11"], rng.choice((2, 3, 4))
        )
        self.shares = [rng.uniform(0.5, 1.5) for _ in self.models]
        first = rng.randrange(300, 700)
        self.releases = [str(first), str(first + 1), str(first + 2)]
        self.release_hours = sorted(rng.uniform(24, DAYS * 24 - 30) for _ in range(2))
        self.base = {name: rng.randrange(2, 12) for name in artifacts.NAMES}
        self.change_hours = {name: rng.uniform(20, DAYS * 24 - 30) for name in artifacts.NAMES}
        self.tests = {name: chance(seed, "test", name) < 0.25 for name in artifacts.NAMES}
        self.mix = {intent: weight * rng.uniform(0.6, 1.6) for intent, weight in MIX.items()}

    def version(self, name: str, hour: float, customer: str) -> str:
        """Versions change once, or two of them are tried side by side."""
        old, new = str(self.base[name]), str(self.base[name] + 1)
        if self.tests[name]:
            return new if chance(self.seed, name, customer) < 0.45 else old
        return new if hour >= self.change_hours[name] else old

    def release(self, hour: float) -> str:
        return self.releases[sum(hour >= since for since in self.release_hours)]

    def plant(self) -> list[Planted]:
        """Choose modes and causes, with every kind of difficulty among them."""
        rng = self.rng
        tools = rng.sample(sorted(TOOL_FAULTS), 3)
        said = rng.sample(sorted(ANSWER_FAULTS), 2)
        rest = rng.sample(sorted(MODES), rng.randrange(3, 6))
        modes = [*tools, *said, *rest]
        rng.shuffle(modes)
        planted = [Planted(mode, {}) for mode in modes]
        nameless = set(rng.sample(range(len(planted)), rng.choice((1, 2))))
        for place, one in enumerate(planted):
            if place not in nameless:
                self.give_cause(one)
        silent = next(one for one in planted if one.mode in ANSWER_FAULTS or one.mode == "invented_citation")
        silent.silent = True
        return planted

    def give_cause(self, one: Planted, kind: str = "") -> None:
        rng, artifact = self.rng, USES.get(one.mode, "support-answer")
        kind = kind or rng.choice(("version", "version", "model", "release", "region", "channel", "together"))
        one.when, one.together = {}, {}
        if kind == "none":
            return
        if kind == "version":
            one.when = {artifact: str(self.base[artifact] + 1)}
        elif kind == "model":
            one.when = {"model": rng.choice(self.models)}
        elif kind == "release":
            one.when = {"release": rng.choice(self.releases[1:])}
        elif kind == "region":
            one.when = {"region": rng.choice(("eu-west", "eu-south", "eu-north"))}
        elif kind == "channel":
            one.when = {"channel": rng.choice(("mobile", "web"))}
        else:  # the version went live with a release, so that either tells the same story
            self.tests[artifact] = False
            self.change_hours[artifact] = self.release_hours[1]
            one.when = {artifact: str(self.base[artifact] + 1)}
            one.together = {"release": self.releases[2]}

    def serving(self, hour: float, case: Case, faults: tuple[Fault, ...]) -> Serving:
        customer = case.customer.number
        good = {
            "refund-answer": "2",
            "lookup_order": "3",
            "support-router": "2",
            "support-answer": "8",
            "input-safety": "2",
        }
        made = {}
        for name in artifacts.NAMES:
            known = artifacts.versions(name)
            text = known[good[name]] if name in good else list(known.values())[-1]
            made[name] = replace(text, version=self.version(name, hour, customer))
        model = random.Random(f"{self.seed} {customer} {int(hour // 8)}").choices(self.models, self.shares)[0]  # noqa: S311
        rates = dict.fromkeys(MODES, 0.0)
        return Serving(made, model=model, release=self.release(hour), rates=rates, faults=faults)

    def tune(self, planted: list[Planted], begins: list[tuple[float, Case]]) -> None:
        """Choose each rate so that a mode has a few dozen failures; a cause that is met too seldom is another's."""
        for one in planted:
            met = self.met(one, begins)
            for kind in ("channel", "region", "model", "none"):
                if met >= LEAST_MET:
                    break
                self.give_cause(one, kind)
                met = self.met(one, begins)
            one.often = max(0.02, min(0.95, self.rng.uniform(22, 60) / max(met, 1)))

    def met(self, one: Planted, begins: list[tuple[float, Case]]) -> int:
        """How many conversations meet the circumstances of a mode."""
        intents, kind = SITES[one.mode]
        count = 0
        for hour, case in begins:
            order = case.order.kind if case.order else ""
            fits = case.intent in intents and (
                not kind or (case.language != "en" if kind == "foreign" else order == kind)
            )
            if fits:
                facts = self.serving(hour, case, ()).facts(case)
                count += all(facts.get(name) == value for name, value in one.when.items())
        return count

    def make(self) -> Scenario:
        planted = self.plant()
        for one in planted:
            for intent in SITES[one.mode][0]:
                self.mix[intent] *= 1.25
        weights = plan.busy_hours(self.start, DAYS)
        count = round(self.traces / 1.06)
        hours = sorted(hour + self.rng.random() for hour in self.rng.choices(range(DAYS * 24), weights, k=count))
        begins = [(hour, draw_case(self.rng, self.world, wide=True, mix=self.mix)) for hour in hours]
        self.tune(planted, begins)
        faults = tuple(Fault(one.mode, one.often, one.when) for one in planted)
        faults += tuple(Fault(one.mode, 0.0015) for one in planted)  # a little of it happens anyway
        tempers = {one.mode: QUIET if one.silent else Temper(thumb=self.rng.uniform(0.1, 0.35)) for one in planted}
        turns = [
            turn
            for place, (hour, case) in enumerate(begins)
            for turn in self.converse(place, hour, case, faults, tempers)
        ]
        return Scenario(self.seed, self.start, planted, self.rollouts(), turns)

    def converse(
        self, place: int, hour: float, case: Case, faults: tuple[Fault, ...], tempers: dict[str, Temper]
    ) -> Iterator[plan.Turn]:
        rng, session = random.Random(f"{self.seed} {place}"), f"s-{plan.identity(self.seed, place, size=5)}"  # noqa: S311
        for turn in range(3):
            run = reply(
                self.world,
                case,
                self.serving(hour, case, faults),
                at=self.start + timedelta(hours=hour),
                session=session,
            )
            reaction = react(rng, run, tempers)
            if hour < DAYS * 24:
                yield plan.Turn(f"{place}-{turn}", hour, session, run, reaction.signals)
            if not reaction.again:
                return
            hour += rng.uniform(20, 300) / 3600
            case = asked_again(rng, case, run, wide=True)

    def rollouts(self) -> list[dict[str, Any]]:
        """Only what a release script would report: not what is tried side by side."""
        made = [(0.0, "release", "", self.releases[0])]
        made += [
            (hour, "release", "", value) for hour, value in zip(self.release_hours, self.releases[1:], strict=True)
        ]
        for name in artifacts.NAMES:
            if not self.tests[name]:
                kind = next(iter(artifacts.versions(name).values())).kind
                made.append((self.change_hours[name], kind, name, str(self.base[name] + 1)))
        made.sort()
        return [
            {"fact": fact, "name": name, "value": value, "time": (self.start + timedelta(hours=hour)).isoformat()}
            for hour, fact, name, value in made
        ]


def make(seed: int, *, traces: int = TRACES, end: datetime | None = None) -> Scenario:
    """A scenario of seven days that ends now, or when told."""
    end = (end or datetime.now(UTC)).replace(minute=0, second=0, microsecond=0)
    return _Maker(seed, traces, end - timedelta(days=DAYS)).make()
