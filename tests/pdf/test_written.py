"""Every kind of PDF that can be written, by our grammar and by other programs.

`benchmarks/pdf_validity.py` does the same with everything that the shipped games can become.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pikepdf
import pytest

import cardgen
from cardgen.commands.build.proofs import calibrate
from cardgen.commands.check.check import write_report
from cardgen.commands.production import stages as production
from cardgen.core.geometry import Rect
from cardgen.pdf.objects import View, write_views
from tests.for_each import for_each
from tests.pdf.conftest import asked
from tests.pdf_grammar import judge
from tests.pdf_grammar.readers import READERS, text_differences

ROOT = Path(__file__).resolve().parents[2]
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "low ink on A4": {"paper": "a4", "low_ink": True},
    "faces": {"backs": False},
    "folded": {"duplex": "fold", "sheets": ("poker",)},
    "short edge": {"duplex": "short-edge", "sheets": ("poker", "tokens")},
    "a deck": {"deck": "mine"},
}
NAMED = ("/Subtype", "/PatternType", "/ShadingType")
SMALLEST = {
    "access-denied": ("tokens", "checklists"),
    "blockminers": ("basement", "tokens"),
    "hackers": ("tokens",),
    "mindnet": ("playmat", "tokens"),
    "ptsd": ("tokens",),
}


@pytest.fixture(scope="module")
def written(everything: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All PDFs of the game with a piece of every kind, by what they are."""
    project = cardgen.Project.open(everything)
    folder = tmp_path_factory.mktemp("written")
    found: dict[str, Path] = {}
    for name, options in VARIANTS.items():
        chosen = cardgen.BuildOptions(game="all", output=folder / name, **options)
        for file in cardgen.build(chosen, project=project).files:
            found[f"{name}: {file.sheet}"] = Path(file.path)
    for target in ("printshop", "drivethru", "tts"):
        exported = cardgen.ExportOptions(
            game="all",
            to=target,
            components=("cards",) if target != "tts" else (),
            settings={"dpi": 30} if target == "tts" else {},
            output=folder / "exports",
        )
        paths = [Path(file.path) for file in cardgen.export_to(exported, project=project).files]
        found |= {f"{target}: {path.name}": path for path in paths if path.suffix == ".pdf"}
    game = cardgen.load("all", project=project)
    (found["report"],) = write_report(game, ("pdf",), project=project, output=folder)
    for duplex in ("long-edge", "short-edge"):
        place = folder / duplex / "page"
        found[f"calibration {duplex}"] = calibrate(
            duplex=duplex,  # type: ignore[arg-type]
            landscape=duplex == "short-edge",
            project=project,
            output=place,
        )
    art = production.draw_all(game, cardgen.render(game))
    found["pieces"] = folder / "pieces.pdf"
    views = [View(key, Rect(0, 0, face.size.width, face.size.height)) for key, face in art.faces.items()]
    found["pieces"].write_bytes(write_views(art, views))
    return found


def test_every_kind_is_written(written: dict[str, Path]) -> None:
    kinds = {re.sub(r"(-[0-9a-f]{12})?\.pdf$", "", name) for name in written}
    assert kinds >= {
        *(f"{name}: {sheet}" for name in ("plain", "low ink on A4", "faces") for sheet in
          ("poker", "tokens", "board", "single", "rules", "rules-booklet")),
        "folded: poker", "short edge: tokens", "a deck: poker", "tts: rules", "drivethru: cards",
        "report", "calibration long-edge", "calibration short-edge", "pieces",
    }  # fmt: skip
    assert "/PatternType1" not in kinds, "tiles are put one by one, as programs round the steps of tilings"
    assert sum(name.startswith("printshop: ") for name in written) == 3


def test_by_the_grammar(written: dict[str, Path]) -> None:
    seen: dict[str, int] = {}
    for name, path in written.items():
        verdict = judge(path.read_bytes())
        assert verdict.faults == (), name
        seen[name] = verdict.operators
    assert min(seen.values()) >= 4
    assert seen["plain: poker"] > 500


