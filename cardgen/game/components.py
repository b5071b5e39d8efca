"""Components: from their entries in game.yaml to finished values with their cards."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

from cardgen.core.game import (
    LEAST_EDGE,
    LEAST_FACES,
    MOST_FACES,
    BookSource,
    Card,
    Component,
    Die,
    GameSheet,
    Standee,
    flanks,
)
from cardgen.core.geometry import Point, Polygon, Rect, Shape, Size
from cardgen.core.records import replace
from cardgen.core.sheets import (
    LEAST_PAGE,
    MAX_BLEED,
    MAX_PLAY,
    MAX_STICKERS,
    MAX_STOCK,
    MAX_TRIM,
    MIN_TRIM,
    Dieline,
    Room,
)
from cardgen.game.cards import (
    GameContext,
    Path,
    documents,
    in_full,
    is_choice,
    load_cards,
    options,
    schema_of,
)
from cardgen.game.facts import length, trim
from cardgen.game.line_entries import folded_size, lines_of
from cardgen.game.schema_file import name_hint
from cardgen.game.schema_merge import known_keys
from cardgen.game.sources import Subject
from cardgen.sheets.dielines import (
    MOST_CARDS,
    SLEEVE_FILM,
    SLEEVE_HIGHER,
    SLEEVE_WIDER,
    Pile,
    lid,
    room_for,
    room_in_tray,
    tray,
    tuck_box,
    wallet,
)

SERVICES = "data/services"

DEFAULT_RADIUS = {"card": "3mm", "aid": "3mm", "die": "1.5mm"}
"""Corner radius by kind, 0 for the others. Card printers cut 3 mm (1/8 in) by default; that of dice follows
no standard."""

DEFAULT_BLEED = "3.175mm"
"""1/8 inch, which most printers require. Pages of books have none by default."""


def load_component(
    context: GameContext, id: str, entry: Mapping[str, Any], box: Dieline | None = None
) -> Component | None:
    """Return the component `id` that an entry of game.yaml describes, or None after findings. A `box` sets
    its size and shape."""
    base: Path = ("components", id)
    subject, findings = context.subject(*base), context.findings
    if box is None:
        _refuse_strange_keys(context, id, entry)
    _check_services(context, id, entry)
    if entry["kind"] == "book":
        return _load_book(context, id, entry)
    before = len(findings)
    size: Any
    if box is None:
        sizes = _sizes(context, base, entry["trim"])
        size = {"by": entry["trim"]["by"], "of": sizes} if is_choice(entry["trim"]) else sizes["trim"]
    else:
        size = box.size
    corners = entry.get("corner_radius", DEFAULT_RADIUS.get(entry["kind"], "0mm"))
    radius = length(subject.below("corner_radius"), corners, most=MAX_TRIM)
    bleed = length(subject.below("bleed"), entry.get("bleed", DEFAULT_BLEED), most=MAX_BLEED)
    safe = length(subject.below("safe"), entry["safe"], most=MAX_TRIM)
    shape = shape_of(subject, entry) if box is None else _shape_of_box(box)
    _check_templates(context, base, entry)
    good = len(findings) == before
    in_long = {key: in_full(entry[key]) for key in ("turned", "face", "back") if key in entry}
    cards = load_cards(context, id, {**entry, **in_long}, size)
    if not cards or not good or radius is None or bleed is None or safe is None or shape is None:
        # No cards and no new findings: a data table read the same file and reported its problems.
        return None
    declared = _declared(context, id, entry, cards)
    dice: tuple[Die, ...] = ()
    if entry["kind"] == "die":
        found = stickers(context, cards)
        if found is None:
            return None
        cards, dice = found
    before = len(findings)
    _check_insets(subject, entry, cards, radius, bleed, safe)
    if box is not None:
        _check_sizes(context, cards, box)
    standee = None
    if entry["kind"] == "standee":
        standee = standee_of(subject, entry, shape, radius, cards)
    lines = lines_of(subject.below("lines"), entry.get("lines", []), cards)
    if len(findings) > before:
        return None
    _note_turned_backs(context, base, cards)
    trims = {card.trim for card in cards}
    return Component(
        id=id,
        title=entry["title"],
        kind=entry["kind"],
        shape=shape,
        trim=trims.pop() if len(trims) == 1 else None,
        corner_radius=radius,
        bleed=bleed,
        safe=safe,
        cards=tuple(cards),
        variables=entry["variables"],
        declared=declared,
        products=_products(entry),
        standee=standee,
        box=box,
        dice=dice,
        lines=lines,
    )


def _shape_of_box(box: Dieline) -> Shape:
    return Polygon.of(box.outline, Rect(0, 0, box.size.width, box.size.height))


def _check_sizes(context: GameContext, cards: list[Card], box: Dieline) -> None:
    """Report cards of a box that state a size."""
    for card in cards:
        if card.trim != box.size:
            key = "trim" if "trim" in card.fields else "turned"
            place = context.sources.locator.locate(card.file, (*card.path, key))
            hint = "remove it: a box's size follows from its contents"
            context.findings.error("component/key", f"a box has no '{key}'", place, hint)


def _declared(
    context: GameContext, id: str, entry: Mapping[str, Any], cards: list[Card]
) -> tuple[str, ...]:
    """Return the keys that a component's cards may have: those in its schema, or without one, in its
    cards."""
    schema = context.sources.schemas.schema(schema_of(context, id, entry))
    known = list(known_keys(schema.of_items(id))) if schema else []
    had = () if "schema" in entry else (key for card in cards for key in card.fields)
    return tuple(dict.fromkeys((*known, *had)))


def judge_part(context: GameContext, id: str, entry: Mapping[str, Any]) -> None:
    """Report problems of everything that an entry of game.yaml names; only these keys of it fit."""
    base: Path = ("components", id)
    if "trim" in entry:
        _sizes(context, base, entry["trim"])
    _check_templates(context, base, entry)
    if "book" in entry:
        folder = f"data/{context.game}"
        context.sources.file(context.subject(*base, "book"), folder, entry["book"], "reference/book")
    schema = f"schemas/{context.game}/{entry.get('schema')}"
    for document in documents(context, id, entry):
        if document is not None and "schema" in entry and context.sources.has(schema):
            context.sources.check(document, schema)


def _sizes(context: GameContext, base: Path, stated: Any) -> dict[Any, Size | None]:
    """Return the possible sizes of a component's trim, by the last step to each; None after a finding."""
    return {
        path[-1]: trim(context.subject(*path), value, context.sizes)
        for path, value in options((*base, "trim"), stated)
    }


