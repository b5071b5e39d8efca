"""Pictures that cairo doesn't draw as a browser does, through Typst: each a page of one PDF, then a form.

Typst (with usvg and krilla in it) says masks, blend modes, clips and patterns as PDF does, and turns only
filters into pixels. It sees a picture's markup and nothing else: no file, no font, no network. An image in
it is a stand-in, as for cairo, unless it lies under a filter, which needs its pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pikepdf

from cardgen.drawing.drawables import ICON_PT, Drawable
from cardgen.drawing.forms import PageForm, Target, page_forms
from cardgen.drawing.images import ImageLibrary
from cardgen.drawing.objects import DrawingError
from cardgen.drawing.points import lengthen_points
from cardgen.drawing.standing_in import with_stand_ins
from cardgen.drawing.tiles import lay_tiles
from cardgen.drawing.typst_process import TypstError, compiled
from cardgen.drawing.unrolled import unroll_radials
from cardgen.findings import Finding
from cardgen.progress import tell
from cardgen.svg import tree
from cardgen.svg.filters import DPI
from cardgen.svg.limits import FILTER_DPI
from cardgen.svg.tree import SvgError
from cardgen.units import PT_PER_MM, parse_length

PIXELS_PER_PT = 4
"""Of a filter's picture, whatever its size: krilla-svg 0.7's `filter_scale`."""
_MOST_AT_ONCE = 20_000_000
"""Characters of markup of the pictures that one process draws."""
_FILTERED = 1_000_000
"""What a picture with filters counts for."""
_MOST_FAILED = 10
"""Pictures that could not be drawn before the rest of them is not tried."""
_DEVICE = {1: pikepdf.Name.DeviceGray, 3: pikepdf.Name.DeviceRGB}
_OPERATORS = {("cs", 1): "g", ("cs", 3): "rg", ("CS", 1): "G", ("CS", 3): "RG"}


@dataclass(frozen=True, slots=True)
class _Page:
    """A picture to draw, its size and its markup."""

    drawable: Drawable
    target: Target
    markup: str


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """The form of every drawable, by its key. DrawingError with everything that is wrong."""
    library = ImageLibrary(image for drawable in drawables for image in drawable.images)
    pages: list[_Page] = []
    problems: list[tuple[str, Finding]] = []
    for drawable in drawables:
        try:
            pages.append(_page(drawable, library))
        except DrawingError as error:
            problems += [(drawable.name, finding) for finding in error.findings]
        except (SvgError, ValueError) as error:
            wrong = DrawingError.of("picture/svg", f"{drawable.label}: {error}")
            problems.append((drawable.name, wrong.findings[0]))
    forms: dict[str, PageForm] = {}
    done = 0
    for batch in _batches(pages):
        tell("drawing effects", done, len(pages))
        done += len(batch)
        forms |= _drawn(batch, library, problems)
    if problems:
        raise DrawingError.of_pictures(problems)
    return forms


def _batches(pages: Sequence[_Page]) -> Iterator[list[_Page]]:
    """The pages in turn, no more at a time than one process draws at ease."""
    batch: list[_Page] = []
    load = 0
    for page in pages:
        own = len(page.markup) + _FILTERED * ("<filter" in page.markup or "filter=" in page.markup)
        if batch and load + own > _MOST_AT_ONCE:
            yield batch
            batch, load = [], 0
        batch.append(page)
        load += own
    if batch:
        yield batch


def _drawn(
    batch: Sequence[_Page], library: ImageLibrary, problems: list[tuple[str, Finding]]
) -> dict[str, PageForm]:
    """The forms of some pages, and what is wrong with those that can't be drawn: where they can't be drawn
    together, each is tried by itself."""
    try:
        return _together(batch, library)
    except TypstError as error:
        if len(batch) == 1:
            problems.append(_undrawn(batch[0].drawable, error))
            return {}
    forms: dict[str, PageForm] = {}
    failed = 0
    for page in batch:
        try:
            forms |= _together([page], library)
        except TypstError as error:
            problems.append(_undrawn(page.drawable, error))
            failed += 1
            if failed == _MOST_FAILED:
                break
    return forms


def _undrawn(drawable: Drawable, error: TypstError) -> tuple[str, Finding]:
    hint = "leave out its filters and masks one by one to find which it is, or save it as a PNG"
    message = f"{drawable.label}: it can't be drawn: {error}"
    return drawable.name, DrawingError.of("picture/svg", message, hint).findings[0]


def _together(batch: Sequence[_Page], library: ImageLibrary) -> dict[str, PageForm]:
    """The forms of some pages, from one document. Raises TypstError."""
    lines = ["#set page(margin: 0pt, fill: none)"]
    for number, page in enumerate(batch):
        size = f"width: {page.target.width:.6f}pt, height: {page.target.height:.6f}pt"
        image = f'image(bytes(sys.inputs.at("{number}")), format: "svg", {size}, fit: "stretch")'
        lines.append(f"#page({size}, {image})")
    data = compiled("\n".join(lines), {str(number): page.markup for number, page in enumerate(batch)})
    targets = [page.target for page in batch]
    forms = page_forms(_in_device_colors(data), targets, library, pixels=True)
    return {page.drawable.key: form for page, form in zip(batch, forms)}


def _page(drawable: Drawable, library: ImageLibrary) -> _Page:
    """A picture as a page."""
    document = tree.parse(drawable.svg.encode(), bounded=False)
    unroll_radials(document)
    lengthen_points(document)
    root = document.root
    if drawable.unit:
        width, height = (float(root.attrs.get(name, "")) for name in ("width", "height"))
        target = Target(ICON_PT * width / height, ICON_PT, 1.0, 1.0)
    else:
        across, down = (parse_length(root.attrs.get(name, "")) for name in ("width", "height"))
        # The page is as much larger than printed as makes filters come out with their dpi.
        dpi = int(root.attrs.pop(DPI, FILTER_DPI))
        scale = PT_PER_MM * dpi / 72 / PIXELS_PER_PT
        target = Target(across * scale, down * scale, across, down)
    return _Page(drawable, target, with_stand_ins(root, library))


def _in_device_colors(data: bytes) -> bytes:
    """The PDF with DeviceRGB and DeviceGray in place of profiles of sRGB, as all that we write."""
    with pikepdf.open(BytesIO(data)) as pdf:
        for page in pdf.pages:
            stream = pdf.make_stream(_device_operators(page.obj, page.obj.get("/Resources")))
            page.obj.Contents = stream
        for item in list(pdf.objects):
            if isinstance(item, pikepdf.Stream):
                if item.get("/Subtype") == "/Form" or item.get("/PatternType") == 1:
                    item.write(_device_operators(item, item.get("/Resources")))
                _device_spaces(item)
            elif isinstance(item, pikepdf.Dictionary):
                _device_spaces(item)
        lay_tiles(pdf)
        out = BytesIO()
        pdf.save(out, static_id=True)
    return out.getvalue()


def _device_spaces(value: Any) -> None:
    """Name the colour spaces of an image, a shading or a group, those right below it among them."""
    stack = [value]
    while stack:
        item = stack.pop()
        for key in ("/ColorSpace", "/CS"):
            space = item.get(key)
            if isinstance(space, pikepdf.Array) and space[0] == "/ICCBased":
                item[key] = _DEVICE[int(space[1].N)]
        stack += [
            item[key] for key in ("/Group", "/Shading") if isinstance(item.get(key), pikepdf.Dictionary)
        ]


def _device_operators(content: Any, resources: Any) -> bytes:
    """A content stream whose colours are said by `rg` and `g`, without their spaces."""
    spaces = resources.get("/ColorSpace", {}) if resources is not None else {}
    instructions: list[Any] = []
    current = {"cs": 0, "CS": 0}
    for instruction in pikepdf.parse_content_stream(content):
        name = str(instruction.operator)
        if name in current:
            space = spaces.get(str(instruction.operands[0]))
            current[name] = int(space[1].N) if space is not None else 0
            if space is not None:
                continue
        elif name in ("scn", "SCN"):
            operator = _OPERATORS.get(("cs" if name == "scn" else "CS", len(instruction.operands)))
            named = isinstance(instruction.operands[-1], pikepdf.Name)
            if operator is not None and not named:
                instruction = pikepdf.ContentStreamInstruction(
                    instruction.operands, pikepdf.Operator(operator)
                )
        instructions.append(instruction)
    return pikepdf.unparse_content_stream(instructions)
