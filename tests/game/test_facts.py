"""Sizes, papers and sheet layouts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError, Findings
from cardgen.core.geometry import Size
from cardgen.core.paths import ProjectPaths
from cardgen.core.sheets import Registration, SheetLayout
from cardgen.files.listing import ProjectFolders
from cardgen.game.facts import layout_names, load_layouts, load_papers, read_sizes
from cardgen.game.sources import Sources
from tests.for_each import for_each
from tests.wording import Wording

ROOT = Path(__file__).resolve().parent.parent.parent
BUNDLED = ProjectFolders((ROOT,))


def load_sizes(paths: ProjectPaths) -> dict[str, Size]:
    findings = Findings()
    sizes = read_sizes(Sources(paths, findings))
    findings.raise_if_errors()
    return sizes


def project(root: Path, files: dict[str, str]) -> ProjectPaths:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return ProjectFolders((root, ROOT))


@for_each(
    ("name", "width", "height"),
    [
        ("poker", 63.5, 88.9),
        ("bridge", 57.15, 88.9),
        ("tarot", 69.85, 120.65),
        ("jumbo", 88.9, 139.7),
        ("mini", 44.45, 63.5),
        ("square", 88.9, 88.9),
        ("large-chit", 25.4, 25.4),
    ],
)
def test_sizes(name: str, width: float, height: float) -> None:
    assert load_sizes(BUNDLED)[name] == Size(width, height)


def test_every_size_is_upright() -> None:
    assert [name for name, size in load_sizes(BUNDLED).items() if size.landscape] == []


@for_each(
    ("name", "width", "height"),
    [
        ("letter", 215.9, 279.4),
        ("legal", 215.9, 355.6),
        ("tabloid", 279.4, 431.8),
        ("arch-b", 304.8, 457.2),
        ("a4", 210.0, 297.0),
        ("a3", 297.0, 420.0),
    ],
)
def test_papers(name: str, width: float, height: float) -> None:
    paper = load_papers(BUNDLED)[name]
    assert (paper.name, paper.size) == (name, Size(width, height))


def test_the_projects_own_papers_come_first(tmp_path: Path) -> None:
    text = (
        "papers:\n  card-stock: {title: Card stock, width: 8in, height: 10in, source: S}\n"
        "  a4: {title: A4, width: 211mm, height: 297mm, source: S}\n"
    )
    papers = load_papers(project(tmp_path, {"data/papers.yaml": text}))
    assert list(papers) == ["card-stock", "a4", *(name for name in load_papers(BUNDLED) if name != "a4")]
    assert papers["a4"].size == Size(211, 297)


def test_layouts() -> None:
    layouts = load_layouts(BUNDLED)
    assert set(layouts) >= {"poker", "jumbo", "mini", "tarot", "square", "tokens", "aids", "single"}
    assert layouts["poker"].gutter == 0
    assert layouts["single"].grid == "single"
    assert layouts["tokens"].marks == "outline"
    for layout in layouts.values():
        assert layout.gutter == 0 or layout.gutter >= 2 * layout.bleed


def test_a_layout_of_the_projects_own(tmp_path: Path) -> None:
    paths = project(
        tmp_path, {"data/sheets/mine.yaml": "title: Mine\ngrid: [2, 3]\ngutter: 1in\nduplex: fold\n"}
    )
    layouts = load_layouts(paths)
    assert layouts["mine"] == SheetLayout("mine", "Mine", (2, 3), 25.4, 3.175, 5.0, "crop", "fold")
    assert "poker" in layouts


FAMILY = """\
title: Mine
bleed: 1mm
marks: {kind: silhouette, inset: 12mm, square: 6mm}
variants:
  mine-long: {title: Long, marks: {kind: silhouette, length: 15mm}, duplex: none}
  mine-crop: {title: Crop, marks: crop, bleed: 2mm}
