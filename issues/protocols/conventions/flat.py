"""Messages and documents spread over indexed attributes, such as `llm.input_messages.3.message.role`.

Indices are only ever used for ordering, so a client that sends the index 999,999,999 costs nothing.
"""

from typing import Any

from issues.protocols.jsontext import fit, read_text, tidy
from issues.record import LONGEST_BODY, clean, clean_text

Flat = dict[str, Any]


def tree(flat: Flat, prefix: str) -> list[dict[str, Any]]:
    """The items of one family in order, each a nested dict; keys that do not fit the pattern stay in `flat`."""
    items: dict[int, dict[str, Any]] = {}
    for key in [key for key in flat if key.startswith(prefix)]:
        index, _, path = key[len(prefix) :].partition(".")
        if not (index.isascii() and index.isdigit() and len(index) < 10) or not path or path.count(".") > 12:
            continue
        node = items.setdefault(int(index), {})
        *way, last = path.split(".")
        for step in way:
            inner = node.get(step)
            if not isinstance(inner, dict):
                inner = node[step] = {}
            node = inner
        node[last] = flat.pop(key)
    return [items[index] for index in sorted(items)]


def listed(node: Any) -> list[dict[str, Any]]:
    """An inner `{"0": {...}, "1": {...}}` as a list."""
    if not isinstance(node, dict):
        return []
    steps = sorted((int(key), key) for key in node if key.isascii() and key.isdigit() and len(key) < 10)
    return [node[key] for _, key in steps if isinstance(node[key], dict)]


def text(value: Any) -> Any:
    return clean_text(value) if isinstance(value, str) else clean(value)


def openinference_messages(flat: Flat, prefix: str) -> list[dict[str, Any]]:
    """`<prefix><i>.message.{role,content,contents.<j>.message_content.*,tool_calls.<j>.tool_call.*,…}`"""
    made = []
    for item in tree(flat, prefix):
        message = item.get("message")
        if not isinstance(message, dict):
            continue
        found: dict[str, Any] = {"role": str(message.pop("role", "") or "user"), "content": ""}
        if message.get("content") is not None:
            found["content"] = text(message.pop("content"))
        parts = [_part(part.get("message_content")) for part in listed(message.pop("contents", None))]
        if parts:
            texts = [part.get("text") for part in parts if part.get("type") == "text" and len(part) == 2]
            found["content"] = "\n".join(map(str, texts)) if len(texts) == len(parts) else parts
        calls = [_call(call.get("tool_call")) for call in listed(message.pop("tool_calls", None))]
        if "function_call_name" in message:
            calls.append(_named("", message.pop("function_call_name"), message.pop("function_call_arguments_json", "")))
        if calls:
            found["tool_calls"] = calls
        for key, value in message.items():
            if value not in (None, ""):
                found[key] = text(value)
        made.append(found)
    return _within(made)


def _part(part: Any) -> dict[str, Any]:
    if not isinstance(part, dict):
        return {}
    image = part.get("image")
    if isinstance(image, dict):  # image.image.url
        inner = image.get("image")
        part["image"] = inner.get("url", inner) if isinstance(inner, dict) else inner
    made: dict[str, Any] = clean(part)
    return made


def _call(call: Any) -> dict[str, Any]:
    if not isinstance(call, dict):
        return {"id": "", "name": "", "arguments": {}}
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    return _named(call.get("id"), function.get("name"), function.get("arguments"))


def _named(call_id: Any, name: Any, arguments: Any) -> dict[str, Any]:
    return {"id": str(call_id or ""), "name": str(name or ""), "arguments": tidy(arguments)}


def openllmetry_messages(flat: Flat, prefix: str) -> tuple[list[dict[str, Any]], str]:
    """`<prefix><i>.{role,content,tool_calls.<j>.{id,name,arguments},finish_reason,tool_call_id}`"""
    made = []
    finish = ""
    for item in tree(flat, prefix):
        role = item.pop("role", None) or ("assistant" if prefix == "gen_ai.completion." else "user")
        content = item.pop("content", None)
        if isinstance(content, str) and content[:1] == "[":
            parts = read_text(content)
            if isinstance(parts, list) and all(isinstance(part, dict) and part.get("type") == "text" for part in parts):
                content = "\n".join(str(part.get("text", "")) for part in parts)
        found: dict[str, Any] = {"role": str(role), "content": "" if content is None else text(content)}
        calls = [_named(c.get("id"), c.get("name"), c.get("arguments")) for c in listed(item.pop("tool_calls", None))]
        legacy = item.pop("function_call", None)
        if isinstance(legacy, dict):
            calls.append(_named("", legacy.get("name"), legacy.get("arguments")))
        if calls:
            found["tool_calls"] = calls
        finish = str(item.pop("finish_reason", "") or "") or finish
        for key, value in item.items():
            if value not in (None, ""):
                found[key] = text(value)
        made.append(found)
    return _within(made), finish


def openinference_documents(flat: Flat, prefix: str) -> list[dict[str, Any]]:
    """`<prefix><i>.document.{id,content,score,metadata}`"""
    made = []
    for item in tree(flat, prefix):
        document = item.get("document")
        if isinstance(document, dict):
            made.append({key: tidy(value) if key == "metadata" else text(value) for key, value in document.items()})
    return _within(made)


def _within(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    fitted = fit(items, LONGEST_BODY + 1) if len(items) > 30 else items
    return fitted if isinstance(fitted, list) else [{"role": "system", "content": fitted}]
