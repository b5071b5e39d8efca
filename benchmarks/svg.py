"""Runs drawings through cardgen's three roles and holds what is printed against reference pictures.

    python benchmarks/svg.py tests/drawings [DIR …] [--only AREA …] [--role icon …] [--list]

Each `NAME.svg` below a folder that has a `NAME.png` beside it is one drawing; its folder is its area. It is
shown as an icon (`<use href="#icon-…">`), as a picture (`<image>`) and is a template by itself, unchanged,
on a card of its own size; with `--rewrite-roots` a template's root says that a unit is a millimetre, and
its card is as large as that. A drawing is

    right       at most 0.4 % of the pixels are off by more than 32 of 255 from all of the 3 × 3 around
                them, and the mean difference is at most 3
    refused     not drawn, or drawn otherwise with a warning: a finding says so
    wrong       drawn otherwise without a word
    error       anything but a finding

`--list` names each that is not right with its first finding, `--into` keeps the pictures of those that are
wrong. One process, no network. The exit code is 1 if any is wrong or an error.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from svg_measure import compare, on_white

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cardgen.commands.production.fonts import fontbook  # noqa: E402
from cardgen.commands.production.stages import load, render_chosen  # noqa: E402
from cardgen.core.findings import CardgenError, Finding, Findings, Severity  # noqa: E402
from cardgen.core.game import Card, Game  # noqa: E402
from cardgen.core.geometry import MM_PER_INCH  # noqa: E402
from cardgen.files.project import Project  # noqa: E402
from cardgen.pdf.drawing import draw  # noqa: E402
from cardgen.pdf.pixels import RasterOptions, rasterise  # noqa: E402
from cardgen.pdf.store import ArtStore  # noqa: E402

GAME = "drawings"
ROLES = ("icon", "picture", "template")
VERDICTS = ("right", "refused", "wrong", "error")
PX_PER_INCH = 96
FINER = 3
"""Times as many pixels as the reference has are drawn, about those of print, and then brought down."""
SMALLEST, LARGEST = 5.0, 2000.0
"""mm that a card's sides may have."""

COMPONENT = {
    "title": "Cards",
    "kind": "card",
    "trim": "poker",
    "bleed": "0mm",
    "safe": "0mm",
    "data": "cards.yaml",
    "schema": "cards.schema.json",
    "face": "picture.svg",
}
GAME_FILE = {
    "id": GAME,
    "title": "Drawings",
    "version": "1.0.0",
    "author": "The cardgen authors",
    "description": "Each drawing in each role, a card each.",
    "language": "en",
    "players": {"min": 1, "max": 1},
    "components": {"cards": COMPONENT},
    "sheets": {"single": {"layout": "single", "components": ["cards"]}},
}
HOST = """<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" \
viewBox="0 0 {{ width }} {{ height }}">%s</svg>
"""
HOSTS = {
    "icon": '<use href="#icon-{{ card.drawing }}" x="0" y="0" width="{{ width }}" height="{{ height }}" '
    'color="#000"/>',
    "picture": '<image href="drawn/{{ card.drawing }}.svg" width="{{ width }}" height="{{ height }}"/>',
}
_LENGTH = re.compile(r"([0-9.]+)\s*(px|mm|cm|in|pt|pc)?")
_UNITS = {"px": 1.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "pc": 16.0}
_ROOT = re.compile(r"<(?:[\w-]+:)?svg\b[^>]*>", re.S)
_VIEW_BOX = re.compile(r"""\sviewBox\s*=\s*["']\s*([^"']*)""")
_SIZES = re.compile(r"""\s(?:width|height|viewBox)\s*=\s*(?:"[^"]*"|'[^']*')""")
_NUMBER = re.compile(r"[0-9.eE+-]+")
_CARD = re.compile(r" \(card '[^']*'\)$")
_SAID = ("svg/", "icon/", "image/")
"""Beginnings of the codes of warnings that speak of how a drawing is drawn."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A drawing and its reference. `key` names it in the project."""

    key: str
    area: str
    svg: Path
    png: Path

    @property
    def name(self) -> str:
        return f"{self.area}/{self.svg.stem}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a drawing in a role; `why` is its finding or how far it is off."""

    pair: Pair
    role: str
    verdict: str
    why: str
    drawn: Image.Image | None = None


def pairs(folders: Sequence[Path]) -> list[Pair]:
    """All drawings below the folders that have a reference. Raises SystemExit if there are none."""
    found = [svg for folder in folders for svg in sorted(folder.resolve().rglob("*.svg"))]
    found = [svg for svg in found if svg.with_suffix(".png").is_file()]
    if not found:
        raise SystemExit("there is no NAME.svg with a NAME.png beside it")
    return [
        Pair(f"d{number:05}", svg.parent.name, svg, svg.with_suffix(".png"))
        for number, svg in enumerate(found)
    ]


