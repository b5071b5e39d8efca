"""A button that sets the table up: a block with a script, written from the table's steps.

The script is for people to read. It finds piles by their memos, so that it works on a designer's own table
too, and is replaced by that of the next export.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from cardgen.core.table import LARGEST, Placed, Spot, Step, Table, is_called, title_of
from cardgen.exports.cells import resting_place
from cardgen.exports.job import ExportJob, filled_in
from cardgen.exports.tts_images import DROPPED, NATIVE, RESTING, rounded, tint, transform, units
from cardgen.exports.tts_objects import Guids, Object, memo_of, thing

KIND = "set-up"
"""The kind of the object in its memo."""
BESIDE = 60.0
"""From the part of the table that is used to the middle of the button, in mm."""


def setup_button(job: ExportJob, table: Table, objects: Sequence[Object], guids: Guids) -> list[Object]:
    """The block with the button, for a table of these `objects` with their memos; none where there is
    nothing to do."""
    named = {memo.identity for each in objects if (memo := memo_of(each)) is not None}
    titles = {component.id: component.title for component in job.game.components}
    factor = NATIVE if job.text("scale") == "native" else 1.0
    steps = list(table.steps) or _usual(table, titles)
    zones = [
        (item, resting_place(job.game, job.screen_table, item))
        for item in table.items
        if item.kind == "zone"
    ]
    lines = [line for step in steps for line in _lines(step, table, titles, named, zones, factor)]
    if not lines:
        return []
    x = -min(table.size.width / 2 + BESIDE, LARGEST.width / 2 - BESIDE / 2)
    where = transform(Spot(x, 0.0), (1.0, 0.3, 1.0), height=RESTING)
    script = filled_in(
        "tts_setup.lua",
        title=" ".join(job.game.title.split()),
        file=table.file or f"data/{job.game.id}/game.yaml",
        seats=", ".join(quoted(seat.color) for seat in table.seats),
        belongings=_belongings(table, objects) if any(step.act == "clear" for step in steps) else "",
        steps="\n".join(f"  {line}" for line in lines),
    )
    guid = guids.take(KIND)
    block = thing("BlockSquare", guid, where, "Set up", LuaScript=script, Locked=True)
    return [block | {"ColorDiffuse": tint("#2f6f4f")}]


def _usual(table: Table, titles: dict[str, str]) -> list[Step]:
    """Without steps: what is to be shuffled is shuffled, so that no game begins like the one before."""
    names = [
        title_of(item, titles) for item in table.items if item.shuffle and item.kind in ("deck", "bag")
    ]
    nowhere = Spot(0.0, 0.0)
    return [Step("shuffle", name, 1, nowhere, (0.0, 0.0), True, ()) for name in dict.fromkeys(names)]


def _lines(
    step: Step,
    table: Table,
    titles: dict[str, str],
    named: Iterable[str],
    zones: Sequence[tuple[Placed, Spot]],
    factor: float,
) -> list[str]:
    """A step as Lua, a line for each pile that it is about, and each of the `zones` that it is laid out in;
    places are multiplied by `factor`."""
    lines = []
    if step.act == "clear":
        lines.append("clear()")
    piles = [
        item for item in table.items if item.kind in ("deck", "bag") and is_called(item, step.pile, titles)
    ]
    for item in piles if step.act != "clear" else ():
        identity = f"{item.kind}/{item.component}/{title_of(item, titles)}/{item.seat or ''}"
        if identity not in named:  # a single card is no pile
            continue
        what = found_by(identity)
        if step.act == "shuffle":
            lines.append(f"shuffle({what})")
        elif step.act == "deal" and item.seat is not None:
            seat = quoted(item.seat)
            lines.append(f"if Player[{seat}].seated then deal({what}, {step.cards}, {{{seat}}}) end")
        elif step.act == "deal":
            lines.append(f"deal({what}, {step.cards}, colors)")
        elif not step.zone:
            lines.append(_place(step, what, step.at, factor))
        for zone, spot in zones if step.zone else ():
            if zone.name == step.zone and (item.seat is None or zone.seat in (None, item.seat)):
                line = _place(step, what, _first_in(spot, step), factor)
                owner = zone.seat or item.seat
                lines.append(f"if Player[{quoted(owner)}].seated then {line} end" if owner else line)
    if step.players and lines:
        test = " or ".join(f"players == {count}" for count in step.players)
        lines = [f"if {test} then", *(f"  {line}" for line in lines), "end"]
    return lines


def _first_in(spot: Spot, step: Step) -> Spot:
    """Place the first of a step's cards in a zone so that they lie about its middle."""
    back = -(step.cards - 1) / 2
    return spot.place(Spot(back * step.step[0], back * step.step[1], step.at.turn))


def _place(step: Step, what: str, at: Spot, factor: float) -> str:
    """Laying out cards from `at` on; the way from one to the next is turned as they are."""
    way = Spot(0.0, 0.0, at.turn - step.at.turn).place(Spot(*step.step)) if step.zone else Spot(*step.step)
    across, down = way.x * factor, way.y * factor
    at = Spot(at.x * factor, at.y * factor, at.turn)
    start = f"{{{units(at.x):g}, {DROPPED:g}, {units(-at.y):g}}}"
    onward = f"{{{units(across):g}, {units(-down):g}}}"
    turn = f"{{0, {rounded((180 + at.turn) % 360):g}, {0 if step.face_up else 180}}}"
    return f"place({what}, {step.cards}, {start}, {onward}, {turn})"


def _belongings(table: Table, objects: Sequence[Object]) -> str:
    """List what belongs to each seat, as the entries of a Lua table: all but its hand."""
    entries = []
    for seat in table.seats:
        found = []
        for each in objects:
            memo = memo_of(each)
            if (
                memo is not None
                and memo.identity.endswith(f"/{seat.color}")
                and each["Name"] != "HandTrigger"
            ):
                found.append(found_by(memo.identity))
        found = list(dict.fromkeys(found))
        if found:
            entries.append(f"\n  {seat.color} = {{{', '.join(found)}}},")
    return "".join(entries) + ("\n" if entries else "")


def found_by(identity: str) -> str:
    """Return what stands in the memo of an object with that identity, as Lua."""
    return quoted(f'"is": {json.dumps(identity, ensure_ascii=False)}')


def quoted(text: str) -> str:
    """A text as Lua writes it."""
    marks = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
    signs = (marks.get(sign) or (f"\\{ord(sign):03d}" if ord(sign) < 32 else sign) for sign in text)
    return f'"{"".join(signs)}"'
