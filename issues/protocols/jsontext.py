"""JSON from strangers: read without falling over, and kept within bounds.

Everything here is linear in its input and raises nothing but `Unreadable`. Pure.
"""

import json
from typing import Any

import orjson

from issues.record import LONGEST_BODY, LONGEST_NAME, LONGEST_TEXT, MOST_ATTRIBUTES, Unreadable, clean, clean_text

MOST_NODES = 4_000_000
"""Lists and objects in one request: more than any real export holds, and each costs memory before it can be refused."""
LONGEST_PARSED = 8_000_000
"""Characters of one attribute that are still read as JSON; what is longer is shown as clipped text."""
LEFT_OUT = "whetstone.left_out"


def read_body(body: bytes) -> Any:
    """A request's JSON. Tolerates what sloppy writers emit: invalid UTF-8, NaN, lone surrogates."""
    if body.count(b"{") + body.count(b"[") > MOST_NODES:
        raise Unreadable(
            "The JSON holds more lists and objects than Whetstone reads in one request; send smaller batches."
        )
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        first = str(error)
    try:
        return json.loads(body.decode("utf-8", "replace"), parse_int=_integer)
    except (ValueError, RecursionError):
        raise Unreadable(f"The body is not valid JSON: {first[:200]}.") from None


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) < 20 else float(digits)


def read_text(text: str) -> Any:
    """An attribute's value: parsed when it is a JSON object or list, else the text; clean either way."""
    head = text[:1]
    if head.isspace():
        head = text.lstrip()[:1]
    if (head == "{" or head == "[") and len(text) <= LONGEST_PARSED:
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            value = _sloppy(text)
            return clean_text(text) if value is None else fit(clean(value), len(text))
        if _risky(text):
            value = fit(clean(value), len(text))
        return value
    return clean_text(text)


def _sloppy(text: str) -> Any:
    """Python's own reader takes NaN and lone surrogates."""
    try:
        return json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError):
        return None


def _risky(text: str) -> bool:
    """Whether the parsed value may hold what `clean` would change: long or odd strings, or too many levels."""
    size = len(text)
    return size > LONGEST_TEXT or "\\u0000" in text or (size >= 80 and text.count("{") + text.count("[") >= 40)


def tidy(value: Any) -> Any:
    """A structured value that did not arrive as text: cleaned and within `LONGEST_BODY`."""
    if isinstance(value, str):
        return read_text(value)
    if isinstance(value, dict | list | tuple):
        return fit(clean(value), LONGEST_BODY + 1)
    return clean(value)


def fit(value: Any, size: int) -> Any:
    """At most `LONGEST_BODY` characters: the first two items and the newest stay, the middle says how many it was."""
    if size <= LONGEST_BODY:
        return value
    whole = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    if len(whole) <= LONGEST_BODY:
        return value
    if not isinstance(value, list) or len(value) < 4:
        return clean_text(whole)
    room = LONGEST_BODY - sum(_size(item) for item in value[:2])
    kept: list[Any] = []
    for item in reversed(value[2:]):
        room -= _size(item)
        if room < 0:
            break
        kept.append(item)
    if room < 0 and not kept:
        return clean_text(whole)
    note = f"… [{len(value) - 2 - len(kept):,} items left out by Whetstone: {len(whole):,} characters]"
    marker = {"role": "system", "content": note} if isinstance(value[0], dict) else note
    return [*value[:2], marker, *reversed(kept)]


def _size(item: Any) -> int:
    return len(orjson.dumps(item, option=orjson.OPT_NON_STR_KEYS)) + 2


def bounded(rest: dict[str, Any]) -> dict[str, Any]:
    """Attributes that can be stored: clean, and at most `MOST_ATTRIBUTES`; the number left out is one of them."""
    kept: dict[str, Any] = {}
    for key, value in rest.items():
        if len(kept) == MOST_ATTRIBUTES:
            kept[LEFT_OUT] = len(rest) - MOST_ATTRIBUTES
            break
        if len(key) > LONGEST_NAME or not key.isascii() or "\x00" in key:
            key = clean_text(key, LONGEST_NAME)
        kind = value.__class__
        if kind is str:
            kept[key] = clean_text(value)
        elif kind is bool or value is None:
            kept[key] = value
        else:
            kept[key] = clean(value)
    return kept


def short(value: Any, longest: int = LONGEST_NAME) -> str:
    """Text for a column of limited length: never longer than `longest`, cut with an ellipsis."""
    if value.__class__ is not str:
        if value is None:
            return ""
        value = value if isinstance(value, str) else _word(value)
    if len(value) <= longest and value.isascii() and "\x00" not in value:
        return value
    value = clean_text(value[: longest + 1], longest + 1)
    return value if len(value) <= longest else value[: longest - 1] + "…"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and len(value) == 1:
        return short(value[0])
    if isinstance(value, dict | list | tuple):
        return orjson.dumps(clean(value), option=orjson.OPT_NON_STR_KEYS).decode()
    return str(value)


def whole_number(value: Any) -> int | None:
    """A count that fits an integer column, from a number or its text; anything else is None."""
    if value.__class__ is not int:
        if isinstance(value, bool):
            return None
        if isinstance(value, str):
            if not (value.isascii() and value.isdigit() and len(value) < 12):
                return None
            value = int(value)
        elif isinstance(value, float):
            if not 0 <= value < 2**31:
                return None
            value = int(value)
        else:
            return None
    return value if 0 <= value < 2**31 else None


def amount(value: Any) -> float | None:
    """A finite number at or above zero, from a number or its text; anything else is None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value) if len(value) < 40 else None
        except ValueError:
            return None
    if isinstance(value, int | float) and 0 <= value < 1e12:
        return float(value)
    return None