def _check_templates(context: GameContext, base: Path, entry: Mapping[str, Any]) -> None:
    """Report templates that a component names and that are missing."""
    for side in ("face", "back"):
        for path, template in options((*base, side), entry.get(side)):
            if template is not None:
                context.check_template(context.subject(*path), template)


def _products(entry: Mapping[str, Any]) -> dict[str, tuple[str, ...] | Literal[False]]:
    """Return names of products by print service, one or several."""
    return {
        service: named and ((named,) if isinstance(named, str) else tuple(named))
        for service, named in entry["products"].items()
    }


def _check_services(context: GameContext, id: str, entry: Mapping[str, Any]) -> None:
    """Report unknown print services in `products`."""
    for name in entry["products"]:
        if not context.sources.has(f"{SERVICES}/{name}.yaml"):
            known = {file.removesuffix(".yaml") for file in context.sources.names(SERVICES, ".yaml")}
            message = f"there is no print service '{name}'"
            hint = name_hint(name, known, "services", "cardgen list --services")
            subject = context.subject("components", id, "products", name)
            subject.error("reference/service", message, hint, key=True)


_KEYS = {
    "book": "data separator numbers columns schema face back corner_radius corners standee box lines",
    "box": "back book corner_radius corners look standee trim lines",
}
"""Keys without effect by the kind of component."""
_OTHER_KEYS = "book look box"
"""Keys without effect in all other kinds."""


