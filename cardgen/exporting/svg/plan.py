"""`--to svg`: every side as an SVG file of its own, which needs no font and no other file.

Pictures stand in it as their templates wrote them, with their ids; type is outlines, so that it looks
everywhere as it prints, and each text says in `aria-label` what it reads.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from cardgen.exporting.job import ExportJob, PlannedFile
from cardgen.exporting.side_names import Named, named_sides
from cardgen.exporting.svg.parts import Side, decimal
from cardgen.geometry import Rect, Shape, corners_of
from cardgen.model.artwork import Artwork
from cardgen.model.game import Component

SHOWN_TEXT = 4000
"""Most characters of a side's text in its `desc`."""


def plan(job: ExportJob) -> list[PlannedFile]:
    """The files of `--to svg`, named as those of `--to png`. Books are left out."""
    return [
        _file(job, component, side)
        for component in job.drawn
        for side in named_sides(component, list(job.pieces(component)))
    ]


def _file(job: ExportJob, component: Component, side: Named) -> PlannedFile:
    artwork = job.rendering.artworks[side.artwork]
    clip = ""
    if not job.switch("bleed") and not job.switch("square-corners"):
        clip = _clip(component.shape_of(side.side), component.corner_radius, artwork.trim)
    text = standalone(job, artwork, side.title, bleed=job.switch("bleed"), clip=clip)
    return PlannedFile.of(f"{side.stem}.svg", text.encode("utf-8"))


def standalone(job: ExportJob, artwork: Artwork, title: str, *, bleed: bool, clip: str) -> str:
    """A side as an SVG document in mm: its trim, or with its `bleed`, cut to the element `clip`, if there
    is one."""
    side = Side(job.rendering, job.fontbook)
    body = side.items(artwork.items)
    whole = Rect(0, 0, artwork.size.width, artwork.size.height)
    area = whole if bleed else artwork.trim
    defs = "".join([clip and f'<clipPath id="shape">{clip}</clipPath>', *side.glyphs()])
    words = "\n".join(" ".join(text.split()) for text in side.texts)[:SHOWN_TEXT]
    size = f'width="{decimal(area.width)}mm" height="{decimal(area.height)}mm"'
    box = " ".join(decimal(value) for value in (area.x, area.y, area.width, area.height))
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'{size} viewBox="{box}" role="img" aria-label={quoteattr(title)}>',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(words)}</desc>",
            f"<defs>{defs}</defs>",
            '<g clip-path="url(#shape)">' if clip else "<g>",
            *body,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _clip(shape: Shape, corner: float, trim: Rect) -> str:
    """The finished shape; nothing for square corners, which the document's own edge cuts."""
    x, y, width, height = (decimal(value) for value in (trim.x, trim.y, trim.width, trim.height))
    if (corners := corners_of(shape, trim)) is not None:
        points = " ".join(f"{decimal(x)},{decimal(y)}" for x, y in corners)
        return f'<polygon points="{points}"/>'
    if shape == "ellipse":
        cx, cy = decimal(trim.x + trim.width / 2), decimal(trim.y + trim.height / 2)
        rx, ry = decimal(trim.width / 2), decimal(trim.height / 2)
        return f'<ellipse cx="{cx}" cy="{cy}" rx="{rx}" ry="{ry}"/>'
    if corner > 0:
        radius = decimal(corner)
        return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>'
    return ""