def own_size(svg: Path, pixels: tuple[int, int]) -> tuple[float, float]:
    """A drawing's width and height in mm, as CSS has them: what the root says, else its viewBox, else the
    `pixels` of the reference. Made larger or smaller where a card can't have that size."""
    match = _ROOT.search(svg.read_text("utf-8", errors="replace"))
    tag = match[0] if match else ""
    box = _VIEW_BOX.search(tag)
    sides = [float(side) for side in _NUMBER.findall(box[1])[2:4]] if box else []
    known = [_px(tag, name) for name in ("width", "height")]
    natural = tuple(sides) if len(sides) == 2 and min(sides) > 0 else pixels
    if known[0] is None and known[1] is None:
        known = [natural[0], natural[1]]
    width = known[0] or (known[1] or 0) * natural[0] / natural[1]
    height = known[1] or (known[0] or 0) * natural[1] / natural[0]
    width, height = (side * MM_PER_INCH / PX_PER_INCH for side in (width, height))
    scale = max(1.0, SMALLEST / min(width, height)) * min(1.0, LARGEST / max(width, height))
    return width * scale, height * scale


def with_millimetres(svg: Path, pixels: tuple[int, int]) -> tuple[str, tuple[float, float]]:
    """A drawing whose root says that one unit is one millimetre, and its size. It is left as it is where
    its viewBox does not begin at 0 or has other proportions than the `pixels`, and where no card has that
    size."""
    text = svg.read_text("utf-8", errors="replace")
    match = _ROOT.search(text)
    box = _VIEW_BOX.search(match[0]) if match else None
    sides = [float(side) for side in _NUMBER.findall(box[1])] if box else []
    if match is None or (sides and (len(sides) != 4 or sides[:2] != [0, 0])):
        return text, own_size(svg, pixels)
    px_per_mm = PX_PER_INCH / MM_PER_INCH
    width, height = sides[2:] or (side * px_per_mm for side in own_size(svg, pixels))
    possible = min(width, height) >= SMALLEST and max(width, height) <= LARGEST
    if not possible or abs(width * pixels[1] - height * pixels[0]) > 0.01 * height * pixels[0]:
        return text, own_size(svg, pixels)
    said = f' width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}"'
    bare = _SIZES.sub("", match[0].removesuffix(">").removesuffix("/"))
    end = "/>" if match[0].endswith("/>") else ">"
    return text[: match.start()] + bare + said + end + text[match.end() :], (width, height)


def _px(tag: str, name: str) -> float | None:
    said = re.search(rf"""\s{name}\s*=\s*["']\s*([^"']*?)\s*["']""", tag)
    length = _LENGTH.fullmatch(said[1]) if said else None
    return (float(length[1]) * _UNITS[length[2] or "px"] or None) if length else None


def write_project(root: Path, found: Sequence[Pair], roles: Sequence[str], rewrite: bool) -> None:
    """A project whose game has a card for each drawing in each role; `rewrite` says whether templates get
    roots in millimetres."""
    data, templates, schemas = (root / part / GAME for part in ("data", "templates", "schemas"))
    for folder in (data, templates / "icons", templates / "drawn", templates / "rewritten", schemas):
        folder.mkdir(parents=True)
    (data / "game.yaml").write_text(json.dumps(GAME_FILE), "utf-8")
    for role, shown in HOSTS.items():
        (templates / f"{role}.svg").write_text(HOST % shown, "utf-8")
    cards = []
    for pair in found:
        drawing = pair.svg.read_bytes()
        for folder in ("icons", "drawn"):
            (templates / folder / f"{pair.key}.svg").write_bytes(drawing)
        with Image.open(pair.png) as reference:
            pixels = reference.size
        as_shown = tuple(side * MM_PER_INCH / PX_PER_INCH for side in pixels)
        for role in roles:
            face, (width, height) = f"{role}.svg", as_shown
            if role == "template" and rewrite:
                text, (width, height) = with_millimetres(pair.svg, pixels)
                face = f"rewritten/{pair.key}.svg"
                (templates / face).write_text(text, "utf-8")
            elif role == "template":
                face, (width, height) = f"drawn/{pair.key}.svg", own_size(pair.svg, pixels)
            trim = [f"{width:.4f}mm", f"{height:.4f}mm"]
            cards.append(
                {"id": f"{pair.key}-{role}", "drawing": pair.key, "face": face, "trim": trim, "copies": 1}
            )
    (data / "cards.yaml").write_text(json.dumps({"cards": cards}, indent=1), "utf-8")
    item = {"allOf": [{"$ref": "../card.schema.json"}], "properties": {"drawing": {"type": "string"}}}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["cards"],
        "properties": {"cards": {"type": "array", "items": item | {"unevaluatedProperties": False}}},
    }
    (schemas / "cards.schema.json").write_text(json.dumps(schema), "utf-8")


def outcomes(found: Sequence[Pair], roles: Sequence[str], rewrite: bool = False) -> Iterator[Outcome]:
    """Each drawing in each role, in order."""
    with tempfile.TemporaryDirectory(prefix="cardgen-svg-") as folder:
        root = Path(folder).resolve()
        write_project(root, found, roles, rewrite)
        game = load(GAME, project=Project.open(root))
        cards = {card.id: card for card in game.cards()}
        for pair in found:
            for role in roles:
                yield judged(game, cards[f"{pair.key}-{role}"], pair, role)


