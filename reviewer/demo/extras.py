"""Failure modes that only fresh scenarios have: tools that refuse in their own words, answers that say too much."""

import tomllib
from pathlib import Path

_told = tomllib.loads((Path(__file__).parent / "extras.toml").read_text())

TOOL_FAULTS: dict[str, tuple[str, list[str]]] = {
    mode: (each["name"], each["errors"]) for mode, each in _told["tool"].items()
}
"""The tool that fails, and in which words."""

ANSWER_FAULTS: dict[str, dict[str, list[str]]] = _told["answer"]
"""What is said too much, by language."""