def _refuse_strange_keys(context: GameContext, id: str, entry: Mapping[str, Any]) -> None:
    """Report keys that have no effect in a component of this kind."""
    kind, hint = entry["kind"], "remove it"
    strange = [key for key in _KEYS.get(kind, _OTHER_KEYS).split() if key in entry]
    if kind == "box":
        hint = "remove it: size and shape follow from the contents, and the inside is not printed"
        strange += ["shape"] if entry["shape"] != "rectangle" else []
        strange += ["turned"] if entry["turned"] else []
    for key in sorted(strange):
        message = f"a {kind} has no '{key}'" if kind in _KEYS else f"only a book has a '{key}'"
        message = f"only a box has a '{key}'" if key == "box" else message
        context.subject("components", id, key).error("component/key", message, hint, key=True)
    if kind == "die" and "back" in entry:
        message = "a sticker for a die has no back"
        context.subject("components", id, "back").error("component/key", message, hint, key=True)
    if "lines" in entry and kind in ("standee", "die"):
        message = f"a component of kind {kind} has no lines of its own to cut or fold"
        context.subject("components", id, "lines").error("component/key", message, hint, key=True)
    if "standee" in entry and kind not in ("standee", *_KEYS):
        message, hint = f"a component of kind {kind} has no foot", "write `kind: standee`, or remove it"
        context.subject("components", id, "standee").error("component/key", message, hint, key=True)


def _load_book(context: GameContext, id: str, entry: Mapping[str, Any]) -> Component | None:
    """Return a component of the kind book: pages of one size instead of cards."""
    subject, findings = context.subject("components", id), context.findings
    before = len(findings.errors)
    for key in ("trim", "turned"):
        if is_choice(entry[key]):
            message = f"a book's {key} can't depend on a card field"
            subject.below(key).error("component/key", message, "write one value for all pages")
            return None
    size = trim(subject.below("trim"), entry["trim"], context.sizes)
    bleed = length(subject.below("bleed"), entry.get("bleed", "0mm"), most=MAX_BLEED)
    folder = f"data/{context.game}"
    context.sources.file(subject.below("book"), folder, entry["book"], "reference/book")
    if size is None or bleed is None or len(findings.errors) > before:
        return None
    size = size.turned if entry["turned"] else size
    if min(size.width, size.height) < LEAST_PAGE:
        message = f"pages of {size} are too small to read; the minimum side is {LEAST_PAGE:g}mm"
        subject.below("trim").error("component/book", message, "use a6 or larger")
        return None
    file, texts = f"{folder}/{entry['book']}", context.sources.texts
    return Component(
        id=id,
        title=entry["title"],
        kind="book",
        shape="rectangle",
        trim=size,
        corner_radius=0.0,
        bleed=bleed,
        safe=0.0,
        cards=(),
        variables=entry["variables"],
        book=BookSource(file if texts is None else texts.book(file), entry.get("look", {})),
        products=_products(entry),
    )


def _note_turned_backs(context: GameContext, base: Path, cards: list[Card]) -> None:
    """Note backs that upright and turned cards share: drawn both ways, they reveal the cards. A card with a
    size of its own is recognizable anyway."""
    upright = {card.back for card in cards if card.trim.width < card.trim.height and card.back is not None}
    lying = (card for card in cards if card.trim.width > card.trim.height and card.back in upright)
    shared = [card for card in lying if "trim" not in card.fields or card.fields.get("turned")]
    if shared:
        itself = shared[0].fields.get("turned")
        others = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
        message = (
            f"the back of '{shared[0].id}'{others} is turned, but upright cards share it "
            f"(templates/{shared[0].back}): players can tell them apart face down"
        )
        hint = "give turned cards another back, such as back: {by: kind, of: {hill: hill.svg}}"
        place = context.manifest.locate((*base, "turned"))
        if itself is not None:
            place = context.sources.locator.locate(shared[0].file, (*shared[0].path, "turned"))
        context.findings.note("component/turned-back", message, place, hint)


