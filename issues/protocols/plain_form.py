"""The shape of our own JSON, for those with no SDK: what the API reference shows and what `plain` checks.

Only one of input and output is needed; everything else helps. Fields that are not named here are kept as attributes.
Lists inside (steps, feedback) are checked item by item by `plain`, so that one bad item does not lose the others.
"""

from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, SkipValidation

from issues.protocols.clock import read_time
from issues.protocols.jsontext import short, whole_number


def _text(value: Any) -> Any:
    """Ids and names may be written as numbers."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _time(value: Any) -> Any:
    if value is None or value == "":
        return None
    if read_time(value) is None:
        raise ValueError("write a time as 2026-05-04T10:00:00Z or as seconds since 1970")
    return value


def _count(value: Any) -> Any:
    if value is not None and whole_number(value) is None:
        raise ValueError("write a whole number at or above 0")
    return whole_number(value)


def _prompt(value: Any) -> Any:
    """`"support@7"` says the same as `{"name": "support", "version": "7"}`."""
    if isinstance(value, str):
        name, _, version = value.rpartition("@")
        return {"name": name or version, "version": version if name else ""}
    return value


Text = Annotated[str | None, BeforeValidator(_text)]
Time = Annotated[
    Any, BeforeValidator(_time), Field(json_schema_extra={"anyOf": [{"type": "string"}, {"type": "number"}]})
]
Count = Annotated[int | None, BeforeValidator(_count)]


class Form(BaseModel):
    model_config = ConfigDict(extra="allow", populate_by_name=True)


class Prompt(Form):
    """The prompt that was used."""

    name: Text = ""
    version: Text = ""


class Usage(Form):
    """Tokens that were counted."""

    input_tokens: Count = Field(None, validation_alias=AliasChoices("input_tokens", "prompt_tokens", "input"))
    output_tokens: Count = Field(None, validation_alias=AliasChoices("output_tokens", "completion_tokens", "output"))
    cached_tokens: Count = None


class Feedback(Form):
    """Feedback, an outcome or a score about a trace, one of its steps, or a session."""

    name: Text = Field(None, description="What is said: thumbs, stars, refunded, resolved …")
    value: Any = Field(
        None,
        validation_alias=AliasChoices("value", "score"),
        description="A number, true or false, or a category.",
    )
    trace_id: Text = None
    span_id: Text = Field(None, description="The step, when it is about one step only.")
    session_id: Text = Field(None, description="Instead of trace_id: the whole session.")
    comment: Text = None
    source: Text = Field(None, description="user (the default), outcome, evaluator, or a word of your own.")
    time: Time = None
    id: Text = Field(None, description="Sent again with the same id, it replaces the former.")


class Step(Form):
    """One step: a model call, a tool call, a retrieval, or anything else worth seeing."""

    id: Text = Field(None, validation_alias=AliasChoices("id", "span_id"))
    parent_id: Text = Field(None, validation_alias=AliasChoices("parent_id", "parent_span_id"))
    name: Text = None
    kind: Text = Field(
        None,
        validation_alias=AliasChoices("kind", "type"),
        description="agent, llm, tool, retrieval, embedding, guardrail, chain or evaluator; guessed when missing.",
    )
    input: Any = Field(None, description="Text, chat messages, or any JSON.")
    output: Any = Field(None, description="Text, chat messages, or any JSON.")
    start: Time = Field(None, validation_alias=AliasChoices("start", "time", "start_time", "timestamp"))
    end: Time = Field(None, validation_alias=AliasChoices("end", "end_time"))
    duration_ms: float | None = Field(None, ge=0, le=1e12)
    status: Text = Field(None, description="ok or error.")
    error: Any = Field(None, description="What went wrong, in words. Makes the status an error.")
    model: Text = None
    provider: Text = None
    prompt: Annotated[Prompt | None, BeforeValidator(_prompt)] = None
    usage: Usage | None = None
    cost: float | None = Field(None, ge=0, le=1e12, description="In US dollars.")
    finish_reason: Text = None
    tool: Text = Field(None, validation_alias=AliasChoices("tool", "tool_name"))
    arguments: Any = Field(None, description="A tool's arguments; the same as input.")
    result: Any = Field(None, description="A tool's result; the same as output.")
    documents: Any = Field(None, description="What a retrieval found: texts, or objects with content, id and score.")
    tags: Any = None
    metadata: dict[str, Any] | None = None
    steps: Annotated[list["Step"] | None, SkipValidation] = Field(
        None, validation_alias=AliasChoices("steps", "spans", "children")
    )


class Trace(Step):
    """One conversation or one request of your application."""

    id: Text = Field(
        None,
        validation_alias=AliasChoices("id", "trace_id"),
        description="Without it, one is made from the content: the same content sent again is the same trace.",
    )
    session_id: Text = None
    user_id: Text = None
    environment: Text = None
    release: Text = Field(None, validation_alias=AliasChoices("release", "version"))
    run: Text = Field(None, description="Set when this is no production traffic: experiment, playground or ci.")
    feedback: Annotated[list[Feedback] | None, SkipValidation] = None
    outcome: dict[str, Any] | None = Field(None, description='Measured afterwards, by name: {"resolved": true}.')


class Rollout(Form):
    """What went live when."""

    fact: Text = Field(None, description="prompt, release, model, or a word of your own.")
    name: Text = Field(None, description="Which one, when there are several: a prompt's name.")
    value: Text = Field(None, validation_alias=AliasChoices("value", "version"))
    time: Time = None
    note: Text = None
    id: Text = None


def fault(error: Any) -> str:
    """The first thing pydantic found wrong, as a sentence."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    reason = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    return f"{short(place)}: {reason}." if place else f"{reason}."
