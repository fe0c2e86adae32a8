"""Changes between two texts: lines aligned, words marked, equal runs folded, nothing lost."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.diff import MOST_WORDS, Part, compare, words

lines = st.lists(st.sampled_from(["", "a", "b c", "b d", "one two three four", "one two 3 four", "  x"]), max_size=12)


def joined(parts: list[Part]) -> str:
    return "".join(part.text for part in parts)


def test_a_changed_word_is_marked_alone():
    assert words("Keep it short.", "Keep it brief.") == [
        Part("same", "Keep it "),
        Part("del", "short"),
        Part("ins", "brief"),
        Part("same", "."),
    ]


def test_words_between_two_changes_that_say_little_join_them():
    parts = words("find the reason and say it", "tell the customer and go")
    assert [part.kind for part in parts] == ["del", "ins"]


def test_long_common_stretches_stay_apart():
    parts = words("a one two three four b", "x one two three four y")
    assert [part.kind for part in parts] == ["del", "ins", "same", "del", "ins"]


def test_equal_texts_are_one_fold():
    (row,) = compare("a\nb\nc", "a\nb\nc")
    assert (row.kind, row.hidden, row.new_number, row.last_number) == ("fold", 3, 1, 3)


def test_two_empty_texts_have_no_rows():
    assert compare("", "") == []


def test_a_new_line_is_added_and_an_old_one_removed():
    rows = compare("keep\nold and gone", "keep\nfresh, entirely different")
    assert [(row.kind, row.old_number, row.new_number) for row in rows] == [
        ("same", 1, 1),
        ("del", 2, None),
        ("add", None, 2),
    ]


def test_equal_lines_far_from_a_change_are_folded():
    before = [f"line {n}" for n in range(1, 21)]
    rows = compare("\n".join(before), "\n".join([*before[:9], "line ten", *before[10:]]))
    assert [row.kind for row in rows] == ["fold", "same", "same", "chg", "same", "same", "fold"]
    assert (rows[0].hidden, rows[-1].new_number, rows[-1].last_number) == (7, 13, 20)


def test_very_long_lines_are_replaced_whole():
    old, new = "w " * (MOST_WORDS + 1), "w " * MOST_WORDS + "v "
    assert [part.kind for part in words(old, new)] == ["del", "ins"]


@settings(deadline=None, max_examples=150)
@given(lines, lines)
def test_both_texts_can_be_read_back_from_the_rows(before, after):
    rows = compare("\n".join(before), "\n".join(after), around=1000)
    unfolded = [row for row in rows if row.kind != "fold"]
    if len(unfolded) == len(rows):
        old, new = "\n".join(before).splitlines(), "\n".join(after).splitlines()
        assert [joined(row.old_parts) for row in rows if row.old_number] == old
        assert [joined(row.new_parts) for row in rows if row.new_number] == new


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=80), st.text(max_size=80))
def test_no_letter_of_a_line_is_lost(old, new):
    parts = words(old, new)
    assert joined([p for p in parts if p.kind != "ins"]) == old
    assert joined([p for p in parts if p.kind != "del"]) == new
