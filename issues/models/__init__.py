"""The records of finding: telemetry, and what is found in it."""

from issues.models.rules import IntakeRules
from issues.models.telemetry import Pending, Rollout, Signal, SignalName, Span, Trace

__all__ = ["IntakeRules", "Pending", "Rollout", "Signal", "SignalName", "Span", "Trace"]
