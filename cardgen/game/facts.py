"""Facts that all games share: sizes, papers, layouts, print services and printers."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from cardgen.core.findings import CardgenError, Finding, Findings, Location, Severity, UsageError
from cardgen.core.geometry import Matrix, Size, parse_length
from cardgen.core.paths import ProjectPaths
from cardgen.core.records import asdict, dataclass, replace
from cardgen.core.services import Autofill, Prices, Product, Service, ServiceInks, canvas_of
from cardgen.core.sheets import (
    MAX_BLEED,
    MAX_CREEP,
    MAX_GUTTER,
    MAX_TRIM,
    MIN_TRIM,
    VARIANTS,
    BackCorrection,
    Paper,
    Places,
    PrinterProfile,
    Registration,
    SheetLayout,
)
from cardgen.files.listing import names_in
from cardgen.files.reading import PROFILE, SERVICE, ReadingError, is_there, read_file
from cardgen.files.writing import config_folder, write_bytes
from cardgen.files.yaml import Document, copied, load_yaml
from cardgen.game.number_words import NumberWords, words_of
from cardgen.game.schema_findings import fits
from cardgen.game.sources import Sources, Subject
from cardgen.sheets.grid import TOLERANCE
from cardgen.sheets.marks import keeps_clear

SIZES = "data/sizes.yaml"
PAPERS = "data/papers.yaml"
SHEETS = "data/sheets"
SHEET_SCHEMA = "schemas/sheet.schema.json"
LANGUAGES = "data/languages"


@dataclass(frozen=True, slots=True)
class Measured:
    """An entry of `data/sizes.yaml` or `data/papers.yaml`: its upright size, its title, and True if it is
    the project's own."""

    size: Size
    title: str
    own: bool


def load_papers(paths: ProjectPaths) -> dict[str, Paper]:
    """Return papers by name, upright, from `data/papers.yaml` of the project and of the bundled one; the
    project's own entries come first and have priority. Raises CardgenError with all findings."""
    return {name: Paper(name, paper.size.upright) for name, paper in load_paper_facts(paths).items()}


def load_paper_facts(paths: ProjectPaths) -> dict[str, Measured]:
    """Return the papers in the files, as `load_papers` does."""
    findings = Findings()
    papers = _measured(Sources(paths, findings), PAPERS, "papers", "schemas/papers.schema.json")
    findings.raise_if_errors()
    return papers


def load_layouts(paths: ProjectPaths, needed: Collection[str] | None = None) -> dict[str, SheetLayout]:
    """Return sheet layouts by name, from `data/sheets/`, as `load_papers` does; of the bundled project's
    only the `needed` ones. A file defines a layout of its own name, and its `variants`."""
    findings = Findings()
    sources = Sources(paths, findings)
    layouts: dict[str, SheetLayout] = {}
    papers = _measured(sources, PAPERS, "papers", "schemas/papers.schema.json")
    own = sources.names_of(paths.roots[0], SHEETS, ".yaml") if len(paths.roots) > 1 else ()
    files = sources.names(SHEETS, ".yaml")
    has_all = needed is not None and all(f"{name}.yaml" in files for name in needed)
    for file in sorted(files, key=lambda each: (each not in own, each)):
        name = file.removesuffix(".yaml")
        if has_all and name not in needed and file not in own:  # type: ignore[operator]
            continue
        for document in _variants(sources, f"{SHEETS}/{file}"):
            key = name if document.key is None else document.key
            if needed is not None and key not in needed and file not in own:
                continue
            if document.key is not None and file in own and f"{key}.yaml" in own:
                message, hint = (
                    f"there is a file {key}.yaml already",
                    "rename the variant, or delete the file",
                )
                Subject(document, findings).error("sheet/variant", message, hint, key=True)
            elif key not in layouts and sources.check(document, SHEET_SCHEMA):
                layouts[key] = _layout(key, document, findings)
                if document.key is not None:
                    layouts[key] = replace(layouts[key], variant_of=name)
                _check_layout(layouts[key], document, papers, sources)
    findings.raise_if_errors()
    return layouts


def layout_names(sources: Sources, *, variants: bool = True) -> set[str]:
    """Return the names of sheet layouts, even of those that don't fit their schema."""
    files = sources.names(SHEETS, ".yaml")
    names = {file.removesuffix(".yaml") for file in files}
    if variants:
        found = (each for file in files for each in _variants(sources, f"{SHEETS}/{file}"))
        names.update(each.key for each in found if each.key is not None)
    return names


