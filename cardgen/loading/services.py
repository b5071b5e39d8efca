"""Print services, from `data/services/NAME.yaml` of the project and of the bundled one."""

from __future__ import annotations

import re
from typing import Any

from cardgen.findings import CardgenError, Findings, Location
from cardgen.geometry import Size
from cardgen.loading.facts import read_sizes
from cardgen.loading.lengths import length, trim
from cardgen.loading.sources import Sources
from cardgen.model.extremes import MAX_BLEED
from cardgen.model.game import ProjectPaths
from cardgen.model.services import Autofill, Product, Service, ServiceInks, canvas_of
from cardgen.schema.wording import name_hint
from cardgen.storage.reading import SERVICE
from cardgen.storage.walking import names_in
from cardgen.yaml.reader import Document

SERVICES = "data/services"
SCHEMA = "schemas/service.schema.json"
DPI = 300
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def load_service(paths: ProjectPaths, name: str) -> Service:
    """The service of that name. Raises CardgenError with every finding of its file, and of the one
    that it is `like`."""
    findings = Findings()
    sources = Sources(paths, findings)
    document = sources.checked(f"{SERVICES}/{name}.yaml", SCHEMA, SERVICE)
    service = _service(name, document, sources) if document is not None else None
    findings.raise_if_errors()
    assert service is not None
    return service


def check_services(paths: ProjectPaths, findings: Findings) -> None:
    """Add what is wrong with the services of the user's own project, whether or not a game uses them."""
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
            findings.error("service/name", "no print service can have this name", place, hint)
            continue
        document = sources.checked(f"{SERVICES}/{file}", SCHEMA, SERVICE)
        if document is not None:
            _service(name, document, sources)


def _service(name: str, document: Document, sources: Sources) -> Service | None:
    """The service of a document; what it does not state, from the one that it is like."""
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
    )


def _base(name: str, document: Document, sources: Sources) -> Document | None:
    like = document.data.get("like")
    if like is None:
        return None
    place = document.locate(("like",))
    if like == name or not sources.has(f"{SERVICES}/{like}.yaml"):
        others = {file.removesuffix(".yaml") for file in sources.names(SERVICES, ".yaml")} - {name}
        hint = name_hint(like, others, "services in data/services/")
        sources.findings.error("reference/service", f"there is no other service '{like}'", place, hint)
        return None
    base = sources.checked(f"{SERVICES}/{like}.yaml", SCHEMA, SERVICE)
    if base is not None and "like" in base.data:
        message = f"'{like}' is itself like another service"
        sources.findings.error("reference/service", message, place, f"name '{base.data['like']}' here")
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
        path = (key, "value")
        return length(self.homes[key], path, entry["value"], self.sources.findings, most=MAX_BLEED)

    def count(self, key: str) -> int | None:
        entry = self._entry(key)
        return None if entry is None else int(entry["value"])

    def inks(self) -> ServiceInks | None:
        """The inks that it takes PDF in."""
        if self.value("color") != "cmyk":
            return None
        return ServiceInks(self.value("profile"), self.count("ink_limit"), self.value("standard"))

    def _entry(self, key: str) -> Any:
        entry = self.value(key)
        if entry is not None:
            self._sourced(self.homes[key], (key, "source"), entry["source"])
        return entry

    def autofill(self) -> Autofill | None:
        """What MPC Autofill can order, as far as it is stated where the products are."""
        home = self.homes.get("autofill")
        if home is None or home is not self.homes.get("products"):
            return None
        entry, made = self._entry("autofill"), home.data["products"]
        for number, product in enumerate(entry["products"]):
            if product not in made:
                place = home.locate(("autofill", "products", number))
                hint = name_hint(product, made, "products")
                message = f"there is no product '{product}'"
                self.sources.findings.error("reference/product", message, place, hint)
        return Autofill(
            tuple(entry["products"]), tuple(sorted(set(entry["brackets"]))), tuple(entry["stocks"])
        )

    def products(self, bleed: float, dpi: int) -> tuple[Product, ...]:
        home = self.homes["products"]
        sizes = read_sizes(self.sources)
        found = []
        for name, entry in home.data["products"].items():
            path = ("products", name)
            self._sourced(home, (*path, "source"), entry["source"])
            size = trim(home, (*path, "trim"), entry["trim"], sizes, self.sources.findings)
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
        """Report a canvas that its trim does not fit into, such as one that lies the other way."""
        least = canvas_of(size, 0.0, dpi)
        if canvas[0] < least[0] or canvas[1] < least[1]:
            message = (
                f"a canvas of {canvas[0]}×{canvas[1]} px is smaller than the trim, {least[0]}×{least[1]} px"
            )
            hint = "canvas and trim lie the same way"
            self.sources.findings.error("service/canvas", message, home.locate((*path, "canvas")), hint)

    def _sourced(self, home: Document, path: tuple[str, ...], name: str) -> None:
        known = home.data.get("sources", {})
        if name not in known:
            hint = name_hint(name, known, "sources")
            message = f"there is no source '{name}'"
            self.sources.findings.error("reference/source", message, home.locate(path), hint)
