"""What a client sent, in our own words: the records that every protocol is turned into.

Protocol modules (`otlp`, `langfuse`, `langsmith`, `plain`) make these; `redact` masks them; `intake` stores them.
Pure: imports neither Django nor Celery.
"""

import math
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from typing import Any

KINDS = ("agent", "llm", "tool", "retrieval", "embedding", "guardrail", "chain", "evaluator")

LONGEST_ID = 128
LONGEST_NAME = 200
LONGEST_TEXT = 32_768
"""Characters kept of one string; what is longer is cut and says so."""
LONGEST_BODY = 1_000_000
"""Characters kept of one input or output as a whole."""
MOST_ATTRIBUTES = 256
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
CLOCK_SLACK = timedelta(days=1)

CLIPPED = "… [clipped by Whetstone: {} characters]"


@dataclass(slots=True)
class SpanRecord:
    """One step of a conversation. Empty text and None both mean: not told."""

    trace_id: str
    span_id: str
    parent_id: str = ""
    name: str = ""
    kind: str = "chain"
    start: datetime | None = None
    end: datetime | None = None
    status: str = ""  # "", "ok" or "error"
    error: str = ""
    model: str = ""
    provider: str = ""
    tool: str = ""
    finish_reason: str = ""
    prompt_name: str = ""
    prompt_version: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost: float | None = None
    session: str = ""
    user: str = ""
    environment: str = ""
    release: str = ""
    trace_name: str = ""
    run: str = ""  # set on traces that are no production traffic: experiment, playground, refinement, ci
    tags: list[str] = field(default_factory=list)
    input: Any = None
    """Messages (`{"role", "content", "tool_calls"?: [{"id", "name", "arguments"}], "tool_call_id"?}`), or any JSON."""
    output: Any = None
    documents: list[dict[str, Any]] = field(default_factory=list)
    """Retrieved: `{"id"?, "content"?, "score"?, "metadata"?}`."""
    attributes: dict[str, Any] = field(default_factory=dict)
    """What was sent and not understood, by its own name."""
    events: list[dict[str, Any]] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        """The prompt as one word, name@version."""
        return f"{self.prompt_name}@{self.prompt_version}" if self.prompt_version else self.prompt_name


@dataclass(slots=True)
class SignalRecord:
    """Feedback, an outcome or a score, about a trace, one of its spans, or a session."""

    name: str
    value: float | bool | str
    trace_id: str = ""
    span_id: str = ""
    session: str = ""
    comment: str = ""
    source: str = "user"  # user, outcome, evaluator, or the client's own word
    time: datetime | None = None
    id: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Rejected:
    """One item that could not be taken, and the sentence for the engineer."""

    why: str
    id: str = ""
    index: int | None = None
    """Its place in a list that was sent, from 0."""


@dataclass(slots=True)
class RolloutRecord:
    """What went live when: a prompt's version, a release, a model, or another fact of the client's."""

    fact: str
    value: str
    name: str = ""
    time: datetime | None = None
    note: str = ""
    id: str = ""


@dataclass(slots=True)
class Parsed:
    """What one request held."""

    spans: list[SpanRecord] = field(default_factory=list)
    signals: list[SignalRecord] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    rollouts: list[RolloutRecord] = field(default_factory=list)


class Unreadable(ValueError):
    """The whole request cannot be read; the message is for the engineer."""


SPAN_TEXTS = tuple(
    f.name for f in fields(SpanRecord) if f.type is str and f.name not in {"trace_id", "span_id", "parent_id"}
)
_BAD = {0: "\ufffd", **dict.fromkeys(range(55296, 57344), "�")}


def clean_text(value: str, longest: int = LONGEST_TEXT) -> str:
    """Text that the database can hold: no NUL, no lone surrogates, clipped with a visible mark."""
    if len(value) > longest:
        value = value[:longest] + CLIPPED.format(f"{len(value):,}")
    if "\x00" in value or not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.translate(_BAD)
        return value.replace("\x00", "\ufffd")
    return value


def clean(value: Any, depth: int = 0) -> Any:
    """JSON that can be stored and shown: finite numbers, clean text, at most 40 levels."""
    if isinstance(value, str):
        return clean_text(value)
    if value is None or isinstance(value, bool | int):
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**63:
            return str(value)[:100]
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth >= 40:
        return "… [deeper levels left out by Whetstone]"
    if isinstance(value, dict):
        return {clean_text(str(key), LONGEST_NAME): clean(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item, depth + 1) for item in value]
    return clean_text(str(value))


def plausible(moment: datetime | None, now: datetime) -> datetime | None:
    """The moment, if a clock could have meant it: after 1999 and not beyond tomorrow."""
    if moment is None or moment < EARLIEST or moment > now + CLOCK_SLACK:
        return None
    return moment