def _variants(sources: Sources, file: str) -> Iterator[Variant]:
    """Yield a file's own layout and its variants, which are checked except for values that they lack."""
    document = sources.read(file)
    if document is None:
        return
    data = document.data
    if not isinstance(data, dict) or VARIANTS not in data:
        yield Variant(file, data, document.text)
    elif (schema := sources.schemas.schema(SHEET_SCHEMA)) and fits(document, schema, sources.findings):
        base = {key: value for key, value in data.items() if key != VARIANTS}
        yield Variant(file, copied(base), document.text)
        for key, values in data[VARIANTS].items():
            yield Variant(file, copied(_merged(base, values)), document.text, key=key, own=values)


def _merged(base: Any, values: Any) -> Any:
    """Return values with those of a mapping's base that they lack."""
    if not (isinstance(base, dict) and isinstance(values, dict)):
        return values
    return base | {key: _merged(base.get(key), value) for key, value in values.items()}


@dataclass(slots=True)
class Variant(Document):
    """The layout of a file, or its variant called `key`, whose values are its `own` and the file's."""

    key: str | None = None
    own: Any = None

    @property
    def name(self) -> str:
        return self.relative if self.key is None else f"{self.relative}#{self.key}"

    def locate(self, path: Sequence[str | int] = (), *, key: bool = False) -> Location:
        if self.key is not None and (_has(self.own, path) or not _has(self.data, path)):
            path = (VARIANTS, self.key, *path)
        return Document.locate(self, tuple(path), key=key)


def _has(values: Any, path: Sequence[str | int]) -> bool:
    for step in path:
        try:
            values = values[step]
        except (LookupError, TypeError):
            return False
    return True


def _check_layout(
    layout: SheetLayout, document: Document, papers: Mapping[str, Measured], sources: Sources
) -> None:
    """Report values of a layout that don't go together, and unknown files and papers."""
    findings = sources.findings
    if layout.nest and layout.stacks:
        message, hint = "stacks need full pages, and `nest` divides them", "delete one of the two"
        Subject(document, findings, ("order",)).error("sheet/stacks", message, hint)
    if layout.underlay is not None:
        sources.file(Subject(document, findings, ("underlay",)), SHEETS, layout.underlay, "sheet/underlay")
    if layout.places is None:
        return
    subject = Subject(document, findings, ("places",))
    if layout.places.paper in papers:
        _check_places(subject, layout, papers[layout.places.paper].size)
    else:
        subject.below("paper").refuse_unknown(
            "sheet/paper", layout.places.paper, papers, "paper", "papers", "cardgen list --papers"
        )


def read_sizes(sources: Sources) -> dict[str, Size]:
    """Return trim sizes by name, as `load_papers` does, with findings added to those of `sources`."""
    return {name: each.size for name, each in _sizes(sources).items()}


def read_number_words(sources: Sources, language: str) -> NumberWords:
    """Return a language's number words, those of `de` for `de-AT`; none for a language without a file, in
    which only digits are found."""
    for name in (language, language.partition("-")[0]):
        file = f"{LANGUAGES}/{name}.yaml"
        if sources.has(file):
            document = sources.checked(file, "schemas/language.schema.json")
            return NumberWords({} if document is None else words_of(document.data))
    return NumberWords({})


def load_sizes(paths: ProjectPaths) -> dict[str, Measured]:
    """Return the trim sizes in the files, as `load_papers` does."""
    findings = Findings()
    sizes = _sizes(Sources(paths, findings))
    findings.raise_if_errors()
    return sizes


def _sizes(sources: Sources) -> dict[str, Measured]:
    return _measured(sources, SIZES, "sizes", "schemas/sizes.schema.json")


def _measured(sources: Sources, relative: str, key: str, schema: str) -> dict[str, Measured]:
    """Return the entries below `key`: the user's first, then the bundled project's."""
    found: dict[str, Measured] = {}
    sources.read(relative)
    for root in reversed(sources.paths.roots):
        path = root / relative
        if not is_there(path):
            continue
        if sources.paths.find(relative) == path:
            document = sources.checked(relative, schema)
        else:
            document = load_yaml(path, relative, sources.findings, within=sources.paths.roots)
            prepared = sources.schemas.schema(schema)
            if not (document and prepared and fits(document, prepared, sources.findings)):
                document = None
        if document is None:
            continue
        own: dict[str, Measured] = {}
        for name, entry in document.data[key].items():
            sides = {side: (side, entry[side]) for side in ("width", "height")}
            size = sides_of(Subject(document, sources.findings, (key, name)), sides)
            if size is not None:
                own[name] = Measured(size, entry["title"], root == sources.paths.roots[0])
        found = own | {name: each for name, each in found.items() if name not in own}
    return found


