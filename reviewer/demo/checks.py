"""The few checks a guardrail of the application may hold, evaluated for real: what matches is blocked.

Patterns may come from whoever edits a guardrail, so they run on an engine without backtracking.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import re2  # type: ignore[import-untyped]

LONGEST = 2_000


class BadCheck(ValueError):
    """A check that cannot be evaluated; the message says why."""


@lru_cache(maxsize=256)
def _pattern(text: str) -> Any:
    if len(text) > LONGEST:
        raise BadCheck(f"A pattern has at most {LONGEST} characters.")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except re2.error as error:
        raise BadCheck(f"The pattern {text[:60]!r} cannot be read: {error}.") from None


def fires(check: Mapping[str, Any], text: str) -> bool:
    """Whether this check matches the text."""
    op, value = check.get("op"), check.get("value")
    if op == "regex" and isinstance(value, str):
        return bool(_pattern(value).search(text))
    if op == "contains" and isinstance(value, str):
        return value.lower() in text.lower()
    if op == "contains_any" and isinstance(value, list):
        return any(str(word).lower() in text.lower() for word in value)
    inner = check.get("checks")
    if op in {"all", "any"} and isinstance(inner, list):
        return (all if op == "all" else any)(fires(item, text) for item in inner)
    if op == "not" and isinstance(check.get("check"), dict):
        return not fires(check["check"], text)
    raise BadCheck(f"There is no check {op!r} with such a value.")


def blocks(guardrail: Mapping[str, Any], text: str) -> bool:
    """Whether the guardrail stops this message."""
    if guardrail.get("action", "block") != "block":
        return False
    return any(fires(check, text) for check in guardrail.get("checks") or [])
