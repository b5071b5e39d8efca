"""What outside programs read in all that cardgen writes for the shipped games, as one table.

    python benchmarks/outside.py [GAME …] [--into FOLDER]

The command line writes the files; poppler, MuPDF, Ghostscript, qpdf, pikepdf, Pillow and ezdxf read
them. What is expected comes from the games' data, the vendors' catalogues and the standards. The exit
code is 1 if anything is wrong. It takes some minutes, the `test` extra, qpdf, poppler and Ghostscript.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import outside_pdf as pdf  # noqa: E402
from tests.pdf_grammar.readers import READERS, text_differences  # noqa: E402

CUT = 0.05
"""mm that a cut may be off, which no hand and no machine would see."""
LEAST_PT = 6.5
DECOR = re.compile(r"[0-9A-F]{2,4}( [0-9A-F]{2})*")
"""Memory dumps that are a ground, not words."""
INK_LIMIT = 300 + 2
"""Per cent: what a build for the press states, and what rounding to bytes may add."""
LARGEST_PX = 10_000
"""Width and height of a picture for Tabletop Simulator, see docs/table.md."""


@dataclass
class Table:
    """What was read, by whom, how many right and what is wrong."""

    rows: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def add(self, what: str, by: str, wrong: list[str], count: int = 1) -> None:
        row = self.rows.setdefault((what, by), [0, 0])
        row[0] += count - len(wrong)
        row[1] += len(wrong)
        self.said += [f"{what}: {each}" for each in wrong]

    def test(self, what: str, by: str, right: bool, otherwise: str) -> None:
        self.add(what, by, [] if right else [otherwise])

    def __str__(self) -> str:
        wide = max(len(what) for what, _ in self.rows)
        lines = [f"{'what was read':<{wide}}  {'by':<22}{'right':>8}{'wrong':>7}"]
        lines += [
            f"{what:<{wide}}  {by:<22}{right:>8,}{wrong:>7,}"
            for (what, by), (right, wrong) in self.rows.items()
        ]
        return "\n".join(lines)


class Outside:
    """One game, as somebody sees it who has the command line and its files."""

    def __init__(self, game: str, into: Path, table: Table) -> None:
        self.game, self.into, self.table = game, into, table
        self.entry: dict[str, Any] = json.loads(self._run("list", game, "--format", "json"))
        self.components = {each["id"]: each for each in self.entry["components"]}
        self.flat = {
            id
            for id, each in self.components.items()
            if each["trim_mm"] and each["kind"] not in ("book", "box")
        }
        stated = yaml.safe_load((ROOT / f"data/{game}/game.yaml").read_text("utf-8"))["components"]
        self.shapes = {id: each.get("shape", "rectangle") for id, each in stated.items()}
        self.sheets = {each["name"]: each["components"] for each in self.entry["sheets"]}

    def _run(self, *words: str) -> str:
        command = [sys.executable, "-m", "cardgen", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"cardgen {' '.join(words)}\n{done.stderr}")
        return done.stdout

    def read(self) -> None:
        for name, words in {
            "letter": ("--paper", "letter"),
            "a4": ("--paper", "a4"),
            "short-edge": ("--duplex", "short-edge"),
        }.items():
            self.sheets_of(name, words)
        self.press()
        self.cut_files()
        self.order()
        self.shop()
        self.tabletop()
        self.room()

    # ------------------------------------------------------------ sheets

    def sheets_of(self, name: str, words: tuple[str, ...]) -> None:
        folder = self.into / name
        self._run("build", self.game, *words, "--output", str(folder), "--quiet")
        listed = json.loads((folder / self.game / "manifest.json").read_text("utf-8"))["files"]
        for file in listed:
            path = folder / self.game / file["path"]
            self.every_pdf(path)
            self.sheet(path, file, turned_down=name == "short-edge")

    def every_pdf(self, path: Path) -> None:
        """What holds of any PDF."""
        table = self.table
        for reader, read in READERS.items():
            wrong = read(path)
            table.add(
                "the file is valid", reader, [f"{self.game}/{path.name}: {wrong[0]}"] if wrong else []
            )
        wrong = text_differences(path)
        table.add(
            "words are the same to two",
            "poppler, MuPDF",
            [f"{self.game}/{path.name}: {wrong[0]}"] if wrong else [],
        )
        fonts = pdf.fonts(path)
        bad = [
            f"{self.game}/{path.name}: {font}"
            for font, embedded, subset in fonts
            if not (embedded and subset)
        ]
        table.add("fonts are embedded, as subsets", "poppler", bad, len(fonts))

    def sheet(self, path: Path, file: dict[str, Any], turned_down: bool) -> None:
        table, components = self.table, self.sheets.get(file["sheet"], [])
        boxes = pdf.page_boxes(path)
        table.test("pages are as many as listed", "poppler", len(boxes) == file["pages"], path.name)
        if file["paper"] in pdf.PAPERS:
            expected = sorted(pdf.PAPERS[file["paper"]])
            for number, page in enumerate(boxes, 1):
                right = all(abs(a - b) < 0.2 for a, b in zip(sorted(page["Media"]), expected, strict=True))
                table.test(
                    "the page is the paper",
                    "poppler",
                    right,
                    f"{self.game}/{path.name} page {number}: {page}",
                )
        sizes = {tuple(self.components[each]["trim_mm"]): each for each in components if each in self.flat}
        if sizes:
            self.cards(path, sizes, components, turned_down)

    def cards(
        self, path: Path, sizes: dict[tuple[float, ...], str], components: list[str], turned_down: bool
    ) -> None:
        table, named = self.table, pdf.labels(path)
        laid = [(page, _trims(page, sizes)) for page in pdf.pages(path)]
        shapes = {self.shapes[each] for each in components if each in self.flat}
        straight = {
            number
            for number, label in enumerate(named, 1)
            if not _is_back(label) and shapes <= {"rectangle", "rounded"}
        }  # a cutter's lines are another row
        for (page, trims), letters in zip(laid, pdf.letters(path), strict=True):
            shown = [side.shown for side, _ in trims]
            own = [
                (size, text)
                for box, size, text in letters
                if any(_within(box, each) for each in shown) and not DECOR.fullmatch(text)
            ]
            small = [
                f"{self.game}/{path.name}: {size:.2f} pt: {text}"
                for size, text in own
                if size < LEAST_PT - 0.05
            ]
            table.add(f"text on sides is of {LEAST_PT} pt at least", "MuPDF", small, len(own))
            lost = [
                f"{self.game}/{path.name} page {page.number}: {each.name}"
                for each, trim in trims
                if trim is None
            ]
            table.add("sides have the size of their data", "pikepdf", lost, len(trims))
            whole = [trim for each, trim in trims if trim is not None and _is_whole(each, trim)]
            if page.number in straight and whole and len(whole) == len(trims):
                count, lacking = pdf.unmarked(page, whole)
                table.add("a cut has a mark that prints", "poppler", lacking, count)
        for (page, front), (_, back), label, next_label in zip(
            laid, laid[1:], named, named[1:], strict=False
        ):
            if back and _is_back(next_label) and not _is_back(label):  # some have none
                off = _off(page, [trim for _, trim in front], [trim for _, trim in back], turned_down)
                table.add(
                    "backs lie behind faces",
                    "pikepdf",
                    [f"{self.game}/{path.name} page {page.number}: {each}" for each in off],
                    len(front),
                )
        faces = [trims for (_, trims), label in zip(laid, named, strict=True) if not _is_back(label)]
        tiled = any(not _is_whole(each, trim) for trims in faces for each, trim in trims if trim)
        if not tiled:
            expected = sum(self.components[each]["copies"] for each in components if each in self.flat)
            found = sum(len(trims) for trims in faces)
            table.add(
                "copies are those of the data",
                "pikepdf",
                [] if found == expected else [f"{self.game}/{path.name}: {found}, not {expected}"],
                expected,
            )

    # ------------------------------------------------------------ press, cutter

    def press(self) -> None:
        folder = self.into / "press"
        self._run("build", self.game, "--inks", "cmyk", "--output", str(folder), "--quiet")
        for path in sorted(folder.rglob("*.pdf")):
            for reader, read in READERS.items():
                wrong = read(path)
                self.table.add(
                    "the file is valid", reader, [f"{self.game}/{path.name}: {wrong[0]}"] if wrong else []
                )
            self.table.add(
                "what PDF/X asks for",
                "pikepdf",
                [f"{self.game}/{path.name}: {each}" for each in pdf.press_facts(path)],
            )
            painted = pdf.colour_operators(path)
            self.table.test(
                "inks alone in a file for the press",
                "pikepdf",
                not painted,
                f"{self.game}/{path.name}: {painted}",
            )
            ink = pdf.most_ink(path)
            self.table.test(
                "ink is within its limit",
                "Ghostscript",
                ink <= INK_LIMIT,
                f"{self.game}/{path.name}: {ink:.0f} %",
            )

    def cut_files(self) -> None:
        folder = self.into / "cut"
        names = [
            name
            for name, parts in self.sheets.items()
            if any(self.components[each]["kind"] == "token" for each in parts)
        ]
        for name in names:
            for form in ("dxf", "svg", "pdf"):
                self._run(
                    "build", self.game, "--sheet", name, "--cut", form, "--output", str(folder), "--quiet"
                )
            sizes = {
                tuple(self.components[each]["trim_mm"]): each
                for each in self.sheets[name]
                if each in self.flat
            }
            for page in pdf.pages(folder / self.game / f"{name}.pdf"):
                drawing = folder / self.game / f"{name}.cut-{page.number}.dxf"
                if not drawing.is_file():
                    continue
                trims = [trim for _, trim in _trims(page, sizes) if trim is not None]
                if not trims:
                    continue
                wanted = (
                    min(t[0] for t in trims),
                    min(t[1] for t in trims),
                    max(t[2] for t in trims),
                    max(t[3] for t in trims),
                )
                for by, found in (
                    ("ezdxf", _dxf_extent(drawing, page.height)),
                    ("MuPDF", _svg_extent(drawing.with_suffix(".svg"), page)),
                ):
                    right = found is not None and all(
                        abs(a - b) < CUT * 2 for a, b in zip(found, wanted, strict=True)
                    )
                    self.table.test(
                        "a cutter's lines lie on the cuts",
                        by,
                        right,
                        f"{drawing.stem}: {found}, not {wanted}",
                    )

    # ------------------------------------------------------------ services

    def order(self) -> None:
        """The Game Crafter: pictures of its catalogue's sizes."""
        folder = self.into / "tgc"
        self._run(
            "export", self.game, "--to", "tgc", "--fit", "nearest", "--output", str(folder), "--quiet"
        )
        catalogue = yaml.safe_load((ROOT / "data/services/tgc.yaml").read_text("utf-8"))["products"]
        lists = sorted(folder.rglob("order.csv"))
        for order in lists:
            copies: Counter[str] = Counter()
            with order.open(encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    copies[row["component"]] += int(row["copies"] or 0)
                    for side in filter(None, (row["face"], row["back"])):
                        self.picture(order.parent / side, tuple(catalogue[row["product"]]["canvas"]))
            for component in self.flat & copies.keys():
                wanted, found = self.components[component]["copies"], copies[component]
                self.table.test(
                    "an order has all copies",
                    "csv",
                    found == wanted,
                    f"{self.game}/{component}: {found}, not {wanted}",
                )

    def picture(self, path: Path, canvas: tuple[int, int]) -> None:
        if not path.is_file():
            self.table.test(
                "a picture has its product's pixels",
                "Pillow",
                False,
                f"{self.game}/{path.name} is not there",
            )
            return
        with Image.open(path) as picture:
            right = sorted(picture.size) == sorted(canvas) and picture.mode == "RGB"
            self.table.test(
                "a picture has its product's pixels",
                "Pillow",
                right,
                f"{self.game}/{path.name}: {picture.size} {picture.mode}, not {canvas}",
            )

    def shop(self) -> None:
        """Any print shop: a PDF a side, its trim and bleed said by its boxes."""
        folder = self.into / "shop"
        self._run("export", self.game, "--to", "printshop", "--output", str(folder), "--quiet")
        for component in sorted(self.flat):
            trim = sorted(self.components[component]["trim_mm"])
            for path in sorted((folder / self.game / "printshop" / component).glob("*.pdf")):
                for boxes in pdf.page_boxes(path):
                    found = sorted(boxes["Trim"])
                    right = all(abs(a - b) < CUT for a, b in zip(found, trim, strict=True))
                    self.table.test(
                        "trim boxes have the data's size",
                        "poppler",
                        right,
                        f"{self.game}/{path.name}: {found}, not {trim}",
                    )
                    bleed = [(a - b) / 2 for a, b in zip(sorted(boxes["Bleed"]), found, strict=True)]
                    self.table.test(
                        "bleed is of 3 mm or more",
                        "poppler",
                        min(bleed) > 2.95,
                        f"{self.game}/{path.name}: {bleed}",
                    )

    # ------------------------------------------------------------ tables

    def tabletop(self) -> None:
        folder = self.into / "tts"
        self._run("export", self.game, "--to", "tts", "--output", str(folder), "--quiet")
        save = json.loads((folder / self.game / "tts/table.json").read_text("utf-8"))
        objects = list(_objects(save["ObjectStates"]))
        ids = Counter(each["GUID"] for each in objects)
        self.table.add(
            "a GUID is one object's",
            "json",
            [f"{id} × {count}" for id, count in ids.items() if count > 1],
            len(ids),
        )
        seen: set[str] = set()
        for each in objects:
            wrong = [
                str(card) for card in each.get("DeckIDs", ()) if str(card // 100) not in each["CustomDeck"]
            ]
            if each.get("DeckIDs"):
                wrong += ["other cards than it holds"] * (
                    [card["CardID"] for card in each["ContainedObjects"]] != each["DeckIDs"]
                )
                self.table.add(
                    "a deck's cards are on its atlases",
                    "json",
                    [f"{each['Nickname']}: {word}" for word in wrong],
                    len(each["DeckIDs"]),
                )
            for deck in each.get("CustomDeck", {}).values():
                key = json.dumps(deck, sort_keys=True)
                if key not in seen:
                    seen.add(key)
                    self.atlas(folder / self.game / "tts", deck)

    def atlas(self, folder: Path, deck: dict[str, Any]) -> None:
        path = folder / "images" / deck["FaceURL"].rpartition("/")[2]
        if not path.is_file():
            self.table.test(
                "atlases divide into their cards", "Pillow", False, f"{self.game}/{path.name} is not there"
            )
            return
        with Image.open(path) as picture:
            wide, high = picture.size
            right = (
                max(wide, high) <= LARGEST_PX and wide % deck["NumWidth"] == high % deck["NumHeight"] == 0
            )
            self.table.test(
                "atlases divide into their cards",
                "Pillow",
                right,
                f"{self.game}/{path.name}: {wide} × {high} of {deck['NumWidth']} × {deck['NumHeight']}",
            )

    def room(self) -> None:
        folder = self.into / "pcio"
        self._run("export", self.game, "--to", "pcio", "--output", str(folder), "--quiet")
        for path in sorted(folder.rglob("*.pcio")):
            with zipfile.ZipFile(path) as archive:
                bad, names = archive.testzip(), set(archive.namelist())
                text = archive.read("widgets.json").decode()
            self.table.test(
                "a room's archive is whole", "zipfile", bad is None and bool(json.loads(text)), str(bad)
            )
            used = {word for word in names if word.startswith("userassets/") and not word.endswith("/")}
            lost = [name for name in used if Path(name).name not in text]
            self.table.add("a room uses the pictures it has", "json", lost, len(used))


def _trims(page: pdf.Page, sizes: dict[tuple[float, ...], str]) -> list[tuple[pdf.Placed, pdf.Box | None]]:
    """Each side of a page with its cuts: of the sizes that fit, the one with the bleed that is usual."""
    found = []
    for side in page.sides:
        fits = [trim for size in sizes if (trim := side.trim(*size)) is not None]
        found.append((side, max(fits, key=lambda trim: trim[2] - trim[0], default=None)))
    return found


def _is_back(label: str) -> bool:
    return re.search(r"\bback\b", label) is not None


def _within(inner: pdf.Box, outer: pdf.Box) -> bool:
    across, down = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] < across < outer[2] and outer[1] < down < outer[3]


def _is_whole(side: pdf.Placed, trim: pdf.Box) -> bool:
    """Whether all of it within its cuts is shown: not so of a board's tiles."""
    shown = side.shown
    return (
        shown[0] < trim[0] + CUT
        and shown[1] < trim[1] + CUT
        and shown[2] > trim[2] - CUT
        and shown[3] > trim[3] - CUT
    )


def _off(page: pdf.Page, front: list[Any], back: list[Any], turned_down: bool) -> list[str]:
    """Faces with no back behind them, once the paper is turned over."""

    def behind(box: pdf.Box) -> pdf.Box:
        left, top, right, bottom = box
        tall = page.height >= page.width
        if tall != turned_down:
            return page.width - right, top, page.width - left, bottom
        return left, page.height - bottom, right, page.height - top

    others = [box for box in back if box]
    return [
        f"nothing behind the side at {box[0]:.1f}, {box[1]:.1f} mm"
        for box in front
        if box
        and not any(
            all(abs(a - b) < CUT for a, b in zip(behind(box), other, strict=True)) for other in others
        )
    ]


def _dxf_extent(path: Path, height: float) -> pdf.Box | None:
    from ezdxf import bbox, readfile

    box = bbox.extents(readfile(path).modelspace())  # type: ignore[attr-defined]
    if not box.has_data:
        return None
    (left, low, _), (right, top, _) = box.extmin, box.extmax
    return left, height - top, right, height - low


def _svg_extent(path: Path, page: pdf.Page) -> pdf.Box | None:
    import pymupdf  # slow to start

    with pymupdf.open(path) as drawing:
        scale = page.width / drawing[0].rect.width
        boxes = [each["rect"] for each in drawing[0].get_drawings()]
    if not boxes:
        return None
    return (
        min(box.x0 for box in boxes) * scale,
        min(box.y0 for box in boxes) * scale,
        max(box.x1 for box in boxes) * scale,
        max(box.y1 for box in boxes) * scale,
    )


def _objects(states: list[dict[str, Any]]) -> Any:
    for each in states:
        yield each
        yield from _objects(each.get("ContainedObjects", []))
        yield from _objects(list(each.get("States", {}).values()))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--into", type=Path, help="leave the files here")
    options = parser.parse_args()
    listed = subprocess.run(
        [sys.executable, "-m", "cardgen", "list", "--format", "json"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    table = Table()
    with tempfile.TemporaryDirectory(prefix="cardgen-outside-") as temporary:
        for game in options.games or [each["game"] for each in json.loads(listed.stdout)]:
            Outside(game, (options.into or Path(temporary)) / game, table).read()
    print(table)
    for line, count in sorted(Counter(table.said).items()):
        print(f"{count} × {line}" if count > 1 else line)
    return 1 if table.said else 0


if __name__ == "__main__":
    raise SystemExit(main())
