"""The support assistant: guardrail, router, then the order system, a refund or the handbook, then the answer.

One call of `reply` is one turn of a conversation and one trace. It works for history, live traffic and experiments
alike; whether it does well is the simulator's matter.
"""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from reviewer.demo import checks, rules
from reviewer.demo.artifacts import Artifact
from reviewer.demo.case import Case, Serving
from reviewer.demo.extras import ANSWER_FAULTS, TOOL_FAULTS
from reviewer.demo.modes import MODES
from reviewer.demo.shop import World, product_name
from reviewer.demo.simulator import Mind, pages_for
from reviewer.demo.trail import Trail
from reviewer.demo.wording import answers

SLOW_MS = 22_000


@dataclass
class Run:
    """What one turn did: its steps, its answer, its outcomes, and the truth about it."""

    case: Case
    serving: Serving
    answer: str
    trail: Trail
    modes: list[str]
    outcomes: dict[str, Any] = field(default_factory=dict)

    @property
    def mode(self) -> str:
        return self.modes[0] if self.modes else ""

    @property
    def seconds(self) -> float:
        return self.trail.steps[0].end / 1000


class _Turn:
    """One turn under way."""

    def __init__(self, world: World, case: Case, serving: Serving, at: datetime) -> None:
        self.world, self.case, self.serving, self.at = world, case, serving, at
        self.mind = Mind(case, serving, world)
        self.trail = Trail(case, serving.model)
        self.outcomes: dict[str, Any] = {}
        self.error = ""
        self.prompt = self.artifact("support-answer")

    def artifact(self, name: str) -> Artifact:
        return self.serving.artifacts[name]

    # --- the steps --------------------------------------------------------------------------------

    def run(self) -> str:
        case, guard = self.case, self.artifact("input-safety")
        blocked = checks.blocks(guard.definition, case.message)
        if case.intent in {"hazard", "stock"}:
            blocked = self.mind.slips("over_refusal", False) or blocked
        self.trail.guardrail(guard, case.message, blocked)
        if blocked:
            if case.intent != "harm" and "over_refusal" not in self.mind.modes:
                self.mind.modes.append("over_refusal")
            self.outcomes["resolved"] = False
            return self.mind.say("refusal", case.language)
        if case.intent == "harm":
            self.mind.breaks("unsafe_passed")
        router = self.artifact("support-router")
        word = self.mind.route(router)
        self.trail.llm(router, case.message, word, task="route")
        if word == "handover":
            self.outcomes["escalated"] = True
            return self.mind.say("handover", case.language)
        if case.intent == "person":
            return self.mind.say("no_handover", case.language)
        steps = {
            "track": self.track, "cancel": self.change, "refund": self.refund, "gift": self.gift,
            "return_form": self.form, "policy": self.policy, "source": self.policy, "warranty": self.policy,
            "compare": self.compare, "stock": self.stock, "hazard": self.stock,
        }  # fmt: skip
        return steps.get(word, self.policy)()

    def look_up(self) -> dict[str, Any] | None:
        """The order, or None when the lookup brought none."""
        tool = self.artifact("lookup_order")
        arguments = self.mind.order_argument(tool)
        value = next(iter(arguments.values()))
        if self.tool_fault(tool, arguments):
            return None
        order = self.world.order(value)
        if order is None:
            kind = "an order" if value.startswith("FW") else "an order; it looks like a customer number"
            self.trail.tool(tool, arguments, None, error=f"NotFound: {value} is not the number of {kind}")
            return None
        eta = self.at + timedelta(days=order.eta_in)
        shown: dict[str, Any] = {
            "order": order.number, "status": order.status, "items": [product_name(at, "en") for at in order.products],
            "amount": order.amount, "gift": order.gift,
        }  # fmt: skip
        if order.status == "delivered":
            shown["delivered_days_ago"] = order.age
        elif order.status == "exception":
            shown |= {"reason": order.reason, "new_eta": eta.date().isoformat(), "courier": order.courier}
        elif order.status == "in_transit":
            shown |= {"eta": eta.date().isoformat(), "courier": order.courier}
        if order.gift:
            shown["buyer"] = self.world.customer(order.buyer).name
            shown["buyer_email"] = self.world.customer(order.buyer).email
        for _ in range(1 + self.mind.calls_again(self.artifact("support-plan"), order.status)):
            plan = self.artifact("support-plan")
            if order.status == "pending_sync":
                self.trail.llm(
                    plan, f"Status: {order.status}", json.dumps({"tool": tool.name, **arguments}), task="plan"
                )
            self.trail.tool(tool, arguments, shown)
        return shown

    def tool_fault(self, tool: Artifact, arguments: dict[str, Any]) -> bool:
        """A fault of a scenario that strikes this tool."""
        for mode, (name, errors) in TOOL_FAULTS.items():
            if name == tool.name and self.mind.slips(mode, False):
                self.trail.tool(tool, arguments, None, error=errors[self.case.die(mode) % len(errors)])
                return True
        return False

    def track(self) -> str:
        shown = self.look_up()
        if shown is None:
            return self.write("outage" if self.failed_by_tool() else "not_found")
        if "tool_loop" in self.mind.modes:
            self.error = "StepLimit: the run was stopped after 8 calls of lookup_order"
            return self.mind.say("loop", self.case.language)
        if shown["status"] == "exception":
            return self.write(self.mind.delay(self.prompt), shown)
        if shown["status"] == "in_transit":
            tool, region = self.artifact("courier_status"), self.case.customer.region
            arguments = {"order_id": shown["order"]}
            if self.tool_fault(tool, arguments):
                return self.write("outage", shown)
            down = region in self.serving.outages and self.case.roll("down") < self.serving.rates.get(
                "courier_outage", MODES["courier_outage"].often
            )
            careless = down and not rules.falls_back(tool.definition)
            if self.mind.slips("courier_outage", careless, 9.0):
                error = f"Timeout: no answer from courier-{region}.internal after 8 s"
                self.trail.tool(tool, arguments, None, error=error, least=8000, most=8100)
                return self.write("outage", shown)
            if down:
                stored = {"source": "stored", "status": "in_transit", "eta": shown["eta"]}
                self.trail.tool(tool, arguments, stored, least=8000, most=8100)
                return self.write("last_known", shown)
            self.trail.tool(tool, arguments, {"status": "in_transit", "eta": shown["eta"], "region": region})
            return self.write("in_transit", shown)
        return self.write("delivered" if shown["status"] == "delivered" else "processing", shown)

    def change(self) -> str:
        shown = self.look_up()
        if shown is None:
            return self.write("outage" if self.failed_by_tool() else "not_found")
        if "tool_loop" in self.mind.modes:
            self.error = "StepLimit: the run was stopped after 8 calls of lookup_order"
            return self.mind.say("loop", self.case.language)
        return self.write("cancel" if shown["status"] in {"processing", "pending_sync"} else "cancel_late", shown)

    def refund(self) -> str:
        shown = self.look_up()
        if shown is None:
            return self.write("outage" if self.failed_by_tool() else "not_found")
        prompt = self.artifact("refund-answer")
        promised, window = self.mind.refund(prompt)
        self.outcomes["refunded"] = promised
        if not promised:
            return self.write("refund_no", shown, prompt=prompt, window=window)
        tool = self.artifact("create_refund")
        arguments = {"order_id": shown["order"], "amount": shown["amount"]}
        if self.tool_fault(tool, arguments):
            self.outcomes["refunded"] = False
            return self.write("vague", shown, prompt=prompt)
        self.trail.tool(tool, arguments, {"state": "started", "amount": shown["amount"]})
        return self.write("refund_yes", shown, prompt=prompt)

    def gift(self) -> str:
        shown = self.look_up()
        if shown is None:
            return self.write("outage" if self.failed_by_tool() else "not_found")
        return self.write("gift_leak" if self.mind.tells_sender(self.prompt) and shown.get("buyer") else "gift", shown)

    def form(self) -> str:
        prompt = self.artifact("return-form")
        text = self.mind.form(prompt)
        self.trail.llm(prompt, self.case.message, text, task="form")
        return text

    def policy(self) -> str:
        case = self.case
        writer, page = self.artifact("search-query"), "warranty" if case.intent == "warranty" else ""
        found: list[dict[str, str]] = []
        for query in self.mind.query(writer, page):
            self.trail.llm(writer, case.message, query, task="search")
            found = [] if self.mind.slips("empty_retrieval", False) else pages_for(query, self.serving)
            if not found and case.intent != "warranty" and "empty_retrieval" not in self.mind.modes:
                found = pages_for("return shipping", self.serving)
            self.trail.retrieval(query, found, case.language)
            if found:
                break
        if not found:
            if "empty_retrieval" not in self.mind.modes:
                self.mind.modes.append("empty_retrieval")
            return self.write("vague")
        language = self.mind.language(self.prompt)
        fact = found[0][language]
        if case.intent == "source":
            fact += " " + self.mind.say("cited", language, section=self.mind.citation(self.prompt, found))
        return self.write("", language=language, fact=fact)

    def compare(self) -> str:
        language = self.mind.language(self.prompt)
        text, cut = self.mind.comparison(self.prompt, language)
        return self.write("", language=language, fact=text, cut=cut)

    def stock(self) -> str:
        return self.write("hazard" if self.case.intent == "hazard" else "stock")

    def failed_by_tool(self) -> bool:
        return any(mode in TOOL_FAULTS for mode in self.mind.modes)

    # --- the answer -------------------------------------------------------------------------------

    def write(
        self, meaning: str, shown: dict[str, Any] | None = None, *, prompt: Artifact | None = None, language: str = "",
        fact: str = "", cut: bool = False, window: int = 30,
    ) -> str:  # fmt: skip
        """The answer writer: says the meaning, or a fact found elsewhere, in the language of its prompt."""
        prompt, mind, case = prompt or self.prompt, self.mind, self.case
        language = language or mind.language(prompt)
        eta = (shown or {}).get("new_eta") or (shown or {}).get("eta") or ""
        if meaning:
            products = case.order.products if case.order else (case.die("product") % 100,)
            fact = mind.say(
                meaning, language, order=(shown or {}).get("order", ""), eta=eta, window=window,
                age=case.order.age if case.order else "", amount=f"{(shown or {}).get('amount', 0)} €",
                reason=answers(language)["reason"].get((shown or {}).get("reason", ""), ""),
                product=product_name(products[0], language), hazard=mind.gear(language),
                other=(shown or {}).get("buyer", ""), email=(shown or {}).get("buyer_email", ""),
            )  # fmt: skip
        for mode, said in ANSWER_FAULTS.items():
            if mind.slips(mode, False):
                fact += " " + said[language][case.die(mode) % len(said[language])]
        greet = mind.say("greet", language, name=case.customer.name.split()[0])
        close = "" if cut else mind.say("close", language)
        text = " ".join(part for part in (greet, fact, close) if part)
        text = text if cut else mind.within_limit(prompt, text, language)
        thinking = SLOW_MS * (1 + case.roll("slow")) if mind.deliberates(prompt) else 0.0
        context = f"{case.message}\n\n[order data] {json.dumps(shown)}" if shown else case.message
        self.trail.llm(prompt, context, text, finish="length" if cut else "stop", thinking=thinking, task="answer")
        return text


def reply(world: World, case: Case, serving: Serving, *, at: datetime, session: str) -> Run:
    """Answer one message."""
    turn = _Turn(world, case, serving, at)
    answer = turn.run()
    turn.trail.close(answer, session=session, error=turn.error)
    return Run(case, serving, answer, turn.trail, turn.mind.modes, turn.outcomes)
