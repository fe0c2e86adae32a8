"""Geometry of the small charts, and what they say when there is nothing to draw."""

import math

import pytest
from django.template import Context, Template

from reviewer.charts import PLOT_FLOOR, Contrast, Share, bars, contrast, interval, spark


def test_a_sparkline_starts_left_and_ends_right():
    drawn = spark([0, 5, 10])
    assert drawn is not None
    assert drawn.line == "M0 21L44 12L88 3"
    assert (drawn.last_x, drawn.last_y) == ("88", "3")


def test_a_sparkline_of_zeros_lies_on_the_floor():
    drawn = spark([0, 0, 0])
    assert drawn is not None
    assert drawn.line == "M0 21L44 21L88 21"


def test_one_value_is_a_flat_line_and_none_is_no_line():
    one = spark([7])
    assert one is not None
    assert one.line == "M0 3L88 3"
    assert spark([]) is None


def test_values_that_are_no_numbers_do_not_break_a_chart():
    assert spark([1, math.nan, math.inf]) is not None
    assert len(bars([math.nan, 2]).bars) == 2


def test_bars_stand_on_the_floor_and_quiet_times_are_visible():
    drawn = bars([0, 4, 8])
    assert [float(bar.y) + float(bar.height) for bar in drawn.bars] == pytest.approx([PLOT_FLOOR] * 3, abs=0.11)
    assert float(drawn.bars[0].height) > 0
    assert drawn.most == 8


def test_bars_before_the_first_pin_are_old():
    drawn = bars([1, 1, 1, 1], [(2, "v7 live")])
    assert [bar.old for bar in drawn.bars] == [True, True, False, False]
    assert drawn.pins[0].text == "v7 live"


def test_a_pin_outside_the_bars_is_drawn_at_the_edge():
    assert [pin.x for pin in bars([1, 1], [(-3, "a"), (99, "b")]).pins] == ["0", "50"]


def test_a_range_outside_the_scale_is_cut_at_its_edges():
    at = interval(0.5, -1, 4)
    assert (at.low, at.value, at.high, at.width) == ("0", "50", "100", "100")


def test_a_contrast_says_its_numbers_in_words():
    row = contrast(Contrast("Ran v7", Share(0.99, 0.97, 1), Share(0.62, 0.61, 0.63)))
    assert row.label == "Failing 99%, 95% range 97 to 100. Healthy 62%, 95% range 61 to 63."


def test_text_in_a_chart_is_escaped():
    page = Template("{% bars values label pins=pins %}").render(
        Context({"values": [1, 2], "label": '"><script>', "pins": [(1, "<b>v7</b>")]})
    )
    assert "<script>" not in page
    assert "<b>v7</b>" not in page
