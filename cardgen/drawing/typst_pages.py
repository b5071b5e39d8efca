"""Pictures that cairo doesn't draw as a browser does, through Typst: each a page of one PDF, then a form.

Typst (with usvg and krilla in it) says masks, blend modes, clips and patterns as PDF does, and turns only
filters into pixels. It sees a picture's markup and nothing else: no file, no font, no network. An image in
it is a stand-in, as for cairo, unless it lies under a filter, which needs its pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from cardgen.drawing.unrolled import unroll_radials
from cardgen.findings import Finding
from cardgen.svg import tree
from cardgen.svg.tree import SvgError
from cardgen.units import PT_PER_MM, parse_length

PIXELS_PER_PT = 4
"""Of a filter's picture, whatever its size: krilla-svg 0.7's `filter_scale`."""
FILTER_DPI = 300
_LARGER = FILTER_DPI / 72 / PIXELS_PER_PT
"""How much larger than printed a page is made, so that filters come out with FILTER_DPI."""
_DEVICE = {1: pikepdf.Name.DeviceGray, 3: pikepdf.Name.DeviceRGB}
_OPERATORS = {("cs", 1): "g", ("cs", 3): "rg", ("CS", 1): "G", ("CS", 3): "RG"}


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """The form of every drawable, by its key. DrawingError with everything that is wrong."""
    import typst  # loads 80 MB of code: only where a picture asks for it

    library = ImageLibrary(image for drawable in drawables for image in drawable.images)
    pages: list[str] = []
    markup: dict[str, str] = {}
    targets: list[Target] = []
    problems: list[Finding] = []
    for number, drawable in enumerate(drawables):
        try:
            target, markup[str(number)] = _page(drawable, library)
        except DrawingError as error:
            problems += error.findings
            continue
        except (SvgError, ValueError) as error:
            problems += DrawingError.of("picture/svg", f"{drawable.label}: {error}").findings
            continue
        targets.append(target)
        size = f"width: {target.width:.6f}pt, height: {target.height:.6f}pt"
        image = f'image(bytes(sys.inputs.at("{number}")), format: "svg", {size}, fit: "stretch")'
        pages.append(f"#page({size}, {image})")
    if problems:
        raise DrawingError(*dict.fromkeys(problems))
    source = "#set page(margin: 0pt, fill: none)\n" + "\n".join(pages)
    try:
        data = typst.compile(
            source.encode(), sys_inputs=markup, ignore_system_fonts=True, pdf_tags=False, timestamp=0
        )
    except typst.TypstError as error:
        raise DrawingError.of("picture/svg", f"a picture can't be drawn: {error}") from error
    forms = page_forms(_in_device_colors(data), targets, library, pixels=True)
    return {drawable.key: form for drawable, form in zip(drawables, forms)}


def _page(drawable: Drawable, library: ImageLibrary) -> tuple[Target, str]:
    """The size of a picture's page, and its markup."""
    document = tree.parse(drawable.svg.encode(), bounded=False)
    unroll_radials(document)
    lengthen_points(document)
    root = document.root
    if drawable.unit:
        width, height = (float(root.attrs.get(name, "")) for name in ("width", "height"))
        target = Target(ICON_PT * width / height, ICON_PT, 1.0, 1.0)
    else:
        across, down = (parse_length(root.attrs.get(name, "")) for name in ("width", "height"))
        target = Target(across * PT_PER_MM * _LARGER, down * PT_PER_MM * _LARGER, across, down)
    return target, with_stand_ins(root, library)


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
