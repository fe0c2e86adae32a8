"""One step, opened: what it read and wrote in the form people can read. Pure: imports neither Django nor Celery."""

from dataclasses import dataclass, field
from typing import Any

from issues.reading.steps import Step
from issues.reading.talk import Turn, is_messages, read_turns, readable


@dataclass
class Side:
    """What a step read, or what it wrote: a conversation, or any value."""

    title: str
    turns: list[Turn] = field(default_factory=list)
    value: Any = None

    @property
    def told(self) -> bool:
        return bool(self.turns) or self.value not in (None, "", [], {})


@dataclass
class Detail:
    """A step with its body."""

    step: Step
    body: dict[str, Any]
    sides: list[Side] = field(default_factory=list)

    @property
    def documents(self) -> list[dict[str, Any]]:
        found = self.body.get("documents")
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    @property
    def attributes(self) -> dict[str, Any]:
        found = self.body.get("attributes")
        return dict(sorted(found.items())) if isinstance(found, dict) else {}

    @property
    def events(self) -> list[dict[str, Any]]:
        found = self.body.get("events")
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    @property
    def provider(self) -> str:
        return str(self.body.get("provider") or "")

    @property
    def cached_tokens(self) -> Any:
        return self.body.get("cached_tokens")


def open_step(step: Step, body: dict[str, Any]) -> Detail:
    """Lay out a step's body under the words that fit its kind."""
    titles = {"tool": ("Called with", "It answered"), "llm": ("Read", "Wrote"), "retrieval": ("Looked for", "Found")}
    read, wrote = titles.get(step.kind, ("Input", "Output"))
    return Detail(step, body, [_side(read, body.get("input"), step), _side(wrote, body.get("output"), step)])


def _side(title: str, value: Any, step: Step) -> Side:
    if is_messages(value):
        return Side(title, read_turns(value, step))
    return Side(title, value=readable(value))
