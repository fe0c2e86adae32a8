"""Facts that need a closer look: documents, tags, and Langfuse's maps of usage and cost."""

from typing import Any

from issues.protocols.jsontext import amount, read_text, short, whole_number
from issues.record import MOST_ATTRIBUTES, SpanRecord


def documents(value: Any) -> list[dict[str, Any]]:
    """Retrieved documents in our form, from the lists that retrievers return; empty when it is none."""
    if isinstance(value, dict):
        value = value.get("documents") or value.get("output") or value.get("results") or value.get("data")
    if not isinstance(value, list):
        return []
    made = []
    for item in value[:MOST_ATTRIBUTES]:
        if isinstance(item, str):
            made.append({"content": item})
            continue
        if not isinstance(item, dict):
            return []
        inner: dict[str, Any] = item
        for wrapper in ("document", "kwargs"):  # LangChain's serialised form has kwargs
            if isinstance(inner.get(wrapper), dict):
                inner = inner[wrapper]
        found = {"score": item["score"]} if "score" in item else {}
        for key, value_ in inner.items():
            if value_ is None:
                continue
            if key in {"content", "page_content", "text", "pageContent"}:
                found["content"] = value_
            elif not (key == "type" and value_ == "Document"):
                found[key] = value_
        if "content" not in found and "id" not in found:
            return []
        made.append(found)
    return made


def tags(value: Any) -> list[str]:
    """Tags as text, each once, in order."""
    if isinstance(value, str):
        value = read_text(value)
        if isinstance(value, str):
            value = value.split(",")
    if not isinstance(value, list | tuple):
        return []
    words = (short(item).strip() for item in value[:50])
    return list(dict.fromkeys(word for word in words if word))


_USED = {"input", "output", "total", "prompt_tokens", "completion_tokens", "total_tokens", "unit"}
_CACHED = ("input_cached_tokens", "cache_read_input_tokens", "prompt_details.cache_read", "input_cache_read")


def read_usage(span: SpanRecord, usage: Any, rest: dict[str, Any]) -> None:
    """Langfuse's map of counted units; what it counts beyond our three is kept."""
    if not isinstance(usage, dict):
        rest["langfuse.observation.usage_details"] = usage
        return
    told = whole_number(usage.get("input", usage.get("prompt_tokens")))
    span.input_tokens = span.input_tokens if told is None else told
    told = whole_number(usage.get("output", usage.get("completion_tokens")))
    span.output_tokens = span.output_tokens if told is None else told
    for key in _CACHED:
        told = whole_number(usage.get(key))
        if told is not None:
            span.cached_tokens = told
            break
    other = {key: value for key, value in usage.items() if key not in _USED and key not in _CACHED and value}
    if other:
        rest["langfuse.observation.usage_details"] = other


def read_costs(span: SpanRecord, costs: Any, rest: dict[str, Any]) -> None:
    if not isinstance(costs, dict):
        rest["langfuse.observation.cost_details"] = costs
        return
    total = amount(costs.get("total"))
    if total is None:
        parts = [part for part in map(amount, costs.values()) if part is not None]
        total = amount(sum(parts)) if parts else None
    if total is not None:
        span.cost = total
