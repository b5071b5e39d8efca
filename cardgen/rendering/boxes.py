"""What a box's template is told of it: where its panels lie, and which way up art stands on them."""

from __future__ import annotations

from typing import Any

from cardgen.geometry import Matrix, Size
from cardgen.model.boxes import Dieline, Panel, placed
from cardgen.units import decimal


def box_variables(box: Dieline, bleed: float) -> dict[str, Any]:
    """`component.box` of templates: a mapping a panel by its name, and what the whole measures; mm from the
    corner of the bleed."""
    return {
        **box.about,
        "form": box.form,
        "cards": box.cards,
        "width": round(box.outer.width, 3),
        "height": round(box.outer.height, 3),
        "depth": round(box.outer.depth, 3),
        **{panel.name: _panel(panel, bleed) for panel in box.panels},
    }


def _panel(panel: Panel, bleed: float) -> dict[str, Any]:
    """`x`, `y`, `width` and `height` in the flat, and two maps for art with its top left corner at 0, 0:
    `upright`, of the `size` that it then has, and `spine`, read from top to bottom along the panel."""
    rect, size = panel.rect, panel.upright
    return {
        "x": round(rect.x + bleed, 4),
        "y": round(rect.y + bleed, 4),
        "width": round(rect.width, 4),
        "height": round(rect.height, 4),
        "turn": panel.turn,
        "glued": panel.glued,
        "upright": _spelled(panel.placing, bleed),
        "size": _size(size),
        "spine": _spelled(placed(rect, 90), bleed),
        "length": _size(rect.size.turned),
    }


def _size(size: Size) -> dict[str, float]:
    return {"width": round(size.width, 4), "height": round(size.height, 4)}


def _spelled(matrix: Matrix, bleed: float) -> str:
    moved = matrix.then(Matrix(e=bleed, f=bleed))
    values = (moved.a, moved.b, moved.c, moved.d, moved.e, moved.f)
    return f"matrix({' '.join(decimal(value, 4) for value in values)})"
