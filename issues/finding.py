"""What a detector reads and what it says: the records between telemetry and failures.

Pure: imports neither Django nor Celery.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any


@dataclass(frozen=True, slots=True)
class Told:
    """A signal about a trace: what it says, and whether that is good, bad or neither (`tone`)."""

    name: str
    number: float | None
    text: str
    comment: str
    source: str
    tone: str
    at: datetime
    span_id: str = ""


@dataclass
class Step:
    """A span with its body, as a detector reads it."""

    span_id: str
    parent_id: str
    name: str
    kind: str
    start: datetime | None
    end: datetime | None
    status: str
    error: str
    model: str
    tool: str
    finish_reason: str
    prompt: str
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    body: dict[str, Any] = field(default_factory=dict)

    @property
    def input(self) -> Any:
        return self.body.get("input")

    @property
    def output(self) -> Any:
        return self.body.get("output")

    @property
    def documents(self) -> list[dict[str, Any]]:
        found = self.body.get("documents")
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    @property
    def attributes(self) -> dict[str, Any]:
        found = self.body.get("attributes")
        return found if isinstance(found, dict) else {}

    @property
    def seconds(self) -> float | None:
        return (self.end - self.start).total_seconds() if self.start and self.end else None


@dataclass
class Seen:
    """A whole trace: its summary, its steps in order of time, what was said about it, and the turn after it."""

    trace_id: str
    name: str
    at: datetime
    ended_at: datetime | None
    asked: str
    answered: str
    error: str
    session: str
    user: str
    environment: str
    release: str
    run: str
    prompts: list[str]
    models: list[str]
    tools: list[str]
    tags: list[str]
    cost: float | None
    redacted: dict[str, int]
    steps: list[Step] = field(default_factory=list)
    signals: list[Told] = field(default_factory=list)
    next_asked: str = ""
    """What the same session asked next, if it asked again soon."""
    before: list[tuple[str, str]] = field(default_factory=list)
    """Earlier turns of the session: asked, answered."""

    @property
    def seconds(self) -> float | None:
        return (self.ended_at - self.at).total_seconds() if self.ended_at else None

    @cached_property
    def root(self) -> Step | None:
        known = {step.span_id for step in self.steps}
        return next((step for step in self.steps if step.parent_id not in known), None)

    def of_kind(self, *kinds: str) -> list[Step]:
        return [step for step in self.steps if step.kind in kinds]


@dataclass(frozen=True)
class Finding:
    """What one detector says about one trace."""

    detector: str
    reason: str
    """In words for a domain expert: “The answer says the order is lost; lookup_order said it is delayed.”"""
    text: str
    """What the signature is made of: the words that tell this problem from others."""
    span_id: str = ""
    side: str = ""
    excerpt: str = ""
    severity: int = 2
    key: str = ""
    family: str = "text"
    """Only failures of one family can be one problem by likeness; for example `tool_failed lookup_order`."""
    strict: bool = False
    """The text is a structured message, an error template: only close likeness counts."""
    symptom: bool = False
    """It tells that something went wrong, not what: a thumb down. It stands behind a finding that does, if any."""
    about: str = ""
    """Two findings on one trace with the same `about` tell the same reason; the first in detector order leads."""


# --- signatures -----------------------------------------------------------------------------------

LONGEST_SIGNATURE = 2_000
_MASKS = (
    (re.compile(r"https?://\S+|www\.\S+"), "<address>"),
    (re.compile(r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b"), "<email>"),
    (re.compile(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"), "<id>"),
    (re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])[\w-]{4,}\b"), "<id>"),
    (re.compile(r"#?[A-Z]{1,5}-\d[\w-]*"), "<id>"),
    (re.compile(r"\d+(?:[.,:/-]\d+)*%?"), "<n>"),
)
_QUOTED = re.compile(r"'[^'\n]{1,80}'|\"[^\"\n]{1,80}\"|`[^`\n]{1,80}`|“[^”\n]{1,80}”|„[^“\n]{1,80}“|«[^»\n]{1,80}»")


def mask(text: str, *, strict: bool = False) -> str:
    """Leave out what differs from case to case: ids, numbers, addresses; in structured messages, quoted values too."""
    if strict:
        text = _QUOTED.sub("<value>", text)
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    return " ".join(text.split())[:LONGEST_SIGNATURE]


def digest_of(family: str, text: str) -> str:
    return sha256(f"{family}\x1f{text}".encode(errors="replace")).hexdigest()[:40]
