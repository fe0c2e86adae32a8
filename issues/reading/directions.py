"""Which signals are good news: the direction a project gave each name, applied to a value.

A yes or no is good or bad by itself. A number is good above the middle of what was seen lately, and bad below it
(the other way round where lower is good); exactly in the middle it is neither. A category is good when somebody
listed it as good, bad when others are listed, and neither while nobody has said.
"""

from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Q

from issues.models import Signal

SEEN = 200
"""How many of a name's latest numbers say where its middle is."""
MOST_NAMES = 200


@dataclass(frozen=True)
class Direction:
    """One signal name of a project."""

    name: str
    kind: str
    higher_is_good: bool = True
    good_values: list[str] = field(default_factory=list)
    low: float | None = None
    high: float | None = None

    @property
    def middle(self) -> float:
        if self.kind == "yes_no" or self.low is None or self.high is None or self.low == self.high:
            return 0.5 if self.kind == "yes_no" or (self.low or 0) > 0 else 0.0
        return (self.low + self.high) / 2

    def tone(self, number: float | None, text: str) -> str:
        """`good`, `bad`, or nothing when it is neither."""
        if number is None:
            return ("good" if text in self.good_values else "bad") if self.good_values else ""
        if number == self.middle:
            return ""
        return "good" if (number > self.middle) is self.higher_is_good else "bad"

    def matching(self, tone: str) -> Q:
        """The same as a condition on signals."""
        if self.kind == "category":
            listed = Q(text__in=self.good_values)
            return Q(name=self.name) & (listed if tone == "good" else ~listed) & Q(text__gt="")
        if (tone == "good") is self.higher_is_good:
            return Q(name=self.name, number__gt=self.middle)
        return Q(name=self.name, number__lt=self.middle)


def directions_of(project_id: int) -> dict[str, Direction]:
    """Every name of a project with what is good about it, in one query that does not grow with the signals.

    A name whose first value was 1 looked like a yes or no; other numbers since then say that it is none.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT n.name, CASE WHEN n.kind = 'yes_no' AND NOT seen.flags THEN 'number' ELSE n.kind END,"
            " n.higher_is_good, n.good_values, seen.low, seen.high FROM issues_signalname n"
            " LEFT JOIN LATERAL (SELECT min(number) AS low, max(number) AS high, bool_and(number IN (0, 1)) AS flags"
            " FROM (SELECT s.number FROM issues_signal s WHERE s.project_id = n.project_id AND s.name = n.name"
            " ORDER BY s.at DESC LIMIT %s) latest) seen ON n.kind <> 'category'"
            " WHERE n.project_id = %s ORDER BY n.name LIMIT %s",
            [SEEN, project_id, MOST_NAMES],
        )
        return {row[0]: Direction(*row) for row in cursor.fetchall()}


@dataclass(frozen=True)
class Said:
    """A signal as a page shows it: what it is called, what it says, and whether that is good."""

    signal: Signal
    tone: str
    value: str

    @property
    def words(self) -> str:
        """In a few words, for a badge: “thumbs: yes”, “stars: 4”."""
        return f"{self.signal.name}: {self.value}"

    @property
    def icon(self) -> str:
        return {"good": "thumb-up", "bad": "thumb-down"}.get(self.tone, "info")

    @property
    def verdict(self) -> str:
        return {"good": "good", "bad": "bad"}.get(self.tone, "neither good nor bad")


def say(signal: Signal, known: dict[str, Direction]) -> Said:
    """Read a signal with the project's directions; a name nobody learned yet is neither good nor bad."""
    direction = known.get(signal.name)
    tone = direction.tone(signal.number, signal.text) if direction else ""
    if signal.number is None:
        value = signal.text
    elif direction and direction.kind == "yes_no" and signal.number in (0, 1):
        value = "yes" if signal.number else "no"
    else:
        value = f"{signal.number:.4g}"
    return Said(signal, tone, value)