def _check_insets(
    subject: Subject, entry: Mapping[str, Any], cards: list[Card], radius: float, bleed: float, safe: float
) -> None:
    """Report a safe zone, corner radius or bleed that is too large for the smallest card."""
    smallest = min(cards, key=lambda card: min(card.trim.width, card.trim.height))
    side = min(smallest.trim.width, smallest.trim.height)
    about = f"make it smaller: the card '{smallest.id}' is {smallest.trim}"

    def refuse(code: str, message: str) -> None:
        key = code.removeprefix("component/").replace("-", "_")
        stated = subject.below(key) if key in entry else subject
        stated.error(code, message, about)

    if 2 * safe >= side:
        refuse("component/safe", f"a safe zone of {safe:g}mm leaves no room on a side of {side:g}mm")
    if bleed > side:
        refuse("component/bleed", f"a bleed of {bleed:g}mm is wider than a side of {side:g}mm")
    if 2 * radius > side + 1e-6:
        refuse(
            "component/corner-radius",
            f"a corner radius of {radius:g}mm is more than half a side of {side:g}mm",
        )


NAMING = ("title", "name", "id")
"""Fields that give a face's name; the first that it has counts."""


def stickers(context: GameContext, dice: Sequence[Card]) -> tuple[list[Card], tuple[Die, ...]] | None:
    """Return the stickers of dice, and the dice that they make; None after findings, `component/die`.

    A sticker's name is its die's with the face's number, `attack-1`. Templates get the fields of its die,
    with `die`, the die's id, `number`, the face's from 1, and `side`, its entry in `faces`.
    """
    before = len(context.findings.errors)
    found: list[Card] = []
    made: list[Die] = []
    for die in dice:
        faces = die.fields.get("faces")
        if (message := _wrong(faces)) is not None or not isinstance(faces, Sequence):
            path = (*die.path, "faces") if "faces" in die.fields else die.path
            place = context.sources.locator.locate(die.file, path)
            hint = "write faces: [1, 2, 3, sword, shield, miss]"
            context.findings.error("component/die", f"the die '{die.id}' {message}", place, hint)
            continue
        if len(found) + len(faces) > MAX_STICKERS:
            place = context.sources.locator.locate(die.file, die.path)
            message = f"with the die '{die.id}' there are more than {MAX_STICKERS:,} stickers"
            context.findings.error(
                "component/die", message, place, "split the dice among several components"
            )
            break
        ids = [f"{die.id}-{number}" for number in range(1, len(faces) + 1)]
        for number, (id, side) in enumerate(zip(ids, faces), start=1):
            fields = {**die.fields, "id": id, "die": die.id, "number": number, "side": side}
            found.append(replace(die, id=id, fields=fields, number=len(found) + 1))
        made.append(Die(die.id, tuple(ids), tuple(map(_name, faces, range(1, len(faces) + 1))), die.copies))
    return (found, tuple(made)) if len(context.findings.errors) == before else None


def _wrong(faces: Any) -> str | None:
    """Return the problem with a record's faces."""
    if faces is None:
        return "has no list of faces"
    if not isinstance(faces, Sequence) or isinstance(faces, str):
        return "has faces that are not a list"
    if not LEAST_FACES <= len(faces) <= MOST_FACES:
        count = f"{len(faces)} face{'s' * (len(faces) != 1)}"
        return f"has {count}; a die has {LEAST_FACES} to {MOST_FACES}"
    for number, side in enumerate(faces, start=1):
        if side is None or isinstance(side, list | tuple):
            said = "nothing" if side is None else "a list"
            return f"has {said} on face {number}; write a text ('' for none), a number or a mapping"
    return None


def _name(side: Any, number: int) -> str:
    """Return the name of a face: a text or a number itself, a mapping by its title; else its number."""
    if isinstance(side, dict):
        side = next((side[key] for key in NAMING if isinstance(side.get(key), (str, int))), number)
    return str(side) if isinstance(side, (str, int)) and not isinstance(side, bool) else str(number)


LEAST = 0.05
"""Share of its trim that a polygon covers: less is a slip."""


