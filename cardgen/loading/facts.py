"""The facts that all games share: sizes, papers and sheet layouts."""

from __future__ import annotations

from typing import Any

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.loading.lengths import length
from cardgen.loading.sources import Sources
from cardgen.model.extremes import MAX_GUTTER, MAX_TRIM, MIN_TRIM
from cardgen.model.game import ProjectPaths
from cardgen.model.sheets import Paper, SheetLayout
from cardgen.schema.schema_findings import fits
from cardgen.storage.reading import is_there
from cardgen.yaml.reader import Document, load_yaml

SIZES = "data/sizes.yaml"
PAPERS = "data/papers.yaml"
SHEETS = "data/sheets"


def load_sizes(paths: ProjectPaths) -> dict[str, Size]:
    """Trim sizes by name, from `data/sizes.yaml` of the project and of the bundled one; the project's
    own entries win. Raises CardgenError with all findings."""
    findings = Findings()
    sizes = read_sizes(Sources(paths, findings))
    findings.raise_if_errors()
    return sizes


def load_papers(paths: ProjectPaths) -> dict[str, Paper]:
    """Papers by name, upright, from `data/papers.yaml`; as `load_sizes`."""
    findings = Findings()
    papers = {
        name: Paper(name, size.upright)
        for name, size in _measured(
            Sources(paths, findings), PAPERS, "papers", "schemas/papers.schema.json"
        )
    }
    findings.raise_if_errors()
    return papers


def load_layouts(paths: ProjectPaths) -> dict[str, SheetLayout]:
    """Sheet layouts by name, from `data/sheets/NAME.yaml`; as `load_sizes`."""
    findings = Findings()
    sources = Sources(paths, findings)
    layouts = {}
    for file in sources.names(SHEETS, ".yaml"):
        document = sources.checked(f"{SHEETS}/{file}", "schemas/sheet.schema.json")
        if document is not None:
            name = file.removesuffix(".yaml")
            layouts[name] = _layout(name, document, findings)
    findings.raise_if_errors()
    return layouts


def read_sizes(sources: Sources) -> dict[str, Size]:
    """As `load_sizes`, with findings added to those of `sources`."""
    return dict(_measured(sources, SIZES, "sizes", "schemas/sizes.schema.json"))


def _measured(sources: Sources, relative: str, key: str, schema: str) -> list[tuple[str, Size]]:
    """Width and height of each entry below `key`: the bundled project's first, then the user's."""
    found: list[tuple[str, Size]] = []
    sources.read(relative)
    for root in reversed(sources.paths.roots):
        path = root / relative
        if not is_there(path):
            continue
        first = sources.paths.find(relative) == path
        document = (
            sources.read(relative)
            if first
            else load_yaml(path, relative, sources.findings, within=sources.paths.roots)
        )
        if document is None or not _fits(sources, document, schema, first):
            continue
        for name, entry in document.data[key].items():
            size = _size(document, (key, name), entry, sources.findings)
            if size is not None:
                found.append((name, size))
    return found


def _fits(sources: Sources, document: Document, schema: str, first: bool) -> bool:
    if first:
        return sources.check(document, schema)
    prepared = sources.schemas.schema(schema)
    return prepared is not None and fits(document, prepared, sources.findings)


def _size(
    document: Document, path: tuple[str, ...], entry: dict[str, Any], findings: Findings
) -> Size | None:
    sides = []
    for side in ("width", "height"):
        value = length(document, (*path, side), entry[side], findings, most=MAX_TRIM)
        if value is not None and value < MIN_TRIM:
            message = f"the {side} {entry[side]} is below the minimum {MIN_TRIM:g}mm"
            findings.error("schema/length", message, document.locate((*path, side)))
            value = None
        sides.append(value)
    width, height = sides
    return None if width is None or height is None else Size(width, height)


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
    )
