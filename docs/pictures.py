"""Makes the pictures of the documentation, with cardgen: `python docs/pictures.py [--check]`.

Most are sides of the cards in `docs/examples`. Two of its templates are the code blocks of
`docs/templates.md`, and its list of icons is that of `templates/_shared/icons`; they are brought up
to date first. `--check` writes nothing: it makes all again and compares. The picture of the workbench is a
browser's: it is made where there is one (`preview_picture.py`), and never compared.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageDraw, ImageFont

import cardgen
from cardgen.commands.production.fonts import fontbook
from cardgen.core.geometry import to_px
from cardgen.pdf.drawing import draw
from cardgen.pdf.objects import DrawnArt
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

import folded  # noqa: E402
import preview_picture  # noqa: E402
import starter_pictures  # noqa: E402

EXAMPLES = DOCS / "examples"
IMAGES = DOCS / "images"
GAME = "samples"
PICTURES = "pictures"

DPI = 240.0
"""Pixels an inch: a picture is 176 mm wide, which are 1663 pixels, twice the column of a README."""
SHEET_DPI = 75.0
TWO_PAGES_DPI = 60.0
BOOK_DPI = 140.0
THUMBNAILS = (
    ("ptsd", "data", "off-switch"),
    ("access-denied", "cards", "dumpster-diving"),
    ("blockminers", "characters", "jane"),
    ("mindnet", "cards", "neuro-surgeon"),
    ("hackers", "cards", "rat"),
)
"""The card of each game in README."""
THUMBNAIL_DPI = 120.0
CORNER = 70.0, 42.0
"""Width and height of the corner of a page, in mm."""
CORNER_BEFORE = 14.0
"""Millimeters of it before the first card's trim."""
LABEL_FONT = DOCS.parent / "fonts/ibm-plex-sans/IBMPlexSans-Bold.ttf"
BETWEEN = 40
"""Pixels between two pages."""
BOX_DPI = 220.0
REPORT_DPI = 120.0
PLAN_WIDTH = 1000
COLORS = 256
FEW_COLORS = 64
"""Of a picture that would take more than LARGEST bytes."""
LARGEST = 200_000
BLOCK = 16
"""Pictures are compared by the means of squares of so many pixels: letters drawn a little differently
by another version of a library agree in them, and a changed word doesn't."""
TOLERANCE = 24
"""The most that two such means may differ, of 255."""

_HEADER = "{#- Copied from docs/templates.md by docs/pictures.py. -#}\n"


# ---------------------------------------------------------------- what the samples take from elsewhere


def derived_files() -> dict[Path, str]:
    """Files of the example project that are made from other files, with their text."""
    document = (DOCS / "templates.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```xml\n(.*?)^```", document, re.DOTALL | re.MULTILINE)
    icons = sorted(path.stem for path in (DOCS.parent / "templates/_shared/icons").glob("*.svg"))
    templates = EXAMPLES / "templates" / GAME
    listing = "# The shared icons, listed by docs/pictures.py.\nicons:\n"
    return {
        templates / "card.svg": blocks[0],
        templates / "ground-pattern.svg": _HEADER + blocks[1],
        EXAMPLES / "data" / GAME / "icons.yaml": listing + "".join(f"  - {name}\n" for name in icons),
    }


def stale_files() -> list[Path]:
    """Those of them that are not as they would be made."""
    return [
        path
        for path, text in derived_files().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]


# ---------------------------------------------------------------- making