def shape_of(subject: Subject, entry: Mapping[str, Any]) -> Shape | None:
    """Return the shape of a component; None after a finding, `component/corners` or
    `component/corner-radius`."""

    def refuse(message: str, hint: str) -> None:
        subject.below("corners" if "corners" in entry else "shape").error(
            "component/corners", message, hint
        )

    shape: Literal["rectangle", "ellipse", "hexagon", "polygon"] = entry["shape"]
    if shape in ("hexagon", "polygon") and "corner_radius" in entry:
        radius, message = subject.below("corner_radius"), f"a {shape} has no rounded corners"
        radius.error("component/corner-radius", message, "remove corner_radius")
        return None
    if shape != "polygon":
        if "corners" in entry:
            message = f"only polygons have corners, and this is of shape {shape}"
            refuse(message, "write `shape: polygon`, or remove the corners")
            return None
        return shape
    if "corners" not in entry:
        example = "corners: [[50, 0], [100, 100], [0, 100]] is a triangle"
        refuse("a polygon needs its corners", example)
        return None
    corners = [(x / 100, y / 100) for x, y in entry["corners"]]
    area = _area(corners)
    if _crosses(corners):
        hint = "list the corners in order around the outline"
        refuse("the sides of this polygon cross or touch each other", hint)
        return None
    if abs(area) < LEAST:
        hint = "give corners in percent of the trim, from 0 to 100"
        refuse(f"this polygon covers less than {LEAST:.0%} of its trim", hint)
        return None
    return Polygon(tuple(corners if area > 0 else corners[::-1]))


def _area(corners: Sequence[Point]) -> float:
    """Return the area, above 0 if the corners come clockwise as seen (y down)."""
    pairs = zip(corners, [*corners[1:], corners[0]])
    return sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in pairs) / 2


def _crosses(corners: Sequence[Point]) -> bool:
    """Return True if two sides have a point in common besides the corner between them."""
    sides = list(zip(corners, [*corners[1:], corners[0]]))
    if any(start == end for start, end in sides):
        return True
    for (index, one), (other_index, other) in combinations(enumerate(sides), 2):
        if other_index - index in (1, len(sides) - 1):
            first, second = (one, other) if other_index - index == 1 else (other, one)
            if _side(*first, second[1]) == 0 and _between(first, second[1]):
                return True  # it turns back on itself
        elif _meet(one, other):
            return True
    return False


def _meet(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    a, b = _side(*one, other[0]), _side(*one, other[1])
    c, d = _side(*other, one[0]), _side(*other, one[1])
    if a * b < 0 and c * d < 0:
        return True
    touching = ((a, one, other[0]), (b, one, other[1]), (c, other, one[0]), (d, other, one[1]))
    return any(turn == 0 and _between(side, point) for turn, side, point in touching)


def _side(start: Point, end: Point, point: Point) -> float:
    """Return above 0 right of the way from start to end (y down), below it left, 0 on the line."""
    turn = (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])
    return 0.0 if abs(turn) < 1e-9 else turn


def _between(side: tuple[Point, Point], point: Point) -> bool:
    (x, y), (to_x, to_y) = side
    return min(x, to_x) <= point[0] <= max(x, to_x) and min(y, to_y) <= point[1] <= max(y, to_y)


DEPTHS = (4.0, 60.0)
"""Depths allowed for a tab, in mm."""
SLOTS = (0.1, 5.0)
"""Widths allowed for a slit, in mm: the thickness of the part that goes into it."""