def _layout(name: str, document: Document, findings: Findings) -> SheetLayout:
    data, subject = document.data, Subject(document, findings)

    def distance(key: str) -> float:
        return length(subject.below(key), data[key], most=MAX_GUTTER) or 0.0

    grid: Any = data["grid"]
    stated: Any = data["marks"]
    details = stated if isinstance(stated, dict) else {"kind": stated}
    return SheetLayout(
        name=name,
        title=data["title"],
        grid=(int(grid[0]), int(grid[1])) if isinstance(grid, list) else grid,
        gutter=0.0 if data["gutter"] == "auto" else distance("gutter"),
        widen=data["gutter"] == "auto",
        bleed=distance("bleed"),
        margin=distance("margin"),
        marks=details["kind"],
        duplex=data["duplex"],
        overlap=distance("overlap"),
        cut_order=data["cut_order"],
        strip=data["strip"],
        places=_places(subject.below("places"), data["places"]) if "places" in data else None,
        nest=data["nest"],
        drift=data["drift"],
        slug=distance("slug"),
        collate=data["collate"],
        underlay=data.get("underlay"),
        stacks=data["order"] == "stacks",
        double=data.get("paper") == "double",
        creep=length(subject.below("creep"), data["creep"], most=MAX_CREEP) or 0.0,
        back_bleed=distance("back_bleed") if "back_bleed" in data else None,
        registration=_registration(subject.below("marks"), details),
    )


def _registration(subject: Subject, details: Mapping[str, Any]) -> Registration:
    """Return a machine's marks, with the defaults of their schema."""
    values: dict[str, Any] = {
        key: length(subject.below(key), details[key], most=MAX_GUTTER)
        for key in ("inset", "length", "thickness", "square", "clear")
        if key in details
    }
    known = {key: value for key, value in values.items() if value is not None}
    return replace(Registration(four=details.get("corners") == "four"), **known)


def _check_places(subject: Subject, layout: SheetLayout, paper: Size) -> None:
    """Report places beyond the paper, or over a machine's marks: `sheet/places`."""
    places = layout.places
    assert places is not None
    page = places.page(paper)
    area = places.area(page)
    beyond = {
        "left": -area.x,
        "top": -area.y,
        "right": area.right - page.width,
        "bottom": area.bottom - page.height,
    }
    over = [f"{round(mm, 2):g} mm over the {edge} edge" for edge, mm in beyond.items() if mm > TOLERANCE]
    grid = f"{places.columns}×{places.rows} places of {places.size}"
    if over:
        needed = f"need {round(area.width, 2):g}×{round(area.height, 2):g} mm"
        subject.below("grid").error(
            "sheet/places",
            f"{grid} {needed} and extend {' and '.join(over)} of {places.paper} ({page})",
            _fewer(places, page),
        )
    elif not keeps_clear(area, page, layout):
        subject.below("grid").error(
            "sheet/places",
            f"{grid} cover the registration marks, which start {layout.registration.inset:g} mm from the "
            f"edges of {places.paper}",
            "reduce the grid, or shorten the marks with `marks: {kind: silhouette, length: 10mm}`",
        )


def _fewer(places: Places, page: Size) -> str:
    """Return the fix for places that extend beyond a page."""
    left, top = places.origin or (0.0, 0.0)
    columns = math.floor((page.width - left - places.size.width + TOLERANCE) / places.pitch.width) + 1
    rows = math.floor((page.height - top - places.size.height + TOLERANCE) / places.pitch.height) + 1
    if min(columns, rows, left + 1, top + 1) < 1:
        return "use larger paper, or smaller places"
    if columns < places.columns or rows < places.rows:
        grid = f"[{min(columns, places.columns)}, {min(rows, places.rows)}]"
        return f"use `grid: {grid}`, the most that this paper holds, or larger paper"
    return "reduce `origin`, or delete it to center the places"


