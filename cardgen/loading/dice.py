"""Dice: a record is a die, and each of its faces becomes a sticker, a card of the component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cardgen.loading.context import GameContext
from cardgen.model.dice import LEAST_FACES, MOST_FACES, Die
from cardgen.model.extremes import MAX_STICKERS
from cardgen.model.game import Card

NAMING = ("title", "name", "id")
"""Fields that say what a face is called, the first that it has."""


def stickers(context: GameContext, dice: Sequence[Card]) -> tuple[list[Card], tuple[Die, ...]] | None:
    """The stickers of dice, and the dice that they come to; None after findings, `component/die`.

    A sticker is called like its die with the face's number, `attack-1`. To templates it has the fields of
    its die, with `die`, the die's id, `number`, the face's from 1, and `side`, what `faces` says of it.
    """
    before = len(context.findings.errors)
    found: list[Card] = []
    made: list[Die] = []
    for die in dice:
        faces = die.fields.get("faces")
        if (message := _wrong(faces)) is not None or not isinstance(faces, Sequence):
            path = (*die.path, "faces") if "faces" in die.fields else die.path
            place = context.sources.locator.locate(die.file, path)
            hint = "faces: [1, 2, 3, sword, shield, miss]"
            context.findings.error("component/die", f"the die '{die.id}' {message}", place, hint)
            continue
        if len(found) + len(faces) > MAX_STICKERS:
            place = context.sources.locator.locate(die.file, die.path)
            message = f"with the die '{die.id}' there are more than {MAX_STICKERS:,} stickers"
            context.findings.error(
                "component/die", message, place, "spread the dice over several components"
            )
            break
        ids = [f"{die.id}-{number}" for number in range(1, len(faces) + 1)]
        for number, (id, side) in enumerate(zip(ids, faces), start=1):
            fields = {**die.fields, "id": id, "die": die.id, "number": number, "side": side}
            found.append(replace(die, id=id, fields=fields, number=len(found) + 1))
        made.append(Die(die.id, tuple(ids), tuple(map(_name, faces, range(1, len(faces) + 1))), die.copies))
    return (found, tuple(made)) if len(context.findings.errors) == before else None


def _wrong(faces: Any) -> str | None:
    """What is wrong with what a record says of its faces."""
    if faces is None:
        return "does not say what is on its faces"
    if not isinstance(faces, Sequence) or isinstance(faces, str):
        return "has faces that are no list"
    if not LEAST_FACES <= len(faces) <= MOST_FACES:
        count = f"{len(faces)} face{'s' * (len(faces) != 1)}"
        return f"has {count}; a die has {LEAST_FACES} to {MOST_FACES}"
    for number, side in enumerate(faces, start=1):
        if side is None or isinstance(side, list | tuple):
            said = "nothing" if side is None else "a list"
            return f"has {said} on its face {number}; it is a text ('' for none), a number or a mapping"
    return None


def _name(side: Any, number: int) -> str:
    """What a face is called: a text or a number itself, a mapping by its title; else its number."""
    if isinstance(side, dict):
        side = next((side[key] for key in NAMING if isinstance(side.get(key), (str, int))), number)
    return str(side) if isinstance(side, (str, int)) and not isinstance(side, bool) else str(number)
