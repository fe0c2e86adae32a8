"""One question of a customer, and what serves it: the two arguments of everything the assistant does."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from reviewer.demo import wording
from reviewer.demo.artifacts import Artifact
from reviewer.demo.shop import Customer, Order, World, chance, dice

_ORDER = re.compile(r"\b(?:FW-?)?(\d{5,6})\b", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """What a customer brings. `sample` tells repeated tries of the same case apart."""

    message: str
    customer: Customer
    order: Order | None
    intent: str
    language: str
    sample: str = "0"
    earlier: tuple[tuple[str, str], ...] = ()
    """The turns before this one, as role and text."""

    @property
    def key(self) -> str:
        return f"{self.sample}|{self.customer.number}|{self.message}"

    @property
    def names_order(self) -> bool:
        return bool(_ORDER.search(self.message))

    def roll(self, what: str) -> float:
        """This case's luck in one matter: the same whatever serves it, so that two versions can be compared."""
        return chance(self.key, what)

    def die(self, what: str) -> int:
        return dice(self.key, what)


@dataclass(frozen=True)
class Fault:
    """A planted fault of a scenario: the mode it makes, how often, and in which circumstances."""

    mode: str
    often: float
    when: Mapping[str, str] = field(default_factory=dict)

    def strikes(self, case: Case, facts: Mapping[str, str]) -> bool:
        return all(facts.get(name) == value for name, value in self.when.items()) and (
            case.roll(f"fault {self.mode}") < self.often
        )


@dataclass(frozen=True)
class Serving:
    """What is live for this customer at this time."""

    artifacts: Mapping[str, Artifact]
    model: str = "sim-small-2026-10"
    release: str = "481"
    environment: str = "production"
    outages: frozenset[str] = frozenset()
    """Regions whose courier does not answer."""
    renamed: frozenset[str] = frozenset()
    """Handbook pages that the search index knows by their new heading alone."""
    slow_models: frozenset[str] = frozenset({"sim-deep-2026-09"})
    chatty_models: frozenset[str] = frozenset({"sim-small-2026-10"})
    rates: Mapping[str, float] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def facts(self, case: Case) -> dict[str, str]:
        """What telemetry will tell of this run, for deciding whether a planted fault strikes."""
        return {
            "model": self.model,
            "release": self.release,
            "environment": self.environment,
            "region": case.customer.region,
            "channel": case.customer.channel,
            "language": case.language,
            "intent": case.intent,
            "order": case.order.kind if case.order else "",
            **{name: artifact.version for name, artifact in self.artifacts.items()},
        }

    def with_artifact(self, artifact: Artifact) -> "Serving":
        return replace(self, artifacts={**self.artifacts, artifact.name: artifact})


def understand(world: World, message: str, *, customer: str = "", order: str = "", sample: str = "0") -> Case:
    """A case from what an application receives: the text, and who is signed in."""
    language = wording.tell_language(message)
    told = _ORDER.search(message)
    found = world.order(order) if order else world.order(told[1]) if told else None
    number = customer or (found.customer if found else "C-40000")
    if found is None and not told:
        found = world.latest_order(number)
    intent = wording.tell_intent(message, language)
    return Case(message, world.customer(number), found, intent, language, sample)
