"""Fill a SpanRecord from a span's attributes. This runs for every span that comes in: it is written for speed."""

from dataclasses import dataclass, field
from typing import Any

from issues.protocols.conventions.events import Event, Told, read_events
from issues.protocols.conventions.facts import documents, read_costs, read_usage, tags
from issues.protocols.conventions.flat import openinference_documents, openinference_messages, openllmetry_messages
from issues.protocols.conventions.keys import FACTS, FLAT, GENERIC, KINDS_BY_NAME, OPENINFERENCE, OPENLLMETRY
from issues.protocols.conventions.signals import from_flat
from issues.protocols.jsontext import amount, bounded, read_text, short, tidy, whole_number
from issues.protocols.messages import talk, with_system
from issues.protocols.parts import tool_call
from issues.record import SignalRecord, SpanRecord, clean_text

_TEXTS = frozenset(
    ("model", "provider", "tool", "prompt_name", "prompt_version", "session", "user", "environment", "release", "run")
) | {"trace_name"}
_COUNTS = frozenset(("input_tokens", "output_tokens", "cached_tokens"))
_BODIES = frozenset(("input", "output", "documents", "system", "usage", "costs"))
_RARE = frozenset(("entity", "documents", "tags", "cost", "usage", "costs"))
_LAST = GENERIC * 10 + 9


@dataclass(slots=True)
class Origin:
    """Where spans come from: what the resource and the scope say once for many spans."""

    environment: str = ""
    release: str = ""
    session: str = ""
    user: str = ""
    run: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)
    """Kept on the spans where a service is entered, not on every one."""


NOWHERE = Origin()


def origin(resource: dict[str, Any], scope: str = "") -> Origin:
    found = Origin()
    rest = {}
    for key, value in resource.items():
        fact = FACTS.get(key)
        if fact is not None and fact[0] in {"environment", "release", "session", "user", "run"}:
            if not getattr(found, fact[0]) or fact[1] < 20:
                setattr(found, fact[0], short(value))
        elif not key.startswith(("telemetry.", "process.", "service.instance.")):
            rest[key] = value
    if str(rest.get("service.name", "")).startswith("unknown_service"):
        del rest["service.name"]
    if scope:
        rest["scope.name"] = scope
    found.attributes = bounded(rest)
    return found


def understand(
    span: SpanRecord,
    attributes: dict[str, Any],
    *,
    events: list[Event] | None = None,
    code: int = 0,
    message: str = "",
    came_from: Origin = NOWHERE,
    entry: bool = False,
) -> list[SignalRecord]:
    """Fill the record (ids, name and times are already there) and give back the judgements found on it."""
    told = None
    if events:
        told = read_events(events, span)
        if told.attributes:
            attributes = told.attributes | attributes
    got: dict[str, Any] = {}
    ranks: dict[str, int] = {}
    rest: dict[str, Any] = {}
    flat: dict[str, Any] | None = None
    for key, value in attributes.items():
        fact = FACTS.get(key)
        if fact is None:
            if key.startswith(FLAT):
                if flat is None:
                    flat = {}
                flat[key] = value
            else:
                rest[key] = value
            continue
        name, rank = fact
        if value is None or value == "" or name == "":
            if name == "output" and value == "":  # a tool that answered with nothing did answer
                got.setdefault(name, "")
                ranks.setdefault(name, _LAST)
            continue
        if name not in got:
            got[name] = value
            ranks[name] = rank
        elif rank < ranks[name]:
            if name not in _BODIES and got[name] != value:
                rest[_key_of(name, ranks[name])] = got[name]
            got[name] = value
            ranks[name] = rank
        elif name not in _BODIES and got[name] != value:
            rest[key] = value

    signals = told.signals if told is not None else []
    if flat is not None:
        signals = signals + _spread(span, got, ranks, flat)
        rest.update(flat)
    for name, value in got.items():
        if name in _TEXTS:
            if value.__class__ is str and len(value) <= 128 and value.isascii() and "\x00" not in value:
                setattr(span, name, value)
            else:
                setattr(span, name, short(value))
        elif name in _COUNTS:
            count = whole_number(value)
            if count is None:
                rest[_key_of(name, ranks[name])] = value
            else:
                setattr(span, name, count)
    span.kind = _kind(span, got, ranks, rest)
    if told is not None:
        _from_events(got, told)
    _bodies(span, got, rest)
    if span.kind == "llm" and not span.model and "llm.invocation_parameters" in rest:
        asked = tidy(rest["llm.invocation_parameters"])  # a call that failed names its model only here
        if isinstance(asked, dict):
            span.model = short(asked.get("model") or "")
    if not _RARE.isdisjoint(got) or (span.kind == "tool" and not span.tool) or span.kind == "retrieval":
        _rare(span, got, ranks, rest)
    _status(span, code, message, told, got, rest)

    if came_from is not NOWHERE:
        span.environment = span.environment or came_from.environment
        span.release = span.release or came_from.release
        span.session = span.session or came_from.session
        span.user = span.user or came_from.user
        span.run = span.run or came_from.run
    if entry and came_from.attributes:
        rest = rest | {key: value for key, value in came_from.attributes.items() if key not in rest}
    if rest:
        span.attributes = bounded(rest)
    return signals


_KEYS = {fact: key for key, fact in FACTS.items()}


def _key_of(name: str, rank: int) -> str:
    """The attribute that told a fact, for putting it back."""
    return _KEYS.get((name, rank), name)


