"""What a chat message is made of: text, tool calls, tool results and the rest, in every provider's spelling. Pure."""

from typing import Any

from issues.protocols.jsontext import read_text

Messages = list[dict[str, Any]]

_TEXT = {"text", "input_text", "output_text"}
_THINKING = {"reasoning", "thinking"}
_CALL = {"tool_call", "tool_use", "tool-call", "function_call", "functionCall", "server_tool_call"}
_RESULT = {
    "tool_call_response",
    "tool_result",
    "tool-result",
    "tool_response",
    "function_call_output",
    "functionResponse",
    "server_tool_call_response",
}


def tool_call(call: dict[str, Any]) -> dict[str, Any]:
    """One call a model asked for; arguments that are JSON text become JSON."""
    inner = call.get("function")
    if not isinstance(inner, dict):
        inner = call.get("functionCall") or call.get("function_call") or call
        if not isinstance(inner, dict):
            inner = call
    name = inner.get("name") or inner.get("toolName") or call.get("toolName") or ""
    for key in ("arguments", "input", "args", "parameters"):
        if key in inner:
            arguments = inner[key]
            break
    else:
        arguments = {}
    if isinstance(arguments, str):
        arguments = read_text(arguments)
    call_id = call.get("call_id") or call.get("id") or call.get("toolCallId") or inner.get("id") or ""
    return {"id": str(call_id), "name": str(name), "arguments": arguments}


def _result(part: dict[str, Any]) -> dict[str, Any]:
    """A tool's answer as a message."""
    inner = part.get("functionResponse") or part.get("function_response")
    inner = inner if isinstance(inner, dict) else part
    content: Any = ""
    for key in ("response", "result", "output", "content"):
        if inner.get(key) is not None:
            content = inner[key]
            break
    if isinstance(content, dict) and "value" in content and len(content) <= 3 and "type" in content:
        content = content["value"]
    made: dict[str, Any] = {"role": "tool", "content": content_of(content) if isinstance(content, list) else content}
    call_id = (
        inner.get("id") or part.get("tool_use_id") or part.get("toolCallId") or part.get("tool_call_id")
        or part.get("call_id")
    )  # fmt: skip
    if call_id:
        made["tool_call_id"] = str(call_id)
    name = inner.get("name") or part.get("toolName")
    if name:
        made["name"] = str(name)
    return made


def content_of(value: Any, calls: list[dict[str, Any]] | None = None, results: Messages | None = None) -> Any:
    """Text when it is only text, else its parts; calls and results are sorted out when a place for them is given."""
    if not isinstance(value, list):
        return "" if value is None else value
    texts: list[str] = []
    kept: list[Any] = []
    only_text = True
    for part in value:
        if not isinstance(part, dict):
            if isinstance(part, str):
                texts.append(part)
                kept.append({"type": "text", "text": part})
            else:
                only_text = False
                kept.append(part)
            continue
        kind = part.get("type")
        if not isinstance(kind, str):
            kind = _gemini_kind(part)
        if kind in _TEXT:
            text = part.get("text")
            if text is None:
                text = part.get("content")
            text = text if isinstance(text, str) else "" if text is None else str(text)
            texts.append(text)
            kept.append({"type": "text", "text": text})
        elif kind in _CALL and calls is not None:
            calls.append(tool_call(part))
        elif kind in _RESULT and results is not None:
            results.append(_result(part))
        elif kind in _THINKING:
            only_text = False
            text = part.get("content") or part.get("text") or part.get("thinking") or part.get("summary") or ""
            kept.append({"type": "reasoning", "text": text})
        else:
            only_text = False
            kept.append(part)
    return "\n".join(texts) if only_text else kept


def _gemini_kind(part: dict[str, Any]) -> str:
    if "functionCall" in part or "function_call" in part:
        return "functionCall"
    if "functionResponse" in part or "function_response" in part:
        return "functionResponse"
    return "text" if "text" in part else ""
