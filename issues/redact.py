"""Mask secrets and personal data before anything is written.

A mask such as `[redacted:openai_key]` keeps the kind and the place, so that a leak can still be detected. It is applied
to the JSON text of a span's body as well as to plain text, so no built-in pattern may touch a quote or half of an
escape: each starts after a whole escape (`\\n`, `\\u0007`) and takes only characters that JSON never escapes. Own
patterns may match anything, so in JSON they are applied to the decoded strings. Linear time throughout (re2). Pure.
"""

import re
from collections.abc import Iterable
from typing import Any

import orjson
import re2  # type: ignore[import-untyped]

SECRETS = "secrets"
KINDS = (SECRETS, "email", "phone", "card")
LONGEST_PATTERN = 500

_LEFT = r"(?:^|\\u[0-9a-fA-F]{4}|\\[nrtbf]|[^A-Za-z0-9])"
_GAP = r"""(?:\\*["']|[\s:=]){1,12}"""
_KEY_LINE = r"-----(?:BEGIN|END)[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
_SECRETS: tuple[tuple[str, str], ...] = (
    ("anthropic_key", r"(?P<{}>sk-ant-[A-Za-z0-9_-]{{16,}})"),
    ("openrouter_key", r"(?P<{}>sk-or-[A-Za-z0-9_-]{{20,}})"),
    ("langfuse_key", r"(?P<{}>sk-lf-[A-Za-z0-9-]{{20,}})"),
    ("openai_key", r"(?P<{}>sk-[A-Za-z0-9_-]{{20,}})"),
    ("aws_access_key", r"(?P<{}>(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}})"),
    ("google_key", r"(?P<{}>AIza[A-Za-z0-9_-]{{30,}}|ya29\.[A-Za-z0-9_-]{{20,}}|GOCSPX-[A-Za-z0-9_-]{{20,}})"),
    ("github_token", r"(?P<{}>gh[pousr]_[A-Za-z0-9]{{20,}}|github_pat_[A-Za-z0-9_]{{20,}})"),
    ("gitlab_token", r"(?P<{}>gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{{20,}})"),
    ("slack_token", r"(?P<{}>xox[abeoprs]-[A-Za-z0-9-]{{10,}}|xapp-[A-Za-z0-9-]{{20,}})"),
    ("stripe_key", r"(?P<{}>[sr]k_(?:live|test)_[A-Za-z0-9]{{16,}}|whsec_[A-Za-z0-9+/=]{{20,}})"),
    ("huggingface_token", r"(?P<{}>hf_[A-Za-z0-9]{{20,}})"),
    ("npm_token", r"(?P<{}>npm_[A-Za-z0-9]{{30,}})"),
    ("pypi_token", r"(?P<{}>pypi-AgE[A-Za-z0-9_-]{{30,}})"),
    ("langsmith_key", r"(?P<{}>lsv2_[a-z]{{2}}_[A-Za-z0-9_]{{20,}})"),
    ("groq_key", r"(?P<{}>gsk_[A-Za-z0-9]{{20,}})"),
    ("xai_key", r"(?P<{}>xai-[A-Za-z0-9]{{30,}})"),
    ("replicate_token", r"(?P<{}>r8_[A-Za-z0-9]{{30,}})"),
    ("sendgrid_key", r"(?P<{}>SG\.[A-Za-z0-9_-]{{16,}}\.[A-Za-z0-9_-]{{16,}})"),
    ("jwt", r"(?P<{}>eyJ[A-Za-z0-9_-]{{8,}}\.eyJ[A-Za-z0-9_-]{{8,}}\.[A-Za-z0-9_-]*)"),
    ("bearer_token", r"(?i:bearer)(?:\s|%20)+(?P<{}>[A-Za-z0-9._~+/=-]{{20,}})"),
    ("azure_key", r"(?:(?:Account|SharedAccess)Key=)(?P<{}>[A-Za-z0-9+/]{{30,}}=*)"),
    ("aws_secret_key", r"(?i:aws_?secret(?:_?access)?_?key)" + _GAP.replace("{", "{{").replace("}", "}}")
        + r"(?P<{}>[A-Za-z0-9/+]{{40}})"),
    ("api_key", r"(?i:api[-_]?key|subscription-key)" + _GAP.replace("{", "{{").replace("}", "}}")
        + r"(?P<{}>[A-Za-z0-9]{{32,90}})"),
    ("url_password", r"[a-z][a-z0-9+]{{1,20}}://[A-Za-z0-9._%~-]*:(?P<{}>[A-Za-z0-9._%~!$&*+=-]{{3,}})@"),
)  # fmt: skip
_PRIVATE_KEY = re2.compile(_KEY_LINE)
_KEY_BODY = re2.compile(r"(?:[A-Za-z0-9+/=:,. \t\r\n-]|\\+[nrt])*")
_PERSONAL = {
    "email": r"(?P<email>[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8})",
    "card": r"(?P<card>[2-6](?:[ -]?[0-9]){12,18})",
    "phone": r"(?P<phone>\+[0-9][0-9 ().-]{6,18}[0-9]|(?:\([0-9]{3}\) ?|[0-9]{3}[-. ])[0-9]{3}[-. ][0-9]{4})",
}
_CARD = re.compile(r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15,18}")

