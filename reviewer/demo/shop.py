"""The shop's world: products, customers and orders, each a pure function of its number.

Nothing is stored: an order has the same state whoever asks, in history, in live traffic and when an experiment calls
the target, so that a case that failed once can be run again.
"""

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

LANGUAGES = ("en", "de", "es")
REGIONS = ("eu-north", "eu-west", "eu-south")
FIRST_ORDER, ORDERS = 20_000, 14_000
FIRST_CUSTOMER, CUSTOMERS = 40_000, 1_400
STEP = 7
"""Order numbers of one world are this far apart, so that a mistyped number is nobody's order."""

_told = tomllib.loads((Path(__file__).parent / "wording" / "world.toml").read_text())
_BRANDS: list[str] = _told["brands"]
_NOUNS: dict[str, list[str]] = _told["nouns"]
_HAZARDS: dict[str, list[str]] = _told["hazards"]
_FIRST: dict[str, list[str]] = _told["first"]
_LAST: dict[str, list[str]] = _told["last"]
DAYS: dict[str, list[str]] = _told["days"]
CITIES = {"en": "Harlow", "de": "Bergen", "es": "Ronda"}
REASONS = ("weather_delay", "customs_hold", "split_shipment", "address_check", "depot_backlog")
COURIERS = ("Nordpost", "Parcelo", "Viaflash")


def dice(*key: object) -> int:
    """A large number that depends on nothing but the key."""
    return int.from_bytes(hashlib.blake2b("\x1f".join(map(str, key)).encode(), digest_size=8).digest(), "big")


def chance(*key: object) -> float:
    """A number from 0 to 1 that depends on nothing but the key."""
    return dice(*key) / 2**64


def product_name(place: int, language: str) -> str:
    """The same article in the language of the customer."""
    brand, noun = _BRANDS[place % len(_BRANDS)], _NOUNS[language][place // len(_BRANDS) % 12]
    if language == "en":
        return f"{brand} {noun}"
    return f"{brand}-{noun}" if language == "de" else f"{noun} {brand}"


PRODUCTS = len(_BRANDS) * 12
HAZARDS = 8


def hazard_name(place: int, language: str) -> str:
    return _HAZARDS[language][place % HAZARDS]


@dataclass(frozen=True)
class Customer:
    number: str
    name: str
    email: str
    language: str
    region: str
    channel: str


@dataclass(frozen=True)
class Order:
    """One order as the shop's system knows it; ages are in days before the conversation."""

    number: str
    customer: str
    status: str
    age: int
    reason: str
    courier: str
    eta_in: int
    products: tuple[int, ...]
    amount: float
    gift: bool
    buyer: str

    @property
    def kind(self) -> str:
        """What makes this order a different kind of input."""
        if self.gift:
            return "gift"
        if self.status == "delivered":
            return "delivered_old" if self.age > 30 else "delivered"
        return self.status


class World:
    """One shop. Another salt is another shop with the same rules."""

    def __init__(self, salt: str = "fernwood") -> None:
        self.salt = salt

    def customer(self, number: str) -> Customer:
        roll = dice(self.salt, "customer", number)
        language = "en" if roll % 100 < 66 else "de" if roll % 100 < 85 else "es"
        first = _FIRST[language][roll // 101 % len(_FIRST[language])]
        last = _LAST[language][roll // 10_007 % len(_LAST[language])]
        plain = f"{first}.{last}".lower()
        share = roll // 1_000_003 % 100
        region = REGIONS[0] if share < 45 else REGIONS[1] if share < 80 else REGIONS[2]
        channel = ("web", "web", "web", "web", "mobile", "mobile", "email")[roll // 7_000_003 % 7]
        return Customer(number, f"{first} {last}", f"{plain}@mail.example", language, region, channel)

    def order(self, number: str) -> Order | None:
        """The order of this number, if the shop has it."""
        digits = number.upper().removeprefix("FW-")
        if not digits.isdigit() or not FIRST_ORDER <= int(digits) < FIRST_ORDER + ORDERS * STEP:
            return None
        if int(digits) % STEP != 3:
            return None
        roll = dice(self.salt, "order", digits)
        share = roll % 1000
        status = (
            "in_transit" if share < 400 else "delivered" if share < 760 else "exception" if share < 880
            else "pending_sync" if share < 930 else "processing"
        )  # fmt: skip
        ages = roll // 1009
        age = 31 + ages % 45 if ages % 100 < 30 else 1 + ages % 29
        wanted = tuple((roll // (10_007 * step)) % PRODUCTS for step in range(1, 2 + roll // 31 % 3))
        return Order(
            number=f"FW-{digits}",
            customer=f"C-{FIRST_CUSTOMER + roll // 100_003 % CUSTOMERS}",
            status=status,
            age=age,
            reason=REASONS[roll // 77_003 % len(REASONS)] if status == "exception" else "",
            courier=COURIERS[roll // 5_003 % len(COURIERS)],
            eta_in=1 + roll // 3_001 % 6,
            products=wanted,
            amount=round(19 + (roll // 13_001 % 26_000) / 100, 2),
            gift=status == "delivered" and roll // 17_003 % 100 < 18,
            buyer=f"C-{FIRST_CUSTOMER + roll // 900_007 % CUSTOMERS}",
        )

    @cached_property
    def by_kind(self) -> dict[str, list[Order]]:
        """A part of the orders, by the kind of input they make; customers are drawn from these."""
        made: dict[str, list[Order]] = {}
        for place in range(0, ORDERS, 2):
            found = self.order(f"FW-{FIRST_ORDER + place * STEP + (3 - FIRST_ORDER) % STEP}")
            if found is not None:
                made.setdefault(found.kind, []).append(found)
        return made

    def latest_order(self, customer: str) -> Order | None:
        """What the shop would show a signed-in customer who names no order."""
        return self._latest.get(customer)

    @cached_property
    def _latest(self) -> dict[str, Order]:
        return {order.customer: order for orders in self.by_kind.values() for order in orders}
