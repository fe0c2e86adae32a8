"""Our own JSON: `POST /api/v1/traces`, `/feedback` and `/rollouts`.

Ids that were not sent are made from what was said, so that a request which is sent again brings the same rows. One bad
item is refused with its index and a sentence; the others are taken. Pure.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from pydantic import ValidationError

from issues.protocols import plain_form as form
from issues.protocols.clock import read_time, set_times
from issues.protocols.conventions.facts import documents, tags
from issues.protocols.conventions.keys import KINDS_BY_NAME
from issues.protocols.conventions.signals import judged, signal_id
from issues.protocols.jsontext import bounded, short, tidy
from issues.protocols.messages import talk
from issues.record import (
    KINDS,
    LONGEST_ID,
    Parsed,
    Rejected,
    RolloutRecord,
    SignalRecord,
    SpanRecord,
    clean,
    clean_text,
    plausible,
)

MOST_STEPS = 10_000
DEEPEST = 40
_OK = {"ok", "success", "succeeded", "completed", "passed"}
_FAILED = {"error", "failed", "failure", "fail", "exception"}


class Refused(ValueError):
    """One item cannot be taken; the message is for the engineer."""


def parse_traces(value: Any, *, now: datetime | None = None) -> Parsed:
    """One trace or a list of them."""
    now = now or datetime.now(UTC)
    seen: dict[str, int] = {}
    return _each(value, lambda item, parsed: _trace(item, seen, parsed, now))


def parse_feedback(value: Any, *, now: datetime | None = None) -> Parsed:
    """One signal or a list of them."""
    now = now or datetime.now(UTC)
    return _each(value, lambda item, parsed: parsed.signals.append(_signal(item, now)))


def parse_rollouts(value: Any, *, now: datetime | None = None) -> Parsed:
    """One rollout or a list of them."""
    now = now or datetime.now(UTC)
    return _each(value, lambda item, parsed: parsed.rollouts.append(_rollout(item, now)))


def _each(value: Any, take: Callable[[dict[str, Any], Parsed], None]) -> Parsed:
    """Every item is taken whole or not at all, and alone."""
    parsed = Parsed()
    for index, item in enumerate(value if isinstance(value, list) else [value]):
        if not isinstance(item, dict):
            parsed.rejected.append(Rejected("Each item is a JSON object.", index=index))
            continue
        spans, signals = len(parsed.spans), len(parsed.signals)
        try:
            take(item, parsed)
        except (Refused, ValidationError) as error:
            why = form.fault(error) if isinstance(error, ValidationError) else str(error)
            del parsed.spans[spans:], parsed.signals[signals:]
            name = item.get("id") or item.get("trace_id") or ""
            parsed.rejected.append(Rejected(clean_text(why, 500), short(name, LONGEST_ID), index))
    return parsed


def _id(value: Any) -> str:
    return short(value or "", LONGEST_ID).strip()


def _trace(item: dict[str, Any], seen: dict[str, int], parsed: Parsed, now: datetime) -> None:
    trace = form.Trace.model_validate(item)
    told = (trace.input, trace.output, trace.arguments, trace.result, trace.error, trace.steps or None)
    if all(value is None for value in told):
        raise Refused("A trace needs an input, an output, an error or steps.")
    trace_id = _id(trace.id) or _made_id(item, seen)
    root = SpanRecord(trace_id, _id((trace.model_extra or {}).get("span_id")) or signal_id(trace_id, "root")[:16])
    _fill(root, trace, now)
    root.attributes.pop("span_id", None)
    root.session, root.user = short(trace.session_id), short(trace.user_id)
    root.environment, root.release = short(trace.environment), short(trace.release)
    root.run = short(trace.run)
    root.trace_name = root.name
    spans = [root]
    _steps(trace.steps, root, spans, now)
    spans = _adopt_root(spans)
    for span in spans[1:]:
        if span.kind == "llm" and not span.model:
            span.model = root.model
    parsed.spans += spans
    spoken: Any = trace.feedback  # not checked yet: each item is checked by itself
    for said in spoken if isinstance(spoken, list) else []:
        if not isinstance(said, dict):
            raise Refused("feedback: each item is a JSON object.")
        parsed.signals.append(_signal({**said, "trace_id": trace_id}, now))
    for name, value in (trace.outcome or {}).items():
        if value is not None:
            said = {"trace_id": trace_id, "name": name, "value": value, "source": "outcome"}
            parsed.signals.append(_signal(said, now))


def _made_id(item: dict[str, Any], seen: dict[str, int]) -> str:
    """An id from the content; equal items of one request are told apart by their order."""
    text = orjson.dumps(clean(item), option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS).decode()
    count = seen[text] = seen.get(text, 0) + 1
    return signal_id("plain", text, count)


def _steps(steps: Any, parent: SpanRecord, spans: list[SpanRecord], now: datetime) -> None:
    """Steps in order, and their own steps; without recursion, so that a deep nest costs nothing."""
    waiting: list[tuple[Any, SpanRecord, str, int]] = [(steps, parent, "", 0)]
    while waiting:
        items, above, path, depth = waiting.pop()
        if items is None:
            continue
        if not isinstance(items, list):
            raise Refused("steps: write a list.")
        if depth >= DEEPEST:
            raise Refused(f"steps: at most {DEEPEST} levels.")
        for place, item in enumerate(items):
            here = f"{path}.{place}"
            if not isinstance(item, dict):
                raise Refused(f"steps{here}: each step is a JSON object.")
            if len(spans) > MOST_STEPS:
                raise Refused(f"steps: at most {MOST_STEPS:,} in one trace; send the others under the same trace_id.")
            try:
                step = form.Step.model_validate(item)
            except ValidationError as error:
                raise Refused(f"steps{here}: {form.fault(error)}") from None
            span_id = _id(step.id) or signal_id(above.trace_id, here, step.name or "")[:16]
            span = SpanRecord(above.trace_id, span_id)
            _fill(span, step, now)
            if "parent_id" in item or "parent_span_id" in item:
                told = _id(step.parent_id)
                span.parent_id = "" if told == span_id else told
            else:
                span.parent_id = above.span_id
            spans.append(span)
            waiting.append((step.steps, span, here, depth + 1))


def _adopt_root(spans: list[SpanRecord]) -> list[SpanRecord]:
    """When the steps bring their own root (one without a parent), it takes over what the trace said of itself."""
    root, *steps = spans
    tops = [span for span in steps if not span.parent_id]
    if len(tops) == 1 and all(span.parent_id != root.span_id for span in steps):
        [top] = tops
        for name in ("name", "start", "end", "error", "status", "model", "provider", "input", "output", "cost"):
            if getattr(top, name) in (None, "") and getattr(root, name) not in (None, ""):
                setattr(top, name, getattr(root, name))
        for name in ("session", "user", "environment", "release", "run", "trace_name", "prompt_name", "prompt_version"):
            setattr(top, name, getattr(root, name) or getattr(top, name))
        top.tags = list(dict.fromkeys([*root.tags, *top.tags]))
        top.attributes = bounded({**root.attributes, **top.attributes})
        return [top, *(span for span in steps if span is not top)]
    for span in tops:
        span.parent_id = root.span_id
    return spans


def _fill(span: SpanRecord, step: form.Step, now: datetime) -> None:
    rest: dict[str, Any] = dict(step.model_extra or {})
    rest |= step.metadata or {}
    span.name = short(step.name)
    span.model, span.provider = short(step.model), short(step.provider)
    span.tool, span.finish_reason = short(step.tool), short(step.finish_reason)
    if step.prompt is not None:
        span.prompt_name, span.prompt_version = short(step.prompt.name), short(step.prompt.version)
    if step.usage is not None:
        span.input_tokens, span.output_tokens = step.usage.input_tokens, step.usage.output_tokens
        span.cached_tokens = step.usage.cached_tokens
    span.cost = step.cost
    span.kind = _kind(step, span, rest)
    if span.kind == "tool" and not span.tool:
        span.tool = span.name
    set_times(span, step.start, step.end, rest, now)
    if span.end is None and span.start is not None and step.duration_ms is not None:
        try:
            span.end = plausible(span.start + timedelta(milliseconds=step.duration_ms), now)
        except OverflowError:
            rest["duration_ms"] = step.duration_ms
    span.tags = tags(step.tags)
    _bodies(span, step, rest)
    _status(span, step, rest)
    span.attributes = bounded(rest)


def _kind(step: form.Step, span: SpanRecord, rest: dict[str, Any]) -> str:
    if step.kind:
        word = step.kind.lower()
        known = word if word in KINDS else KINDS_BY_NAME.get(word)
        if known:
            return known
        rest["kind"] = step.kind
    if span.tool or step.arguments is not None or step.result is not None:
        return "tool"
    if step.documents:
        return "retrieval"
    return "llm" if span.model or span.output_tokens is not None else "chain"


def _bodies(span: SpanRecord, step: form.Step, rest: dict[str, Any]) -> None:
    span.input = tidy(step.input if step.arguments is None else step.arguments)
    span.output = tidy(step.output if step.result is None else step.result)
    if step.documents is not None:
        span.documents = documents(tidy(step.documents))
        if not span.documents and step.documents:
            rest["documents"] = step.documents
    elif span.kind == "retrieval":
        span.documents = documents(span.output)
        span.output = None if span.documents else span.output
    if span.kind not in {"tool", "retrieval"}:
        span.input, _ = talk(span.input, "input", rest)
        answer = span.output
        if span.kind == "llm" and isinstance(answer, dict) and "role" not in answer and "content" in answer:
            answer = {"role": "assistant", **answer}
        span.output, finish = talk(answer, "output", rest)
        span.finish_reason = span.finish_reason or short(finish)


def _status(span: SpanRecord, step: form.Step, rest: dict[str, Any]) -> None:
    word = (step.status or "").lower()
    error = step.error
    if isinstance(error, dict):
        kind, why = error.get("type") or "", error.get("message") or ""
        error = f"{kind}: {why}" if kind and why else str(kind or why) or orjson.dumps(clean(error)).decode()
    if error or word in _FAILED:
        span.status = "error"
        span.error = clean_text(error) if isinstance(error, str) else ""
    elif word in _OK:
        span.status = "ok"
    elif word:
        rest["status"] = step.status


def _signal(item: dict[str, Any], now: datetime) -> SignalRecord:
    said = form.Feedback.model_validate(item)
    name = short(said.name).strip()
    trace_id, span_id, session = _id(said.trace_id), _id(said.span_id), short(said.session_id)
    if not name:
        raise Refused("Feedback needs a name.")
    if not trace_id and not session:
        raise Refused("Feedback needs a trace_id or a session_id.")
    value = said.value if isinstance(said.value, str) else judged(said.value, None)
    if isinstance(value, str):
        value = short(value).strip()
    if value is None or value == "":
        raise Refused("Feedback needs a value: a number, true or false, or a category.")
    time = plausible(read_time(said.time), now)
    made = signal_id(trace_id, span_id, session, name, value, said.comment or "", time or "")
    return SignalRecord(
        name=name,
        value=value,
        trace_id=trace_id,
        span_id=span_id if trace_id else "",
        session="" if trace_id else session,
        comment=clean_text(said.comment or ""),
        source=short(said.source) or "user",
        time=time,
        id=_id(said.id) or made,
        attributes=bounded(dict(said.model_extra or {})),
    )


def _rollout(item: dict[str, Any], now: datetime) -> RolloutRecord:
    said = form.Rollout.model_validate(item)
    fact, value = short(said.fact, 60).strip().lower(), short(said.value).strip()
    if not fact or not value:
        raise Refused("A rollout needs a fact (prompt, release, model, …) and the value that went live.")
    time = read_time(said.time)
    if time is not None and plausible(time, now) is None:
        raise Refused("time: a rollout lies between the year 2000 and tomorrow.")
    name = short(said.name)
    return RolloutRecord(
        fact=fact,
        value=value,
        name=name,
        time=time,
        note=clean_text(said.note or "", 2000),
        id=_id(said.id) or signal_id("rollout", fact, name, value, time or ""),
    )
