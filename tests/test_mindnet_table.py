"""MindNet on a table: a mat that pieces fit, one name for each area, a rulebook that shows the table."""

from __future__ import annotations

import itertools
import re

import pytest

from cardgen.rendering.color_filters import contrast
from tests.shipped import plain_yaml
from tests.test_mindnet_look import CG, ROOT, STATS, SVG, drawn, named, number, pieces


def test_slots_are_cards_with_two_millimetres_of_play() -> None:
    trim = pieces("cards")[0].trim
    root = drawn("playmat", "playmat")
    slots = [rect for rect in root.iter(f"{SVG}rect") if rect.get("id", "").startswith("slot-")]
    names = {slot.attrib[f"{CG}snap"] for slot in slots}
    assert names >= {"deck", "discard", "gne", "home-1", "interaction-1", "possessions-1"}
    boxes = []
    for slot in slots:
        x, y, w, h = (number(slot, name) for name in ("x", "y", "width", "height"))
        assert w == pytest.approx(trim.width + 2)
        assert h == pytest.approx(trim.height + 2)
        boxes.append((x, y, x + w, y + h))
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1], (a, b)
    mat = pieces("playmat")[0].trim
    assert all(x > 0 and y > 0 and right < mat.width and low < mat.height for x, y, right, low in boxes)


@pytest.mark.parametrize("low_ink", [False, True])
def test_the_sign_in_a_slot_is_seen_across_the_table(low_ink: bool) -> None:
    slots = named(drawn("playmat", "playmat", low_ink=low_ink), "slots")
    grounds = [slot.attrib["fill"] for slot in slots.iter(f"{SVG}rect")]
    signs = [use for use in slots.iter(f"{SVG}use") if use.get("href", "").startswith("#icon-")]
    assert len(signs) == len(grounds) == 17
    for sign, ground in zip(signs, grounds, strict=True):
        assert contrast(sign.attrib["color"], ground) >= 3, sign.attrib
        assert number(sign, "width") >= 16


def test_an_exhausted_card_turns_in_its_slot() -> None:
    card, mat = pieces("cards")[0].trim, pieces("playmat")[0].trim
    root = drawn("playmat", "playmat")
    slots = {rect.get("id", ""): rect for rect in root.iter(f"{SVG}rect")}
    credits = next(rect for rect in named(root, "credits"))
    for area in ("home", "interaction", "possessions"):
        middles = [
            number(slot, "x") + number(slot, "width") / 2
            for name, slot in slots.items()
            if name.startswith(f"slot-{area}-")
        ]
        assert all(b - a >= 92 for a, b in itertools.pairwise(middles))
        assert all(b - a > card.height for a, b in itertools.pairwise(middles))
        assert middles[0] - card.height / 2 > number(credits, "x") + number(credits, "width")
        assert middles[-1] + card.height / 2 < mat.width
    assert sum(name.startswith("slot-home-") for name in slots) > 4


def test_the_genies_area_has_one_name() -> None:
    for name in ("keywords.yaml", "playmat.yaml", "turn.yaml", "table.yaml", "rulebook.md"):
        assert "GNE area" not in (ROOT / "data/mindnet" / name).read_text(encoding="utf-8"), name
    assert pieces("playmat")[0].fields["areas"]["gne"]["title"] == "Genie area"


@pytest.mark.parametrize(("track", "area"), [("credits", "credits"), ("genies", "gne")])
def test_cells_take_a_token(track: str, area: str) -> None:
    token = pieces("tokens")[0].trim
    root = drawn("playmat", "playmat")
    cells = {
        cell.attrib[f"{CG}snap"]: cell
        for cell in root.iter(f"{SVG}circle")
        if cell.get(f"{CG}snap", "").startswith(f"{track}-")
    }
    last = pieces("playmat")[0].fields["areas"][area]["track"]
    assert list(cells) == [f"{track}-{value}" for value in range(last + 1)]
    for cell in cells.values():
        assert 2 * number(cell, "r") >= max(token.width, token.height) + 0.5
    for a, b in itertools.combinations(cells.values(), 2):
        apart = ((number(a, "cx") - number(b, "cx")) ** 2 + (number(a, "cy") - number(b, "cy")) ** 2) ** 0.5
        assert apart >= number(a, "r") + number(b, "r")


def test_the_rulebook_shows_the_table_a_card_and_a_turn() -> None:
    book = (ROOT / "data/mindnet/rulebook.md").read_text(encoding="utf-8")
    set_up, anatomy, turn = (
        re.search(rf"^:::{kind}.*?\n(.*?)\n:::$", book, re.S | re.M)
        for kind in ("set-up", "anatomy", "strip")
    )
    assert set_up
    assert anatomy
    assert turn
    assert {"slot-deck", "slot-gne", "genies-5", "credits-10"} <= set(re.findall(r"`([\w-]+)`", set_up[1]))
    assert {"coin", *STATS, "unique", "effect"} <= set(re.findall(r"^- `([\w-]+)`", anatomy[1], re.M))
    phases = [phase["title"] for phase in plain_yaml("data/mindnet/turn.yaml")["phases"]]
    assert re.findall(r"\*\*(\d \w+)\*\*", turn[1]) == [f"{i} {title}" for i, title in enumerate(phases, 1)]