Counts = dict[str, int]


def check_pattern(pattern: str) -> str:
    """Why this pattern cannot be used, as a sentence; empty when it can."""
    if not pattern:
        return "A pattern is needed."
    if len(pattern) > LONGEST_PATTERN:
        return f"A pattern has at most {LONGEST_PATTERN} characters."
    try:
        compiled = re2.compile(pattern, _quiet())
    except re2.error as error:
        reason = error.args[0] if error.args else "it is not a regular expression"
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        return f"The pattern was refused: {reason}. Look-around and back-references are not available."
    if compiled.search("") is not None:
        return "The pattern matches empty text, so it would mask everything."
    return ""


def _quiet() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 32 << 20
    return options


def mask_name(name: str) -> str:
    """An own pattern's name as it stands in a mask: letters, digits and underscores."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40] or "pattern"


class Redactor:
    """One project's rules, compiled once and used for every span."""

    def __init__(self, kinds: Iterable[str], patterns: Iterable[tuple[str, str]] = ()) -> None:
        kinds = set(kinds)
        options = [pattern.format(name) for name, pattern in _SECRETS] if SECRETS in kinds else []
        options += [_PERSONAL[kind] for kind in ("email", "card", "phone") if kind in kinds]
        self._secrets = SECRETS in kinds
        whole = _LEFT + "(?:" + "|".join(options) + ")"
        self._built_in = re2.compile(whole, _quiet()) if options else None
        # Nearly every text holds nothing, and to find that out is a quarter faster without groups.
        self._any = re2.compile(re.sub(r"\?P<\w+>", "?:", whole), _quiet())
        self._names = {place: name for name, place in self._built_in.groupindex.items()} if self._built_in else {}
        usable = [(mask_name(name), pattern) for name, pattern in patterns if not check_pattern(pattern)]
        self._own = [(name, re2.compile(pattern, _quiet())) for name, pattern in usable]

    def text(self, text: str) -> tuple[str, Counts]:
        """The text with its masks, and how many of each kind there are."""
        counts: Counts = {}
        if self._own:
            text = self._mask_own(text, counts)
        if self._secrets and "PRIVATE KEY" in text:
            text = _mask_private_keys(text, counts)
        if self._built_in is not None and self._any.search(text.encode("utf-8", "replace")) is not None:
            text = self._mask_built_in(text, counts)
        return text, counts

    def _mask_built_in(self, text: str, counts: Counts) -> str:
        assert self._built_in is not None  # noqa: S101 - only called with patterns
        made: list[str] = []
        done = 0
        state = _Quotes(text)
        for match in self._built_in.finditer(text):
            place = match.lastindex
            kind = self._names[place]
            start, end = match.span(place)
            if state.splits_escape(start) or not _is_meant(kind, text[start:end], text[end : end + 1]):
                continue
            mask = f"[redacted:{kind}]"
            if kind == "card" and state.is_bare(start):
                if text[start - 1] in "-." or text[end : end + 1] in {".", "e", "E"}:
                    continue  # part of another number
                mask = f'"{mask}"'
            made += (text[done:start], mask)
            done = end
            counts[kind] = counts.get(kind, 0) + 1
        made.append(text[done:])
        return "".join(made)

    def _mask_own(self, text: str, counts: Counts) -> str:
        if text[:1] in {"{", "["}:
            try:
                value = orjson.loads(text)
            except orjson.JSONDecodeError:
                return self._mask_plain(text, counts)
            before = sum(counts.values())
            value = self._walk(value, counts)
            return orjson.dumps(value).decode() if sum(counts.values()) != before else text
        return self._mask_plain(text, counts)

    def _walk(self, value: Any, counts: Counts) -> Any:
        if isinstance(value, str):
            return self._mask_plain(value, counts)
        if isinstance(value, dict):
            return {key: self._walk(item, counts) for key, item in value.items()}
        if isinstance(value, list):
            return [self._walk(item, counts) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            shown = str(value)
            masked = self._mask_plain(shown, counts)
            return value if masked == shown else masked
        return value

    def _mask_plain(self, text: str, counts: Counts) -> str:
        for name, pattern in self._own:
            if pattern.search(text) is None:
                continue
            made: list[str] = []
            done = 0
            for match in pattern.finditer(text):
                start, end = match.span()
                if start == end:
                    continue
                made += (text[done:start], f"[redacted:{name}]")
                done = end
                counts[name] = counts.get(name, 0) + 1
            made.append(text[done:])
            text = "".join(made)
        return text


def _mask_private_keys(text: str, counts: Counts) -> str:
    """From each BEGIN line to its END line, or, where that was clipped away, to the end of what looks like a key."""
    lines = [match.span() for match in _PRIVATE_KEY.finditer(text)]
    made: list[str] = []
    done = 0
    for place, (start, end) in enumerate(lines):
        if start < done or not text.startswith("-----BEGIN", start):
            continue
        following = lines[place + 1] if place + 1 < len(lines) else (len(text), len(text))
        body = _KEY_BODY.match(text[end : following[0]])
        stop = end + (body.end() if body is not None else 0)
        if stop == following[0] and text.startswith("-----END", stop):
            stop = following[1]
        made += (text[done:start], "[redacted:private_key]")
        done = stop
        counts["private_key"] = counts.get("private_key", 0) + 1
    made.append(text[done:])
    return "".join(made)


def _is_meant(kind: str, found: str, after: str) -> bool:
    """The second look that a regular expression cannot take."""
    if kind == "card":
        digits = re.sub(r"[ -]", "", found)
        return not after.isdigit() and _CARD.fullmatch(digits) is not None and luhn(digits)
    if kind == "phone":
        return not after.isdigit() and 8 <= sum(map(str.isdigit, found)) <= 15
    if kind == "bearer_token" or kind == "openai_key":
        return any(map(str.isdigit, found))
    return True


def luhn(digits: str) -> bool:
    """Whether the check digit of a card number is right."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


class _Quotes:
    """Where strings and escapes are in a text that may be JSON."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.json = text[:1] in {"{", "["}
        self.place = 0
        self.inside = False

    def splits_escape(self, place: int) -> bool:
        """Whether what starts here is the second half of an escape: `\\n@x.y` is a new line and no address."""
        if not self.json or self.text[place - 1 : place] != "\\" or self.text[place] not in "nrtbfu":
            return False
        return self._slashes(place) % 2 == 1

    def _slashes(self, place: int) -> int:
        """How many backslashes stand directly before."""
        first = place
        while first > 0 and self.text[first - 1] == "\\":
            first -= 1
        return place - first

    def is_bare(self, place: int) -> bool:
        """Whether a mask here needs quotes of its own. Asked in order, so that all asking together is linear."""
        if not self.json:
            return False
        while True:
            quote = self.text.find('"', self.place, place)
            if quote < 0:
                return not self.inside
            if not self.inside or self._slashes(quote) % 2 == 0:
                self.inside = not self.inside
            self.place = quote + 1