def make_pictures() -> Iterator[tuple[str, Image.Image]]:
    """Every picture with its file's name. CardgenError with all findings if a sample is wrong."""
    yield "ptsd-jumbo.png", side_by_side(sheet_pages("ptsd", "jumbo", 1))
    yield "games.png", one_card_each()
    yield "marks.png", marked_corner("blockminers", "characters")
    yield "sheet.png", side_by_side(sheet_pages("hackers", "poker", 2, TWO_PAGES_DPI))
    yield "table-plan.png", table_plan("access-denied")
    report = report_pages("access-denied", ("How many cards ask", "63 distinct cards"))
    yield from zip(("report-rules.png", "report-charts.png"), report, strict=True)
    yield "box.png", side_by_side(sheet_pages("hackers", "box", 1))
    yield "diagrams.png", side_by_side(book_pages("ptsd", "rules", (8, 4)))
    yield "front.png", side_by_side(book_pages("hackers", "rules", (1, 3)))
    yield "box-folded.png", folded_box("mindnet", "box")
    game = cardgen.load(GAME, project=cardgen.Project.open(EXAMPLES))
    rendering = cardgen.render(game)
    drawn = draw(rendering, fontbook(game.paths), ArtStore.memory())
    faces = {(art.component, art.card): art.face for art in rendering.cards}
    for card in game.component(PICTURES).cards:
        picture = side(drawn, faces[PICTURES, card.id], RasterOptions(DPI, transparent=True))
        paper = Image.new("RGBA", picture.size, "white")
        for shown in card.fields.get("shows", ()):
            trimmed = shown["area"] == "trim"
            radius = game.component("cards").corner_radius if trimmed else 0.0
            options = RasterOptions(DPI, shown["area"], corner_radius=radius, transparent=True)
            x, y = (to_px(place, DPI) for place in shown["at"])
            paper.alpha_composite(side(drawn, faces["cards", shown["card"]], options), (x, y))
        paper.alpha_composite(picture)
        yield f"{card.id}.png", paper.convert("RGB")
    yield from starter_pictures.pictures()


def side(drawn: DrawnArt, artwork: str, options: RasterOptions) -> Image.Image:
    """One side as pixels."""
    ((_, image),) = rasterise(drawn, [artwork], options)
    return image


