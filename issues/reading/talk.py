"""A trace's steps as the conversation that people had. Pure: imports neither Django nor Celery.

Clients tell it in two ways: each call of a model repeats the whole history, or brings only what is new. Both give
the same turns here: what was heard before is not said again. Calls of tools stand with what the tool answered.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from issues.protocols.jsontext import read_text
from issues.reading.steps import Step

WHO = {"user": "User", "assistant": "Assistant", "system": "Instructions", "tool": "Tool"}
MOST_TURNS = 80
"""Steps that one page tells as a conversation."""
MOST_BYTES = 2_000_000
REMEMBERED = 6


@dataclass
class Call:
    """A tool that was called: with what, and what it answered."""

    name: str
    arguments: Any = None
    result: Any = None
    answered: bool = False
    step: Step | None = None
    id: str = ""


@dataclass
class Turn:
    """What one side said, or did, at one point."""

    role: str
    blocks: list[tuple[str, Any]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    at: datetime | None = None
    step: Step | None = None
    name: str = ""

    @property
    def who(self) -> str:
        return self.name if self.name and self.role == "tool" else WHO.get(self.role, self.role)

    @property
    def empty(self) -> bool:
        return not (self.blocks or self.calls)


def speakers(steps: Iterable[Step]) -> list[Step]:
    """The steps that carry the conversation, in order of time: models and tools; else the top step alone."""
    ordered = list(steps)
    spoken = [step for step in ordered if step.kind in {"llm", "tool"}]
    if not any(step.kind == "llm" for step in spoken):
        spoken = [*ordered[:1], *(step for step in spoken if step.place)]
    return sorted(spoken, key=lambda step: (step.started_at is None, step.started_at, step.place))


def affordable(steps: Sequence[Step], offset: int) -> list[Step]:
    """As many speakers from here on as one page reads."""
    taken: list[Step] = []
    size = 0
    for step in steps[offset : offset + MOST_TURNS]:
        size += step.size
        if taken and size > MOST_BYTES:
            break
        taken.append(step)
    return taken


def is_messages(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and isinstance(item.get("role"), str) for item in value)
    )


def converse(spoken: Sequence[Step], bodies: dict[str, dict[str, Any]]) -> list[Turn]:
    """The turns of these steps."""
    heard = _Heard()
    for step in spoken:
        body = bodies.get(step.span_id, {})
        if step.kind == "tool":
            heard.tool(step, body)
        else:
            heard.model(step, body)
    return [turn for turn in heard.turns if not turn.empty]


def read_turns(value: Any, step: Step | None = None) -> list[Turn]:
    """Messages as turns, all of them: what one step read or wrote."""
    heard = _Heard()
    for message in value:
        heard.say(message, step, None)
    return [turn for turn in heard.turns if not turn.empty]


class _Heard:
    """What was said so far."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.keys: list[str] = []
        self.open_calls: list[Call] = []

    def model(self, step: Step, body: dict[str, Any]) -> None:
        for side, role, at in (("input", "user", step.started_at), ("output", "assistant", step.ended_at)):
            value = body.get(side)
            if value in (None, "", [], {}):
                continue
            messages = value if is_messages(value) else [{"role": role, "content": value}]
            for message in self.news(messages):
                self.say(message, step, at)

    def news(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What of these was not said before."""
        keys = [_key(message) for message in messages]
        if len(messages) > 1 and self.keys and keys[0] == self.keys[0]:
            common = 0
            while common < min(len(keys), len(self.keys)) and keys[common] == self.keys[common]:
                common += 1
            known = set(self.keys[common:])
        else:
            common, known = 0, {*self.keys[-REMEMBERED:], *self.keys[:1]}
        fresh = []
        for key, message in zip(keys[common:], messages[common:], strict=True):
            if key not in known or (message.get("role") == "system" and key not in self.keys):
                fresh.append(message)
                self.keys.append(key)
        return fresh

    def say(self, message: dict[str, Any], step: Step | None, at: datetime | None) -> None:
        role = message["role"]
        if role == "tool" and self.answer(message):
            return
        turn = Turn(role, blocks_of(message.get("content")), at=at, step=step, name=str(message.get("name") or ""))
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                made = Call(str(call.get("name") or "tool"), call.get("arguments"), id=str(call.get("id") or ""))
                turn.calls.append(made)
                self.open_calls.append(made)
        self.turns.append(turn)

    def answer(self, message: dict[str, Any]) -> bool:
        """Put a tool's answer where it was called; False when no such call is known."""
        call_id, name = str(message.get("tool_call_id") or ""), str(message.get("name") or "")
        for call in self.open_calls:
            if (call_id and call.id == call_id) or (
                not (call_id and call.id) and not call.answered and name == call.name
            ):
                if not call.answered:
                    call.result, call.answered = readable(message.get("content")), True
                return True
        return False

    def tool(self, step: Step, body: dict[str, Any]) -> None:
        name = step.tool or step.name
        call = next((c for c in self.open_calls if c.step is None and c.name == name), None)
        if call is None:
            call = Call(name, body.get("input"))
            self.turns.append(Turn("assistant", [], [call], at=step.started_at, step=step))
            self.open_calls.append(call)
        call.step = step
        if not call.answered:
            call.result, call.answered = readable(body.get("output")), body.get("output") is not None


def readable(content: Any) -> Any:
    """A tool's answer: JSON that came as text becomes JSON again, a single text stays one."""
    if isinstance(content, list) and len(content) == 1 and is_messages(content):
        content = content[0].get("content")
    if isinstance(content, list) and all(isinstance(part, dict) and part.get("type") == "text" for part in content):
        content = "\n".join(str(part.get("text") or "") for part in content)
    if isinstance(content, str) and content[:1] in {"{", "["} and len(content) < 200_000:
        return read_text(content)
    return content


def blocks_of(content: Any) -> list[tuple[str, Any]]:
    """A message's content as texts, reasoning, and what else it holds."""
    if content in (None, "", [], {}):
        return []
    if isinstance(content, str):
        return [("text", content)]
    if not isinstance(content, list):
        return [("json", content)]
    blocks: list[tuple[str, Any]] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else ""
        if isinstance(part, str):
            blocks.append(("text", part))
        elif kind in {"text", "reasoning"} and isinstance(part.get("text"), str):
            if part["text"]:
                blocks.append((kind, part["text"]))
        else:
            blocks.append(("json", part))
    return blocks


def _key(message: dict[str, Any]) -> str:
    calls = message.get("tool_calls")
    called = (
        [(c.get("name"), c.get("arguments")) for c in calls if isinstance(c, dict)] if isinstance(calls, list) else []
    )
    content = message.get("content")
    content = content.strip() if isinstance(content, str) else content
    return json.dumps([message.get("role"), content, called], ensure_ascii=False, sort_keys=True, default=str)
