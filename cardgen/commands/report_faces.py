"""The fonts that reports are set in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardgen.project import bundled_root

if TYPE_CHECKING:
    from cardgen.reports import Faces


def report_faces() -> Faces:
    """The bundled fonts: a report looks the same whatever fonts a project declares."""
    from cardgen.model.game import ProjectPaths
    from cardgen.reports import Faces
    from cardgen.typesetting.fonts import FontBook

    book = FontBook(ProjectPaths((bundled_root(),)))
    wanted: Mapping[str, tuple[str, int]] = {
        "regular": ("IBM Plex Sans", 400),
        "bold": ("IBM Plex Sans", 600),
        "narrow": ("IBM Plex Sans Condensed", 400),
        "narrow_bold": ("IBM Plex Sans Condensed", 600),
        "mono": ("IBM Plex Mono", 400),
    }
    return Faces(**{name: book.face(family, weight).path for name, (family, weight) in wanted.items()})
