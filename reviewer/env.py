"""Settings from the environment, each with its type, default and meaning.

Every variable the product reads is declared through one of these functions, so that
`SETTINGS` is the whole list; `reviewer/docs/settings.md` shows it and a test compares the two.
Pure: imports neither Django nor Celery.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """One environment variable as the documentation shows it."""

    name: str
    kind: str
    default: str
    meaning: str


SETTINGS: dict[str, Setting] = {}


class BadSetting(ValueError):
    """A variable is set to something it cannot be; the message names it and says what it may be."""


def _read(name: str, kind: str, default: str, meaning: str, environ: Mapping[str, str] | None = None) -> str | None:
    SETTINGS[name] = Setting(name, kind, default, meaning)
    value = (os.environ if environ is None else environ).get(name, "").strip()
    return value or None


def text(name: str, default: str, meaning: str, *, shown: str | None = None) -> str:
    """A string; `shown` is the default in words, where it is computed."""
    return _read(name, "text", default if shown is None else shown, meaning) or default


def flag(name: str, default: bool, meaning: str) -> bool:
    """Yes or no: 1, true, yes, on against 0, false, no, off."""
    value = _read(name, "yes or no", "1" if default else "0", meaning)
    if value is None:
        return default
    if value.lower() in {"1", "true", "yes", "on"}:
        return True
    if value.lower() in {"0", "false", "no", "off"}:
        return False
    raise BadSetting(f"{name} is {value!r}; use 1 or 0.")


def number(name: str, default: int, meaning: str, *, least: int = 0) -> int:
    """A whole number, at least `least`."""
    value = _read(name, "number", str(default), meaning)
    if value is None:
        return default
    try:
        parsed = int(value)
    except ValueError:
        raise BadSetting(f"{name} is {value!r}; use a whole number.") from None
    if parsed < least:
        raise BadSetting(f"{name} is {parsed}; it must be at least {least}.")
    return parsed


def names(name: str, default: str, meaning: str, *, shown: str | None = None) -> list[str]:
    """A comma-separated list."""
    value = _read(name, "list", default if shown is None else shown, meaning) or default
    return [part.strip() for part in value.split(",") if part.strip()]
