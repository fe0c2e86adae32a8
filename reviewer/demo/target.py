"""The application as an experiment's target: one message and the versions to use in, the answer and its trace out.

    POST /answer
    {"input": {"message": "Where is FW-20418?", "customer": "C-40012", "order": "FW-20418"},
     "prompts": {"support-answer": {"text": "…", "version": "10", "settings": {"max_tokens": 400}}},
     "tools": {"lookup_order": {"definition": {…}, "version": "5"}},
     "guardrails": {"input-safety": {"version": "2"}},
     "model": "sim-large-2026-08", "sample": 0, "run": "experiment"}

Only `input` is needed; it may be the message alone. An artifact that is not named is the live one; one with a version
alone is that version of ours. `sample` tells repeated tries apart. With `run` the trace is also sent to Whetstone,
under that mark. The answer is `{"output", "trace_id", "trace" (an OTLP request), "model", "versions", "seconds",
"usage"}`.
"""

import secrets
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from reviewer.demo import artifacts, plan
from reviewer.demo.artifacts import Artifact, UnknownArtifact
from reviewer.demo.assistant import Run, reply
from reviewer.demo.case import Case, understand
from reviewer.demo.checks import BadCheck, blocks
from reviewer.demo.shop import World
from reviewer.demo.telemetry import request_of

LONGEST_MESSAGE = 20_000
LONGEST_TEXT = 200_000
_GROUPS = {"prompts": "prompt", "tools": "tool", "guardrails": "guardrail"}
NOW = plan.DAYS * 24.0


class BadRequest(ValueError):
    """The request cannot be answered; the message is for whoever wrote it."""


def _artifact(kind: str, name: str, told: Any) -> Artifact:
    """The version a request asks for: one of ours, or a text of its own."""
    if name not in artifacts.NAMES:
        raise BadRequest(f"There is no {kind} {name!r}; there are {', '.join(artifacts.NAMES)}.")
    if isinstance(told, str):
        told = {"text": told} if kind == "prompt" else {"version": told}
    if not isinstance(told, dict):
        raise BadRequest(f"{name}: write an object with version, text or definition.")
    version, text, definition = str(told.get("version") or "draft"), told.get("text"), told.get("definition")
    latest = list(artifacts.versions(name).values())[-1]
    if latest.kind != kind:
        raise BadRequest(f"{name} is a {latest.kind}, not a {kind}.")
    if text is None and definition is None:
        try:
            return artifacts.fetch(name, version)
        except UnknownArtifact as error:
            raise BadRequest(f"{error.args[0]}; send its text or definition.") from None
    if kind == "prompt":
        if not isinstance(text, str) or len(text) > LONGEST_TEXT:
            raise BadRequest(f"{name}: text is a string of at most {LONGEST_TEXT:,} characters.")
        settings = told.get("settings", latest.settings)
        most = settings.get("max_tokens", 320) if isinstance(settings, dict) else None
        if not isinstance(settings, dict) or not isinstance(most, int) or not 1 <= most <= 100_000:
            raise BadRequest(f"{name}: settings is an object; max_tokens is a number from 1 to 100,000.")
        return replace(latest, version=version, text=text, settings=settings)
    if not isinstance(definition, dict):
        raise BadRequest(f"{name}: definition is an object.")
    if kind == "guardrail":
        try:
            blocks(definition, "")
        except (BadCheck, AttributeError, TypeError) as error:
            raise BadRequest(f"{name}: {error}") from None
    return replace(latest, version=version, definition=definition)


def read_request(told: Any) -> tuple[Case, dict[str, Artifact], str, str]:
    """The case, the artifacts to use, the model and the run's mark."""
    if not isinstance(told, dict):
        raise BadRequest("The body is a JSON object with an input.")
    given = told.get("input")
    given = {"message": given} if isinstance(given, str) else given
    message = given.get("message") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(message, str) or not message.strip():
        raise BadRequest("input needs a message.")
    if len(message) > LONGEST_MESSAGE:
        raise BadRequest(f"A message has at most {LONGEST_MESSAGE:,} characters.")
    customer, order = str(given.get("customer") or ""), str(given.get("order") or "")
    case = understand(WORLD, message, customer=customer, order=order, sample=str(told.get("sample", 0)))
    wanted = {}
    for group, kind in _GROUPS.items():
        named = told.get(group) or {}
        if not isinstance(named, dict):
            raise BadRequest(f"{group} is an object by name.")
        for name, version in named.items():
            wanted[name] = _artifact(kind, name, version)
    return case, wanted, str(told.get("model") or ""), str(told.get("run") or "")


WORLD = World()


def answer(told: Any) -> tuple[dict[str, Any], str]:
    """The reply to a request, and the mark under which its trace is to be sent (or nothing)."""
    case, wanted, model, mark = read_request(told)
    serving = plan.serving_at(NOW, case.customer.number, case.customer.channel, wanted)
    if model:
        serving = replace(serving, model=model)
    at, session = datetime.now(UTC), "x-" + secrets.token_hex(5)
    run = reply(WORLD, case, serving, at=at, session=session)
    trace_id = secrets.token_hex(16)
    extra = {"whetstone.run": mark} if mark else None
    return {
        "output": run.answer,
        "trace_id": trace_id,
        "trace": request_of([(run, trace_id, at)], extra=extra),
        "model": serving.model,
        "versions": {name: artifact.version for name, artifact in serving.artifacts.items()},
        "seconds": round(run.seconds, 3),
        "usage": _usage(run),
        "simulated": True,
    }, mark


def _usage(run: Run) -> dict[str, float]:
    spent = [step.attributes for step in run.trail.steps if "gen_ai.usage.cost" in step.attributes]
    return {
        "input_tokens": sum(step["gen_ai.usage.input_tokens"] for step in spent),
        "output_tokens": sum(step["gen_ai.usage.output_tokens"] for step in spent),
        "cost": round(sum(step["gen_ai.usage.cost"] for step in spent), 8),
    }