def judged(game: Game, card: Card, pair: Pair, role: str) -> Outcome:
    """One drawing in one role."""
    findings = Findings()
    try:
        drawn = pixels_of(game, card, pair, findings)
    except CardgenError as error:
        return Outcome(pair, role, "refused", _words(error.findings))
    except Exception as error:  # whatever it is, it is what a designer would see
        return Outcome(pair, role, "error", f"{type(error).__name__}: {error}")
    if drawn is None:
        return Outcome(pair, role, "refused", _words(findings.sorted()))
    with Image.open(pair.png) as reference:
        difference = compare(drawn, reference)
    if difference.right:
        return Outcome(pair, role, "right", "")
    said = [
        each
        for each in findings.sorted()
        if each.code.startswith(_SAID) and each.severity is not Severity.NOTE
    ]
    if said:
        return Outcome(pair, role, "refused", _words(said), drawn)
    return Outcome(pair, role, "wrong", str(difference), drawn)


def pixels_of(game: Game, card: Card, pair: Pair, findings: Findings) -> Image.Image | None:
    """The card's face in the size of its drawing's reference, on white; None after errors, which are in
    `findings`. Raises CardgenError where it can't be drawn."""
    rendering = render_chosen(game, [card], findings, sides=("face",))
    if any(finding.severity is Severity.ERROR for finding in findings.sorted()):
        return None
    face = rendering.cards[0].face
    art = draw(rendering, fontbook(game.paths), ArtStore.memory())
    with Image.open(pair.png) as reference:
        width, height = reference.size
    options = RasterOptions(dpi=FINER * width / card.trim.width * MM_PER_INCH)
    (drawn,) = (image for _, image in rasterise(art, [face], options))
    return on_white(drawn).resize((width, height), Image.Resampling.BOX)


def _words(findings: Sequence[Finding]) -> str:
    worst = sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)
    if not worst:
        return "no finding"
    return f"{worst[0].code}: {_CARD.sub('', worst[0].message)}"


# ---------------------------------------------------------------- the table


def counted(done: Sequence[Outcome], roles: Sequence[str]) -> str:
    """The table: a line for all and for each area, a group of columns for each role."""
    tally = Counter((area, each.role, each.verdict) for each in done for area in ("all", each.pair.area))
    heads = "".join(f"{verdict:>9}" for verdict in VERDICTS)
    lines = [
        f"{'':<12}" + "".join(f"{'as ' + role:>{len(heads) + 4}}" for role in roles),
        f"{'drawings':<12}" + f"    {heads}" * len(roles),
    ]
    for area in ("all", *sorted({each.pair.area for each in done})):
        line = f"{area:<12}"
        for role in roles:
            row = [tally[area, role, verdict] for verdict in VERDICTS]
            share = f"{row[0]} ({row[0] / max(1, sum(row)):.0%})"
            line += f"{share:>13}" + "".join(f"{count:>9}" for count in row[1:])
        lines.append(line)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--only", nargs="+", default=(), metavar="AREA", help="these areas, or AREA/NAME")
    parser.add_argument("--role", nargs="+", default=ROLES, choices=ROLES)
    parser.add_argument("--rewrite-roots", action="store_true", help="templates have roots in millimetres")
    parser.add_argument("--list", action="store_true", help="name what is not right, with its finding")
    parser.add_argument("--into", type=Path, help="keep what was drawn wrong, its reference beside it")
    options = parser.parse_args()
    found = pairs(options.folders)
    if options.only:
        found = [pair for pair in found if pair.area in options.only or pair.name in options.only]
    with tempfile.TemporaryDirectory(prefix="cardgen-cache-") as cache:
        os.environ["CARDGEN_CACHE"] = cache  # nothing of this is for the user's own
        done = list(shown(outcomes(found, options.role, options.rewrite_roots), options))
    print(counted(done, options.role))
    raise SystemExit(any(each.verdict in ("wrong", "error") for each in done))


def shown(done: Iterable[Outcome], options: argparse.Namespace) -> Iterator[Outcome]:
    """The outcomes, each listed and kept as the command line asks."""
    for outcome in done:
        if options.list and outcome.verdict != "right":
            print(f"{outcome.verdict:<8} {outcome.role:<9} {outcome.pair.name}: {outcome.why}", flush=True)
        if options.into is not None and outcome.verdict == "wrong" and outcome.drawn is not None:
            keep(outcome, outcome.drawn, options.into)
        yield outcome


def keep(outcome: Outcome, drawn: Image.Image, folder: Path) -> None:
    """What was drawn, and what it should have been, side by side."""
    with Image.open(outcome.pair.png) as reference:
        wanted = on_white(reference)
    both = Image.new("RGB", (2 * drawn.width + 4, drawn.height), "#888")
    both.paste(drawn, (0, 0))
    both.paste(wanted, (drawn.width + 4, 0))
    folder.mkdir(parents=True, exist_ok=True)
    both.save(folder / f"{outcome.pair.area}-{outcome.pair.svg.stem}-{outcome.role}.png")


if __name__ == "__main__":
    main()
