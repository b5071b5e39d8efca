"""Exports as commands: what is remembered of one, and sides for an exporter that asks what is on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import cardgen

Edit = Callable[[str, str, str], Path]
FACE = "templates/demo/card.svg"


def export(demo: Path, to: str, **settings: int) -> cardgen.ExportResult:
    wish = cardgen.ExportOptions(game="demo", to=to, settings=settings)
    return cardgen.export_to(wish, project=cardgen.Project.open(demo))


def test_an_unchanged_export_says_its_warnings_again(
    demo: Path, edit: Edit, settle: Callable[[Path], None]
) -> None:
    edit(FACE, 'y="{{ trim.y + 11.7 }}"', 'y="{{ trim.y + 4 }}"')
    for folder in ("data", "templates", "schemas"):
        settle(demo / folder)
    first, again = (export(demo, "png", dpi=20) for _ in range(2))
    assert (first.up_to_date, again.up_to_date) == (False, True)
    assert len(first.changed) == len(first.files) == 7
    assert again.changed == ()
    assert [file.path for file in again.files] == [file.path for file in first.files]
    assert {finding.code for finding in first.findings} == {"text/safe-zone"}
    assert again.findings == first.findings


def test_sides_as_svg_are_drawn_from_what_is_on_them(demo: Path, edit: Edit) -> None:
    result = export(demo, "svg")
    faces = [file for file in result.files if file.path.endswith(".svg")]
    assert len(faces) == 7
    assert ET.parse(faces[0].path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    edit(FACE, "{{ card.value }}", "{{ card.valeu }}")
    with pytest.raises(cardgen.CardgenError, match="did you mean 'value'"):
        export(demo, "svg")
    assert Path(faces[0].path).is_file(), "the earlier export is still whole"
