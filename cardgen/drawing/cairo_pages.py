"""Pictures and icons through cairo: every one a page of a single PDF, then a form each."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pikepdf

from cardgen.drawing.cairo import cairo
from cardgen.drawing.drawables import Drawable
from cardgen.drawing.forms import PageForm, Target, page_forms, without_repeats
from cardgen.drawing.images import ImageLibrary
from cardgen.drawing.inheriting import parse
from cardgen.drawing.objects import DrawingError
from cardgen.drawing.surface import PictureSurface
from cardgen.drawing.tiles import lay_tiles
from cardgen.findings import Finding
from cardgen.progress import counted
from cardgen.svg.tree import SvgError
from cardgen.units import MM_PER_PT


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """The form of every drawable, by its key. DrawingError with everything that is wrong."""
    library = ImageLibrary(image for drawable in drawables for image in drawable.images)
    file = BytesIO()
    pages = cairo.PDFSurface(file, 1, 1)
    pages.restrict_to_version(cairo.PDF_VERSION_1_4)  # later versions of cairo would pack objects
    problems: list[tuple[str, Finding]] = []
    targets: list[Target] = []
    for drawable in counted("drawing pictures", drawables):
        try:
            surface = PictureSurface(parse(drawable.svg), pages, library)
            surface.finish()
            targets.append(_target(surface.width, surface.height, drawable.unit))
            continue
        except DrawingError as error:
            found = tuple(_named(finding, drawable.label) for finding in error.findings)
        except RecursionError:
            found = DrawingError.of("picture/depth", f"{drawable.label}: nested too deeply").findings
        except (SvgError, ValueError) as error:
            found = DrawingError.of("picture/svg", f"{drawable.label}: {error}").findings
        except (ArithmeticError, AttributeError, LookupError, TypeError, cairo.CairoError):
            # CairoSVG's way of saying that a value is not what it hoped for
            what = (
                f"{drawable.label} cannot be drawn: a value in it is not what the drawing program expects"
            )
            found = DrawingError.of("picture/svg", what).findings
        problems += [(drawable.name, finding) for finding in found]
    if problems:
        raise DrawingError.of_pictures(problems)
    pages.finish()
    forms = page_forms(_without_patterns(file.getvalue()), targets, library)
    return {drawable.key: form for drawable, form in zip(drawables, forms)}


def _without_patterns(data: bytes) -> bytes:
    """The PDF with the tiles of its patterns put one by one."""
    if b"/PatternType 1" not in data:
        return data
    with pikepdf.open(BytesIO(without_repeats(data))) as pdf:
        lay_tiles(pdf)
        out = BytesIO()
        pdf.save(out, static_id=True)
    return out.getvalue()


def _target(width: float, height: float, unit: bool) -> Target:
    if unit:
        return Target(width, height, 1.0, 1.0)
    return Target(width, height, width * MM_PER_PT, height * MM_PER_PT)


def _named(finding: Finding, label: str) -> Finding:
    if finding.location is not None:
        return finding
    return Finding(finding.severity, finding.code, f"{label}: {finding.message}", None, finding.hint)
