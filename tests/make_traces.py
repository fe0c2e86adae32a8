"""Makes telemetry for tests, the way clients do: records through the product's own storing."""

from datetime import UTC, datetime, timedelta
from typing import Any

from issues.intake import store_spans
from issues.models import SignalName
from issues.record import SignalRecord, SpanRecord
from issues.redact import Redactor
from issues.signals import store_signals
from reviewer.models import Project

NOON = datetime(2026, 11, 14, 12, tzinfo=UTC)
MASK = Redactor({"secrets"}).text


def span(
    trace_id: str, span_id: str, parent_id: str = "", *, at: float = 0, took: float = 1, **told: Any
) -> SpanRecord:
    """A step that begins `at` seconds after noon."""
    start = told.pop("start", NOON + timedelta(seconds=at))
    end = told.pop("end", start + timedelta(seconds=took) if start else None)
    return SpanRecord(trace_id, span_id, parent_id, start=start, end=end, **told)


def store(project: Project, *spans: SpanRecord) -> None:
    store_spans(project.pk, spans, mask=MASK)


def say(project: Project, name: str, value: float | bool | str, trace_id: str = "", **told: Any) -> None:
    store_signals(project.pk, [SignalRecord(name, value, trace_id=trace_id, **told)], mask=MASK)


def trace(project: Project, trace_id: str, *, at: float = 0, **told: Any) -> str:
    """A trace of one step."""
    told = {"name": "chat", "kind": "llm", "input": f"Question {trace_id}", "output": f"Answer {trace_id}"} | told
    store(project, span(trace_id, "0001", at=at, **told))
    return trace_id


def traces(project: Project, count: int, **told: Any) -> None:
    """Traces a minute apart, each with a thumb, in one request."""
    ids = [f"t{number:05}" for number in range(count)]
    spans = [
        span(each, "0001", at=60 * number, name="chat", kind="llm", input=f"Question {number}", output="Answer", **told)
        for number, each in enumerate(ids)
    ]
    store_spans(project.pk, spans, mask=MASK)
    thumbs = [SignalRecord("thumbs", number % 3 > 0, trace_id=each) for number, each in enumerate(ids)]
    store_signals(project.pk, thumbs, mask=MASK)


def conversation(project: Project, trace_id: str = "9f2c71d4", *, long: bool = False) -> str:
    """A customer, a tool that failed, an answer; a session, a user, feedback. `long` adds what pages fold."""
    about: dict[str, Any] = {"session": "s-1", "user": "u-1", "environment": "production", "release": "r7"}
    about["tags"] = ["vip"]
    asked = {"role": "user", "content": "Where is my order FW-20418?"}
    rules = {"role": "system", "content": "Be brief. " * (400 if long else 1)}
    call = {"id": "c1", "name": "lookup_order", "arguments": {"order": "FW-20418"}}
    called = {"role": "assistant", "content": "", "tool_calls": [call]}
    answer = {"role": "tool", "tool_call_id": "c1", "content": '{"status": "delayed", "eta": "2026-11-19"}'}
    told = {"role": "assistant", "content": "It arrives on 19 November. " * (80 if long else 1)}
    more = {"attributes": {f"app.key{n}": {"deep": [n, {"x": "y" * 200}]} for n in range(9)}} if long else {}
    store(
        project,
        span(trace_id, "a", at=0, took=5, name="support", kind="agent", input="Where is my order FW-20418?",
             output="It arrives on 19 November.", **about),
        span(trace_id, "b", "a", at=0, name="plan", kind="llm", model="small-1", prompt_name="answer",
             prompt_version="7", input=[rules, asked], output=[called], input_tokens=900, output_tokens=20, cost=0.004),
        span(trace_id, "c", "a", at=1, name="lookup_order", kind="tool", tool="lookup_order", status="error",
             error="Took too long", input={"order": "FW-20418"}, output={"status": "delayed"}),
        span(trace_id, "d", "a", at=2, took=3, name="write", kind="llm", model="small-1",
             input=[rules, asked, called, answer], output=[told], **more),
        span(trace_id, "e", "lost", at=2, name="search", kind="retrieval", input="orders",
             documents=[{"id": "help-1", "score": 0.7, "content": "Orders take three days."}]),
    )  # fmt: skip
    say(project, "thumbs", False, trace_id, comment="It came the next day")
    return trace_id


def signal_name(project: Project, name: str = "stars") -> SignalName:
    say(project, name, 4, "9f2c71d4", id=f"{name}-1")
    return SignalName.objects.get(project=project, name=name)
