"""Boxes: what lies in one, and so the sheet that it is folded of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cardgen.dielines import Pile, room_for, tuck_box, wallet
from cardgen.dielines.wallet import MOST_CARDS
from cardgen.loading.cards import Path
from cardgen.loading.components import load_component
from cardgen.loading.context import GameContext
from cardgen.loading.lengths import length
from cardgen.model.boxes import Dieline, Room
from cardgen.model.extremes import MAX_PLAY, MAX_STOCK, MAX_TRIM, MIN_TRIM
from cardgen.model.game import Component
from cardgen.schema.wording import name_hint


def load_box(
    context: GameContext, id: str, entry: Mapping[str, Any], others: Mapping[str, Component | None]
) -> Component | None:
    """The box `id` that an entry of game.yaml describes, or None after findings. `others` are the game's
    other components, None for those that are in error."""
    _refuse_keys(context, id, entry)
    dieline = _dieline(context, id, entry["box"], others)
    if dieline is None:
        return None
    component = load_component(context, id, entry, dieline)
    boxes = entry["box"]["boxes"]
    if component is not None and boxes > 1 and component.copies != boxes:
        place = context.manifest.locate(("components", id, "box", "boxes"))
        message = f"{boxes} boxes share the cards, {component.copies} of them printed"
        hint = "write a record for each in the data file, or `copies` of one"
        context.findings.warning("box/copies", message, place, hint)
    return component


def _refuse_keys(context: GameContext, id: str, entry: Mapping[str, Any]) -> None:
    """Report keys of other components, which would have no effect."""
    strange = [
        key
        for key in ("back", "book", "corner_radius", "corners", "look", "standee", "trim")
        if key in entry
    ]
    strange += ["shape"] if entry["shape"] != "rectangle" else []
    strange += ["turned"] if entry["turned"] else []
    for key in sorted(strange):
        place = context.manifest.locate(("components", id, key), key=True)
        hint = "leave it out: size and shape follow from what the box holds, and its inside is not printed"
        context.findings.error("component/key", f"a box has no '{key}'", place, hint)


def _dieline(
    context: GameContext, id: str, box: Mapping[str, Any], others: Mapping[str, Component | None]
) -> Dieline | None:
    """The box in the flat; None after findings, or if what it holds is in error."""
    manifest, findings = context.manifest, context.findings
    base: Path = ("components", id, "box")
    piles = _piles(context, base, box["holds"], others)
    stock = length(manifest, (*base, "stock"), box["stock"], findings, most=MAX_STOCK)
    play = length(manifest, (*base, "play"), box["play"], findings, most=MAX_PLAY)
    paper = length(manifest, (*base, "paper"), box["paper"], findings, most=MAX_STOCK)
    if piles is None or stock is None or play is None or paper is None:
        return None
    room = room_for(piles, stock, box["sleeved"], play, box["boxes"])
    cards = math.ceil(sum(pile.cards for pile in piles) / box["boxes"])
    form = box["form"]
    if form == "wallet" and "bottom" in box:
        place = manifest.locate((*base, "bottom"), key=True)
        findings.error("component/key", "a wallet has no 'bottom'", place, "leave it out")
        return None
    if form == "wallet" and cards > MOST_CARDS:
        place = manifest.locate((*base, "form") if "form" in box else base)
        message = f"{cards} cards are more than the {MOST_CARDS} that a wallet holds well"
        findings.warning("box/wallet", message, place, "form: tuck")
    if not _has_walls(room):
        message = f"{room.width:g}×{room.height:g} mm and {room.depth:g} mm deep is too small for a box"
        hint = "give it more room: play: 2mm"
        findings.error("box/size", message, manifest.locate((*base, "holds")), hint)
        return None
    dieline = wallet(room, paper) if form == "wallet" else tuck_box(room, paper, box.get("bottom"))
    if max(dieline.size.width, dieline.size.height) > MAX_TRIM:
        message = f"{cards} cards, a pile of {room.depth:,.0f} mm, ask for a sheet of {dieline.size}"
        hint = f"share them among several with `boxes`; no piece is larger than {MAX_TRIM:g} mm"
        findings.error("box/size", message, manifest.locate((*base, "holds")), hint)
        return None
    about = {"holds": list(box["holds"]), "sleeved": box["sleeved"]}
    return replace(dieline, cards=cards, about=about)


def _has_walls(room: Room) -> bool:
    """Whether all walls are long enough to be folded and flaps to be cut."""
    return min(room.width, room.height) >= 2 * MIN_TRIM and room.depth >= 1.0


def _piles(
    context: GameContext, base: Path, holds: list[str], others: Mapping[str, Component | None]
) -> list[Pile] | None:
    """The cards of the components, a pile a distinct card; None after findings, or if one of them is in
    error."""
    entries = context.manifest.data["components"]
    piles: list[Pile] = []
    good = True

    def refuse(path: Path, code: str, message: str, hint: str) -> None:
        context.findings.error(code, message, context.manifest.locate(path), hint)

    for index, name in enumerate(holds):
        path, held = (*base, "holds", index), others.get(name)
        if held is not None and held.book is None:
            piles += [Pile(card.trim, card.copies) for card in held.cards if card.copies]
            continue
        good = False
        if held is not None:
            hint = "name decks of cards, and make room for a folded rulebook with `play`"
            refuse(path, "box/holds", f"'{name}' is a book, whose pages are not counted", hint)
        elif name not in entries and ("component", name) not in context.left_out:
            known = [each for each, component in others.items() if component is not None]
            hint = name_hint(name, known, "components")
            refuse(path, "reference/component", f"there is no component '{name}'", hint)
        elif name in entries and entries[name]["kind"] == "box":
            refuse(path, "box/holds", f"'{name}' is a box itself", "name decks of cards")
    if good and not piles:
        refuse((*base, "holds"), "box/holds", "there is nothing to put into this box", "name a deck")
        return None
    return piles if good else None
