"""Piles of cut cards in order, gutters as wide as the page allows, and more bleed on backs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.core.geometry import Size
from cardgen.core.sheets import CasedLine, Marks, Slot
from tests.for_each import for_each

from .decks import A4, BLEED, LETTER, POKER, Deck, imposed, layout


@given(st.integers(1, 40), st.booleans())
def test_piles_put_on_each_other_are_in_order(count: int, duplex: bool) -> None:
    sheet = imposed(Deck("a", POKER, count), sheet_layout=layout(stacks=True), backs=duplex)
    faces = [page for page in sheet.pages if page.side == "face"]
    assert len(faces) == -(-count // 9)
    piles: dict[tuple[float, float], list[str]] = {}
    for page in faces:
        for slot in page.slots:
            piles.setdefault((round(slot.trim.y), round(slot.trim.x)), []).append(slot.card)
    assert [card for _, pile in sorted(piles.items()) for card in pile] == [f"a{n}" for n in range(count)]


def test_copies_lie_behind_each_other_in_stacks() -> None:
    sheet = imposed(Deck("a", POKER, 4, copies=9, back=False), sheet_layout=layout(stacks=True))
    assert [page.slots[0].card for page in sheet.pages] == ["a0"] * 4
    assert {slot.card for slot in sheet.pages[0].slots} == {"a0", "a1", "a2", "a3"}


def gaps(slots: tuple[Slot, ...]) -> tuple[float, float]:
    return slots[1].trim.x - slots[0].trim.right, slots[3].trim.y - slots[0].trim.bottom


@for_each(
    ("marks", "height", "found", "corner"),
    [
        ("none", 88.9, (2 * BLEED, 1.35), (6.35, 5)),
        # The columns leave room for marks outside the bleed; those of their cuts are between the rows.
        ("crop", 88.9, (3.525, 1.35), (9.175, 5)),
        ("crop", 85, (3.525, 3.025), (9.175, 9.175)),
        # No knife cuts off a strip of 0.3 mm.
        ("none", 89.6, (2 * BLEED, 0), (6.35, 5.3)),
    ],
)
def test_gutters_of_nine_cards_on_letter(
    marks: Marks, height: float, found: tuple[float, float], corner: tuple[float, float]
) -> None:
    deck = Deck("a", Size(63.5, height), 9, back=False)
    (page,) = imposed(deck, sheet_layout=layout(widen=True, marks=marks)).pages
    assert gaps(page.slots) == pytest.approx(found, abs=0.01)
    first, last = page.slots[0].trim, page.slots[-1].trim
    assert (first.x, first.y) == pytest.approx(corner, abs=0.01)
    assert (215.9 - last.right, 279.4 - last.bottom) == pytest.approx(corner, abs=0.01)
    middle = page.slots[4]
    bleeds = middle.trim.x - middle.clip.x, middle.trim.y - middle.clip.y
    assert bleeds == pytest.approx([gap / 2 for gap in found], abs=0.01)
    between = [line for line in page.lines if first.bottom <= line.y1 < line.y2 <= page.slots[3].trim.y]
    assert len(between) == (6 if marks == "crop" and corner[1] == 5 else 0)
    assert all(isinstance(line, CasedLine) for line in between)
    assert len(between) in (0, len({line.x1 for line in between}))


def test_wide_gutters_leave_crop_marks_on_every_page_that_has_room_for_them() -> None:
    findings = Findings()
    imposed(Deck("a", POKER, 9, back=False), sheet_layout=layout(widen=True), findings=findings)
    assert "sheet/marks" not in [finding.code for finding in findings]


@for_each(
    ("changes", "key"),
    [
        ({"creep": 0.1}, "creep"),
        ({"grid": "tiled", "slug": 10.0}, "slug"),
        ({"marks": "opos", "slug": 10.0}, "slug"),
        ({"collate": True}, "collate"),
        ({"grid": "single", "collate": True}, "collate"),
        ({"back_bleed": 5.0}, "back_bleed"),
        ({"grid": "single", "back_bleed": 5.0}, "back_bleed"),
        ({"grid": "single", "nest": True}, "nest"),
        ({"grid": (2, 2), "nest": True}, "nest"),
        ({"grid": "tiled", "stacks": True}, "order"),
        ({"grid": "single", "cut_order": True}, "cut_order"),
        ({"gutter": 10.0, "back_bleed": 5.0}, None),
        ({"nest": True, "slug": 0.0}, None),
        ({"grid": "single", "slug": 12.0}, None),
    ],
)
def test_keys_without_effect_are_notes(changes: dict[str, object], key: str | None) -> None:
    findings = Findings()
    imposed(Deck("a", POKER, 1, bleed=6), sheet_layout=layout(**changes), findings=findings)
    found = [each for each in findings if each.code == "sheet/no-effect"]
    assert [each.location and each.location.path for each in found] == [key] * (key is not None)


@given(
    st.integers(1, 12),
    st.floats(20, 120),
    st.floats(20, 120),
    st.sampled_from([A4, LETTER]),
    st.sampled_from(["none", "crop", "silhouette", "opos"]),
    st.sampled_from(["long-edge", "short-edge", "fold"]),
)
def test_wide_gutters_cost_no_card_and_stay_in_register(count, width, height, paper, marks, duplex) -> None:  # type: ignore[no-untyped-def]
    deck = Deck("a", Size(width, height), count)
    wide, close = (
        imposed(
            deck,
            paper=paper,
            sheet_layout=layout(widen=widen, marks=marks),
            duplex=duplex,
            findings=Findings(),
        )
        for widen in (True, False)
    )
    assert [len(page.slots) for page in wide.pages] == [len(page.slots) for page in close.pages]
    for page in wide.pages:
        for slot in page.slots:
            assert page.size.whole.inset(5 - 1e-6).contains(slot.trim)
            others = [other.trim for other in page.slots if other is not slot]
            assert not any(slot.clip.overlaps(other) for other in others)
        if duplex == "fold":
            assert len(page.slots) % 2 == 0
            half = len(page.slots) // 2
            for face, back in zip(page.slots[:half], page.slots[half:], strict=True):
                dx, dy = abs(face.trim.x - back.trim.x), abs(face.trim.y - back.trim.y)
                assert min(dx, dy) == pytest.approx(0, abs=1e-6)


@for_each("duplex", ["long-edge", "fold"])
def test_backs_have_a_bleed_of_their_own(duplex: str) -> None:
    deck = Deck("a", POKER, 1, bleed=6)
    sheet = imposed(deck, sheet_layout=layout(back_bleed=5.0), duplex=duplex)  # type: ignore[arg-type]
    face, back = (slot for page in sheet.pages for slot in page.slots)
    assert face.trim.x - face.clip.x == pytest.approx(BLEED)
    assert back.trim.x - back.clip.x == pytest.approx(5)


def test_a_gutter_must_hold_two_bleeds_of_backs() -> None:
    findings = Findings()
    narrow = layout(back_bleed=5.0, gutter=2 * BLEED)
    imposed(Deck("a", POKER, 1), sheet_layout=narrow, findings=findings)
    assert [finding.code for finding in findings.errors] == ["sheet/gutter"]
