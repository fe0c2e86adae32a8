"""What a person asked the trace list for, read from the address and written back into it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.dateparse import parse_datetime

RANGES = {
    "1h": ("Last hour", timedelta(hours=1)),
    "24h": ("Last 24 hours", timedelta(days=1)),
    "7d": ("Last 7 days", timedelta(days=7)),
    "30d": ("Last 30 days", timedelta(days=30)),
}
BETWEEN = "between"
TRAFFIC = {"": "Live traffic", "runs": "Experiments and tests", "all": "All traffic"}
LONGEST = 300
VERDICTS = ("any", "good", "bad")
LABELS = {
    "q": "Text", "range": "Time", "status": "Status", "traffic": "Traffic", "signal": "Signal", "model": "Model",
    "prompt": "Prompt", "environment": "Environment", "release": "Release", "session": "Session", "user": "User",
}  # fmt: skip


@dataclass(frozen=True)
class Filters:
    """Every filter as it stands in the address; empty means: any."""

    q: str = ""
    range: str = ""
    start: str = ""
    end: str = ""
    status: str = ""
    traffic: str = ""
    signal: str = ""
    model: str = ""
    prompt: str = ""
    environment: str = ""
    release: str = ""
    session: str = ""
    user: str = ""

    @property
    def chosen(self) -> dict[str, str]:
        """What narrows the list, in the order of the form; the edges of a range belong to the range."""
        told = {name: getattr(self, name) for name in LABELS}
        return {name: value for name, value in told.items() if value}

    @property
    def chips(self) -> list[tuple[str, str, str]]:
        """Each chosen filter: its name, its value in words, and the address without it."""
        return [(LABELS[name], self._words(name), self.without(name)) for name in self.chosen]

    def _words(self, name: str) -> str:
        value: str = getattr(self, name)
        if name == "range":
            if value in RANGES:
                return RANGES[value][0].lower()
            return " to ".join(_short(edge) or "…" for edge in (self.start, self.end))
        if name == "status":
            return "with failed steps"
        if name == "traffic":
            return TRAFFIC[value].lower()
        if name == "signal":
            verdict, _, signal = value.partition(":")
            return signal if verdict == "any" else f"{signal} is {verdict}"
        return value

    def without(self, name: str) -> str:
        gone = {"start": "", "end": ""} if name == "range" else {}
        return replace(self, **{name: ""}, **gone).query()

    def between(self) -> str:
        """The address of the same list, narrowed to a span of time; its edges are for the caller to add."""
        return replace(self, range=BETWEEN, start="", end="").query()

    def query(self, **more: str) -> str:
        told = {field.name: getattr(self, field.name) for field in fields(self)} | more
        return "?" + urlencode({name: value for name, value in told.items() if value})

    def window(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        """The first moment and the moment after the last; None is open."""
        if self.range in RANGES:
            return now - RANGES[self.range][1], None
        return (_moment(self.start), _moment(self.end)) if self.range == BETWEEN else (None, None)

    @property
    def only_indexed(self) -> bool:
        """Whether the covering index by time answers this alone."""
        return not set(self.chosen) - {"range", "status", "traffic", "environment", "release"}


def read_filters(query: Mapping[str, str]) -> Filters:
    """From the address; what makes no sense is as if it were not there."""
    told = {
        field.name: str(query.get(field.name, "")).replace("\x00", "").strip()[:LONGEST] for field in fields(Filters)
    }
    if told["range"] not in {*RANGES, BETWEEN}:
        told["range"] = ""
    if told["range"] != BETWEEN or not (_moment(told["start"]) or _moment(told["end"])):
        told["start"] = told["end"] = ""
        told["range"] = "" if told["range"] == BETWEEN else told["range"]
    told["status"] = told["status"] if told["status"] == "failed" else ""
    told["traffic"] = told["traffic"] if told["traffic"] in TRAFFIC else ""
    verdict, _, name = told["signal"].partition(":")
    told["signal"] = told["signal"] if verdict in VERDICTS and name else ""
    return Filters(**told)


def _moment(text: str) -> datetime | None:
    """A moment as a date field writes it, in the zone that pages show."""
    try:
        found = parse_datetime(text)
        if found is None or not 1970 < found.year < 2200:
            return None
        return found if timezone.is_aware(found) else timezone.make_aware(found)
    except (ValueError, OverflowError):
        return None


def edge_of(moment: datetime) -> str:
    """A moment as a date field writes it."""
    return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M:%S").removesuffix(":00")


def _short(edge: str) -> str:
    moment = _moment(edge)
    return timezone.localtime(moment).strftime("%-d %b %H:%M") if moment else ""
