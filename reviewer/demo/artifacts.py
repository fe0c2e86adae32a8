"""The application's prompts, tools and guardrails, by name and version.

`fetch` is the one function behind which they are read: from files today, from Whetstone's prompt API when it is there.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "artifacts"
PROMPTS = ("support-router", "support-plan", "search-query", "refund-answer", "return-form", "support-answer")
TOOLS = ("lookup_order", "courier_status", "create_refund")
GUARDRAILS = ("input-safety",)
NAMES = (*PROMPTS, *TOOLS, *GUARDRAILS)


class UnknownArtifact(KeyError):
    """There is no such artifact or version."""


@dataclass(frozen=True)
class Artifact:
    """One version: text for a prompt, a definition for a tool or a guardrail."""

    name: str
    kind: str
    version: str
    text: str = ""
    definition: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


@cache
def versions(name: str) -> dict[str, Artifact]:
    """All versions of one artifact, in the order they were made."""
    if name not in NAMES:
        raise UnknownArtifact(name)
    told = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    made = {}
    for item in told["version"]:
        definition = json.loads(item["definition"]) if "definition" in item else {}
        made[item["number"]] = Artifact(
            name=name,
            kind=told["kind"],
            version=item["number"],
            text=item.get("text", "").strip(),
            definition=definition,
            settings=item.get("settings", {}),
            note=item.get("note", ""),
        )
    return made


def fetch(name: str, version: str) -> Artifact:
    """One artifact as the application uses it."""
    try:
        return versions(name)[version]
    except KeyError:
        raise UnknownArtifact(f"{name} has no version {version}") from None


@cache
def handbook() -> list[dict[str, str]]:
    """The pages that the retrieval searches."""
    pages: list[dict[str, str]] = tomllib.loads((FOLDER / "handbook.toml").read_text())["page"]
    return pages
