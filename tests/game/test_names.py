"""Files that game.yaml, fonts.yaml and templates name, written as other programs write them."""

from __future__ import annotations

import shutil
import unicodedata
from pathlib import Path
from urllib.parse import quote

import cardgen
from cardgen.commands.check.check import CheckOptions, check_game
from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import read_families
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parents[2]
CARDS = "cards:\n  - {id: a, title: A}\n"
FACE = """<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm"
viewBox="0 0 {{ width }} {{ height }}">{% include INCLUDED %}</svg>"""
GAME = """\
id: g
title: G
version: 0.1.0
author: A
language: en
players: {min: 2, max: 4}
theme: {ink: '#111111'}
tables: [TABLE]
components:
  cards: {title: Cards, kind: card, trim: poker, data: 'DATA', face: 'FACE'}
  book: {title: B, kind: book, trim: [148mm, 210mm], book: 'BOOK'}
"""
NAMES = {"DATA": "Kärten 1.yaml", "FACE": "Gesicht ä.svg", "BOOK": "Büch 1.md", "TABLE": "wörter.yaml"}
WAYS = {
    "composed": lambda name: unicodedata.normalize("NFC", name),
    "decomposed": lambda name: unicodedata.normalize("NFD", name),
    "address": quote,
    "address decomposed": lambda name: quote(unicodedata.normalize("NFD", name)),
}


def project(root: Path, said: dict[str, str], included: str = "Rähmen.svg") -> cardgen.Project:
    game = GAME
    for key, name in said.items():
        game = game.replace(f"'{key}'", f"'{name}'").replace(f"[{key}]", f"['{name}']")
    files = {
        "data/g/game.yaml": game,
        f"data/g/{NAMES['DATA']}": CARDS,
        f"data/g/{NAMES['TABLE']}": "a: 1\n",
        f"data/g/{NAMES['BOOK']}": "# Title\n\nText.\n",
        f"templates/g/{NAMES['FACE']}": FACE.replace("INCLUDED", f"'{included}'"),
        "templates/g/Rähmen.svg": '<rect width="9" height="9" fill="#333"/>',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return cardgen.Project.open(root)


def codes(made: cardgen.Project) -> list[str]:
    found = check_game(CheckOptions("g"), project=made).findings
    return [each.code for each in found if each.severity != "note"]


@for_each("way", WAYS)
def test_file_of_game_yaml_is_found_however_it_is_written(way: str, tmp_path: Path) -> None:
    said = {key: WAYS[way](name) for key, name in NAMES.items()}
    assert codes(project(tmp_path, said, "./Rähmen.svg")) == []


@for_each(
    "included",
    ["g/Rähmen.svg", "./Rähmen.svg", "./../g/./Rähmen.svg", "../g/R%C3%A4hmen.svg", ".\\\\Rähmen.svg"],
)
def test_included_template_is_found_however_it_is_written(included: str, tmp_path: Path) -> None:
    assert codes(project(tmp_path, NAMES, included)) == []


@for_each(
    ("key", "code"),
    [("DATA", "reference/data"), ("FACE", "reference/template"), ("BOOK", "reference/book")],
)
def test_wrong_case_in_game_yaml_names_the_file(key: str, code: str, tmp_path: Path) -> None:
    found = check_game(
        CheckOptions("g"),
        project=project(tmp_path, {**NAMES, key: NAMES[key].swapcase()[:-4] + NAMES[key][-4:]}),
    ).findings
    (finding,) = (each for each in found if each.code in (code, "file/case"))
    assert finding.location is not None
    assert finding.location.file == "data/g/game.yaml"
    assert NAMES[key] in finding.message


def test_wrong_case_of_an_included_template_names_the_file(tmp_path: Path) -> None:
    found = check_game(CheckOptions("g"), project=project(tmp_path, NAMES, "g/RÄHMEN.svg")).findings
    (finding,) = (each for each in found if each.code == "template/missing")
    assert "g/Rähmen.svg" in (finding.hint or "")


@for_each("said", ["Schr%C3%B6der%20Plex.ttf", unicodedata.normalize("NFD", "Schröder Plex.ttf")])
def test_font_file_is_found_however_it_is_written(said: str, tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    shutil.copytree(ROOT / "schemas", tmp_path / "schemas")
    source = next((ROOT / "fonts").rglob("IBMPlexSans-Regular.*"))
    shutil.copy(source, tmp_path / "fonts/Schröder Plex.ttf")
    (tmp_path / "fonts/fonts.yaml").write_text(
        "families:\n  Plex:\n    licence: OFL-1.1\n    origin: here\n    faces:\n"
        f"      - {{file: '{said}', weight: 400, style: normal}}\n"
    )
    family = read_families(ProjectFolders((tmp_path,)))["Plex"]
    (face,) = family.faces.values()
    assert face.path == tmp_path / "fonts/Schröder Plex.ttf"
    assert face.name == "fonts/Schröder Plex.ttf"


@for_each(
    ("href", "code", "is_beside"),
    [
        ("file:///home/me/game/templates/g/my%20art.png", "image/external", True),
        ("file:///C:/Users/me/my%20art.png", "image/external", True),
        ("C:\\Users\\me\\my art.png", "image/external", True),
        ("https://example.org/x/my%20art.png?v=2", "image/external", True),
        ("/home/me/my art.png", "image/path", True),
        ("/home/me/my art.png", "image/path", False),
        ("\\\\server\\share\\my art.png", "image/path", True),
    ],
)
def test_absolute_path_is_a_finding_that_names_the_file_beside(
    href: str, code: str, is_beside: bool, tmp_path: Path
) -> None:
    made = project(tmp_path, NAMES, "./Rähmen.svg")
    face = tmp_path / f"templates/g/{NAMES['FACE']}"
    face.write_text(face.read_text().replace("{%", f'<image href="{href}" width="9" height="9"/>{{%'))
    if is_beside:
        shutil.copy(next((ROOT / "docs/images").glob("*.png")), tmp_path / "templates/g/my art.png")
    found = check_game(CheckOptions("g"), project=made).findings
    (finding,) = (each for each in found if each.code.startswith("image/"))
    assert finding.code == code
    assert finding.location is not None
    assert finding.location.line == 2
    assert ("templates/g/my art.png" in (finding.hint or "")) is is_beside
    assert "my art.png" in (finding.hint or "")
