"""A project whose files have names of every kind: all commands find them, and the workbench sees edits."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from urllib.parse import quote

import pytest

import cardgen
from cardgen.commands.check.check import CheckOptions, check_game
from tests.art.test_pictures import png
from tests.sampling import one_in
from tests.workbench.support import at_rest, bench_of, seen

pytestmark = pytest.mark.usefixtures("drawn_here")
PICTURES = (
    "my art.png",
    "Ärger.png",
    "a#1.png",
    "50% off.png",
    "a & b.png",
    "it's.png",
    "c+d.png",
    "fox \N{FOX FACE}.png",
    "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}.png",
    "(x) [y]{z}.png",
    "100%25.png",
    "semi;colon,comma=.png",
)
SVG = 'xmlns="http://www.w3.org/2000/svg"'
FACE = f"""<svg {SVG} width="{{{{ width }}}}mm" height="{{{{ height }}}}mm"
viewBox="0 0 {{{{ width }}}} {{{{ height }}}}">
{{% include "./Ähnliches #1/Rähmen & Co.svg" %}}
{{% include "g/%C3%84hnliches%20%231/R%C3%A4hmen%20%26%20Co.svg" %}}
<image href="{{{{ card.art }}}}" x="6" y="20" width="8" height="8"/>
<image href="{{{{ card.address }}}}" x="36" y="20" width="8" height="8"/>
<use href="#icon-bär" x="6" y="60" width="6" height="6"/>
<text x="10" y="12" font-family="IBM Plex Sans" font-size="4" fill="#111">{{{{ card.title }}}} :bär:</text>
</svg>"""
GAME = """\
id: g
title: G
version: 0.1.0
author: A
language: en
players: {min: 2, max: 4}
theme: {ink: '#111111'}
components:
  cards: {title: Cards, kind: card, trim: poker, data: 'Kärten & 50% #1.json', face: 'Kärte #1 & 50%.svg'}
"""


@pytest.fixture(params=one_in(2, ["NFD", "NFC"]))
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A project whose files are composed or decomposed, and whose texts are composed."""
    cards = [
        {
            "id": f"c{at}",
            "title": f"T{at}",
            "art": name,
            "address": quote(unicodedata.normalize("NFD" if at % 2 else "NFC", name)),
        }
        for at, name in enumerate(PICTURES)
    ]
    files: dict[str, bytes] = {f"art/g/{name}": png(200, 200) for name in PICTURES}
    files["templates/g/Ähnliches #1/Rähmen & Co.svg"] = b'<rect width="2" height="2" fill="#333"/>'
    files["templates/g/icons/bär.svg"] = (
        f'<svg {SVG} viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'.encode()
    )
    files["templates/g/Kärte #1 & 50%.svg"] = FACE.encode()
    files["data/g/Kärten & 50% #1.json"] = json.dumps({"cards": cards}).encode()
    files["data/g/game.yaml"] = GAME.encode()
    for name, content in files.items():
        place = tmp_path / unicodedata.normalize(request.param, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return tmp_path


@pytest.mark.long
def test_files_of_any_name_are_checked_built_and_exported(odd: Path) -> None:
    project = cardgen.Project.open(odd)
    found = check_game(CheckOptions("g"), project=project).findings
    assert [each.code for each in found] == ["game/no-schema"]
    assert cardgen.build(cardgen.BuildOptions("g"), project=project).files
    for target in ("png", "svg", "pcio"):
        assert cardgen.export_to(cardgen.ExportOptions("g", target), project=project).files


@pytest.mark.long
@pytest.mark.parametrize("file", one_in(2, ["templates/g/Ähnliches #1/Rähmen & Co.svg", "art/g/Ärger.png"]))
def test_edited_file_of_any_name_is_seen(file: str, odd: Path) -> None:
    bench = at_rest(bench_of(odd, "g"))
    before = seen(bench)
    (place,) = (
        each
        for each in odd.rglob("*.*")
        if unicodedata.normalize("NFC", each.relative_to(odd).as_posix()) == file
    )
    new = png(100, 100) if file.endswith(".png") else b'<rect width="3" height="3" fill="#933"/>'
    place.write_bytes(new)
    bench.refresh()
    after = seen(at_rest(bench))
    assert after != before
    assert after == seen(at_rest(bench_of(odd, "g")))
