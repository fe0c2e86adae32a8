"""Every dialect of a chat message, in one form.

`{"role", "content", "tool_calls"?: [{"id", "name", "arguments"}], "tool_call_id"?, "name"?}`, where content is text, or
a list of parts when it is more than text. A tool's result is a message of its own with the role "tool".
Understood: GenAI semantic conventions (`parts`), OpenAI, Anthropic, Gemini, Vercel, LangChain.
What a message holds beyond that stays on it under its own name. Pure; never raises on parsed JSON.
"""

from typing import Any

from issues.protocols.jsontext import read_text
from issues.protocols.parts import Messages, content_of, tool_call

ROLES = {
    "user": "user",
    "human": "user",
    "HumanMessage": "user",
    "HumanMessageChunk": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "system": "system",
    "developer": "system",
    "SystemMessage": "system",
    "tool": "tool",
    "function": "tool",
    "ToolMessage": "tool",
    "FunctionMessage": "tool",
}
_READ = frozenset(
    ("role", "content", "parts", "tool_calls", "tool_call_id", "toolCallId", "id", "finish_reason", "stop_reason")
) | frozenset(
    ("function_call", "type", "lc", "object", "index", "call_id", "arguments", "output", "additional_kwargs", "example")
)
_WRAPPED = ("messages", "input_messages", "contents")


def conversation(value: Any) -> tuple[Messages, str, dict[str, Any]] | None:
    """The messages, the finish reason they tell, and what stood beside them; None when this is no conversation."""
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list):
            value = value[0]
        if not value or not all(map(is_message, value)):
            return None
        into: Messages = []
        finish = ""
        for message in value:
            finish = add_message(message, into) or finish
        return into, finish, {}
    if not isinstance(value, dict):
        return None
    if is_message(value):
        into = []
        finish = add_message(value, into)
        return into, finish, {}
    return _unwrap(value)


def talk(value: Any, side: str, rest: dict[str, Any]) -> tuple[Any, str]:
    """An input or output, as messages if it is a conversation; what stood beside them goes to the attributes."""
    found = conversation(value)
    if found is None:
        return value, ""
    for key, item in found[2].items():
        rest[f"{side}.{key}"] = item
    return found[0], found[1]


def _unwrap(value: dict[str, Any]) -> tuple[Messages, str, dict[str, Any]] | None:
    """A provider's whole request or response, with the conversation inside."""
    for key in _WRAPPED:
        inner = value.get(key)
        if isinstance(inner, list):
            found = conversation(inner)
            if found is None:
                return None
            rest = {name: item for name, item in value.items() if name != key}
            first = rest.get("system")
            if isinstance(first, str | list) and first and key == "messages":  # Anthropic's request
                found[0].insert(0, {"role": "system", "content": content_of(first)})
                del rest["system"]
            return found[0], found[1], rest
    choices = value.get("choices") or value.get("candidates") or value.get("generations")
    if isinstance(choices, list) and choices:
        if isinstance(choices[0], list):
            choices = choices[0]
        into: Messages = []
        finish = ""
        for choice in choices:
            if not isinstance(choice, dict):
                return None
            message = choice.get("message") or choice.get("content") or choice.get("delta")
            if not isinstance(message, dict):
                return None
            if "lc" not in message:
                message = {"role": "assistant", **message}
            finish = finish or str(choice.get("finish_reason") or choice.get("finishReason") or "")
            finish = add_message(message, into) or finish
        rest = {name: item for name, item in value.items() if name not in {"choices", "candidates", "generations"}}
        return into, finish, rest
    output = value.get("output")
    if value.get("object") == "response" and isinstance(output, list) and all(map(is_message, output)):
        into = []
        for item in output:
            add_message(item, into)
        return into, "", {name: item for name, item in value.items() if name != "output"}
    return None