def folded_box(game_id: str, component_id: str) -> Image.Image:
    """A game's box as it stands once it is folded, from in front and from behind, drawn twice as fine."""
    game = cardgen.load(game_id, project=cardgen.Project.open(DOCS.parent))
    component = game.component(component_id)
    assert component.box is not None
    rendering = cardgen.render(game, components=[component_id])
    drawn = draw(rendering, fontbook(game.paths), ArtStore.memory())
    flat = side(drawn, rendering.cards[0].face, RasterOptions(BOX_DPI, "bleed"))
    views = [folded.View(-28, 22), folded.View(152, 22)]
    shown = [folded.picture(flat, component.box, component.bleed, BOX_DPI, view) for view in views]
    shown = [one.resize((one.width // 2, one.height // 2), Image.Resampling.LANCZOS) for one in shown]
    gap = to_px(5, BOX_DPI)
    size = sum(one.width for one in shown) + 3 * gap, max(one.height for one in shown) + 2 * gap
    image, x = Image.new("RGBA", size, "white"), gap
    for one in shown:
        image.alpha_composite(one, (x, (size[1] - one.height) // 2))
        x += one.width + gap
    return image.convert("RGB")


def one_card_each() -> Image.Image:
    """One card of each game that ships, in a row, at one height."""
    images = []
    for game_id, component, card in THUMBNAILS:
        game = cardgen.load(game_id, project=cardgen.Project.open(DOCS.parent))
        rendering = cardgen.render(game, components=[component], cards=[card])
        drawn = draw(rendering, fontbook(game.paths), ArtStore.memory())
        radius = game.component(component).corner_radius
        options = RasterOptions(THUMBNAIL_DPI, "trim", corner_radius=radius, transparent=True)
        image = side(drawn, rendering.cards[0].face, options)
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        images.append(paper.convert("RGB"))
    height = min(image.height for image in images)
    return side_by_side(
        [
            image.resize((round(image.width * height / image.height), height), Image.Resampling.LANCZOS)
            for image in images
        ]
    )


def marked_corner(game_id: str, sheet: str) -> Image.Image:
    """The corner of a printed page with the names of its marks, and lines where trim and safe zone are."""
    game = cardgen.load(game_id, project=cardgen.Project.open(DOCS.parent))
    components = next(entry.components for entry in game.sheets if entry.name == sheet)
    rendering = cardgen.render(game, components=components)
    imposed = cardgen.impose(game, rendering, sheet)
    trim = min((slot.trim for slot in imposed.pages[0].slots), key=lambda trim: (trim.y, trim.x))
    component = game.component(components[0])
    with tempfile.TemporaryDirectory() as folder:
        path = cardgen.export(game, rendering, imposed, f"{folder}/sheet.pdf")
        with closing(pypdfium2.PdfDocument(path)) as pdf:
            page: Image.Image = pdf[0].render(scale=DPI / 72).to_pil().convert("RGB")
    left, top = trim.x - CORNER_BEFORE, trim.y - CORNER_BEFORE
    box = [to_px(each, DPI) for each in (left, top, left + CORNER[0], top + CORNER[1])]
    image = page.crop(tuple(box))  # type: ignore[arg-type]
    pencil = ImageDraw.Draw(image)
    font = ImageFont.truetype(str(LABEL_FONT), to_px(3.2, DPI))

    def at(x: float, y: float) -> tuple[int, int]:
        return to_px(x - left, DPI), to_px(y - top, DPI)

    for inset, color in ((0.0, "#ffffff"), (component.safe, "#ffd54a")):
        dashes(pencil, at(trim.x + inset, trim.y + inset), image.size, color)
    for text, x, y, to_x, to_y in (
        ("crop mark", -13.0, -12.0, -5.0, 0.0),
        ("bleed", 9.0, -12.0, 12.0, -1.5),
        ("trim", 27.0, -12.0, 29.0, 0.0),
        ("safe zone", 41.0, -12.0, 46.0, component.safe),
    ):
        start = at(trim.x + x + 3, trim.y + y + 4)
        pencil.line((*start, *at(trim.x + to_x, trim.y + to_y)), "#d0342c", to_px(0.35, DPI))
        place = at(trim.x + x, trim.y + y)
        pencil.rectangle(pencil.textbbox(place, text, font), "white")
        pencil.text(place, text, "#d0342c", font)
    pencil.rectangle((0, 0, image.width - 1, image.height - 1), outline="#b8b8b8")
    return image


def dashes(pencil: ImageDraw.ImageDraw, corner: tuple[int, int], end: tuple[int, int], color: str) -> None:
    """Draw a dashed line to the right and one downward from a corner."""
    dash, width = to_px(1.6, DPI), to_px(0.3, DPI)
    for place in range(0, max(end), 2 * dash):
        x, y = corner
        pencil.line((x + place, y, x + place + dash, y), color, width)
        pencil.line((x, y + place, x, y + place + dash), color, width)


def sheet_pages(game_id: str, sheet: str, count: int, dpi: float = SHEET_DPI) -> list[Image.Image]:
    """Return the first pages of a game's sheet, with an outline where the paper ends."""
    game = cardgen.load(game_id, project=cardgen.Project.open(DOCS.parent))
    components = next(entry.components for entry in game.sheets if entry.name == sheet)
    rendering = cardgen.render(game, components=components)
    with tempfile.TemporaryDirectory() as folder:
        imposed = cardgen.impose(game, rendering, sheet)
        path = cardgen.export(game, rendering, imposed, f"{folder}/sheet.pdf")
        with closing(pypdfium2.PdfDocument(path)) as pdf:
            return [outlined(pdf[number], dpi) for number in range(count)]


def outlined(page: pypdfium2.PdfPage, dpi: float) -> Image.Image:
    """Return a page as a picture, with an outline where the paper ends."""
    image: Image.Image = page.render(scale=dpi / 72).to_pil().convert("RGB")
    ImageDraw.Draw(image).rectangle((0, 0, image.width - 1, image.height - 1), outline="#b8b8b8")
    return image


def report_pages(game_id: str, words: Sequence[str]) -> list[Image.Image]:
    """Return the last pages of a game's report that contain these words, without their empty ends."""
    game = cardgen.load(game_id, project=cardgen.Project.open(DOCS.parent))
    with closing(pypdfium2.PdfDocument(cardgen.make_report(game, "pdf"))) as pdf:
        texts = [page.get_textpage().get_text_bounded() for page in pdf]
        numbers = [max(n for n, text in enumerate(texts) if word in text) for word in words]
        return [without_footer(outlined(pdf[number], REPORT_DPI)) for number in numbers]


def without_footer(page: Image.Image) -> Image.Image:
    """Return a page down to a margin below its last content above the footer."""
    margin = page.height // 20
    inside = page.crop((1, 1, page.width - 1, page.height - 2 * margin))
    box = ImageChops.difference(inside, Image.new("RGB", inside.size, "white")).getbbox()
    return page.crop((0, 0, page.width, box[3] + margin)) if box else page


def table_plan(game_id: str) -> Image.Image:
    """Return a game's table from above, as its export to Tabletop Simulator plans it."""
    project = cardgen.Project.open(DOCS.parent)
    with tempfile.TemporaryDirectory() as folder:
        options = cardgen.ExportOptions(game_id, "tts", settings={"dpi": 60}, output=Path(folder))
        cardgen.export_to(options, project=project)
        with Image.open(Path(folder, game_id, "tts/table-plan.png")) as plan:
            return plan.convert("RGB").resize(
                (PLAN_WIDTH, plan.height * PLAN_WIDTH // plan.width), Image.Resampling.LANCZOS
            )


def book_pages(game_id: str, sheet: str, numbers: Sequence[int]) -> list[Image.Image]:
    """Pages of a game's book, with an outline where the paper ends."""
    game = cardgen.load(game_id, project=cardgen.Project.open(DOCS.parent))
    rendering = cardgen.render(game, components=[game.components[0].id])
    with tempfile.TemporaryDirectory() as folder:
        imposed = cardgen.impose(game, rendering, sheet)
        path = cardgen.export(game, rendering, imposed, f"{folder}/sheet.pdf")
        with closing(pypdfium2.PdfDocument(path)) as pdf:
            return [outlined(pdf[number - 1], BOOK_DPI) for number in numbers]


def side_by_side(images: Sequence[Image.Image]) -> Image.Image:
    """Pictures of one height in a row."""
    width = sum(image.width for image in images) + BETWEEN * (len(images) - 1)
    whole = Image.new("RGB", (width, images[0].height), "white")
    x = 0
    for image in images:
        whole.paste(image, (x, 0))
        x += image.width + BETWEEN
    return whole


def encode(image: Image.Image, colors: int = COLORS) -> bytes:
    """A PNG with a palette, the same bytes every time."""
    buffer = BytesIO()
    flat = image.quantize(colors, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    flat.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


# ---------------------------------------------------------------- comparing


def difference(one: Image.Image, other: Image.Image) -> int:
    """The largest difference between the means of two pictures' squares, 0 to 255."""
    if one.size != other.size:
        return 255
    means = (image.convert("RGB").reduce(BLOCK) for image in (one, other))
    return max(ImageChops.difference(*means).tobytes())


def check() -> list[str]:
    """What is not as it would be made, one sentence each."""
    trouble = [f"{path.relative_to(DOCS.parent)} is not what it is made from" for path in stale_files()]
    if trouble:
        return trouble
    made = set()
    for name, image in make_pictures():
        made.add(name)
        path = IMAGES / name
        if not path.is_file():
            trouble.append(f"docs/images/{name} is missing")
            continue
        with Image.open(path) as kept, Image.open(BytesIO(encode(image))) as fresh:
            apart = difference(kept, fresh)
        if apart > TOLERANCE:
            trouble.append(f"docs/images/{name} looks different now (by {apart} of 255 somewhere)")
    made.add(preview_picture.NAME)
    extra = sorted(path.name for path in IMAGES.iterdir() if path.name not in made)
    return trouble + [f"docs/images/{name} is made by nothing" for name in extra]


def write() -> None:
    """Bring the example project up to date and write every picture."""
    IMAGES.mkdir(exist_ok=True)
    for path, text in derived_files().items():
        path.write_text(text, encoding="utf-8")
    for name, image in make_pictures():
        data = encode(image)
        (IMAGES / name).write_bytes(data if len(data) <= LARGEST else encode(image, FEW_COLORS))
    if preview_picture.browser() is not None:
        shown = encode(preview_picture.workbench(), preview_picture.COLORS)
        (IMAGES / preview_picture.NAME).write_bytes(shown)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make the pictures of the documentation.")
    parser.add_argument(
        "--check", action="store_true", help="compare instead of writing; exit code 1 if not alike"
    )
    try:
        if not parser.parse_args(words).check:
            write()
            return 0
        trouble = check()
    except cardgen.CardgenError as error:
        trouble = [str(finding) for finding in error.findings]
    sys.stderr.writelines(f"{line}\n" for line in trouble)
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
