"""The "model" of the demo: no model at all, but a seeded simulator that follows the text it is given.

It is labelled `simulated` wherever it shows. What it does well or badly follows from the prompt, the tool definition
and the guardrail of the run, read by `rules`: a rule that is missing makes it careless in that matter, a rule that is
there makes it careful. How often carelessness leads to a failure is in `modes`; whether it does so for this case is
the case's own luck, the same for every version, so that two versions can be compared case by case. Nothing here is
random beyond that.
"""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from reviewer.demo import rules, wording
from reviewer.demo.artifacts import Artifact, handbook
from reviewer.demo.case import Case, Serving
from reviewer.demo.modes import MODES
from reviewer.demo.shop import PRODUCTS, World, hazard_name, product_name

MOST_CALLS = 8
TOKENS_A_WORD = 1.45
FEWEST_WORDS = 9


@dataclass
class Mind:
    """The simulator during one run; `modes` collects what went wrong and why is known to nobody else."""

    case: Case
    serving: Serving
    world: World
    modes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.facts = self.serving.facts(self.case)

    def slips(self, mode: str, careless: bool, share: float = 1.0) -> bool:
        """Whether this run fails in this matter."""
        planted = MODES.get(mode)
        often = self.serving.rates.get(mode, planted.often if planted else 0.0) * share
        struck = careless and self.case.roll(mode) < often
        struck = struck or any(one.mode == mode and one.strikes(self.case, self.facts) for one in self.serving.faults)
        if struck and mode not in self.modes:
            self.modes.append(mode)
        return struck

    def breaks(self, effect: str) -> None:
        """Something a wrong edit broke."""
        self.modes.append(effect)

    def say(self, meaning: str, language: str, **values: object) -> str:
        rng = random.Random(self.case.die(meaning))  # noqa: S311 - wording, not a secret
        return wording.say(rng, meaning, language, **values)

    # --- routing and tools ------------------------------------------------------------------------

    def route(self, router: Artifact) -> str:
        """The one word of the router."""
        if self.case.intent != "person":
            return "policy" if self.case.intent == "harm" else self.case.intent
        return "policy" if self.slips("no_handover", not rules.hands_over(router.text)) else "handover"

    def order_argument(self, tool: Artifact) -> dict[str, str]:
        """What the order lookup is called with."""
        order = self.case.order
        right = order.number if order else "".join(re.findall(r"FW-\d+", self.case.message)[:1]) or "unknown"
        properties = (tool.definition.get("parameters") or {}).get("properties") or {}
        name = next(iter(properties), "order_id")
        unclear = not rules.names_the_order(tool.definition) and not self.case.names_order and order is not None
        return {name: self.case.customer.number if self.slips("wrong_order_id", unclear) else right}

    def calls_again(self, plan: Artifact, status: str) -> int:
        """How many more times it asks about an order without a final status."""
        waiting = status == "pending_sync" and not rules.stops_repeating(plan.text)
        return MOST_CALLS - 1 if self.slips("tool_loop", waiting) else 0

    def query(self, writer: Artifact, page: str) -> list[str]:
        """The handbook queries it writes: a second, broader one only if it was told so."""
        words = re.findall(r"[^\W\d_]{4,}", self.case.message.lower())
        topic = {"warranty": {"en": "warranty", "de": "garantie", "es": "garantía"}}.get(page, {})
        first = " ".join(dict.fromkeys([*([topic[self.case.language]] if topic else []), *words][:6]))
        second = "guarantee repair terms" if page == "warranty" else "general terms"
        return [first, second] if rules.broadens_search(writer.text) else [first]

    # --- answers ----------------------------------------------------------------------------------

    def language(self, prompt: Artifact) -> str:
        """The language it answers in."""
        asked, served = self.case.language, rules.languages_served(prompt.text)
        if asked in served:
            return "en" if asked != "en" and self.slips("wrong_language", False) else asked
        fixed = next(iter(served)) if len(served) == 1 and "en" not in served else "en"
        share = 1.0 if len(served) > 1 or "en" in served else 9.0
        return fixed if self.slips("wrong_language", True, share) else asked

    def deliberates(self, prompt: Artifact) -> bool:
        slow = self.serving.model in self.serving.slow_models
        return self.slips("slow_model", slow and not rules.answers_directly(prompt.text))

    def delay(self, prompt: Artifact) -> str:
        """Whether an exception is told as `delayed` or as `lost`."""
        reading = rules.lost_reading(prompt.text)
        share = {"lost": 1.0, "guess": 0.6, "reason": 0.0}[reading]
        return "lost" if self.slips("lost_not_delayed", reading != "reason", share) else "delayed"

    def refund(self, prompt: Artifact) -> tuple[bool, int]:
        """Whether money is promised, and the window it believes in."""
        order, window = self.case.order, rules.refund_window(prompt.text)
        age = order.age if order else 0
        if age > 30:
            return self.slips("refund_window", window is None or age <= window), 30 if window is None else window
        if window is not None and age > window:
            self.breaks("fair_refund_denied")
            return False, window
        return True, window or 30

    def tells_sender(self, prompt: Artifact) -> bool:
        return self.slips("leaked_email", not rules.keeps_private(prompt.text))

    def citation(self, prompt: Artifact, found: Sequence[dict[str, str]]) -> str:
        """The section it names: one that was found, or one it makes up."""
        if self.slips("invented_citation", not rules.cites_only_found(prompt.text)):
            titles = {
                "en": ["Customer promise, part 4", "General terms 7.2", "Fair play clause", "Service charter, page 12"],
                "de": [
                    "Kundenversprechen, Teil 4",
                    "Allgemeine Regeln 7.2",
                    "Kulanzregel B",
                    "Servicecharta, Seite 12",
                ],
                "es": ["Compromiso, parte 4", "Condiciones generales 7.2", "Cláusula de confianza", "Carta, página 12"],
            }[self.case.language]
            return titles[self.case.die("title") % len(titles)]
        return found[0]["title"] if found else ""

    def form(self, prompt: Artifact) -> str:
        """The return form, as JSON or as chatter around it."""
        order = self.case.order
        names = [product_name(place, "en") for place in (order.products if order else (0,))]
        reasons = ("size", "damaged", "colour", "late", "missing_part", "changed_mind", "other")
        reason = reasons[self.case.die("reason") % len(reasons)]
        filled = {"order": order.number if order else None, "items": names[:1], "reason": reason, "pickup": False}
        text = json.dumps(filled)
        chatty = self.serving.model in self.serving.chatty_models and not rules.only_json(prompt.text)
        if not self.slips("broken_json", chatty):
            return text
        lead = (
            "Sure, here is the return form:",
            "I filled this in for you.",
            "Of course! The form you asked for:",
            "Here you go, please check it.",
            "The return is registered as follows:",
        )
        tail = ("Let me know if anything is missing.", "Anything else?", "Have a good day.", "The label follows.")
        at = self.case.die("chatter")
        body = text.replace('"', "'") if at % 3 == 0 else f"```json\n{text}\n```" if at % 3 == 1 else text[:-1]
        return f"{lead[at % len(lead)]}\n{body}\n{tail[at // 7 % len(tail)]}"

    def comparison(self, prompt: Artifact, language: str) -> tuple[str, bool]:
        """A comparison of three products, and whether it ran past the limit of tokens."""
        limit = rules.word_limit(prompt.text)
        room = int(prompt.settings.get("max_tokens") or 320)
        places = [self.case.die(f"product {step}") % PRODUCTS for step in range(3)]
        names = [product_name(place, language) for place in places]
        short = self.say("compare_short", language, product=names[0], product2=names[1], product3=names[2])
        if (limit is not None and limit * TOKENS_A_WORD <= room) or not self.slips("cut_off", True):
            return short, False
        words = wording.answers(language)["words"]
        rows = [self.say("compare_lead", language)]
        for step, (place, name) in enumerate([*zip(places, names, strict=True)] * 3):
            sizes = {letter: 80 + place % 9 + 4 * rung for rung, letter in enumerate("abcdef")}
            rng = random.Random(self.case.die(f"row {step}"))  # noqa: S311
            rows.append(
                wording.say(
                    rng,
                    "compare_row",
                    language,
                    product=name,
                    grams=180 + place * 7,
                    material=rng.choice(words["material"]),
                    sizes="XS-XXL",
                    price=f"{49 + place},90 €",
                    use=rng.choice(words["use"]),
                    litres=1 + place % 8,
                    **sizes,
                )
            )
        full = " ".join(rows)
        most = int(room / TOKENS_A_WORD)
        if len(full.split()) <= most:
            self.modes.remove("cut_off")
            return full, False
        return " ".join(full.split()[:most]), True

    def within_limit(self, prompt: Artifact, text: str, language: str) -> str:
        """A limit that leaves no room for the fact makes an answer of no use."""
        limit = rules.word_limit(prompt.text)
        if limit is None or limit >= FEWEST_WORDS:
            return text
        self.breaks("too_short")
        return self.say("short", language, order=self.case.order.number if self.case.order else "")

    def gear(self, language: str) -> str:
        for place in range(8):
            if hazard_name(place, self.case.language).lower() in self.case.message.lower():
                return hazard_name(place, language)
        return hazard_name(0, language)


def pages_for(query: str, serving: Serving) -> list[dict[str, str]]:
    """The handbook search: pages that share a word with the query, best first."""
    words = set(re.findall(r"[^\W\d_]+", query.lower()))
    scored = []
    for page in handbook():
        renamed = page["id"] in serving.renamed
        known = set((page["renamed_words"] if renamed else page["words"]).split())
        shared = len(words & known)
        if shared:
            title = page["renamed"] if renamed else page["title"]
            scored.append((shared, {**page, "title": title}))
    scored.sort(key=lambda pair: -pair[0])
    return [page for _, page in scored[:3]]
