"""Rules in the definition of a tool: which argument it wants, what it does when its source is away."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reviewer.demo.rules.reading import NOT, has, said


def names_the_order(tool: Mapping[str, Any]) -> bool:
    """Whether the lookup's parameter says that it wants an order number and not some other id."""
    return _names_the_order(json.dumps(tool, sort_keys=True, default=str))


@lru_cache(maxsize=256)
def _names_the_order(text: str) -> bool:
    tool = json.loads(text)
    schema = tool.get("parameters") or {}
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return False
    required = schema.get("required")
    wanted = required if isinstance(required, list) and required else list(properties)
    for name in wanted:
        detail = properties.get(name)
        if not isinstance(detail, dict):
            continue
        parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name)).lower().replace("-", "_").split("_")
        told = str(detail.get("description") or "").lower()
        strange = {
            "customer",
            "account",
            "user",
            "client",
            "date",
            "status",
            "total",
            "count",
            "session",
            "person",
        } & set(parts)
        by_name = "order" in parts or (
            "order" in "".join(parts).removesuffix("number") and parts[0].startswith("order")
        )
        example = (
            str(detail.get("pattern") or "") + str(detail.get("example") or "") + str(detail.get("examples") or "")
        )
        by_words = has(
            told, r"\border(?:'s)? (?:number|no\b|id\b|reference|code)|number of the order|id of the order|\bfw-"
        ) and not has(told, r"\b(?:customer|account|user)\b(?!.*\bnot\b)(?<!not the customer)")
        by_words = by_words or (has(told, r"\border\b", r"\bnot\b.*\b(?:customer|account)\b"))
        wrong = has(told, r"^(?:the )?(?:customer|account|user)(?:'s)? (?:id|number)|\bid of the (?:customer|account)")
        if not strange and not wrong and (by_name or by_words or "FW-" in example):
            return True
    return False


def falls_back(tool: Mapping[str, Any]) -> bool:
    """Whether the courier tool has something to say when the live lookup does not answer."""
    return _falls_back(json.dumps(tool, sort_keys=True, default=str))


@lru_cache(maxsize=256)
def _falls_back(text: str) -> bool:
    tool = json.loads(text)
    settings = tool.get("settings")
    if isinstance(settings, dict):
        told = " ".join(f"{key}={value}" for key, value in settings.items()).lower()
        if re.search(
            (
                r"(?:fallback|on_error|on_timeout|when_down)=(?:cache\w*|last_known\w*"
                r"|stored\w*|order_system|own_records|stale\w*|backup\w*|other_region)"
            ),
            told,
        ):
            return True
    fails = (
        r"\b(?:fails?|failing|failed|times? out|timed out|timeouts?|unreachable"
        r"|down|no answer|does not answer|doesn'?t answer|errors?|unavailable"
        r"|outages?|silent|not respond\w*|does not respond|cannot be reached"
        r"|fall(?:s|ing)? back|fallback|otherwise|live (?:lookup|status"
        r"|data) is (?:missing|gone))\b"
    )
    source = (
        r"\b(?:last (?:known|stored|saved|seen)|stored|cached?|saved|order system"
        r"|own (?:records|data|database)|our records|(?:an)?other region"
        r"|backup|previous(?:ly)?|second (?:courier )?(?:service|endpoint)"
        r"|most recent|copy)\b"
    )
    ways = ((fails, source),)
    spoilt = (
        rf"{NOT} (?:\w+ )?(?:use|return|fall back|answer with|show|read|give|take|rely)",
        r"\bnever\b",
        r"\bclear the cache\b",
        r"\berrors? (?:is|are) (?:stored|saved|cached)\b",
        r"\b(?:delete|drop|flush|expire)\b",
        r"\bapologi[sz]e\b(?!.*\b(?:return|use|give|read)\b)",
        r"\bcache is off\b",
        r"\blog\b",
    )
    return said(str(tool.get("description") or ""), ways, spoilt=spoilt)