def standee_of(
    subject: Subject, entry: Mapping[str, Any], shape: Shape, radius: float, cards: Sequence[Card]
) -> Standee | None:
    """Return the foot of a component of the kind standee; None after findings, `component/standee`."""
    stated = entry.get("standee", {})
    before = len(subject.findings)

    def measure(key: str, default: str, least: float, most: float) -> float:
        measured = subject.below("standee", key)
        value = length(measured, stated.get(key, default), most=most)
        if value is not None and value < least:
            message = f"a {key} of {value:g}mm is below the minimum {least:g}mm"
            measured.error("component/standee", message, f"write {least:g}mm or more")
        return value or least

    standee = Standee(
        stated.get("foot", "flaps"), measure("depth", "12mm", *DEPTHS), measure("slot", "0.8mm", *SLOTS)
    )
    if radius > 0:
        message = "a standee can't have rounded corners: its halves are joined at the head"
        hint = "remove corner_radius, or draw the figure as a polygon"
        subject.below("corner_radius").error("component/corner-radius", message, hint)
    card = next((card for card in cards if flanks(shape, card.trim) is None), None)
    if card is not None:
        key = next((key for key in ("corners", "shape") if key in entry), "trim")
        message = (
            f"the figure '{card.id}' needs level edges of at least {LEAST_EDGE:g}mm in its {card.trim}: "
            "at the top to fold, at the bottom to stand on"
        )
        hint = "start a polygon's corners with [30, 0], [70, 0] and include [70, 100], [30, 100]"
        subject.below(key).error("component/standee", message, hint)
    return standee if len(subject.findings) == before else None


def load_box(
    context: GameContext, id: str, entry: Mapping[str, Any], others: Mapping[str, Component | None]
) -> Component | None:
    """Return the box `id` that an entry of game.yaml describes, or None after findings. `others` are the
    game's other components, None for invalid ones."""
    _refuse_strange_keys(context, id, entry)
    dieline = _dieline(context, id, entry["box"], others)
    if dieline is None:
        return None
    component = load_component(context, id, entry, dieline)
    boxes = entry["box"]["boxes"]
    if component is not None and boxes > 1 and component.copies != boxes:
        message = f"{boxes} boxes share the cards, but the number of printed boxes is {component.copies}"
        hint = "write one record for each box in the data file, or set `copies`"
        context.subject("components", id, "box", "boxes").warning("box/copies", message, hint)
    return component


def _dieline(
    context: GameContext, id: str, box: Mapping[str, Any], others: Mapping[str, Component | None]
) -> Dieline | None:
    """Return the flat box; None after findings, or if its content is invalid."""
    subject, form = context.subject("components", id, "box"), box["form"]
    strange = [key for key in _BOX_KEYS if box.get(key) and form not in _BOX_KEYS[key]]
    strange += ["boxes"] if box["boxes"] > 1 and form in ("tray", "lid") else []
    for key in strange:
        message = f"a {form} has no '{key}'"
        subject.below(key).error("component/key", message, "remove it", key=True)
    stock = length(subject.below("stock"), box.get("stock", "0.3mm"), most=MAX_STOCK)
    play = length(subject.below("play"), box["play"], most=MAX_PLAY)
    paper = length(subject.below("paper"), box["paper"], most=MAX_STOCK)
    if strange or stock is None or play is None or paper is None:
        return None
    if form == "lid":
        below = _tray_of(subject, box["holds"], others)
        if below is None:
            return None
        dieline, cards, room = lid(below, play, paper), below.cards, below.room
    else:
        piles = _piles(context, subject, box, stock, others)
        if piles is None:
            return None
        boxes, sleeved = box["boxes"], box["sleeved"]
        if form == "tray":
            held = {name: others[name] for name in box["holds"]}
            cards = sum(each.copies for each in held.values() if each is not None and each.kind == "card")
            room = room_in_tray(piles, play)
        else:
            cards = math.ceil(sum(pile.cards for pile in piles) / boxes)
            room = room_for(piles, stock, sleeved, play, boxes)
        if form == "wallet" and cards > MOST_CARDS:
            message = f"{cards} cards are too many for a wallet, which fits {MOST_CARDS}"
            subject.below("form").warning("box/wallet", message, "form: tuck")
        if not _has_walls(room):
            message = f"{room.width:g}×{room.height:g} mm and {room.depth:g} mm deep is too small for a box"
            subject.below("holds").error("box/size", message, "give it more room: play: 2mm")
            return None
        if form == "tray":
            dieline = tray(room, paper)
        else:
            dieline = wallet(room, paper) if form == "wallet" else tuck_box(room, paper, box.get("bottom"))
    if max(dieline.size.width, dieline.size.height) > MAX_TRIM:
        message = f"{cards} cards, a pile of {room.depth:,.0f} mm, need a sheet of {dieline.size}"
        hint = f"split them among several with `boxes`; a piece has {MAX_TRIM:g} mm at most"
        subject.below("holds").error("box/size", message, hint)
        return None
    about = {"holds": list(box["holds"]), "sleeved": box["sleeved"]}
    return replace(dieline, cards=cards, about=about)


