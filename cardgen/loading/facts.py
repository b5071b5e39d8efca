"""The facts that all games share: sizes, papers and sheet layouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.loading.lengths import length, sides_of
from cardgen.loading.sources import Sources
from cardgen.model.extremes import MAX_GUTTER, MAX_TRIM
from cardgen.model.game import ProjectPaths
from cardgen.model.sheets import Paper, Places, SheetLayout
from cardgen.schema.schema_findings import fits
from cardgen.schema.wording import name_hint
from cardgen.storage.reading import is_there
from cardgen.yaml.reader import Document, load_yaml

SIZES = "data/sizes.yaml"
PAPERS = "data/papers.yaml"
SHEETS = "data/sheets"


@dataclass(frozen=True, slots=True)
class Measured:
    """An entry of `data/sizes.yaml` or `data/papers.yaml`: its size, upright, its title, and whether it is
    the project's own."""

    size: Size
    title: str
    own: bool


def load_papers(paths: ProjectPaths) -> dict[str, Paper]:
    """Papers by name, upright, from `data/papers.yaml` of the project and of the bundled one; the project's
    own entries come first, and win. Raises CardgenError with all findings."""
    return {name: Paper(name, paper.size.upright) for name, paper in load_paper_facts(paths).items()}


def load_paper_facts(paths: ProjectPaths) -> dict[str, Measured]:
    """What the files say of papers, as `load_papers`."""
    findings = Findings()
    papers = _measured(Sources(paths, findings), PAPERS, "papers", "schemas/papers.schema.json")
    findings.raise_if_errors()
    return papers


def load_layouts(paths: ProjectPaths) -> dict[str, SheetLayout]:
    """Sheet layouts by name, from `data/sheets/NAME.yaml`; as `load_papers`."""
    findings = Findings()
    sources = Sources(paths, findings)
    layouts: dict[str, SheetLayout] = {}
    papers = _measured(sources, PAPERS, "papers", "schemas/papers.schema.json")
    for file in sources.names(SHEETS, ".yaml"):
        document = sources.checked(f"{SHEETS}/{file}", "schemas/sheet.schema.json")
        if document is not None:
            name = file.removesuffix(".yaml")
            layouts[name] = _layout(name, document, findings)
            places = layouts[name].places
            if places is not None and places.paper not in papers:
                at = document.locate(("places", "paper"))
                hint = name_hint(places.paper, papers, "papers in data/papers.yaml")
                findings.error("sheet/paper", f"there is no paper '{places.paper}'", at, hint)
    findings.raise_if_errors()
    return layouts


def read_sizes(sources: Sources) -> dict[str, Size]:
    """Trim sizes by name, as `load_papers`, with findings added to those of `sources`."""
    return {name: each.size for name, each in _sizes(sources).items()}


def load_sizes(paths: ProjectPaths) -> dict[str, Measured]:
    """What the files say of trim sizes, as `load_papers`."""
    findings = Findings()
    sizes = _sizes(Sources(paths, findings))
    findings.raise_if_errors()
    return sizes


def _sizes(sources: Sources) -> dict[str, Measured]:
    return _measured(sources, SIZES, "sizes", "schemas/sizes.schema.json")


def _measured(sources: Sources, relative: str, key: str, schema: str) -> dict[str, Measured]:
    """The entries below `key`: the user's first, then the bundled project's."""
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
            size = sides_of(document, (key, name), sides, sources.findings)
            if size is not None:
                own[name] = Measured(size, entry["title"], root == sources.paths.roots[0])
        found = own | {name: each for name, each in found.items() if name not in own}
    return found


def _layout(name: str, document: Document, findings: Findings) -> SheetLayout:
    data = document.data

    def distance(key: str) -> float:
        return length(document, (key,), data[key], findings, most=MAX_GUTTER) or 0.0

    grid: Any = data["grid"]
    return SheetLayout(
        name=name,
        title=data["title"],
        grid=(int(grid[0]), int(grid[1])) if isinstance(grid, list) else grid,
        gutter=distance("gutter"),
        bleed=distance("bleed"),
        margin=distance("margin"),
        marks=data["marks"],
        duplex=data["duplex"],
        overlap=distance("overlap"),
        cut_order=data["cut_order"],
        strip=data["strip"],
        places=_places(document, findings) if "places" in data else None,
    )


def _places(document: Document, findings: Findings) -> Places | None:
    """The places of a layout, or None after findings."""
    data = document.data["places"]
    sizes = []
    for key in ("size", "pitch"):
        sides = {index: (name, data[key][index]) for index, name in enumerate(("width", "height"))}
        sizes.append(sides_of(document, ("places", key), sides, findings))
    size, pitch = sizes
    origin = None
    if "origin" in data:
        found = [
            length(document, ("places", "origin", index), text, findings, most=MAX_TRIM)
            for index, text in enumerate(data["origin"])
        ]
        origin = (found[0] or 0.0, found[1] or 0.0)
    if size is None or pitch is None:
        return None
    if pitch.width < size.width or pitch.height < size.height:
        findings.error(
            "sheet/places",
            f"places of {size}, {pitch} from one to the next, lie over each other",
            document.locate(("places", "pitch")),
            "the pitch is measured from the left of one to the left of the next, from top to top",
        )
        return None
    columns, rows = data["grid"]
    return Places(int(columns), int(rows), size, pitch, data["paper"], origin)