def _kind(span: SpanRecord, got: dict[str, Any], ranks: dict[str, int], rest: dict[str, Any]) -> str:
    if "langfuse_kind" in got:
        word = str(got["langfuse_kind"]).lower()
        if word in KINDS_BY_NAME:
            return KINDS_BY_NAME[word]
    if "kind" in got:
        word = str(got["kind"])
        known = KINDS_BY_NAME.get(word) or KINDS_BY_NAME.get(word.lower())
        if known is not None:
            return known
        rest[_key_of("kind", ranks["kind"])] = word
    if span.tool:
        return "tool"
    if span.model or span.output_tokens is not None:
        return "llm"
    return "retrieval" if "documents" in got else "chain"


def _spread(span: SpanRecord, got: dict[str, Any], ranks: dict[str, int], flat: dict[str, Any]) -> list[SignalRecord]:
    """Facts spread over indexed attributes. What is taken leaves `flat`."""
    for name, ours, theirs in (
        ("input", "llm.input_messages.", "gen_ai.prompt."),
        ("output", "llm.output_messages.", "gen_ai.completion."),
    ):
        messages = openinference_messages(flat, ours)
        if messages and ranks.get(name, _LAST) >= OPENINFERENCE * 10:
            got[name], ranks[name] = messages, OPENINFERENCE * 10
        messages, finish = openllmetry_messages(flat, theirs)
        if messages and ranks.get(name, _LAST) >= OPENLLMETRY * 10:
            got[name], ranks[name] = messages, OPENLLMETRY * 10
        if finish and name == "output":
            got.setdefault("finish_reason", finish)
    documents = openinference_documents(flat, "retrieval.documents.")
    documents = openinference_documents(flat, "reranker.output_documents.") or documents
    if documents:
        got.setdefault("documents", documents)
    session = short(got.get("session", ""))
    return from_flat(flat, trace_id=span.trace_id, span_id=span.span_id, session=session, time=span.end or span.start)


def _from_events(got: dict[str, Any], told: Told) -> None:
    if told.input:
        got.setdefault("input", told.input)
    if told.output:
        got.setdefault("output", told.output)
    if told.finish:
        got.setdefault("finish_reason", told.finish)


def _bodies(span: SpanRecord, got: dict[str, Any], rest: dict[str, Any]) -> None:
    value = got.get("input")
    spoken = span.kind != "tool" and span.kind != "retrieval"
    if value is not None:
        value = read_text(value) if value.__class__ is str else tidy(value)
        if spoken:
            if (
                value.__class__ is dict
                and isinstance(value.get("prompt"), str)
                and value.keys() <= {"prompt", "system"}
            ):
                value = with_system(value.get("system"), [{"role": "user", "content": value["prompt"]}])
            value, _ = talk(value, "input", rest)
        span.input = value
    value = got.get("system")
    if value is not None and spoken:
        span.input = with_system(read_text(value) if value.__class__ is str else tidy(value), span.input)
    value = got.get("output")
    if value is not None:
        value = read_text(value) if value.__class__ is str else tidy(value)
        if spoken:
            value, finish = talk(value, "output", rest)
            if finish:
                span.finish_reason = short(finish)
        span.output = value
    elif "ai_text" in got or "ai_calls" in got:
        _vercel_output(span, got)
    value = got.get("finish_reason")
    if value is not None:
        if value.__class__ is list and len(value) != 1:
            value = ",".join(dict.fromkeys(map(str, value)))
        span.finish_reason = short(value)


def _vercel_output(span: SpanRecord, got: dict[str, Any]) -> None:
    answer: dict[str, Any] = {"role": "assistant", "content": clean_text(str(got.get("ai_text", "")))}
    calls = tidy(got.get("ai_calls"))
    if isinstance(calls, list):
        answer["tool_calls"] = [tool_call(call) for call in calls if isinstance(call, dict)]
    span.output = [answer]


def _rare(span: SpanRecord, got: dict[str, Any], ranks: dict[str, int], rest: dict[str, Any]) -> None:
    """Facts that few spans tell."""
    if span.kind == "tool" and not span.tool:
        span.tool = _tool_name(span.name, short(got.get("entity", "")))
    elif "entity" in got and got["entity"] != span.name:
        rest["traceloop.entity.name"] = got["entity"]
    if "documents" in got:
        span.documents = documents(tidy(got["documents"]))
    elif span.kind == "retrieval" and span.output is not None:
        span.documents = documents(span.output)
        if span.documents:
            span.output = None
    if "tags" in got:
        span.tags = tags(got["tags"])
    if "cost" in got:
        span.cost = amount(got["cost"])
        if span.cost is None:
            rest[_key_of("cost", ranks["cost"])] = got["cost"]
    if "usage" in got:
        read_usage(span, tidy(got["usage"]), rest)
    if "costs" in got:
        read_costs(span, tidy(got["costs"]), rest)


def _tool_name(name: str, entity: str) -> str:
    return entity or name.removeprefix("execute_tool ").removesuffix(".tool")


def _status(
    span: SpanRecord, code: int, message: str, told: Told | None, got: dict[str, Any], rest: dict[str, Any]
) -> None:
    """An error is said by the status, Langfuse's level, an exception or `error.type`; OK outranks the last two."""
    kind = rest.get("error.type")
    if (
        not code
        and told is None
        and kind is None
        and not message
        and "level" not in got
        and "status_message" not in got
    ):
        return  # nothing was said, as on most spans
    level = str(got.get("level", "")).upper()
    thrown = told.error if told is not None else ""
    if code == 2 or level == "ERROR" or (code != 1 and (thrown or kind)):
        span.status = "error"
        why = message or got.get("status_message") or thrown or kind or ""
        span.error = clean_text(why if why.__class__ is str else str(why))
        return
    if code == 1:
        span.status = "ok"
    if message:
        rest["status.message"] = message
    if level and level != "DEFAULT":
        rest["langfuse.observation.level"] = level
    if "status_message" in got:
        rest["langfuse.observation.status_message"] = got["status_message"]