def test_what_they_hold(written: dict[str, Path]) -> None:
    """The game has what makes PDFs hard: else the grammar would have had nothing to see."""
    operators: set[str] = set()
    kinds: set[str] = set()
    for path in written.values():
        with pikepdf.open(path) as pdf:
            for obj in pdf.objects:
                if not isinstance(obj, (pikepdf.Dictionary, pikepdf.Stream)):
                    continue
                kinds |= {f"{key}{obj[key]}" for key in NAMED if key in obj}
                kinds |= {
                    key for key in ("/SMask", "/ToUnicode", "/Annots", "/Outlines", "/A") if key in obj
                }
                if obj.get("/Subtype") == "/Form":
                    words = re.findall(rb"(?<=[\s\])])[A-Za-z*]{1,3}(?=\s)", obj.read_bytes())
                    operators |= {word.decode() for word in words}
    assert kinds >= {
        "/Subtype/Form", "/Subtype/Image", "/Subtype/Type0", "/Subtype/CIDFontType0",
        "/Subtype/CIDFontType2", "/Subtype/XML", "/Subtype/Link",
        "/ShadingType2", "/ShadingType3", "/SMask", "/ToUnicode", "/Annots", "/Outlines", "/A",
    }  # fmt: skip
    assert operators >= set("q Q cm re W n f S m l c h d w Do gs scn sh BT ET Tf Tm g rg".split())


@pytest.mark.parametrize("reader", READERS)
def test_by_other_programs(reader: str, written: dict[str, Path]) -> None:
    if reader == "MuPDF":  # in this process, so it costs little
        chosen = list(written.values())
    else:
        chosen = [path for name, path in written.items() if name.startswith("plain: ") or ": " not in name]
    assert {path.name: said for path in chosen if (said := asked(READERS[reader], path))} == {}


def test_mupdf_and_poppler_read_the_same_text(written: dict[str, Path]) -> None:
    chosen = [path for name, path in written.items() if name.startswith("plain: ") or ": " not in name]
    assert {path.name: said for path in chosen if (said := asked(text_differences, path))} == {}


@pytest.mark.long
@for_each("game", SMALLEST)
def test_the_smallest_sheets_of_the_shipped_games(game: str, tmp_path: Path) -> None:
    options = cardgen.BuildOptions(game=game, sheets=SMALLEST[game], output=tmp_path)
    for file in cardgen.build(options, project=cardgen.Project.open(ROOT)).files:
        path = Path(file.path)
        assert judge(path.read_bytes()).faults == ()
        assert asked(READERS["MuPDF"], path) == []


@pytest.mark.long
@for_each("game", SMALLEST)
def test_every_sheet_of_the_shipped_games(game: str, tmp_path: Path) -> None:
    options = cardgen.BuildOptions(game=game, output=tmp_path)
    files = cardgen.build(options, project=cardgen.Project.open(ROOT)).files
    assert len(files) > len(SMALLEST[game])
    assert {f.sheet: faults for f in files if (faults := judge(Path(f.path).read_bytes()).faults)} == {}


def test_a_reader_complains_of_a_broken_stream(written: dict[str, Path], tmp_path: Path) -> None:
    """The fault that these tests are about, made on purpose: two numbers grown together."""
    path = tmp_path / "broken.pdf"
    with pikepdf.open(written["plain: poker"]) as pdf:
        for obj in pdf.objects:
            if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Form":
                data = obj.read_bytes()
                joined = re.sub(rb"(>-[0-9.]+) ([0-9.]+)\]TJ", rb"\1\2]TJ", data)
                if joined != data:
                    obj.write(joined)
        pdf.save(path)
    assert any("no token" in fault for fault in judge(path.read_bytes()).faults)
    assert any("syntax error" in said for said in asked(READERS["MuPDF"], path))
    assert asked(text_differences, path)
    assert asked(READERS["Ghostscript"], path)
