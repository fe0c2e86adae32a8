"""Word-level changes between two texts, for people who decide on them.

Pure: imports neither Django nor Celery. Lines are aligned first; inside changed lines words are compared;
runs of equal lines are folded except for a little around each change.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

AROUND = 2
"""Equal lines kept on each side of a change."""
MOST_WORDS = 2_000
"""Beyond this, two lines are shown as replaced whole: comparing their words would take seconds."""
ALIKE = 0.3
"""Lines less alike than this are shown as one removed and one added: mixed words would be unreadable."""

LEAST_WORDS = 3
"""Fewer equal words than this between two changes are shown as part of the change."""

_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Part:
    """A stretch of text: `same`, `del` or `ins`."""

    kind: str
    text: str


@dataclass(frozen=True)
class Row:
    """A line, or a fold of equal lines.

    `kind` is `same`, `chg`, `add`, `del` or `fold`; numbers start at 1, None where the side has no line.
    """

    kind: str
    old_number: int | None = None
    new_number: int | None = None
    parts: list[Part] = field(default_factory=list)
    hidden: int = 0

    @property
    def old_parts(self) -> list[Part]:
        return [part for part in self.parts if part.kind != "ins"]

    @property
    def new_parts(self) -> list[Part]:
        return [part for part in self.parts if part.kind != "del"]

    @property
    def last_number(self) -> int | None:
        """Of a fold: the last hidden line, counted in the new text."""
        return None if self.new_number is None else self.new_number + self.hidden - 1


def compare(old: str, new: str, around: int = AROUND) -> list[Row]:
    """The rows of a diff of two texts, folded. Equal texts give one fold."""
    before, after = old.splitlines(), new.splitlines()
    rows: list[Row] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [
                Row("same", i + 1, j + 1, [Part("same", after[j])])
                for i, j in zip(range(i1, i2), range(j1, j2), strict=True)
            ]
        else:
            rows += _changed(before, after, range(i1, i2), range(j1, j2))
    return _fold(rows, around)


def words(old: str, new: str) -> list[Part]:
    """One line against another, word by word; changes a word or two apart are shown as one."""
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    if max(len(a), len(b)) > MOST_WORDS:
        return _merged([Part("del", old), Part("ins", new)])
    parts: list[Part] = []
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    for at, (tag, i1, i2, j1, j2) in enumerate(codes):
        gone, come = "".join(a[i1:i2]), "".join(b[j1:j2])
        if tag == "equal" and not (0 < at < len(codes) - 1 and _is_crumb(a[i1:i2])):
            parts.append(Part("same", gone))
        else:
            parts += [Part("del", gone), Part("ins", come)]
    return _merged(parts)


def _is_crumb(tokens: list[str]) -> bool:
    """So little in common between two changes that showing it apart would only break the sentence up."""
    return sum(token[0].isalnum() for token in tokens) < LEAST_WORDS


def _changed(before: list[str], after: list[str], old: range, new: range) -> Iterator[Row]:
    """A block of lines that differs: pair lines in order while they are alike, else remove and add."""
    removed, added = list(old), list(new)
    while removed and added:
        i, j = removed[0], added[0]
        if _alike(before[i], after[j]):
            yield Row("chg", i + 1, j + 1, words(before[i], after[j]))
            removed.pop(0)
            added.pop(0)
        elif len(removed) >= len(added):
            yield _gone(before, removed.pop(0))
        else:
            yield _come(after, added.pop(0))
    for i in removed:
        yield _gone(before, i)
    for j in added:
        yield _come(after, j)


def _gone(before: list[str], i: int) -> Row:
    return Row("del", i + 1, None, [Part("del", before[i])])


def _come(after: list[str], j: int) -> Row:
    return Row("add", None, j + 1, [Part("ins", after[j])])


def _alike(old: str, new: str) -> bool:
    a, b = _WORDS.findall(old), _WORDS.findall(new)
    if max(len(a), len(b)) > MOST_WORDS:
        return True
    match = SequenceMatcher(None, [w for w in a if not w.isspace()], [w for w in b if not w.isspace()], autojunk=False)
    return match.real_quick_ratio() >= ALIKE and match.ratio() >= ALIKE


def _merged(parts: list[Part]) -> list[Part]:
    """Neighbours joined: between two equal stretches at most one removal, then one addition."""
    out: list[Part] = []
    gone = come = ""
    for part in [*parts, Part("same", "")]:
        if part.kind == "del":
            gone += part.text
        elif part.kind == "ins":
            come += part.text
        else:
            out += [p for p in (Part("del", gone), Part("ins", come)) if p.text]
            gone = come = ""
            if part.text:
                out.append(part)
    return out


def _fold(rows: list[Row], around: int) -> list[Row]:
    """Hide equal lines farther than `around` from any change; a fold of one line is not worth it."""
    near = [False] * len(rows)
    for at, row in enumerate(rows):
        if row.kind != "same":
            for k in range(max(at - around, 0), min(at + around + 1, len(rows))):
                near[k] = True
    out: list[Row] = []
    at = 0
    while at < len(rows):
        if near[at]:
            out.append(rows[at])
            at += 1
            continue
        end = at
        while end < len(rows) and not near[end]:
            end += 1
        hidden = rows[at:end]
        if len(hidden) > 1:
            out.append(Row("fold", hidden[0].old_number, hidden[0].new_number, hidden=len(hidden)))
        else:
            out += hidden
        at = end
    return out
