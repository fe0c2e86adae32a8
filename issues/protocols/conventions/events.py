"""The older form of GenAI telemetry: one span event for each message."""

from datetime import datetime
from typing import Any

from issues.protocols.conventions.keys import DETAILS_EVENT, EVALUATION_EVENT, MESSAGE_EVENTS
from issues.protocols.conventions.signals import from_evaluation
from issues.protocols.jsontext import bounded, short, tidy
from issues.protocols.messages import add_message, conversation
from issues.record import SignalRecord, SpanRecord

Event = tuple[str, datetime | None, dict[str, Any]]
MOST_EVENTS = 256


class Told:
    """What a span's events told."""

    __slots__ = ("attributes", "error", "finish", "input", "output", "signals")

    def __init__(self) -> None:
        self.input: list[dict[str, Any]] = []
        self.output: list[dict[str, Any]] = []
        self.attributes: dict[str, Any] = {}
        self.signals: list[SignalRecord] = []
        self.finish = ""
        self.error = ""


def read_events(events: list[Event], span: SpanRecord) -> Told:
    """Sort the events out; those that are not understood stay on the span."""
    told = Told()
    kept: list[dict[str, Any]] = []
    for place, (name, time, said) in enumerate(events):
        if name in MESSAGE_EVENTS:
            _message(name, said, told)
            continue
        if name == DETAILS_EVENT:
            told.attributes.update(said)
            continue
        if name == EVALUATION_EVENT:
            signal = from_evaluation(
                dict(said), trace_id=span.trace_id, span_id=span.span_id, time=time or span.end, place=place
            )
            if signal is not None:
                told.signals.append(signal)
                continue
        elif name == "exception":
            kind, why = said.get("exception.type") or "", said.get("exception.message") or ""
            told.error = f"{kind}: {why}" if kind and why else str(kind or why)
        if len(kept) < MOST_EVENTS:
            event: dict[str, Any] = {"name": short(name)}
            if time is not None:
                event["time"] = time.isoformat()
            if said:
                event["attributes"] = bounded(said)
            kept.append(event)
    if len(events) > MOST_EVENTS and len(kept) == MOST_EVENTS:
        kept.append({"name": f"… [of {len(events):,} events, the first {MOST_EVENTS} are kept by Whetstone]"})
    span.events = kept
    return told


def _message(name: str, said: dict[str, Any], told: Told) -> None:
    if name == "gen_ai.content.prompt" or name == "gen_ai.content.completion":
        side, key = (told.input, "gen_ai.prompt") if name.endswith("prompt") else (told.output, "gen_ai.completion")
        value = tidy(said.get(key))
        found = conversation(value)
        if found:
            side.extend(found[0])
        elif value:
            side.append({"role": "user" if side is told.input else "assistant", "content": value})
        return
    body = said.get("gen_ai.event.content")
    message = tidy(body) if body is not None else {key: tidy(value) for key, value in said.items()}
    if not isinstance(message, dict):
        message = {"content": message}
    message = {key: value for key, value in message.items() if not key.startswith("gen_ai.")}
    if name == "gen_ai.choice":
        told.finish = str(message.pop("finish_reason", "") or "") or told.finish
        inner = message.pop("message", None)
        message.pop("index", None)
        if isinstance(inner, dict):
            message |= inner
        elif inner is not None:
            message["content"] = inner
        add_message({"role": "assistant", **message}, told.output)
        return
    if "id" in message and "tool_call_id" not in message:
        message["tool_call_id"] = message.pop("id")
    add_message({"role": MESSAGE_EVENTS[name], **message}, told.input)
