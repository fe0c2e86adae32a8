"""The steps of one run, as spans with the attributes of the GenAI conventions, before they are put on the wire."""

import json
from dataclasses import dataclass, field
from typing import Any

from reviewer.demo.artifacts import Artifact
from reviewer.demo.case import Case
from reviewer.demo.simulator import TOKENS_A_WORD

PRICES = {"sim-small-2026-10": (0.15, 0.6), "sim-large-2026-08": (2.5, 10.0), "sim-deep-2026-09": (1.1, 4.4)}
"""Dollars for a million tokens, in and out."""
SPEED = {"sim-small-2026-10": 9.0, "sim-large-2026-08": 16.0, "sim-deep-2026-09": 14.0}
"""Milliseconds for a token."""


@dataclass
class Step:
    """One span; times are milliseconds from the start of the run."""

    name: str
    start: float
    end: float = 0.0
    attributes: dict[str, Any] = field(default_factory=dict)
    parent: int | None = 0
    error: str = ""


def tokens(text: str) -> int:
    return max(1, round(len(text.split()) * TOKENS_A_WORD))


def messages(*pairs: tuple[str, str], finish: str = "") -> str:
    """Messages in the form of the GenAI conventions."""
    made: list[dict[str, Any]] = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in pairs]
    if finish:
        made[-1]["finish_reason"] = finish
    return json.dumps(made, ensure_ascii=False)


class Trail:
    """Collects the steps of one run on its own clock."""

    def __init__(self, case: Case, model: str) -> None:
        self.case = case
        self.model = model
        self.clock = 0.0
        self.steps: list[Step] = [Step("invoke_agent fernwood-support", 0.0, parent=None)]

    def _spend(self, what: str, least: float, most: float) -> tuple[float, float]:
        """A duration within bounds, by the case's own luck: mostly near the lower end."""
        start = self.clock + 2 + 6 * self.case.roll(f"gap {what}")
        self.clock = start + least + (most - least) * self.case.roll(f"time {what}") ** 2
        return start, self.clock

    def llm(
        self, prompt: Artifact, asked: str, answer: str, *, finish: str = "stop", thinking: float = 0.0, task: str = ""
    ) -> None:
        """A call of the simulated model."""
        used, made = tokens(prompt.text) + tokens(asked), tokens(answer)
        speed = SPEED.get(self.model, 12.0) * made + thinking
        start, end = self._spend(f"llm {prompt.name}", 160 + speed, 420 + speed * 1.4)
        price = PRICES.get(self.model, (1.0, 4.0))
        hidden = round(thinking / 25)
        step = Step(f"chat {self.model}", start, end)
        step.attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "simulated",
            "gen_ai.request.model": self.model,
            "gen_ai.response.model": self.model,
            "gen_ai.prompt.name": prompt.name,
            "gen_ai.prompt.version": prompt.version,
            "gen_ai.system_instructions": json.dumps([{"type": "text", "content": prompt.text}], ensure_ascii=False),
            "gen_ai.input.messages": messages(*self.case.earlier, ("user", asked)),
            "gen_ai.output.messages": messages(("assistant", answer), finish=finish),
            "gen_ai.response.finish_reasons": [finish],
            "gen_ai.usage.input_tokens": used,
            "gen_ai.usage.output_tokens": made + hidden,
            "gen_ai.usage.cost": round((used * price[0] + (made + hidden) * price[1]) / 1e6, 8),
            "gen_ai.request.max_tokens": int(prompt.settings.get("max_tokens") or 320),
        }
        if task:
            step.attributes["fernwood.task"] = task
        self.steps.append(step)

    def tool(
        self, tool: Artifact, arguments: dict[str, Any], result: dict[str, Any] | None, *,
        error: str = "", least: float = 70, most: float = 600,
    ) -> None:  # fmt: skip
        """A call of one of the shop's tools."""
        start, end = self._spend(f"tool {tool.name} {len(self.steps)}", least, most)
        step = Step(f"execute_tool {tool.name}", start, end, error=error)
        step.attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": tool.name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.description": str(tool.definition.get("description", "")),
            "gen_ai.tool.call.arguments": json.dumps(arguments, ensure_ascii=False),
            "fernwood.tool.version": tool.version,
        }
        if result is not None:
            step.attributes["gen_ai.tool.call.result"] = json.dumps(result, ensure_ascii=False)
        if error:
            step.attributes["error.type"] = error.partition(":")[0]
        self.steps.append(step)

    def retrieval(self, query: str, pages: list[dict[str, str]], language: str) -> None:
        start, end = self._spend(f"search {len(self.steps)}", 40, 260)
        step = Step("retrieval handbook", start, end)
        found = [
            {"id": page["id"], "score": round(0.92 - 0.11 * rank, 2), "content": f"{page['title']}. {page[language]}"}
            for rank, page in enumerate(pages)
        ]
        step.attributes = {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.data_source.id": "handbook",
            "gen_ai.retrieval.query.text": query,
            "gen_ai.retrieval.documents": json.dumps(found, ensure_ascii=False),
        }
        self.steps.append(step)

    def guardrail(self, guardrail: Artifact, text: str, blocked: bool) -> None:
        start, end = self._spend("guard", 8, 60)
        step = Step(f"guardrail {guardrail.name}", start, end)
        step.attributes = {
            "openinference.span.kind": "GUARDRAIL",
            "input.value": text,
            "output.value": json.dumps({"passed": not blocked, "action": "block" if blocked else "none"}),
            "fernwood.guardrail.version": guardrail.version,
        }
        self.steps.append(step)

    def close(self, answer: str, *, session: str, error: str = "") -> None:
        """End the run with what the customer saw."""
        root, case = self.steps[0], self.case
        root.end, root.error = self.clock + 3, error
        root.attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "fernwood-support",
            "gen_ai.input.messages": messages(*case.earlier, ("user", case.message)),
            "gen_ai.output.messages": messages(("assistant", answer)),
            "session.id": session,
            "user.id": case.customer.number,
            "app.channel": case.customer.channel,
            "fernwood.simulated": True,
        }
        if error:
            root.attributes["error.type"] = error.partition(":")[0]
