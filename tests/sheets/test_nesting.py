"""Leftover cards of several sizes on shared pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import ImposedSheet, Page, Registration
from cardgen.sheets.grid import behind
from cardgen.sheets.marks import CLOSEST, registration_marks
from tests.for_each import for_each

from .decks import A3, A4, BLEED, LETTER, POKER, Deck, imposed, layout

TAROT = Size(69.85, 120.65)
NESTED = layout(nest=True)


def faces(sheet: ImposedSheet) -> list[Page]:
    return [page for page in sheet.pages if page.side == "face"]


def cuttable(trims: Sequence[Rect]) -> bool:
    """Return True if straight cuts from edge to edge separate all of these."""
    if len(trims) == 1:
        return True
    for start, end in ((lambda r: r.x, lambda r: r.right), (lambda r: r.y, lambda r: r.bottom)):
        for at in {end(trim) for trim in trims}:
            before = [trim for trim in trims if end(trim) <= at + 1e-6]
            after = [trim for trim in trims if start(trim) >= at - 1e-6]
            if after and len(before) + len(after) == len(trims):
                return cuttable(before) and cuttable(after)
    return False


@for_each(("paper", "poker", "pages"), [(LETTER, 7, 1), (A4, 7, 1), (A3, 9, 1), (LETTER, 9, 2)])
def test_poker_cards_and_a_tarot_card_share_a_page(paper, poker: int, pages: int) -> None:  # type: ignore[no-untyped-def]
    """Nine and one are larger than Letter: 592 of 555 cm²."""
    decks = Deck("a", POKER, poker), Deck("b", TAROT, 1)
    assert len(faces(imposed(*decks, paper=paper, sheet_layout=NESTED))) == pages
    assert len(faces(imposed(*decks, paper=paper, sheet_layout=layout()))) == 2


def test_only_cards_that_fill_no_page_move() -> None:
    sheet = imposed(Deck("a", POKER, 20), Deck("b", TAROT, 5), sheet_layout=NESTED, backs=False)
    assert [Counter(slot.component for slot in page.slots) for page in sheet.pages] == [
        {"a": 9},
        {"a": 9},
        {"b": 4},
        {"a": 2, "b": 1},
    ]


def test_nested_pages_have_no_cutting_order_and_say_why() -> None:
    findings = Findings()
    decks = Deck("a", POKER, 4, back=False), Deck("b", Size(70, 120), 1, back=False)
    imposed(*decks, sheet_layout=layout(nest=True, cut_order=True), findings=findings)
    (said,) = (each for each in findings if each.code == "sheet/cut-order")
    assert "blocks of several sizes" in said.message


def test_folded_sheets_are_not_nested() -> None:
    decks = Deck("a", POKER, 2), Deck("b", Size(44, 63), 2)
    assert len(imposed(*decks, sheet_layout=NESTED, duplex="fold").pages) == 2
    assert len(imposed(*decks, sheet_layout=NESTED, backs=False).pages) == 1


def test_marks_end_before_the_cards_beside_them() -> None:
    (page,) = imposed(Deck("a", POKER, 7), Deck("b", TAROT, 1), sheet_layout=NESTED, backs=False).pages
    marks = [
        line for line in page.lines if line.weight < 0.1 and (line.x1 == line.x2 or line.y1 == line.y2)
    ]
    trims = [slot.trim.inset(-CLOSEST + 0.06) for slot in page.slots]
    ruler = {line for line in marks if line.y1 > max(trim.bottom for trim in trims)}
    for line in set(marks) - ruler:
        area = Rect(line.x1, line.y1, line.x2 - line.x1, line.y2 - line.y1).inset(-0.01)
        assert not any(area.overlaps(trim) for trim in trims)
    for slot in page.slots:
        upright = {round(line.x1, 3) for line in marks if line.x1 == line.x2}
        level = {round(line.y1, 3) for line in marks if line.y1 == line.y2}
        assert {round(slot.trim.x, 3), round(slot.trim.right, 3)} <= upright
        assert {round(slot.trim.y, 3), round(slot.trim.bottom, 3)} <= level


SIZES = st.tuples(st.integers(20, 130), st.integers(20, 130), st.integers(1, 12))


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(
    st.lists(SIZES, min_size=2, max_size=4),
    st.sampled_from([A4, LETTER, A3]),
    st.sampled_from([0.0, 2 * BLEED]),
    st.sampled_from(["crop", "silhouette", "opos"]),
    st.booleans(),
)
def test_cards_stay_apart_in_register_and_cuttable(sizes, paper, gutter, marks, four) -> None:  # type: ignore[no-untyped-def]
    decks = [Deck("abcd"[n], Size(w, h), count) for n, (w, h, count) in enumerate(sizes)]
    made = Registration(four=four)
    setting = layout(nest=True, gutter=gutter, marks=marks, registration=made)
    findings = Findings()
    sheet = imposed(*decks, paper=paper, sheet_layout=setting, findings=findings)
    plain = imposed(
        *decks,
        paper=paper,
        sheet_layout=layout(gutter=gutter, marks=marks, registration=made),
        findings=Findings(),
    )
    assert sheet.cards == plain.cards
    assert len(sheet.pages) <= len(plain.pages)
    for face, back in zip(sheet.pages[::2], sheet.pages[1::2], strict=True):
        trims = [slot.trim for slot in face.slots]
        assert cuttable(trims)
        for number, slot in enumerate(face.slots):
            assert face.size.whole.contains(slot.clip)
            others = trims[:number] + trims[number + 1 :]
            assert not any(slot.clip.overlaps(other) for other in others)
            axis = "horizontal" if face.size.landscape else "vertical"
            assert back.slots[number].trim == behind(slot.trim, face.size, axis)  # type: ignore[arg-type]
        for line in registration_marks(face.size, marks, made):
            half = line.weight / 2
            area = Rect.around([(line.x1, line.y1), (line.x2, line.y2)]).inset(-half + 0.001)
            assert not any(area.overlaps(slot.clip) for slot in face.slots)


def test_nothing_is_lost_or_printed_twice() -> None:
    decks = [Deck("a", POKER, 5), Deck("b", TAROT, 3), Deck("c", Size(44, 63), 7, copies=2)]
    sheet = imposed(*decks, paper=A4, sheet_layout=NESTED)
    shown = Counter(slot.card for page in faces(sheet) for slot in page.slots)
    assert shown == Counter({**{f"a{n}": 1 for n in range(5)}, **{f"b{n}": 1 for n in range(3)}}) + Counter(
        {f"c{n}": 2 for n in range(7)}
    )
    assert sheet.cards == pytest.approx(22)