def _places(subject: Subject, data: Mapping[str, Any]) -> Places | None:
    """Return the places of a layout, or None after findings."""
    sizes = []
    for key in ("size", "pitch"):
        sides = {index: (name, data[key][index]) for index, name in enumerate(("width", "height"))}
        sizes.append(sides_of(subject.below(key), sides))
    size, pitch = sizes
    origin = None
    if "origin" in data:
        x, y = (
            length(subject.below("origin", index), text, most=MAX_TRIM) or 0.0
            for index, text in enumerate(data["origin"])
        )
        origin = (x, y)
    if size is None or pitch is None:
        return None
    if pitch.width < size.width or pitch.height < size.height:
        message = f"places of {size} overlap with a pitch of {pitch}"
        hint = "measure the pitch from left edge to left edge and from top to top"
        subject.below("pitch").error("sheet/places", message, hint)
        return None
    columns, rows = data["grid"]
    landscape = data.get("page") == "landscape"
    return Places(int(columns), int(rows), size, pitch, data["paper"], origin, landscape)


def length(subject: Subject, text: str, *, most: float) -> float | None:
    """Return millimeters of a length from 0 to `most` mm, or None after a finding."""
    try:
        value = round(parse_length(text), 6)  # makes 3in 76.2, not 76.19999999999999
    except ValueError as error:
        subject.error("schema/length", str(error))
        return None
    if not math.isfinite(value) or not 0 <= value <= most:
        problem = "negative" if value < 0 else f"above the maximum {most:g}mm"
        subject.error("schema/length", f"the length {text} is {problem}")
        return None
    return value


def trim(subject: Subject, value: Any, sizes: Mapping[str, Size]) -> Size | None:
    """Return the size that a `trim` states: a name of `sizes` or [width, height]. None after findings."""
    if isinstance(value, str):
        if value in sizes:
            return sizes[value]
        subject.refuse_unknown("reference/size", value, sizes, "size", "sizes", "cardgen list --sizes")
        return None
    return sides_of(subject, {index: ("side", text) for index, text in enumerate(value)})


def sides_of(subject: Subject, sides: Mapping[Any, tuple[str, str]]) -> Size | None:
    """Return the size given by two lengths of a value; `sides` has the name and text of each by its key.
    None after findings."""
    values = []
    for key, (name, text) in sides.items():
        side = subject.below(key)
        value = length(side, text, most=MAX_TRIM)
        if value is not None and value < MIN_TRIM:
            side.error("schema/length", f"the {name} {text} is below the minimum {MIN_TRIM:g}mm")
            value = None
        values.append(value)
    width, height = values
    return None if width is None or height is None else Size(width, height)


@dataclass(frozen=True, slots=True)
class Players:
    """The least and most players of a game, and the number it is loaded for (None: all)."""

    least: int
    most: int
    count: int | None = None


def copies(subject: Subject, value: Any, players: Players) -> int:
    """Return the copies given by a card's `copies`.

    Without a player count it is the largest number: enough for every count. A `by_players` that lacks one
    of the game's player counts, or names another, is a finding.
    """
    if not isinstance(value, dict):
        return int(value)
    if "per_player" in value:
        return int(value["per_player"]) * (players.count or players.most)
    by_players = {int(count): int(number) for count, number in value["by_players"].items()}
    stated = subject.below("by_players")
    for count in range(players.least, players.most + 1):
        if count not in by_players:
            message = f"by_players has no entry for {count} players"
            hint = f"the game is for {players.least} to {players.most}; 0 copies are allowed"
            stated.error("copies/players", message, hint)
    for count in by_players:
        if not players.least <= count <= players.most:
            message = f"by_players has {count} players, the game is for {players.least} to {players.most}"
            stated.below(str(count)).error("copies/players", message, "remove the entry", key=True)
    if not any(by_players.values()):
        stated.error("copies/none", "no number of players gets this card", "write a number above 0")
    if players.count is not None:
        return by_players.get(players.count, 0)
    return max(by_players.values())


SERVICES = "data/services"
SCHEMA = "schemas/service.schema.json"
DPI = 300
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def load_service(paths: ProjectPaths, name: str) -> Service:
    """Return the service of that name. Raises CardgenError with every finding of its file, and of the file
    of the service that it is `like`."""
    findings = Findings()
    sources = Sources(paths, findings)
    document = sources.checked(f"{SERVICES}/{name}.yaml", SCHEMA, SERVICE)
    service = _service(name, document, sources) if document is not None else None
    findings.raise_if_errors()
    assert service is not None
    return service


