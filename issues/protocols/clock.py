"""Times as clients write them: ISO 8601, seconds to nanoseconds since 1970, or a pair of both. Pure."""

from datetime import UTC, datetime, timedelta
from typing import Any

from issues.record import SpanRecord, plausible

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_time(value: Any) -> datetime | None:
    """The moment, or None when this is no time; a time without a zone is UTC."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return _since(value[0] * 10**6 + value[1] // 1000)
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 40 or not text:
            return None
        if text.replace(".", "", 1).isdigit() and text.isascii():
            value = float(text) if "." in text else int(text)
        else:
            try:
                found = datetime.fromisoformat(text)
                return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
            except (ValueError, OverflowError):
                return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    for above, unit in ((1e17, 1e-3), (1e14, 1), (1e11, 1e3), (-1e11, 1e6)):
        if value > above:
            if isinstance(value, int):
                return _since(value // 1000 if unit < 1 else value * int(unit))
            return _since(round(value * unit)) if value < 1e300 else None
    return None


def _since(microseconds: int) -> datetime | None:
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return None


def set_times(span: SpanRecord, start: Any, end: Any, attributes: dict[str, Any], now: datetime) -> None:
    """Believable times go to the record; others are kept as text."""
    for name, told in (("start", start), ("end", end)):
        if told is None or told == "":
            continue
        moment = plausible(read_time(told), now)
        if moment is None or (name == "end" and span.start is not None and moment < span.start):
            attributes[f"whetstone.{name}"] = str(told)[:64]
        else:
            setattr(span, name, moment)
