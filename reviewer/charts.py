"""Geometry of our small charts: numbers in, SVG coordinates out.

Pure: imports neither Django nor Celery. Looks are in app.css, words in the templates. Coordinates are
text, ready for attributes: x in percent where text must not stretch, y in pixels.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

SPARK_WIDTH, SPARK_HEIGHT = 88, 24
PLOT_TOP, PLOT_FLOOR, ROW = 14.0, 70.0, 12.0


def _n(value: float) -> str:
    """A coordinate with one decimal and no needless zeros."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _clean(values: Iterable[float]) -> list[float]:
    return [float(v) if isfinite(v) else 0.0 for v in values]


@dataclass(frozen=True)
class Spark:
    """A word-sized trend: its line, the area below, and its last point."""

    line: str
    area: str
    last_x: str
    last_y: str
    width: int = SPARK_WIDTH
    height: int = SPARK_HEIGHT


def spark(values: Sequence[float]) -> Spark | None:
    """Scale from zero to the highest value, so that small stays small; None when there is nothing to draw."""
    points = _clean(values)
    if not points:
        return None
    if len(points) == 1:
        points = points * 2
    least, most = min(0.0, *points), max(0.0, *points)
    span = (most - least) or 1.0
    top, floor = 3.0, SPARK_HEIGHT - 3.0
    step = SPARK_WIDTH / (len(points) - 1)
    placed = [(i * step, floor - (v - least) / span * (floor - top)) for i, v in enumerate(points)]
    line = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in placed)
    base = SPARK_HEIGHT - 2
    area = f"{line}L{SPARK_WIDTH} {base}L0 {base}Z"
    return Spark(line, area, _n(placed[-1][0]), _n(placed[-1][1]))


@dataclass(frozen=True)
class Bar:
    """One bar; `old` when it stands before the first pin."""

    x: str
    y: str
    width: str
    height: str
    old: bool


@dataclass(frozen=True)
class Pin:
    """What happened at a bar: a dashed line and its text, written to the side that has room."""

    x: str
    text_x: str
    text_y: str
    anchor: str
    text: str


@dataclass(frozen=True)
class Bars:
    """Counts over time and the pins among them."""

    bars: list[Bar]
    pins: list[Pin]
    most: float


def bars(values: Sequence[float], pins: Iterable[tuple[int, str]] = ()) -> Bars:
    """Bars on a floor, a hair high even at zero so that a quiet time is visible as measured."""
    heights = [max(v, 0.0) for v in _clean(values)]
    most = max(heights, default=0.0)
    marks = sorted((min(max(at, 0), max(len(heights) - 1, 0)), text) for at, text in pins)
    first = marks[0][0] if marks else 0
    top = PLOT_TOP + (ROW if len(marks) > 2 else 0)
    step = 100 / max(len(heights), 1)
    gap = step * 0.22
    drawn = []
    for i, value in enumerate(heights):
        height = max((PLOT_FLOOR - top) * (value / most if most else 0.0), 0.8)
        old = bool(marks) and i < first
        drawn.append(Bar(_n(i * step + gap / 2), _n(PLOT_FLOOR - height), _n(step - gap), _n(height), old))
    return Bars(drawn, [_pin(at * step, text, order) for order, (at, text) in enumerate(marks)], most)


def _pin(at: float, text: str, order: int) -> Pin:
    """The first pin is named to its left, the next to its right; from the third on a second row is used."""
    left = at > 75 or (order % 2 == 0 and at > 15)
    x = at - 0.8 if left else at + 0.8
    return Pin(_n(at), _n(x), _n(9 + ROW * (order // 2 % 2)), "end" if left else "start", text)


@dataclass(frozen=True)
class Interval:
    """A value and its range in percent of the scale."""

    value: str
    low: str
    high: str
    width: str


def interval(value: float, low: float, high: float, least: float = 0.0, most: float = 1.0) -> Interval:
    """Place a range on a scale; what lies outside is drawn at the edge."""
    span = (most - least) or 1.0

    def place(v: float) -> float:
        return min(max((v - least) / span * 100, 0.0), 100.0)

    start, stop = sorted((place(low), place(high)))
    return Interval(_n(place(value)), _n(start), _n(stop), _n(stop - start))


@dataclass(frozen=True)
class Share:
    """A share between 0 and 1 with its range."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Contrast:
    """How often a fact appears among failing and among healthy conversations."""

    fact: str
    failing: Share
    healthy: Share
    clear: bool = True


@dataclass(frozen=True)
class ContrastRow:
    """A contrast, placed on the scale from 0 to 100%."""

    fact: str
    failing: Interval
    healthy: Interval
    failing_text: str
    healthy_text: str
    label: str
    clear: bool


def contrast(row: Contrast) -> ContrastRow:
    """Two bars on one scale, and the same in words for those who do not see them."""

    def say(name: str, share: Share) -> str:
        return f"{name} {share.value:.0%}, 95% range {share.low * 100:.0f} to {share.high * 100:.0f}."

    return ContrastRow(
        row.fact,
        interval(row.failing.value, row.failing.low, row.failing.high),
        interval(row.healthy.value, row.healthy.low, row.healthy.high),
        f"{row.failing.value:.0%}",
        f"{row.healthy.value:.0%}",
        say("Failing", row.failing) + " " + say("Healthy", row.healthy),
        row.clear,
    )