def priced_services(paths: ProjectPaths) -> list[Service]:
    """Return the services with a price table; those in error are skipped, since `check_services` reports
    them."""
    sources = Sources(paths, Findings())
    found = []
    for file in sorted(sources.names(SERVICES, ".yaml")):
        before = len(sources.findings.errors)
        document = sources.checked(f"{SERVICES}/{file}", SCHEMA, SERVICE)
        if document is None or "prices" not in document.data:
            continue
        service = _service(file.removesuffix(".yaml"), document, sources)
        if service is not None and len(sources.findings.errors) == before:
            found.append(service)
    return found


def check_services(paths: ProjectPaths, findings: Findings) -> None:
    """Report problems of the services in the user's own project, even of unused ones."""
    sources = Sources(paths, findings)
    try:
        files = names_in(paths.roots[0] / SERVICES, SERVICES, paths.roots, ".yaml")
    except CardgenError as error:
        findings.extend(error.findings)
        return
    for file in files:
        name = file.removesuffix(".yaml")
        if not _NAME.fullmatch(name):
            hint = "name the file in lower-case words or numbers joined by -"
            place = Location(f"{SERVICES}/{file}")
            findings.error("service/name", "a print service can't have this name", place, hint)
            continue
        document = sources.checked(f"{SERVICES}/{file}", SCHEMA, SERVICE)
        if document is not None:
            _service(name, document, sources)


def _service(name: str, document: Document, sources: Sources) -> Service | None:
    """Return the service of a document; unstated values are those of the service that it is like."""
    base = _base(name, document, sources)
    if base is None and "like" in document.data:
        return None
    homes = dict.fromkeys(document.data, document)
    if base is not None:
        homes = dict.fromkeys(base.data, base) | homes
    reader = _Reader(homes, sources)
    bleed = reader.distance("bleed") or 0.0
    dpi = reader.count("dpi") or DPI
    return Service(
        id=name,
        title=document.data["title"],
        address=document.data.get("address"),
        delivery=reader.value("delivery"),
        order_by=reader.value("order_by") or "component",
        dpi=dpi,
        bleed=bleed,
        safe=reader.distance("safe") or 0.0,
        most_cards=reader.count("most_cards"),
        any_trim=bool(reader.value("any_trim")),
        proof=reader.value("proof"),
        caveat=document.data.get("caveat"),
        steps=tuple(reader.value("steps") or ()),
        products=() if reader.value("any_trim") else reader.products(bleed, dpi),
        first=reader.value("first") or ("back" if reader.value("delivery") == "deck-pdf" else "face"),
        autofill=reader.autofill(),
        interface=reader.value("interface"),
        inks=reader.inks(),
        prices=reader.prices(),
    )


def _base(name: str, document: Document, sources: Sources) -> Document | None:
    like = document.data.get("like")
    if like is None:
        return None
    subject = Subject(document, sources.findings, ("like",))
    if like == name or not sources.has(f"{SERVICES}/{like}.yaml"):
        others = {file.removesuffix(".yaml") for file in sources.names(SERVICES, ".yaml")} - {name}
        subject.refuse_unknown(
            "reference/service", like, others, "other service", "services", "cardgen list --services"
        )
        return None
    base = sources.checked(f"{SERVICES}/{like}.yaml", SCHEMA, SERVICE)
    if base is not None and "like" in base.data:
        message = f"'{like}' is already like another service"
        subject.error("reference/service", message, f"name '{base.data['like']}' here")
        return None
    return base


