"""Customers: what they come with, and how they react to what they got. Most say nothing."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reviewer.demo import wording
from reviewer.demo.assistant import Run
from reviewer.demo.case import Case
from reviewer.demo.shop import (
    CITIES,
    CUSTOMERS,
    DAYS,
    FIRST_CUSTOMER,
    HAZARDS,
    PRODUCTS,
    World,
    hazard_name,
    product_name,
)

MIX = {
    "track": 29,
    "refund": 13,
    "return_form": 9,
    "policy": 11,
    "source": 5,
    "warranty": 4,
    "compare": 6,
    "stock": 7,
    "hazard": 5,
    "harm": 0.6,
    "gift": 5,
    "person": 4,
    "cancel": 5,
}
"""What customers come for, by weight."""
_KINDS = {
    "track": (("in_transit", 62), ("exception", 17), ("delivered", 12), ("processing", 6), ("pending_sync", 3)),
    "refund": (("delivered", 80), ("delivered_old", 20)),
    "return_form": (("delivered", 100),),
    "gift": (("gift", 100),),
    "person": (("delivered", 50), ("in_transit", 50)),
    "cancel": (("processing", 60), ("in_transit", 40)),
}
NEEDS_NUMBER = {"return_form", "cancel"}


def draw_case(
    rng: random.Random,
    world: World,
    *,
    intent: str = "",
    kind: str = "",
    wide: bool = False,
    mix: Mapping[str, float] = MIX,
) -> Case:
    """One customer with one question. `kind` asks for an order of that kind."""
    intent = intent or rng.choices(list(mix), list(mix.values()))[0]
    order = None
    if kinds := _KINDS.get(intent):
        wanted = kind or rng.choices([name for name, _ in kinds], [weight for _, weight in kinds])[0]
        order = rng.choice(world.by_kind[wanted])
        customer = world.customer(order.customer)
    else:
        customer = world.customer(f"C-{FIRST_CUSTOMER + rng.randrange(CUSTOMERS)}")
    language = customer.language
    named = order is not None and (intent in NEEDS_NUMBER or rng.random() < 0.74)
    products = [product_name(place, language) for place in (order.products if order else ())]
    products += [product_name(rng.randrange(PRODUCTS), language) for _ in range(3)]
    slots = wording.Slots(
        order=order.number if order and named else "",
        product=products[0],
        product2=products[1],
        product3=products[2],
        hazard=hazard_name(rng.randrange(HAZARDS), language),
        name=customer.name.split()[0],
        day=rng.choice(DAYS[language]),
        days=str(order.age if order else rng.randrange(20, 300)),
        city=CITIES[language],
    )
    message = wording.compose(rng, intent, language, slots, wide=wide)
    if order is not None and named and order.number not in message.upper():
        message += f" ({order.number})"
    return Case(message, customer, order, intent, language)


def asked_again(rng: random.Random, case: Case, run: Run, *, wide: bool = False) -> Case:
    """The same question in other words, by somebody who got no good answer."""
    words = wording.answers(case.language)
    order = case.order.number if case.order else ""
    product = product_name(case.order.products[0] if case.order else rng.randrange(PRODUCTS), case.language)
    slots = wording.Slots(
        order,
        product,
        product_name(rng.randrange(PRODUCTS), case.language),
        product_name(rng.randrange(PRODUCTS), case.language),
        hazard_name(rng.randrange(HAZARDS), case.language),
        case.customer.name.split()[0],
        rng.choice(DAYS[case.language]),
        str(case.order.age if case.order else 30),
        CITIES[case.language],
    )
    text = f"{rng.choice(words['again'])} {wording.compose(rng, case.intent, case.language, slots, wide=wide)}"
    earlier = (*case.earlier, ("user", case.message), ("assistant", run.answer))
    return replace(case, message=text, earlier=earlier[-4:])


@dataclass(frozen=True)
class Temper:
    """How loud customers are about failures; a silent mode has none of it."""

    thumb: float = 0.24
    comment: float = 0.16
    again: float = 0.2
    outcome: float = 0.7


QUIET = Temper(thumb=0.012, comment=0.0, again=0.0, outcome=0.0)


@dataclass
class Reaction:
    """What followed a turn: signals with their delay in seconds, and whether the customer asks again."""

    signals: list[dict[str, Any]] = field(default_factory=list)
    again: bool = False


def react(rng: random.Random, run: Run, tempers: Mapping[str, Temper] | None = None) -> Reaction:
    """Signals about one turn, as an application would send them."""
    case, made = run.case, Reaction()
    words = wording.answers(case.language)
    temper = (tempers or {}).get(run.mode, Temper()) if run.mode else None

    def tell(name: str, value: Any, *, source: str = "user", comment: str = "", after: float = 60.0) -> None:
        signal: dict[str, Any] = {"name": name, "value": value, "source": source, "after": after}
        if comment:
            signal["comment"] = comment
        made.signals.append(signal)

    if temper is not None:
        own = words["comments"].get(run.mode, []) + (words["bad"] if rng.random() < 0.5 else [])
        if rng.random() < temper.thumb:
            comment = rng.choice(own or words["bad"]) if rng.random() < 0.45 else ""
            tell("thumbs", False, comment=comment, after=rng.uniform(15, 4000))
        elif rng.random() < temper.comment:
            tell("comment", "complaint", comment=rng.choice(own or words["bad"]), after=rng.uniform(60, 90_000))
        made.again = rng.random() < temper.again
        solved = rng.random() > temper.outcome
    else:
        if rng.random() < 0.11:
            comment = rng.choice(words["good"]) if rng.random() < 0.3 else ""
            tell("thumbs", True, comment=comment, after=rng.uniform(10, 2000))
        elif rng.random() < 0.012:
            tell("thumbs", False, after=rng.uniform(10, 2000))
        made.again = rng.random() < 0.015
        solved = rng.random() > 0.07
    if rng.random() < 0.6:
        tell("resolved", solved, source="outcome", after=rng.uniform(3600, 80_000))
    for name, value in run.outcomes.items():
        if name in {"refunded", "escalated"}:
            tell(name, value, source="outcome", after=rng.uniform(600, 40_000))
    return made
