"""Judgements that travel inside telemetry: evaluation events, annotations and evaluations on spans.

Their ids are made from what they say and where, so that an export that is sent again brings the same signal.
"""

import hashlib
from datetime import datetime
from typing import Any

from issues.protocols.conventions.flat import Flat, tree
from issues.protocols.jsontext import amount, short
from issues.record import LONGEST_TEXT, SignalRecord, clean, clean_text

SOURCES = {"HUMAN": "user", "LLM": "evaluator", "CODE": "evaluator"}
HUGEST = 1e100
"""Scores from here on are a mistake; the database could not average their squares."""
_SUBJECTS = (("", ""), ("trace.", "trace"), ("session.", "session"))


def signal_id(*said: Any) -> str:
    return hashlib.blake2b("\x1f".join(map(str, said)).encode("utf-8", "replace"), digest_size=16).hexdigest()


def judged(score: Any, label: Any) -> float | bool | str | None:
    """The value of a judgement: its score if it has one, else its label."""
    if isinstance(score, bool):
        return score
    if isinstance(score, int | float):
        return float(score) if abs(score) < HUGEST else None  # False for NaN, too
    if isinstance(score, str) and score:
        number = amount(score.removeprefix("-"))
        if number is not None:
            return -number if score.startswith("-") else number
        return short(score)
    if label is None or label == "":
        return None
    return label if isinstance(label, bool) else short(label)


def from_evaluation(
    said: dict[str, Any], *, trace_id: str, span_id: str, time: datetime | None, place: Any = ""
) -> SignalRecord | None:
    """A `gen_ai.evaluation.result` event; None when it has no value or no name."""
    name = short(said.pop("gen_ai.evaluation.name", ""))
    score = said.pop("gen_ai.evaluation.score.value", None)
    label = said.pop("gen_ai.evaluation.score.label", None)
    value = judged(score, label)
    if not name or value is None:
        return None
    comment = clean_text(str(said.pop("gen_ai.evaluation.explanation", "") or ""), LONGEST_TEXT)
    if label is not None and score is not None:
        said["label"] = label
    return SignalRecord(
        name=name,
        value=value,
        trace_id=trace_id,
        span_id=span_id,
        comment=comment,
        source="evaluator",
        time=time,
        id=signal_id(trace_id, span_id, name, value, place),
        attributes=clean(said),
    )


def from_flat(flat: Flat, *, trace_id: str, span_id: str, session: str, time: datetime | None) -> list[SignalRecord]:
    """OpenInference annotations about the span, its trace or its session."""
    made = []
    for prefix, subject in _SUBJECTS:
        for family, noun in (("annotations", "annotation"), ("evaluations", "evaluation")):
            for place, item in enumerate(tree(flat, f"{prefix}{family}.")):
                said = item.get(noun) or item.get("annotation") or item
                if not isinstance(said, dict):
                    continue
                name = short(said.pop("name", ""))
                score, label = said.pop("score", None), said.pop("label", None)
                value = judged(score, label)
                if not name or value is None or (subject == "session" and not session):
                    continue
                by = str(said.pop("annotator_kind", "") or "").upper()
                comment = clean_text(str(said.pop("explanation", "") or ""))
                if label is not None and score is not None:
                    said["label"] = label
                made.append(
                    SignalRecord(
                        name=name,
                        value=value,
                        trace_id="" if subject == "session" else trace_id,
                        span_id="" if subject else span_id,
                        session=session if subject == "session" else "",
                        comment=comment,
                        source=SOURCES.get(by, "evaluator" if family == "evaluations" or by else "user"),
                        time=time,
                        id=signal_id(trace_id, span_id, subject, family, place, name),
                        attributes=clean(said),
                    )
                )
    return made
