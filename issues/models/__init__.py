"""The records of finding: telemetry, and what is found in it."""

from issues.models.rules import IntakeRules
from issues.models.telemetry import Import, Pending, Rollout, Signal, SignalName, Span, Trace

__all__ = ["Import", "IntakeRules", "Pending", "Rollout", "Signal", "SignalName", "Span", "Trace"]