class _Reader:
    """The values of a service, each from the document that states it."""

    def __init__(self, homes: dict[str, Document], sources: Sources) -> None:
        self.homes, self.sources = homes, sources

    def value(self, key: str) -> Any:
        home = self.homes.get(key)
        return None if home is None else home.data[key]

    def distance(self, key: str) -> float | None:
        entry = self._entry(key)
        if entry is None:
            return None
        return length(self._subject(self.homes[key], key, "value"), entry["value"], most=MAX_BLEED)

    def _subject(self, home: Document, *path: str | int) -> Subject:
        return Subject(home, self.sources.findings, path)

    def count(self, key: str) -> int | None:
        entry = self._entry(key)
        return None if entry is None else int(entry["value"])

    def inks(self) -> ServiceInks | None:
        """Return the inks in which the service accepts PDF."""
        if self.value("color") != "cmyk":
            return None
        limit, overprint = self.count("ink_limit"), self.value("overprint")
        return ServiceInks(self.value("profile"), limit, self.value("standard"), overprint is not False)

    def _entry(self, key: str) -> Any:
        entry = self.value(key)
        if entry is not None:
            self._check_source(self.homes[key], (key, "source"), entry["source"])
        return entry

    def autofill(self) -> Autofill | None:
        """Return the stated products and stocks that MPC Autofill can order."""
        home = self.homes.get("autofill")
        if home is None or home is not self.homes.get("products"):
            return None
        entry, made = self._entry("autofill"), home.data["products"]
        for number, product in enumerate(entry["products"]):
            if product not in made:
                subject = self._subject(home, "autofill", "products", number)
                subject.refuse_unknown("reference/product", product, made, "product", "products")
        return Autofill(tuple(entry["products"]), tuple(entry["stocks"]))

    def prices(self) -> Prices | None:
        """Return the price table, whose steps and discounts must ascend."""
        home, entry = self.homes.get("prices"), self._entry("prices")
        if home is None:
            return None
        made = self.homes["products"].data["products"] if "products" in self.homes else {}
        steps = {}
        for product, listed in entry["steps"].items():
            subject = self._subject(home, "prices", "steps", product)
            if product not in made:
                subject.refuse_unknown("reference/product", product, made, "product", "products")
            steps[product] = self._ascending(subject, [(each["cards"], each["price"]) for each in listed])
        subject = self._subject(home, "prices", "discounts")
        given = [(each["sets"], each["off"]) for each in entry.get("discounts", ())]
        return Prices(entry["currency"], steps, self._ascending(subject, given))

    def _ascending(
        self, subject: Subject, pairs: Sequence[tuple[int, float]]
    ) -> tuple[tuple[int, float], ...]:
        for index, (one, other) in enumerate(pairwise(pairs), 1):
            if other[0] <= one[0]:
                message = f"{other[0]} follows {one[0]}"
                subject.below(index).error("service/prices", message, "list them in ascending order")
        return tuple(pairs)

    def products(self, bleed: float, dpi: int) -> tuple[Product, ...]:
        home = self.homes["products"]
        sizes = read_sizes(self.sources)
        found = []
        for name, entry in home.data["products"].items():
            path = ("products", name)
            self._check_source(home, (*path, "source"), entry["source"])
            size = trim(self._subject(home, *path, "trim"), entry["trim"], sizes)
            if size is None:
                continue
            canvas = tuple(entry["canvas"]) if "canvas" in entry else canvas_of(size, bleed, dpi)
            self._fits(home, path, canvas, size, dpi)
            found.append(
                Product(
                    id=name,
                    title=entry["title"],
                    kinds=tuple(entry["kinds"]),
                    shape=entry["shape"],
                    trim=size,
                    canvas=(canvas[0], canvas[1]),
                    back=entry["back"],
                    caveat=entry.get("caveat"),
                    by_name=entry["by_name"],
                    most_pages=entry.get("most_pages"),
                    api=entry.get("api"),
                )
            )
        return tuple(found)

    def _fits(
        self, home: Document, path: tuple[str, ...], canvas: tuple[int, ...], size: Size, dpi: int
    ) -> None:
        """Report a canvas too small for its trim, such as one turned the other way."""
        least = canvas_of(size, 0.0, dpi)
        if canvas[0] < least[0] or canvas[1] < least[1]:
            message = (
                f"a canvas of {canvas[0]}×{canvas[1]} px is smaller than the trim, {least[0]}×{least[1]} px"
            )
            subject = self._subject(home, *path, "canvas")
            subject.error("service/canvas", message, "use the same orientation for canvas and trim")

    def _check_source(self, home: Document, path: tuple[str, ...], name: str) -> None:
        known = home.data.get("sources", {})
        if name not in known:
            subject = self._subject(home, *path)
            subject.refuse_unknown("reference/source", name, known, "source", "sources")


_PRINTER_NAME = re.compile(r"[^\W_][\w .-]*")  # letters and digits of any script

MOST_SHIFT = 15.0
"""mm. No printer is off by more; a larger reading is a slip."""

