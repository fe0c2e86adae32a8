"""The LangSmith SDK: runs in multipart or JSON batches, and feedback.

Run ids are UUIDs. They are kept as the client shows them, with dashes and in lower case, so that an id copied from a
log finds its trace. A run comes in two halves, `post` when it starts and `patch` when it ends, in any order: each half
tells only what it knows, and empty fields mean "not told". Pure.
"""

import re
from datetime import UTC, datetime
from typing import Any

from issues.protocols.clock import read_time, set_times
from issues.protocols.conventions.facts import documents, tags
from issues.protocols.conventions.signals import judged, signal_id
from issues.protocols.jsontext import amount, bounded, read_body, short, tidy, whole_number
from issues.protocols.messages import talk
from issues.record import (
    LONGEST_ID,
    Parsed,
    Rejected,
    SignalRecord,
    SpanRecord,
    Unreadable,
    clean,
    clean_text,
    plausible,
)

MOST_PARTS = 50_000
_KINDS = {"llm": "llm", "tool": "tool", "retriever": "retrieval", "embedding": "embedding", "prompt": "chain"}
_FIELDS = ("inputs", "outputs", "events", "extra", "error", "serialized")
_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_NAME = re.compile(rb'name="([^"\r\n]{1,300})"')
_STACK = "Traceback (most recent call last):"
_NOISE = frozenset(
    ("ls_method", "usage_metadata", "ls_run_depth", "LANGSMITH_ENDPOINT", "LANGSMITH_TRACING", "LANGSMITH_PROJECT")
)

INFO = {
    "version": "0.13.0",
    "license_expiration_time": None,
    "batch_ingest_config": {
        "use_multipart_endpoint": True,
        "scale_up_qsize_trigger": 1000,
        "scale_up_nthreads_limit": 4,
        "scale_down_nempty_trigger": 4,
        "size_limit": 100,
        "size_limit_bytes": 20_971_520,
    },
    "instance_flags": {},
}
"""The body of `GET /info`."""


def parse_multipart(body: bytes, content_type: str) -> list[tuple[str, bytes]]:
    """The parts of a form by name, in order."""
    found = re.search(r'boundary="?([^";,\s]{1,200})"?', content_type)
    if not content_type.lower().startswith("multipart/") or found is None:
        raise Unreadable("Runs are sent as multipart/form-data with a boundary.")
    mark = b"--" + found.group(1).encode("latin-1", "replace")
    pieces = (b"\r\n" + body).split(b"\r\n" + mark, MOST_PARTS)
    if len(pieces) < 2:
        raise Unreadable("The body does not hold the boundary its Content-Type names.")
    if len(pieces) > MOST_PARTS:
        raise Unreadable("The form has more parts than Whetstone reads in one request; send smaller batches.")
    parts = []
    for piece in pieces[1:]:
        if piece.startswith(b"--"):
            break
        head, empty, content = piece.partition(b"\r\n\r\n")
        name = _NAME.search(head)
        if empty and name is not None:
            parts.append((name.group(1).decode("utf-8", "replace"), content))
    return parts


def runs_multipart(parts: list[tuple[str, bytes]], *, now: datetime | None = None) -> Parsed:
    """`post.<id>`, `patch.<id>` with their `.inputs`, `.outputs`, …, and `feedback.<id>`."""
    now = now or datetime.now(UTC)
    parsed = Parsed()
    runs: dict[tuple[str, str], dict[str, Any]] = {}
    for name, content in parts:
        event, _, rest = name.partition(".")
        run_id, _, part = rest.partition(".")
        if event == "attachment" or (part and part not in _FIELDS):
            continue
        try:
            value = read_body(content)
        except Unreadable:
            parsed.rejected.append(Rejected(f"The part {short(name)} is not valid JSON.", run_id[:LONGEST_ID]))
            continue
        if event == "feedback":
            _feedback(value, parsed, now)
        elif event in {"post", "patch"}:
            run = runs.setdefault((event, run_id), {})
            if part:
                run[part] = value
            elif isinstance(value, dict):
                run |= value
    for (_, run_id), run in runs.items():
        _run({"id": run_id, **run}, parsed, now)
    return parsed


def runs_batch(request: Any, *, now: datetime | None = None) -> Parsed:
    """`POST /runs/batch`: whole runs in JSON."""
    if not isinstance(request, dict):
        raise Unreadable("A batch of runs is an object with post and patch.")
    now = now or datetime.now(UTC)
    parsed = Parsed()
    for half in ("post", "patch"):
        told = request.get(half)
        for run in told if isinstance(told, list) else []:
            _run(run, parsed, now)
    return parsed


def run(request: Any, run_id: str = "", *, now: datetime | None = None) -> Parsed:
    """`POST /runs` and `PATCH /runs/<id>`: one run in JSON."""
    parsed = Parsed()
    told = {"id": run_id, **request} if run_id and isinstance(request, dict) else request
    _run(told, parsed, now or datetime.now(UTC))
    return parsed


def feedback(request: Any, *, now: datetime | None = None) -> Parsed:
    """`POST /feedback`: one judgement or a list."""
    parsed = Parsed()
    for item in request if isinstance(request, list) else [request]:
        _feedback(item, parsed, now or datetime.now(UTC))
    return parsed


