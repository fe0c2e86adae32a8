"""Taking a parsed request in: the project's rules, then its spans and signals, in that order.

One place that every protocol's view and the import command call.
"""

from datetime import UTC, datetime

from issues import intake, rollouts, signals
from issues.models import IntakeRules
from issues.record import Parsed
from issues.redact import Redactor

_known: dict[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], Redactor] = {}


def rules_of(project_id: int) -> IntakeRules:
    """The project's rules, or the defaults."""
    return IntakeRules.objects.filter(project_id=project_id).first() or IntakeRules(project_id=project_id)


def redactor_for(rules: IntakeRules) -> Redactor:
    """The compiled masks of these rules; compiled once a process for each set of rules."""
    patterns = tuple((item["name"], item["pattern"]) for item in rules.patterns)
    key = (tuple(sorted(rules.masked_kinds)), patterns)
    if key not in _known:
        if len(_known) > 200:
            _known.clear()
        _known[key] = Redactor(set(key[0]), list(patterns))
    return _known[key]


def receive(project_id: int, parsed: Parsed, *, now: datetime | None = None) -> None:
    """Store everything a request held. Returns when it is committed."""
    moment = now or datetime.now(UTC)
    mask = redactor_for(rules_of(project_id)).text
    if parsed.spans:
        intake.store_spans(project_id, parsed.spans, mask=mask, now=moment)
    if parsed.signals:
        signals.store_signals(project_id, parsed.signals, mask=mask, now=moment)
    if parsed.rollouts:
        rollouts.store_rollouts(project_id, parsed.rollouts, now=moment)