_BOX_KEYS: dict[str, Collection[str]] = {
    "bottom": ("tuck",),
    "thickness": ("tray",),
    "stock": ("tuck", "wallet", "tray"),
    "sleeved": ("tuck", "wallet", "tray"),
}
"""The forms of boxes that have a key."""
_THICK = {"board": 2.0, "token": 2.0, "standee": 2.0, "book": 3.0}
"""Thickness in mm of other pieces than cards: greyboard, and a stapled booklet of 40 pages."""
_LOOSE = 2
"""How many times their own thickness loose pieces take, such as tokens in a bag."""


def _tray_of(subject: Subject, holds: list[str], others: Mapping[str, Component | None]) -> Dieline | None:
    """Return the tray that a lid is for; None after a finding, or if the tray is invalid."""
    held = others.get(holds[0])
    if len(holds) == 1 and held is not None and held.box is not None and held.box.form == "tray":
        return held.box
    if len(holds) > 1 or held is not None or holds[0] not in others:
        trays = [id for id, each in others.items() if each and each.box and each.box.form == "tray"]
        named = f"holds: [{trays[0]}]" if trays else "holds: [tray], a component with form: tray"
        message, hint = "a lid holds one tray and nothing else", f"write `{named}`"
        subject.below("holds").error("box/holds", message, hint)
    return None


def _has_walls(room: Room) -> bool:
    """Return True if all walls are long enough to be folded and flaps to be cut."""
    return min(room.width, room.height) >= 2 * MIN_TRIM and room.depth >= 1.0


def _piles(
    context: GameContext,
    subject: Subject,
    box: Mapping[str, Any],
    stock: float,
    others: Mapping[str, Component | None],
) -> list[Pile] | None:
    """Return the pieces of the components, a pile a distinct card; None after findings, or if one of them
    is invalid. Only trays hold books."""
    entries, is_tray = context.manifest.data["components"], box["form"] == "tray"
    piles: list[Pile] = []
    good = True
    stated = box.get("thickness", {})
    for name in stated:
        if name not in box["holds"]:
            measured = subject.below("thickness", name)
            measured.error("box/holds", f"'{name}' is not in this box", "name it in `holds`", key=True)
            good = False
    for index, name in enumerate(box["holds"]):
        named, held = subject.below("holds", index), others.get(name)
        if held is not None and is_tray:
            thick = _THICK.get(held.kind, stock)
            if name in stated:
                thick = length(subject.below("thickness", name), stated[name], most=MAX_STOCK) or 0.0
                good = good and thick > 0
            piles += _flat(held, thick, sleeved=box["sleeved"])
            continue
        if held is not None and held.book is None:
            piles += [Pile(card.trim, card.copies) for card in held.cards if card.copies]
            continue
        good = False
        if held is not None:
            hint = "name decks of cards, make room for a folded rulebook with `play`, or use `form: tray`"
            named.error("box/holds", f"'{name}' is a book, and a box is sized by cards", hint)
        elif name not in entries and ("component", name) not in context.left_out:
            known = [each for each, component in others.items() if component is not None]
            named.refuse_unknown("reference/component", name, known, "component", "components")
        elif name in entries and entries[name]["kind"] == "box":
            named.error("box/holds", f"'{name}' is a box itself", "name decks of cards")
    if good and not piles:
        message = "there is nothing to put into this box"
        subject.below("holds").error("box/holds", message, "name a deck")
        return None
    return piles if good else None