def uuid_text(value: Any) -> str:
    """A UUID as the client shows it; empty when it is none."""
    text = str(value or "")
    if not _UUID.fullmatch(text):
        return ""
    text = text.replace("-", "").lower()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _run(run: Any, parsed: Parsed, now: datetime) -> None:
    if not isinstance(run, dict):
        parsed.rejected.append(Rejected("A run is a JSON object."))
        return
    span_id = uuid_text(run.get("id"))
    order = str(run.get("dotted_order") or "")
    trace_id = uuid_text(run.get("trace_id")) or uuid_text(order.partition(".")[0][-36:])
    if not span_id or not trace_id:
        what = "an id that is a UUID" if not span_id else "a trace_id or a dotted_order"
        parsed.rejected.append(Rejected(f"A run needs {what}.", str(run.get("id") or "")[:LONGEST_ID]))
        return
    parent_id = uuid_text(run.get("parent_run_id"))
    if not parent_id and order.count("."):
        parent_id = uuid_text(order.split(".")[-2][-36:])
    span = SpanRecord(trace_id, span_id, "" if parent_id == span_id else parent_id, short(run.get("name") or ""))
    span.kind = _KINDS.get(str(run.get("run_type") or ""), "chain")
    span.tags = tags(run.get("tags"))
    attributes: dict[str, Any] = {}
    set_times(span, run.get("start_time"), run.get("end_time"), attributes, now)
    extra = _dict(run.get("extra"))
    metadata = _dict(extra.get("metadata"))
    _metadata(span, dict(metadata), attributes)
    if run.get("session_name"):
        attributes["langsmith.project"] = run["session_name"]
    if isinstance(extra.get("invocation_params"), dict):
        attributes["invocation_params"] = extra["invocation_params"]
        span.model = span.model or short(extra["invocation_params"].get("model") or "")
    _bodies(span, run.get("inputs"), run.get("outputs"), metadata, attributes)
    if run.get("error"):
        why, line, stack = str(run["error"]).partition(_STACK)
        span.status, span.error = "error", clean_text(why.strip() or line + stack)
        if stack and why.strip():
            attributes["exception.stacktrace"] = line + stack
    elif span.end is not None:
        span.status = "ok"
    events = run.get("events")
    if isinstance(events, list):
        span.events = [clean(event) for event in events[:256] if isinstance(event, dict)]
    span.attributes = bounded(attributes)
    parsed.spans.append(span)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _metadata(span: SpanRecord, told: dict[str, Any], attributes: dict[str, Any]) -> None:
    for names, field in (
        (("session_id", "thread_id", "conversation_id"), "session"),
        (("user_id",), "user"),
        (("ls_model_name",), "model"),
        (("ls_provider",), "provider"),
        (("environment", "LANGSMITH_ENVIRONMENT"), "environment"),
        (("release", "revision_id"), "release"),
        (("prompt_name", "lc_hub_repo"), "prompt_name"),
        (("prompt_version", "lc_hub_commit_hash"), "prompt_version"),
        (("whetstone.run",), "run"),
    ):
        for name in names:
            if told.get(name) not in (None, "") and not getattr(span, field):
                setattr(span, field, short(told.pop(name)))
    attributes |= {f"metadata.{key}": value for key, value in told.items() if key not in _NOISE}


def _bodies(span: SpanRecord, inputs: Any, outputs: Any, metadata: dict[str, Any], attributes: dict[str, Any]) -> None:
    usage = metadata.get("usage_metadata")
    if isinstance(outputs, dict):
        outputs = dict(outputs)
        usage = outputs.pop("usage_metadata", None) or usage or outputs.get("usage")
    span.input, span.output = tidy(inputs) or None, tidy(outputs) or None
    if span.kind == "tool":
        span.tool = span.name
    if span.kind == "retrieval":
        span.documents = documents(span.output)
        span.output = None if span.documents else span.output
    elif span.kind != "tool":
        span.input, _ = talk(span.input, "input", attributes)
        span.output, finish = talk(span.output, "output", attributes)
        span.finish_reason = short(finish)
    for side in ("input", "output"):  # the SDK wraps a plain argument or return value
        value = getattr(span, side)
        if isinstance(value, dict) and list(value) == [side]:
            inner = value[side]
            setattr(span, side, inner if span.kind == "tool" else talk(inner, side, attributes)[0])
    if isinstance(usage, dict):
        span.input_tokens = whole_number(usage.get("input_tokens", usage.get("prompt_tokens")))
        span.output_tokens = whole_number(usage.get("output_tokens", usage.get("completion_tokens")))
        details = usage.get("input_token_details")
        if isinstance(details, dict):
            span.cached_tokens = whole_number(details.get("cache_read"))
        span.cost = amount(usage.get("total_cost"))


def _feedback(body: Any, parsed: Parsed, now: datetime) -> None:
    if not isinstance(body, dict):
        parsed.rejected.append(Rejected("Feedback is a JSON object."))
        return
    name = short(body.get("key") or "")
    run_id, trace_id = uuid_text(body.get("run_id")), uuid_text(body.get("trace_id"))
    signal = short(body.get("id") or "", LONGEST_ID)
    value = judged(body.get("score"), body.get("value") if not isinstance(body.get("value"), dict | list) else None)
    if value is None and body.get("comment"):
        value = "comment"
    if not name or value is None or not (run_id or trace_id):
        what = "a key" if not name else "a score or a value" if value is None else "a run_id"
        parsed.rejected.append(Rejected(f"Feedback needs {what}.", signal))
        return
    source = body.get("feedback_source")
    kind = str(source.get("type") or "") if isinstance(source, dict) else ""
    rest = {key: body[key] for key in ("value", "correction") if body.get(key) not in (None, "", value)}
    parsed.signals.append(
        SignalRecord(
            name=name,
            value=value,
            trace_id=trace_id or run_id,
            span_id=run_id if trace_id and run_id != trace_id else "",
            comment=clean_text(str(body.get("comment") or "")),
            source="evaluator" if kind in {"model", "auto_eval"} else "user",
            time=plausible(read_time(body.get("created_at")), now),
            id=signal or signal_id(run_id, trace_id, name, value),
            attributes=clean(rest),
        )
    )