"""


def test_variant_has_the_values_that_it_leaves_out_from_its_file(tmp_path: Path) -> None:
    paths = project(tmp_path, {"data/sheets/mine.yaml": FAMILY})
    found = load_layouts(paths, {"mine-crop"})
    base, long, crop = (found[name] for name in ("mine", "mine-long", "mine-crop"))
    assert (base.duplex, long.duplex, crop.duplex) == ("long-edge", "none", "long-edge")
    assert (base.bleed, long.bleed, crop.bleed) == (1, 1, 2)
    assert base.registration == Registration(inset=12, square=6)
    assert long.registration == Registration(inset=12, square=6, length=15)
    assert (crop.marks, crop.registration) == ("crop", Registration())
    assert (long.file, long.path("bleed")) == (base.file, ("variants", "mine-long", "bleed"))
    assert (base.file, base.path("bleed")) == ("data/sheets/mine.yaml", ("bleed",))


def test_variant_is_found_among_the_files_by_its_name(tmp_path: Path) -> None:
    paths = project(tmp_path, {"data/sheets/mine.yaml": FAMILY})
    assert "silhouette-a4-poker" not in load_layouts(paths, {"tarot"})
    found = load_layouts(paths, {"silhouette-a4-poker"})
    assert found["silhouette-a4-poker"].variant_of == "silhouette-card-maker"
    names = layout_names(Sources(paths, Findings()))
    assert {"mine", "mine-long", "poker", "silhouette-a4-poker"} <= names
    assert names - layout_names(Sources(paths, Findings()), variants=False) >= {"mine-crop"}


def test_projects_own_file_has_priority_over_a_bundled_variant(tmp_path: Path) -> None:
    paths = project(tmp_path, {"data/sheets/silhouette-a4-poker.yaml": "title: Mine\n"})
    assert load_layouts(paths, {"silhouette-a4-poker"})["silhouette-a4-poker"].title == "Mine"
    paths = project(tmp_path, {"data/sheets/own.yaml": "title: Own\nvariants: {poker: {title: Mine}}\n"})
    assert load_layouts(paths, {"poker"})["poker"].title == "Mine"


@for_each(
    ("old", "new", "code", "place"),
    [
        ("bleed: 1mm", "bleed: 60mm", "schema/length", "2:8: bleed"),
        ("length: 15mm", "length: 60mm", "schema/length", "5:62: variants.mine-long.marks.length"),
        ("length: 15mm", "long: 15mm", "schema/unknown-key", "5:54: variants.mine-long.marks.long"),
        ("title: Crop, ", "", "schema/required", "6:14: variants.mine-crop"),
        ("bleed: 2mm", "variants: {}", "schema/forbidden", "6:51: variants.mine-crop.variants"),
        ("mine-crop", "mine", "sheet/variant", "6:3: variants.mine"),
        ("bleed: 2mm", "nest: true, order: stacks", "sheet/stacks", "6:60: variants.mine-crop.order"),
    ],
)
def test_problems_of_variants_are_placed_where_their_values_are(
    tmp_path: Path, wording: Wording, old: str, new: str, code: str, place: str
) -> None:
    paths = project(tmp_path, {"data/sheets/mine.yaml": FAMILY.replace(old, new)})
    with pytest.raises(CardgenError) as caught:
        load_layouts(paths, ())
    (finding,) = caught.value.findings
    assert (finding.code, str(finding.location)) == (code, f"data/sheets/mine.yaml:{place}")
    if code == "sheet/variant":
        wording(finding)


def test_the_projects_own_sizes_come_on_top_of_the_bundled_ones(tmp_path: Path) -> None:
    text = (
        "sizes:\n  credit: {title: C, width: 53.98mm, height: 85.6mm, source: S}\n"
        "  poker: {title: P, width: 60mm, height: 90mm, source: S}\n"
    )
    sizes = load_sizes(project(tmp_path, {"data/sizes.yaml": text}))
    assert sizes["credit"] == Size(53.98, 85.6)
    assert sizes["poker"] == Size(60, 90)
    assert sizes["tarot"] == Size(69.85, 120.65)


@for_each(
    ("text", "expected"),
    [
        ("width: 0mm", "3:23: sizes.a.width"),
        (
            "width: 3000mm",
            "3:23: sizes.a.width",
        ),
        (
            "width: 60",
            "3:23: sizes.a.width",
        ),
    ],
)
def test_sizes_that_cannot_be(tmp_path: Path, text: str, expected: str, wording: Wording) -> None:
    paths = project(
        tmp_path,
        {
            "data/sizes.yaml": f"sizes:\n  a:\n    {{title: A, {text}, height: 9cm, source: S}}\n".replace(
                "    {", "    {"
            )
        },
    )
    with pytest.raises(CardgenError) as error:
        load_sizes(paths)
    (finding,) = error.value.findings
    assert str(finding.location) == f"data/sizes.yaml:{expected}"
    wording(finding)


def test_all_layouts_findings_at_once(tmp_path: Path, wording: Wording) -> None:
    paths = project(
        tmp_path,
        {"data/sheets/a.yaml": "title: A\ngutter: 99mm\n", "data/sheets/b.yaml": "title: B\nmarks: x\n"},
    )
    with pytest.raises(CardgenError) as error:
        load_layouts(paths)
    assert [str(each.location) for each in error.value.findings] == [
        "data/sheets/a.yaml:2:9: gutter",
        "data/sheets/b.yaml:2:8: marks",
    ]
    wording(error.value, "99mm", "50mm", "'x'")


def test_the_sizes_that_editors_offer_exist() -> None:
    schema = json.loads((ROOT / "schemas/common.schema.json").read_text(encoding="utf-8"))
    offered = [name for name in schema["$defs"]["trim"]["examples"] if isinstance(name, str)]
    assert set(offered) <= set(load_sizes(BUNDLED))
    game = json.loads((ROOT / "schemas/game.schema.json").read_text(encoding="utf-8"))
    layouts = game["$defs"]["sheet"]["properties"]["layout"]["examples"]
    assert set(layouts) <= set(load_layouts(BUNDLED))


@for_each(
    ("places", "code"),
    [
        ("grid: [3, 7], size: [63.5mm, 38.1mm], pitch: [66.04mm, 38.1mm], paper: a44", "sheet/paper"),
        ("grid: [3, 7], size: [63.5mm, 38.1mm], pitch: [6.6mm, 38.1mm], paper: a4", "sheet/places"),
        ("grid: [3, 7], size: [63.5mm, 1mm], pitch: [66mm, 38.1mm], paper: a4", "schema/length"),
        ("grid: [3], size: [63.5mm, 38mm], pitch: [66mm, 38mm], paper: a4", "schema/min-items"),
        ("grid: [3, 7], size: [63.5mm, 38mm], pitch: [66mm, 38mm]", "schema/required"),
    ],
)
def test_places_that_cannot_be(tmp_path: Path, places: str, code: str) -> None:
    paths = project(tmp_path, {"data/sheets/mine.yaml": f"title: Mine\nplaces: {{{places}}}\n"})
    with pytest.raises(CardgenError) as caught:
        load_layouts(paths)
    (finding,) = caught.value.findings
    assert finding.code == code
    assert finding.location is not None
    assert finding.location.line == 2


def test_keys_of_imposers(tmp_path: Path) -> None:
    keys = "gutter: auto\norder: stacks\ncreep: 0.2mm\nback_bleed: 5mm\nnest: false"
    found = load_layouts(project(tmp_path, {"data/sheets/mine.yaml": f"title: Mine\n{keys}\n"}))["mine"]
    assert (found.gutter, found.widen, found.stacks, found.nest) == (0.0, True, True, False)
    assert (found.creep, found.back_bleed, found.of_backs) == (0.2, 5.0, 5.0)


@for_each(
    ("keys", "code"),
    [
        ("order: stacks\nnest: true", "sheet/stacks"),
        ("gutter: wide", "schema/length"),
        ("creep: 3mm", "schema/length"),
    ],
)
def test_keys_of_imposers_that_cannot_be(tmp_path: Path, keys: str, code: str) -> None:
    paths = project(tmp_path, {"data/sheets/mine.yaml": f"title: Mine\n{keys}\n"})
    with pytest.raises(CardgenError) as caught:
        load_layouts(paths)
    assert [finding.code for finding in caught.value.findings] == [code]


@for_each(
    "keys",
    [
        "places: {grid: [4, 7], size: [63.5mm, 38.1mm], pitch: [66mm, 38.1mm], paper: a4}",
        "places: {grid: [3, 7], size: [63mm, 38mm], pitch: [66mm, 38mm], origin: [0mm, 40mm], paper: a4}",
        "places: {grid: [1, 1], size: [63mm, 300mm], pitch: [66mm, 300mm], paper: a4}",
        "places: {grid: [3, 7], size: [63mm, 38mm], pitch: [66mm, 38mm], paper: a4}, marks: silhouette",
    ],
)
def test_places_that_leave_the_paper_say_by_how_much(tmp_path: Path, wording: Wording, keys: str) -> None:
    paths = project(tmp_path, {"data/sheets/mine.yaml": f"{{title: Mine,\n{keys}}}\n"})
    with pytest.raises(CardgenError) as caught:
        load_layouts(paths)
    (finding,) = caught.value.findings
    assert finding.code == "sheet/places"
    assert finding.location is not None
    assert (finding.location.line, finding.location.path) == (2, "places.grid")
    wording(finding)
