"""A trace in words: what was asked and answered, and what it can be searched by.

Pure: imports neither Django nor Celery.
"""

from typing import Any

from issues.record import clean_text
from issues.rows import Row
from issues.summary import Summary

PREVIEW = 2_000
SEARCHED = 12_000
"""Characters of a trace's words that go into its search index."""


def speech(total: Summary, spans: dict[str, Row]) -> tuple[str, str]:
    """What was asked and what was answered, from the root, else from the first and last call of a model."""

    def content(span_id: str, side: str, role: str) -> str:
        row = spans.get(span_id)
        return plain_text(row.content.get(side), role) if row else ""

    asked = content(total.root, "input", "user") or content(total.first, "input", "user")
    answered = content(total.root, "output", "assistant") or content(total.last, "output", "assistant")
    return clean_text(asked, PREVIEW), clean_text(answered, PREVIEW)


def searchable(total: Summary, spans: dict[str, Row]) -> str:
    """The words people may search a trace by: what its steps were asked and answered, up to a limit.

    What a tool gave back is heard where it was given; the model's next call only repeats it.
    """
    words, room = {total.name: None}, SEARCHED
    for span_id in total.heard:
        if room <= 0:
            break
        row = spans[span_id]
        content = row.content
        asked, answered = content.get("input"), content.get("output")
        if row.kind == "tool" or row.kind == "retrieval":
            said = (all_words(asked), all_words(answered), row.error)
        else:
            repeated = total.tools and ends_with_result(asked)
            said = ("" if repeated else plain_text(asked, "user"), plain_text(answered, "assistant"), row.error)
        for text in said:
            if text and text not in words and room > 0:
                words[text[:room]] = None
                room -= len(text)
    return " ".join(words)


def plain_text(value: Any, role: str = "") -> str:
    """What a person would read of an input or output; of messages, the last of the given role."""
    if isinstance(value, str):
        return value
    if _are_messages(value):
        told = [item for item in value if item.get("role") == role] or value
        for message in reversed(told):
            if text := _content(message.get("content")):
                return text
        return ""
    if isinstance(value, dict):
        for key in ("content", "text", "output", "answer", "input", "question", "query"):
            if text := _content(value.get(key)):
                return text
        return ", ".join(f"{key}: {text}" for key, item in value.items() if (text := _content(item)))
    return "" if value is None else _content(value)


def ends_with_result(value: Any) -> bool:
    """Whether the last message of a conversation is what a tool gave back."""
    return _are_messages(value) and value[-1].get("role") == "tool"


def _are_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) and "role" in item for item in value)


def all_words(value: Any) -> str:
    """Every text and number in a value, however deep, without the names that stand before them."""
    if isinstance(value, str):
        return value
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            waiting += reversed(item.values())
        elif isinstance(item, list):
            waiting += reversed(item)
        elif item is not None and not isinstance(item, bool):
            found.append(str(item))
    return " ".join(found)


def _content(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return "\n".join(filter(None, (_content(item) for item in value)))
    if isinstance(value, dict):
        return _content(value.get("text") or value.get("content") or "")
    return ""