MOST_SCALING = 0.05
"""A larger scale is a slip as well, five in a hundred."""

MOST_ROTATION = 2.0
"""Likewise, degrees."""

MOST_APART = 0.5
"""Degrees by which the rotations of two pairs of targets may differ: a slip of 1 mm."""

MOST_MARGIN = 25.0
"""mm at the paper's edges. Printers leave 3 to 6, at one edge up to 17."""

Point = tuple[float, float]


def correction_from(
    targets: Sequence[Point], readings: Sequence[Point], centre: Point, rotation: float | None = None
) -> BackCorrection:
    """Return the correction that puts backs behind their faces.

    `targets` are two or three points of the face page: the first two differ in both directions, the third
    is level with the first and above or below the second. The `readings` are the distances to the right and
    down, seen from the face, at which the printer put the marks that belong behind the targets; `centre` is
    the page's; all in mm. From the page's center, the printer turns its print by `rotation` degrees
    clockwise, scales it and shifts it; None takes the rotation of three targets, or none. Raises UsageError
    for readings that no printer produces.
    """
    for reading in readings:
        for name, off in zip("xy", reading):
            if not abs(off) <= MOST_SHIFT:
                raise UsageError(
                    f"a reading of {off:g} mm in {name} is larger than any printer's error",
                    f"measure again; the scales run from -{MOST_SHIFT:g} to {MOST_SHIFT:g} mm at most",
                    "printer/reading",
                )
    put = [(x + right, y + down) for (x, y), (right, down) in zip(targets, readings)]
    if rotation is None:
        rotation = _rotation(targets, put) if len(targets) > 2 else 0.0
    back = _turn(-rotation)
    first, second = (back.apply(*point) for point in put[:2])
    scales = []
    for axis, name in enumerate("xy"):
        scale = (second[axis] - first[axis]) / (targets[1][axis] - targets[0][axis])
        if abs(scale - 1) > MOST_SCALING:
            one, other = readings[0][axis], readings[1][axis]
            raise UsageError(
                f"the readings in {name}, {one:g} and {other:g} mm, mean that the back is "
                f"printed at {scale:.0%} of the face's size",
                "measure again and check the signs: right and down are positive",
                "printer/reading",
            )
        scales.append(scale)
    # The printer does q = turn(scale(p - center)) + center + shift; the readings give q for each p.
    turn, (sx, sy) = _turn(rotation), scales
    shifts = []
    for (x, y), (right, down) in zip(targets, put):
        without = turn.apply(sx * (x - centre[0]), sy * (y - centre[1]))
        shifts.append((right - centre[0] - without[0], down - centre[1] - without[1]))
    dx, dy = back.apply(*(sum(values) / len(shifts) for values in zip(*shifts)))
    return BackCorrection(
        round(-dx / sx, 4), round(-dy / sy, 4), round(1 / sx, 6), round(1 / sy, 6), 0.0 - rotation
    )


def _rotation(targets: Sequence[Point], put: Sequence[Point]) -> float:
    """Return the rotation of three printed targets, degrees clockwise."""
    (x1, y1), (x2, y2), (x3, y3) = put
    aside = math.copysign(1, targets[2][0] - targets[0][0])
    below = math.copysign(1, targets[1][1] - targets[2][1])
    level = math.degrees(math.atan2(aside * (y3 - y1), aside * (x3 - x1)))
    upright = math.degrees(math.atan2(-below * (x2 - x3), below * (y2 - y3)))
    if abs(level - upright) > MOST_APART:
        raise UsageError(
            f"the readings contradict each other: horizontal lines are turned by {level:z.2f} degrees, "
            f"vertical ones by {upright:z.2f}",
            "measure again and check the order: x and y of target 1, of target 2, of target 3",
            "printer/reading",
        )
    return checked_rotation(round((level + upright) / 2, 4))


def checked_rotation(degrees: float) -> float:
    """Return the rotation of a printer's backs. Raises UsageError for an impossible one."""
    if not abs(degrees) <= MOST_ROTATION:
        raise UsageError(
            f"backs turned by {degrees:g} degrees are more than any printer's error",
            f"measure again; the maximum is {MOST_ROTATION:g} degrees",
            "printer/reading",
        )
    return degrees


