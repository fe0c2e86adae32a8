"""The interface's tags, loaded in every template: icons, people, times, forms, navigation, charts, diffs.

A tag computes, its template in `templates/components/` draws; nothing here reads the database.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect, Select, Textarea
from django.http import HttpRequest
from django.template import Context
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from reviewer import charts
from reviewer.diff import compare
from reviewer.icons import ICONS

register = template.Library()


# --- small marks ----------------------------------------------------------------------------------


@register.simple_tag
def icon(name: str) -> SafeString:
    """A drawn icon, hidden from screen readers: the words beside it say what it means."""
    shape = mark_safe(ICONS[name])  # noqa: S308
    return format_html('<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">{}</svg>', shape)


@register.simple_tag
def badge(text: object, tone: str = "mute", shape: str = "") -> SafeString:
    """A state in a word; shape is `dot` for states, `line` for neutral facts."""
    return format_html('<span class="badge t-{} {}">{}</span>', tone, shape, text)


@register.simple_tag
def avatar(person: Any) -> SafeString:
    """Initials in the person's own tint; the name is there for screen readers and on hover."""
    if person is None:
        return mark_safe('<span class="avatar" role="img" aria-label="Nobody" title="Nobody">–</span>')
    return format_html(
        '<span class="avatar who{}" role="img" aria-label="{}" title="{}">{}</span>',
        person.tint,
        person,
        person,
        person.initials,
    )


@register.simple_tag
def when(moment: datetime | None, never: str = "never") -> SafeString:
    """A time as people say it, exact on hover: today 14:06, 12 Nov 14:06, 12 Nov 2024."""
    if moment is None:
        return format_html('<span class="mute">{}</span>', never)
    local, now = timezone.localtime(moment), timezone.localtime()
    # strftime, not date_format: a list shows hundreds of these, and this is twenty times as fast.
    if local.date() == now.date():
        short = local.strftime("today %H:%M")
    elif abs((now - local).days) < 300:
        short = local.strftime("%-d %b %H:%M")
    else:
        short = local.strftime("%-d %b %Y")
    exact = local.strftime("%A %-d %B %Y, %H:%M:%S %Z")
    return format_html('<time class="nowrap" datetime="{}" title="{}">{}</time>', local.isoformat(), exact, short)


@register.simple_tag
def day(moment: datetime | None, never: str = "–") -> SafeString:
    """The date alone, for columns where the hour does not matter."""
    if moment is None:
        return format_html('<span class="mute">{}</span>', never)
    local = timezone.localtime(moment)
    return format_html(
        '<time class="nowrap" datetime="{}">{}</time>',
        local.date().isoformat(),
        date_format(local, "j M Y"),
    )


# --- forms ----------------------------------------------------------------------------------------


@register.inclusion_tag("components/field.html")
def field(bound: BoundField, label: str = "", hint: str = "", vh: bool = False) -> dict[str, Any]:
    """One labelled control: help and errors are tied to it, its box follows the widget."""
    widget = bound.field.widget
    many = isinstance(widget, CheckboxSelectMultiple | RadioSelect)
    help_text = hint or bound.help_text
    ids = ([f"{bound.auto_id}_help"] if help_text else []) + ([f"{bound.auto_id}_error"] if bound.errors else [])
    attrs: dict[str, str | bool] = {"class": _box(widget)}
    if ids and not many:
        attrs["aria-describedby"] = " ".join(ids)
    return {
        "bound": bound,
        "label": label or bound.label,
        "help": help_text,
        "control": "" if many else bound.as_widget(attrs=attrs),
        "kind": "many" if many else "check" if isinstance(widget, CheckboxInput) else "one",
        "described_by": " ".join(ids),
        "optional": not bound.field.required and not isinstance(widget, CheckboxInput) and not many,
        "vh": vh,
    }


def _box(widget: Any) -> str:
    if isinstance(widget, CheckboxInput):
        return "tick"
    given = widget.attrs.get("class", "")
    box = "input area" if isinstance(widget, Textarea) else "select" if isinstance(widget, Select) else "input"
    return f"{box} {given}".strip()


# --- navigation -----------------------------------------------------------------------------------


@register.inclusion_tag("components/nav_link.html", takes_context=True)
def nav_link(
    context: Context, view: str, label: str, icon: str = "", exact: bool = False, count: int | None = None
) -> dict[str, Any]:
    """A link in the rail or in tabs, shown when this person's role may open the page behind it.

    The page's own decorator (`in_project`) says which ability it needs, so the rule lives in one place.
    """
    project = context.get("project")
    url = reverse(view, args=[project.slug] if project else [])
    ability = getattr(resolve(url).func, "ability", None)
    request: HttpRequest | None = context.get("request")
    path = request.path if request else ""
    return {
        "shown": ability is None or bool((context.get("can") or {}).get(ability)),
        "url": url,
        "label": label,
        "icon": icon,
        "count": count,
        "here": path == url or (not exact and path.startswith(url + "/")),
    }


# --- pictures -------------------------------------------------------------------------------------


@register.inclusion_tag("components/sparkline.html")
def sparkline(values: Sequence[float], label: str, tone: str = "bad") -> dict[str, Any]:
    """A trend the size of a word. The label tells the finding."""
    return {"spark": charts.spark(values), "label": label, "tone": tone}


@register.inclusion_tag("components/bars.html")
def bars(
    values: Sequence[float],
    label: str,
    pins: Iterable[tuple[int, str]] = (),
    start: str = "",
    middle: str = "",
    end: str = "",
    tone: str = "bad",
) -> dict[str, Any]:
    """Counts over time with pins at what happened; `pins` are (index of the bar, text)."""
    drawn = charts.bars(values, pins)
    return {"drawn": drawn, "label": label, "start": start, "middle": middle, "end": end, "tone": tone}


@register.inclusion_tag("components/interval.html")
def interval(
    value: float, low: float, high: float, label: str, least: float = 0.0, most: float = 1.0, tone: str = "info"
) -> dict[str, Any]:
    """A value with its range on a common scale from `least` to `most`."""
    return {"at": charts.interval(value, low, high, least, most), "label": label, "tone": tone}


@register.inclusion_tag("components/contrast.html")
def contrast(rows: Iterable[charts.Contrast], caption: str) -> dict[str, Any]:
    """Shares in failing and in healthy conversations, one pair of bars a fact, with ranges."""
    return {"rows": [charts.contrast(row) for row in rows], "caption": caption}


@register.inclusion_tag("components/diff.html")
def diff(old: str, new: str, side: bool = False, label: str = "Changes") -> dict[str, Any]:
    """Word-level changes between two texts, inline or side by side; equal runs are folded."""
    return {"rows": compare(old, new), "side": side, "label": label}


@register.filter
def percent(share: float | None, digits: int = 0) -> str:
    """0.0793 as 7.9%; nothing as a dash."""
    return "–" if share is None else f"{share * 100:.{digits}f}%"
