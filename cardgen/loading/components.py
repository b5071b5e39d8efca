"""Components: from their entries in game.yaml to finished values with their cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from cardgen.findings import Location
from cardgen.geometry import Polygon, Rect, Shape, Size
from cardgen.loading.cards import Path, documents, load_cards, schema_of
from cardgen.loading.choices import in_full, is_choice, options
from cardgen.loading.context import GameContext
from cardgen.loading.dice import stickers
from cardgen.loading.lengths import length, trim
from cardgen.loading.shapes import shape_of
from cardgen.loading.standees import standee_of
from cardgen.model.boxes import Dieline
from cardgen.model.dice import Die
from cardgen.model.extremes import LEAST_PAGE, MAX_BLEED, MAX_TRIM
from cardgen.model.game import BookSource, Card, Component
from cardgen.schema.merge import known_keys
from cardgen.schema.wording import name_hint

SERVICES = "data/services"

DEFAULT_RADIUS = {"card": "3mm", "aid": "3mm", "die": "1.5mm"}
"""Corner radius by kind, 0 for the others. 3 mm (1/8 in) is what card printers cut by default; that of dice
follows no standard."""

DEFAULT_BLEED = "3.175mm"
"""1/8 inch, which most printers ask for. Pages of books have none unless one is stated."""


def load_component(
    context: GameContext, id: str, entry: Mapping[str, Any], box: Dieline | None = None
) -> Component | None:
    """The component `id` that an entry of game.yaml describes, or None after findings. A `box` says what
    size and shape it has."""
    base: Path = ("components", id)
    manifest, findings = context.manifest, context.findings
    if box is None:
        _refuse_strange_keys(context, base, entry)
    _check_services(context, base, entry)
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
    radius = length(manifest, (*base, "corner_radius"), corners, findings, most=MAX_TRIM)
    bleed = length(manifest, (*base, "bleed"), entry.get("bleed", DEFAULT_BLEED), findings, most=MAX_BLEED)
    safe = length(manifest, (*base, "safe"), entry["safe"], findings, most=MAX_TRIM)
    shape = shape_of(manifest, base, entry, findings) if box is None else _shape_of_box(box)
    _check_templates(context, base, entry)
    good = len(findings) == before
    in_long = {key: in_full(entry[key]) for key in ("turned", "face", "back") if key in entry}
    cards = load_cards(context, id, {**entry, **in_long}, size)
    if not cards or not good or radius is None or bleed is None or safe is None or shape is None:
        # No cards and nothing new to say: a data table read the same file, and said what is wrong with it.
        return None
    declared = _declared(context, id, entry, cards)
    dice: tuple[Die, ...] = ()
    if entry["kind"] == "die":
        found = stickers(context, cards)
        if found is None:
            return None
        cards, dice = found
    before = len(findings)
    _check_insets(context, base, entry, cards, radius, bleed, safe)
    if box is not None:
        _check_sizes(context, cards, box)
    standee = None
    if entry["kind"] == "standee":
        standee = standee_of(manifest, base, entry, shape, radius, cards, findings)
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
    )


def _shape_of_box(box: Dieline) -> Shape:
    return Polygon.of(box.outline, Rect(0, 0, box.size.width, box.size.height))


def _check_sizes(context: GameContext, cards: list[Card], box: Dieline) -> None:
    """Report cards of a box that state a size."""
    for card in cards:
        if card.trim != box.size:
            key = "trim" if "trim" in card.fields else "turned"
            place = context.sources.locator.locate(card.file, (*card.path, key))
            hint = "leave it out: a box has the size that what it holds asks for"
            context.findings.error("component/key", f"a box has no '{key}'", place, hint)


def _declared(
    context: GameContext, id: str, entry: Mapping[str, Any], cards: list[Card]
) -> tuple[str, ...]:
    """The keys that a component's cards may have: what its schema knows, or without one, what they have."""
    schema = context.sources.schemas.schema(schema_of(context, id, entry))
    known = list(known_keys(schema.of_items(id))) if schema else []
    had = () if "schema" in entry else (key for card in cards for key in card.fields)
    return tuple(dict.fromkeys((*known, *had)))


def judge_part(context: GameContext, id: str, entry: Mapping[str, Any]) -> None:
    """Report what is wrong with all that an entry of game.yaml names, of which only these keys fit."""
    base: Path = ("components", id)
    if "trim" in entry:
        _sizes(context, base, entry["trim"])
    _check_templates(context, base, entry)
    if "book" in entry:
        folder = f"data/{context.game}"
        context.sources.file(context.manifest, (*base, "book"), folder, entry["book"], "reference/book")
    schema = f"schemas/{context.game}/{entry.get('schema')}"
    for document in documents(context, id, entry):
        if document is not None and "schema" in entry and context.sources.has(schema):
            context.sources.check(document, schema)


def _sizes(context: GameContext, base: Path, stated: Any) -> dict[Any, Size | None]:
    """The sizes that a component's trim may come to, by the last step to each; None after a finding."""
    return {
        path[-1]: trim(context.manifest, path, value, context.sizes, context.findings)
        for path, value in options((*base, "trim"), stated)
    }


def _check_templates(context: GameContext, base: Path, entry: Mapping[str, Any]) -> None:
    """Report templates that a component names and that are missing."""
    for side in ("face", "back"):
        for path, template in options((*base, side), entry.get(side)):
            if template is not None:
                context.template(context.manifest, path, template)