def checked_margin(margin: float) -> float:
    """Return a printer's margin. Raises UsageError for an impossible one."""
    if not 0 <= margin <= MOST_MARGIN:
        raise UsageError(
            f"a margin of {margin:g} mm is not a possible printer margin",
            f"measure again; 0 to {MOST_MARGIN:g} mm are possible",
            "printer/reading",
        )
    return margin


def _turn(degrees: float) -> Matrix:
    """Return the rotation about 0, 0, clockwise with y down."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Matrix(cosine, sine, -sine, cosine)


def profile_path(name: str) -> Path:
    """Return the path of the profile of that name. Raises UsageError for a name that no file can have, and
    for a user without a home."""
    name = unicodedata.normalize("NFC", name)
    if not _PRINTER_NAME.fullmatch(name) or name.endswith("."):
        raise UsageError(
            f"'{name}' is not a valid printer profile name", "use letters, digits, spaces, '.', '_' and '-'"
        )
    folder = config_folder()
    if folder is None:
        raise UsageError(
            "there is no home folder for printer profiles", "set a folder: CARDGEN_CONFIG=FOLDER"
        )
    return folder / "printers" / f"{name}.toml"


def profile_names() -> list[str]:
    """Return the stored profiles, sorted."""
    base = config_folder()
    if base is None:
        return []
    folder = base / "printers"
    return [name.removesuffix(".toml") for name in names_in(folder, str(folder), None, ".toml")]


def load_profile(name: str) -> PrinterProfile:
    """Return the stored profile. Raises UsageError if there is none, CardgenError if its file is
    damaged."""
    import tomllib

    path = profile_path(name)
    try:
        tables = tomllib.loads(read_file(path, PROFILE, path.as_posix(), None).decode("utf-8"))
        portrait, landscape = _correction(tables, "portrait"), _correction(tables, "landscape")
        margin = None if "margin" not in tables else float(tables["margin"])
        if margin is not None and not 0 <= margin <= MOST_MARGIN:
            raise ValueError(f"the margin is not between 0 and {MOST_MARGIN:g} mm")
    except ReadingError as error:
        if error.code != "file/missing":
            raise
        known = profile_names()
        some = f"use one of: {', '.join(known)}"
        hint = some if known else "print a test page to make one: cardgen calibrate"
        raise UsageError(f"there is no printer profile '{name}'", hint, "usage/printer") from None
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        message = f"the printer profile cannot be read: {error}"
        hint = "delete the file, or measure the printer again: cardgen calibrate"
        place = Location(path.as_posix())
        raise CardgenError(Finding(Severity.ERROR, "printer/profile", message, place, hint)) from error
    return PrinterProfile(name, portrait, landscape, margin)


def _correction(tables: dict[str, Any], key: str) -> BackCorrection | None:
    """Return one table of a profile; ValueError or TypeError if it contains anything odd."""
    if key not in tables:
        return None
    correction = BackCorrection(**{field: float(value) for field, value in tables[key].items()})
    shifts, scales = (correction.dx, correction.dy), (correction.scale_x, correction.scale_y)
    if not all(abs(shift) <= 2 * MOST_SHIFT for shift in shifts):
        raise ValueError(f"a shift in [{key}] is beyond {2 * MOST_SHIFT:g} mm")
    if not all(abs(scale - 1) <= 2 * MOST_SCALING for scale in scales):
        raise ValueError(f"a scale in [{key}] is not near 1")
    if not abs(correction.rotation) <= MOST_ROTATION:
        raise ValueError(f"the rotation in [{key}] is beyond {MOST_ROTATION:g} degrees")
    return correction


def store_profile(profile: PrinterProfile) -> Path:
    """Write the whole profile and return its path. Raises CardgenError if that fails."""
    lines = [
        "# How cardgen turns, scales and shifts backs for this printer, about the page center, seen from",
        "# the face: rotation in degrees clockwise, dx to the right and dy down in mm. margin: mm at the",
        "# paper's edges that it leaves white.",
    ]
    if profile.margin is not None:
        lines += ["", f"margin = {profile.margin!r}"]
    for key, correction in (("portrait", profile.portrait), ("landscape", profile.landscape)):
        if correction is not None:
            lines += [
                "",
                f"[{key}]",
                *(f"{name} = {value!r}" for name, value in asdict(correction).items()),
            ]
    path = profile_path(profile.name)
    write_bytes(path, ("\n".join(lines) + "\n").encode("utf-8"))
    return path
