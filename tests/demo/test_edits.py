"""A right edit mends its mode whatever its words; a near miss leaves it as it was. There is no magic sentence."""

import pytest

from reviewer.demo.modes import MODES
from tests.demo.cases import cases, edited, failing_serving, share, with_sentence
from tests.demo.edits import MORE_MISSED, MORE_RIGHT, PROMPTS, TOOLS

RIGHT = [(mode, edit) for mode, (_, _, right, _) in PROMPTS.items() for edit in (*right, *MORE_RIGHT[mode])]
MISSED = [(mode, edit) for mode, (_, _, _, missed) in PROMPTS.items() for edit in (*missed, *MORE_MISSED[mode])]
RIGHT_TOOLS = [(mode, place) for mode, (_, right, _) in TOOLS.items() for place in range(len(right))]
MISSED_TOOLS = [(mode, place) for mode, (_, _, missed) in TOOLS.items() for place in range(len(missed))]
_cases = {mode: cases(mode, 100) for mode in MODES}
_before = {mode: share(mode, _cases[mode], failing_serving(mode)) for mode in MODES}


def after(mode: str, edit: str) -> float:
    name = PROMPTS[mode][0]
    serving = failing_serving(mode)
    text = with_sentence(serving.artifacts[name], edit, mode)
    return share(mode, _cases[mode], edited(serving, name, text=text))


def test_every_mode_has_ten_right_edits_and_ten_near_misses():
    assert {**PROMPTS, **TOOLS}.keys() == MODES.keys()
    for _, _, right, missed in PROMPTS.values():
        assert len(set(right)) >= 10
        assert len(set(missed)) >= 10
    for _, right, missed in TOOLS.values():
        assert min(len(right), len(missed)) >= 10


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_shows_while_its_cause_is_there(mode: str):
    assert _before[mode] >= 0.7


@pytest.mark.parametrize(("mode", "edit"), RIGHT)
def test_a_right_edit_mends_it(mode: str, edit: str):
    assert after(mode, edit) == 0


@pytest.mark.parametrize(("mode", "edit"), MISSED)
def test_a_near_miss_does_not(mode: str, edit: str):
    assert after(mode, edit) >= _before[mode] * 0.5


@pytest.mark.parametrize(("mode", "place"), RIGHT_TOOLS)
def test_a_right_definition_mends_it(mode: str, place: int):
    name, right, _ = TOOLS[mode]
    assert share(mode, _cases[mode], edited(failing_serving(mode), name, definition=right[place])) == 0


@pytest.mark.parametrize(("mode", "place"), MISSED_TOOLS)
def test_a_near_miss_of_a_definition_does_not(mode: str, place: int):
    name, _, missed = TOOLS[mode]
    assert (
        share(mode, _cases[mode], edited(failing_serving(mode), name, definition=missed[place])) >= _before[mode] * 0.5
    )
