"""How telemetry is written on a page: durations, money, long texts, JSON, marks of what was cut or masked."""

import json
import re
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from issues.reading.over_time import Slot

register = template.Library()

SHORT = 700
"""Characters of a text that are shown before the fold."""
LONGEST = 40_000
"""Characters of one text that a page carries; the whole is a link away."""
MOST_ENTRIES = 200
DEEPEST = 12
_MARKS = re.compile(
    r"… \[clipped by Whetstone: [\d,]+ characters\]|\[redacted:[a-z0-9_]+\]"
    r"|… \[deeper levels left out by Whetstone\]"
)


@register.filter
def took(seconds: float | None) -> str:
    """640 ms, 4.82 s, 2 min 5 s, 3 h 10 min."""
    if seconds is None:
        return "–"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.3g} s" if seconds >= 10 else f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60:,} h {minutes % 60} min"


@register.filter
def money(cost: float | None) -> str:
    """$0.0041, $0.35, $12.40: as many digits as tell something."""
    if cost is None:
        return "–"
    if cost == 0:
        return "$0"
    return f"${cost:,.2f}" if abs(cost) >= 0.1 else f"${cost:.2g}" if abs(cost) >= 0.0001 else "<$0.0001"


@register.simple_tag
def exactly(moment: datetime | None) -> SafeString:
    """A moment to the second, with its day: where things stand in order."""
    if moment is None:
        return mark_safe('<span class="mute">no time was told</span>')
    local = timezone.localtime(moment)
    return format_html(
        '<time class="nowrap" datetime="{}">{}</time>', local.isoformat(), date_format(local, "D j M Y, H:i:s")
    )


@register.filter
def clock(moment: datetime | None) -> str:
    return date_format(timezone.localtime(moment), "H:i:s") if moment else ""


@register.filter
def bar(slot: Slot) -> SafeString:
    """One bar of the chart over time: a link to its traces. In one piece, because there are sixty."""
    failed = ""
    if slot.failed:
        failed = format_html(
            '<rect class="f-bad" x="{}%" width="{}%" y="{}" height="{}" rx="1"/>',
            slot.x, slot.width, slot.failed_y, slot.failed_height,
        )  # fmt: skip
    return format_html(
        '<a href="{}" tabindex="-1" aria-label="{}"><title>{}</title>'
        '<rect class="hit" x="{x}%" width="{width}%" y="0" height="57"/>'
        '<rect class="bar" x="{x}%" width="{width}%" y="{}" height="{}" rx="1"/>{}</a>',
        slot.query, label := slot.label, label, slot.y, slot.height,
        failed, x=slot.x, width=slot.width,
    )  # fmt: skip


# --- texts ----------------------------------------------------------------------------------------


def marked(text: str) -> SafeString:
    """The text, with what was clipped or masked made visible."""
    parts, done = [], 0
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark.startswith("[redacted:"):
            shown = format_html('<span class="mask" title="Masked before it was stored">{}</span>', mark[10:-1])
        else:
            shown = format_html('<span class="clip">{}</span>', mark)
        parts += [escape(text[done : match.start()]), shown]
        done = match.end()
    parts.append(escape(text[done:]))
    return mark_safe("".join(parts))  # noqa: S308 - every part was escaped above


@register.filter
def marks(text: str) -> SafeString:
    """The text as it is, its marks made visible."""
    return marked(text)


@register.filter
def line(text: str) -> SafeString:
    """The beginning of a text on one line."""
    return marked(" ".join(text.split()))


@register.filter
def prose(text: str) -> SafeString:
    """A text as it was written; a long one opens on demand."""
    text = text.strip("\n")
    if len(text) <= SHORT * 1.4:
        return format_html('<div class="said">{}</div>', marked(text))
    cut = text.rfind(" ", SHORT - 80, SHORT)
    cut = cut if cut > 0 else SHORT
    return format_html(
        '<details class="long"><summary><span class="said">{}<span class="rest">… </span></span>'
        '<span class="more">Show all {} characters</span></summary><div class="said">{}</div></details>',
        marked(text[:cut]),
        f"{len(text):,}",
        _held(text[cut:]),
    )


def _held(text: str) -> SafeString:
    if len(text) <= LONGEST:
        return marked(text)
    left = format_html(
        '<span class="clip">… {} more characters: open the step as JSON</span>', f"{len(text) - LONGEST:,}"
    )
    return marked(text[:LONGEST]) + left


# --- JSON -----------------------------------------------------------------------------------------


@register.filter
def told(value: Any) -> SafeString:
    """Any JSON value, readable: texts as texts, small objects as they are, large ones folded by their keys."""
    if value is None or value == "":
        return mark_safe('<span class="mute">nothing</span>')
    if isinstance(value, str):
        return prose(value)
    return _json(value, 0)


def _json(value: Any, depth: int) -> SafeString:
    if isinstance(value, str):
        return prose(value)
    if not isinstance(value, dict | list) or not value:
        return format_html("<code>{}</code>", marked(json.dumps(value, ensure_ascii=False)))
    short = json.dumps(value, ensure_ascii=False)
    if len(short) <= 72:
        return format_html('<pre class="json">{}</pre>', marked(short))
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if (len(text) <= 600 and text.count("\n") <= 14 and "\\n" not in text) or depth >= DEEPEST:
        return format_html('<pre class="json">{}</pre>', _held(text))
    entries = list(value.items()) if isinstance(value, dict) else [(place, item) for place, item in enumerate(value, 1)]
    shown = format_html_join("", "<div><dt>{}</dt><dd>{}</dd></div>", (
        (name, _entry(item, depth + 1, len(entries))) for name, item in entries[:MOST_ENTRIES]
    ))  # fmt: skip
    left = len(entries) - MOST_ENTRIES
    more = format_html('<p class="clip">{} more: open the step as JSON</p>', f"{left:,}") if left > 0 else ""
    return format_html('<dl class="entries">{}</dl>{}', shown, more)


def _entry(item: Any, depth: int, siblings: int) -> SafeString:
    if isinstance(item, dict | list) and len(item) and (depth > 1 or siblings > 6):
        text = json.dumps(item, ensure_ascii=False)
        if len(text) > 120:
            count = f"{len(item)} {'entry' if len(item) == 1 else 'entries'}"
            return format_html(
                '<details><summary>{} <span class="mute">{}</span></summary>{}</details>',
                count,
                text[:60] + "…",
                _json(item, depth),
            )
    return _json(item, depth)
