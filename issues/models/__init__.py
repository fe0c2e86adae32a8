"""The records of finding: telemetry, and what is found in it."""

from issues.models.detector import Backfill, Detector
from issues.models.issue import Cause, Edge, Embedding, Facts, Failure, Issue, Link, Proposal, Signature
from issues.models.rules import IntakeRules
from issues.models.telemetry import Import, Pending, Rollout, Signal, SignalName, Span, Trace

__all__ = [
    "Backfill",
    "Cause",
    "Detector",
    "Edge",
    "Embedding",
    "Facts",
    "Failure",
    "Import",
    "IntakeRules",
    "Issue",
    "Link",
    "Pending",
    "Proposal",
    "Rollout",
    "Signal",
    "SignalName",
    "Signature",
    "Span",
    "Trace",
]