def _products(entry: Mapping[str, Any]) -> dict[str, tuple[str, ...] | Literal[False]]:
    """Names of products by print service, one or several."""
    return {
        service: named and ((named,) if isinstance(named, str) else tuple(named))
        for service, named in entry["products"].items()
    }


def _check_services(context: GameContext, base: Path, entry: Mapping[str, Any]) -> None:
    """Report print services that `products` names and that there are not."""
    for name in entry["products"]:
        if not context.sources.has(f"{SERVICES}/{name}.yaml"):
            known = {file.removesuffix(".yaml") for file in context.sources.names(SERVICES, ".yaml")}
            place = context.manifest.locate((*base, "products", name), key=True)
            hint = name_hint(name, known, "services in data/services/")
            context.findings.error("reference/service", f"there is no print service '{name}'", place, hint)


_OF_CARDS = frozenset(
    (
        "data",
        "separator",
        "numbers",
        "columns",
        "schema",
        "face",
        "back",
        "corner_radius",
        "corners",
        "standee",
    )
)
_OF_BOOKS = frozenset(("book", "look"))


def _refuse_strange_keys(context: GameContext, base: Path, entry: Mapping[str, Any]) -> None:
    """Report keys of cards in a book and those of books elsewhere, which would have no effect."""
    book = entry["kind"] == "book"
    strange = (_OF_CARDS if book else _OF_BOOKS) | ({"box"} if entry["kind"] != "box" else set())
    for key in sorted(strange & set(entry)):
        owner = "only a box has a" if key == "box" else "a book has no" if book else "only a book has a"
        place = context.manifest.locate((*base, key), key=True)
        context.findings.error("component/key", f"{owner} '{key}'", place, "leave it out")
    if entry["kind"] == "die" and "back" in entry:
        place = context.manifest.locate((*base, "back"), key=True)
        context.findings.error("component/key", "a sticker for a die has no back", place, "leave it out")
    if "standee" in entry and entry["kind"] not in ("standee", "book"):
        place = context.manifest.locate((*base, "standee"), key=True)
        message = f"a component of the kind {entry['kind']} has no foot"
        context.findings.error("component/key", message, place, "write `kind: standee`, or leave it out")


def _load_book(context: GameContext, id: str, entry: Mapping[str, Any]) -> Component | None:
    """A component of the kind book: pages of one size instead of cards."""
    base: Path = ("components", id)
    manifest, findings = context.manifest, context.findings
    before = len(findings.errors)
    for key in ("trim", "turned"):
        if is_choice(entry[key]):
            place = manifest.locate((*base, key))
            findings.error("component/key", f"a book's {key} is not chosen by a field of cards", place)
            return None
    size = trim(manifest, (*base, "trim"), entry["trim"], context.sizes, findings)
    bleed = length(manifest, (*base, "bleed"), entry.get("bleed", "0mm"), findings, most=MAX_BLEED)
    folder = f"data/{context.game}"
    context.sources.file(manifest, (*base, "book"), folder, entry["book"], "reference/book")
    if size is None or bleed is None or len(findings.errors) > before:
        return None
    size = size.turned if entry["turned"] else size
    if min(size.width, size.height) < LEAST_PAGE:
        message = f"pages of {size} are too small to read; no side may be below {LEAST_PAGE:g}mm"
        findings.error("component/book", message, manifest.locate((*base, "trim")), "a6 is the least usual")
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
    """Note backs that upright and turned cards share: drawn both ways, they tell the cards apart. A card
    with a size of its own is told apart anyway."""
    upright = {card.back for card in cards if card.trim.width < card.trim.height and card.back is not None}
    lying = (card for card in cards if card.trim.width > card.trim.height and card.back in upright)
    shared = [card for card in lying if "trim" not in card.fields or card.fields.get("turned")]
    if shared:
        itself = shared[0].fields.get("turned")
        others = f" and {len(shared) - 1} more" if len(shared) > 1 else ""
        message = (
            f"the card '{shared[0].id}'{others} is turned, and its back with it; upright cards have the "
            f"same back templates/{shared[0].back}, and can be told from it face down"
        )
        hint = "give the turned ones a back of their own, if both lie in one deck: back: {by: …, of: …}"
        place = context.manifest.locate((*base, "turned"))
        if itself is not None:
            place = context.sources.locator.locate(shared[0].file, (*shared[0].path, "turned"))
        context.findings.note("component/turned-back", message, place, hint)


def _check_insets(
    context: GameContext,
    base: Path,
    entry: Mapping[str, Any],
    cards: list[Card],
    radius: float,
    bleed: float,
    safe: float,
) -> None:
    """Report a safe zone, corner radius or bleed that is too large for the smallest card."""
    smallest = min(cards, key=lambda card: min(card.trim.width, card.trim.height))
    side = min(smallest.trim.width, smallest.trim.height)
    about = f"the card '{smallest.id}' is {smallest.trim}"

    def place(key: str) -> Location:
        return context.manifest.locate((*base, key) if key in entry else base)

    if 2 * safe >= side:
        message = f"a safe zone of {safe:g}mm leaves nothing of a side of {side:g}mm"
        context.findings.error("component/safe", message, place("safe"), about)
    if bleed > side:
        message = f"a bleed of {bleed:g}mm is wider than a side of {side:g}mm"
        context.findings.error("component/bleed", message, place("bleed"), about)
    if 2 * radius > side + 1e-6:
        message = f"a corner radius of {radius:g}mm is more than half a side of {side:g}mm"
        context.findings.error("component/corner-radius", message, place("corner_radius"), about)