def _flat(held: Component, thick: float, *, sleeved: bool) -> Iterator[Pile]:
    """Yield a component's pieces as they lie in a tray: boards folded, cards in their sleeves."""
    if held.book is not None:
        yield Pile(held.trim or Size(LEAST_PAGE, LEAST_PAGE), 1, thick)
    loose = _LOOSE if held.kind in ("token", "standee") else 1
    for card in held.cards:
        size, layers = folded_size(card.trim, held.lines)
        if sleeved and held.kind == "card":
            upright = size.upright
            size = Size(upright.width + SLEEVE_WIDER, upright.height + SLEEVE_HIGHER)
            yield Pile(size, card.copies, thick + 2 * SLEEVE_FILM)
        elif card.copies:
            yield Pile(size, card.copies, thick * layers * loose)


LEAST_PAPER = Size(210.0, 279.4)
"""The area that A4 and US Letter have in common, upright, mm."""
MARGIN = 5.0
"""The margin that layouts leave for the printer at each edge, mm."""
_OF_SIZES = ("poker", "mini", "tarot", "jumbo", "square")
"""Layouts named after their card size."""
_OF_ANY_CARD = "poker"
"""The layout of cards of other sizes, as many as fit."""
_BY_KIND = {
    "token": "tokens",
    "standee": "standees",
    "die": "stickers",
    "aid": "aids",
    "mat": "aids",
    "board": "aids",
    "box": "box",
}
_BIG_BOX = "big-box"
"""The layout of boxes too large for A4 and US Letter."""


def usual_sheets(components: Sequence[Component], sizes: Mapping[str, Size]) -> tuple[GameSheet, ...]:
    """Return sheets that together contain every component once; of a book two, to read and to fold.

    Cards are named after their size if a layout has it, tokens and flat pieces after their kind. Components
    too large for A4 and US Letter are laid out in tiles. A sheet is named after its layout.
    """
    flat: dict[str, list[str]] = {}
    sheets: list[GameSheet] = []
    for component in components:
        if component.book is None:
            flat.setdefault(_layout(component, sizes), []).append(component.id)
    taken = set(flat)
    for component in components:
        if component.book is not None:
            for name, layout in ((component.id, "single"), (f"{component.id}-booklet", "booklet")):
                name = name if name not in taken else f"{name}-book"
                taken.add(name)
                sheets.append(GameSheet(name, layout, (component.id,)))
    return (*(GameSheet(layout, layout, tuple(ids)) for layout, ids in flat.items()), *sheets)


_LARGE = frozenset(("board", "mat"))


def suits_layout(component: Component, layout: str) -> bool:
    """Return True if a layout is for components of that kind: all but those below are for cards."""
    if layout == "booklet" or component.book is not None:
        return layout == "booklet" and component.book is not None
    if layout == "board":
        return component.kind in _LARGE
    if layout == _BIG_BOX:
        return component.box is not None
    if layout in _BY_KIND.values():
        return _BY_KIND.get(component.kind) == layout
    return layout == "single" or component.kind == "card"


def _layout(component: Component, sizes: Mapping[str, Size]) -> str:
    if component.box is not None:
        return _BY_KIND["box"] if _fits(component.box.size.upright, component.bleed) else _BIG_BOX
    return usual_layout(
        component.kind, {card.trim.upright for card in component.cards}, component.bleed, sizes
    )


def usual_layout(kind: str, trims: Collection[Size], bleed: float, sizes: Mapping[str, Size]) -> str:
    """Return the layout for pieces of a kind, which isn't a box, with these upright trims and a bleed in
    mm."""
    if not all(_fits(trim, bleed) for trim in trims):
        return "board"
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    named = (name for name in _OF_SIZES if name in sizes and trims == {sizes[name].upright})
    return next(named, _OF_ANY_CARD)


def _fits(trim: Size, bleed: float) -> bool:
    """Return True if a piece and its bleed fit inside the margins of either paper, upright or turned."""
    edge = 2 * (MARGIN + bleed)
    return trim.width + edge <= LEAST_PAPER.width and trim.height + edge <= LEAST_PAPER.height