def is_message(value: Any) -> bool:
    """Whether this is a chat message in some dialect, and not merely an object with a role."""
    if not isinstance(value, dict):
        return False
    role = value.get("role")
    if role is not None:
        return (
            isinstance(role, str)
            and role in ROLES
            and ("content" in value or "parts" in value or "tool_calls" in value or "function_call" in value)
        )
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind in ROLES:
        return "content" in value or "data" in value
    if kind == "constructor":
        return isinstance(value.get("kwargs"), dict) and _class_name(value) in ROLES
    return (kind == "function_call" and "name" in value) or (kind == "function_call_output" and "output" in value)


def _class_name(value: dict[str, Any]) -> str:
    path = value.get("id")
    return str(path[-1]) if isinstance(path, list) and path else ""


def add_message(message: dict[str, Any], into: Messages) -> str:
    """Append one message in our form (or several: each tool result is its own) and say its finish reason."""
    role = message.get("role")
    parts = message.get("parts")
    if parts.__class__ is list and len(parts) == 1 and role.__class__ is str:  # by far the commonest
        part = parts[0]
        if part.__class__ is dict and part.get("type") == "text" and part.get("content").__class__ is str:
            into.append({"role": ROLES.get(role, role), "content": part["content"]})
            if len(message) == 2:
                return ""
            if len(message) == 3 and "finish_reason" in message:
                return str(message["finish_reason"] or "")
            into.pop()
    if role is None:
        message = _from_langchain(message)
        role = message.get("role")
    role = ROLES.get(role, role) if isinstance(role, str) and role else "user"
    found: dict[str, Any] = {"role": role, "content": ""}
    calls: list[dict[str, Any]] = []
    results: Messages = []
    if isinstance(parts, list) and parts:
        found["content"] = content_of(parts, calls, results)
    else:
        found["content"] = content_of(message.get("content"), calls, results)
    for call in _listed(message.get("tool_calls")) or _listed(_extra_calls(message)):
        calls.append(tool_call(call))
    if isinstance(message.get("function_call"), dict):
        calls.append(tool_call(message["function_call"]))
    if calls:
        found["tool_calls"] = calls
    if role == "tool":
        call_id = message.get("tool_call_id") or message.get("toolCallId") or message.get("id")
        if call_id:
            found["tool_call_id"] = str(call_id)
    for key, item in message.items():
        if key not in _READ and item not in (None, "", [], {}):
            found[str(key)] = item
    if results:
        into.extend(results)
        if found["content"] or calls:
            into.append({**found, "role": "user" if role == "tool" else role})
    else:
        into.append(found)
    return str(message.get("finish_reason") or message.get("stop_reason") or "")


def _from_langchain(message: dict[str, Any]) -> dict[str, Any]:
    kind = message.get("type")
    if kind == "constructor":
        inner = message["kwargs"] if isinstance(message.get("kwargs"), dict) else {}
        return {**inner, "role": ROLES.get(_class_name(message), "user")}
    if kind == "function_call":
        return {"role": "assistant", "tool_calls": [message]}
    if kind == "function_call_output":
        return {"role": "tool", "content": message.get("output"), "tool_call_id": message.get("call_id")}
    if isinstance(message.get("data"), dict):
        return {**message["data"], "role": kind}
    return {**message, "role": kind}


def _extra_calls(message: dict[str, Any]) -> Any:
    extra = message.get("additional_kwargs")
    return extra.get("tool_calls") if isinstance(extra, dict) else None


def _listed(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, str):
        value = read_text(value)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def with_system(instructions: Any, messages: Any) -> Any:
    """The system instructions as the first message of a conversation, unless they already are."""
    if isinstance(instructions, dict):
        instructions = instructions.get("parts") or instructions.get("content") or instructions
    text = content_of(instructions)
    if not text:
        return messages
    first = {"role": "system", "content": text}
    if messages is None:
        return [first]
    if not isinstance(messages, list):
        messages = [{"role": "user", "content": messages}]
    if messages and isinstance(messages[0], dict) and messages[0].get("role") == "system":
        return messages if messages[0].get("content") == text else [first, *messages]
    return [first, *messages]
