"""Taking a parsed request in: the project's rules, then its spans and signals, in that order.

One place that every protocol's view and the import command call.
"""

import json
from datetime import UTC, datetime

from issues import intake, rollouts, signals
from issues.models import IntakeRules
from issues.models.rules import default_kinds
from issues.record import Parsed
from issues.redact import Redactor
from reviewer import prepared

_known: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], Redactor] = {}


def rules_of(project_id: int) -> IntakeRules:
    """The project's rules, or the defaults."""
    return IntakeRules.objects.filter(project_id=project_id).first() or IntakeRules(project_id=project_id)


def redactor_of(project_id: int) -> Redactor:
    """The masks that hold for a project now: its rules are read for every request."""
    found = prepared.fetch_one(_MASKS, [project_id])
    return _redactor(found[0], json.loads(found[1])) if found else _redactor(default_kinds(), [])


_MASKS = "SELECT masked_kinds, patterns::text FROM issues_intakerules WHERE project_id = %s"


def redactor_for(rules: IntakeRules) -> Redactor:
    """The compiled masks of these rules."""
    return _redactor(rules.masked_kinds, rules.patterns)


def _redactor(kinds: list[str], own: list[dict[str, str]]) -> Redactor:
    """Compiled once a process for each set of rules."""
    patterns = tuple((item["name"], item["pattern"]) for item in own)
    key = (tuple(sorted(kinds)), patterns)
    if key not in _known:
        if len(_known) > 200:
            _known.clear()
        _known[key] = Redactor(set(key[0]), list(patterns))
    return _known[key]


def receive(project_id: int, parsed: Parsed, *, now: datetime | None = None) -> None:
    """Store everything a request held. Returns when it is committed."""
    moment = now or datetime.now(UTC)
    mask = redactor_of(project_id).text
    if parsed.spans:
        intake.store_spans(project_id, parsed.spans, mask=mask, now=moment)
    if parsed.signals:
        signals.store_signals(project_id, parsed.signals, mask=mask, now=moment)
    if parsed.rollouts:
        rollouts.store_rollouts(project_id, parsed.rollouts, now=moment)
