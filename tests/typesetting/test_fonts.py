"""fonts.yaml to faces: exactly what was asked for, or a sentence saying what there is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardgen.findings import CardgenError
from cardgen.model.game import ProjectPaths
from cardgen.typesetting import FontBook, FontError

from .texts import BOOK, ROOT

PLEX = ROOT / "fonts/ibm-plex-sans/IBMPlexSans-Regular.ttf"
BOLD = ROOT / "fonts/ibm-plex-sans/IBMPlexSans-Bold.ttf"


def project(folder: Path, listing: str, **files: Path) -> Path:
    """A project folder with a fonts.yaml and copies of font files (`name=source`)."""
    fonts = folder / "fonts"
    fonts.mkdir(parents=True)
    (fonts / "fonts.yaml").write_text(listing, encoding="utf-8")
    for name, source in files.items():
        shutil.copy(source, fonts / f"{name}.ttf")
    return folder


def refusal(error: pytest.ExceptionInfo[FontError]) -> tuple[str, str, str | None]:
    (finding,) = error.value.findings
    return finding.code, finding.message, finding.hint


@pytest.mark.parametrize("family", sorted(BOOK.families))
def test_every_bundled_face_loads_and_has_plausible_measures(family: str) -> None:
    for weight, italic in BOOK.families[family].faces:
        font = BOOK.face(family, weight, italic)
        assert 0.4 < font.x_height <= font.cap_height <= font.rise <= font.ascent + 0.05
        assert 0 <= font.depth <= font.descent + 0.05
        assert font.word("Hamburg").advance > 1
        assert BOOK.by_key(font.key) is font


def test_every_bundled_font_file_is_declared_and_licensed() -> None:
    on_disk = {path for ending in ("ttf", "otf") for path in (ROOT / "fonts").rglob(f"*.{ending}")}
    declared = {face.path for family in BOOK.families.values() for face in family.faces.values()}
    assert declared == on_disk
    for family in BOOK.families.values():
        assert family.licence == "OFL-1.1"
        assert family.origin
        for face in family.faces.values():
            assert (face.path.parent / "LICENSE.txt").is_file()


def test_the_readme_names_every_family() -> None:
    readme = (ROOT / "fonts/README.md").read_text(encoding="utf-8")
    assert [name for name in BOOK.families if name not in readme] == []


def test_keys_are_file_names() -> None:
    assert BOOK.face("IBM Plex Sans", 700, True).key == "IBMPlexSans-BoldItalic"
    assert BOOK.face("Bebas Neue").key == "BebasNeue-Regular"


def test_a_missing_style_is_never_substituted() -> None:
    with pytest.raises(FontError) as error:
        BOOK.face("IBM Plex Sans Condensed", 600, True)
    assert refusal(error) == (
        "font/face",
        "the font family 'IBM Plex Sans Condensed' has no 600 italic",
        "it has 400 upright, 400 italic, 600 upright, 700 upright, 700 italic",
    )


@pytest.mark.parametrize("misspelt", ["IBM Plex Sanz", "ibm plex sans", "IBMPlexSans"])
def test_a_misspelt_family_gets_a_suggestion(misspelt: str) -> None:
    with pytest.raises(FontError) as error:
        BOOK.face(misspelt)
    code, message, hint = refusal(error)
    assert (code, message) == ("font/family", f"there is no font family '{misspelt}'")
    assert hint == "did you mean 'IBM Plex Sans'?"


def test_an_unknown_family_gets_the_list() -> None:
    with pytest.raises(FontError) as error:
        BOOK.face("Qqqq")
    hint = refusal(error)[2]
    assert hint is not None
    assert hint.startswith("the families are Bebas Neue, IBM Plex Mono")


def test_an_unknown_key() -> None:
    with pytest.raises(FontError, match="no font 'IBMPlexSans-Blod'") as error:
        BOOK.by_key("IBMPlexSans-Blod")
    assert refusal(error)[2] == "did you mean 'IBMPlexSans-Bold'?"


def test_font_errors_are_cardgen_errors() -> None:
    assert issubclass(FontError, CardgenError)


LISTING = "families:\n  Mine:\n    faces:\n      - {file: a.ttf, weight: 400}\n"


def test_files_are_read_only_when_a_face_is_asked_for(tmp_path: Path) -> None:
    book = FontBook(ProjectPaths((project(tmp_path, LISTING),)))
    with pytest.raises(FontError) as error:
        book.face("Mine")
    assert refusal(error)[:2] == ("font/file", "the font file fonts/a.ttf does not exist")


@pytest.mark.parametrize(
    "content",
    [b"", b"not a font", b"\0\1\0\0" + bytes(200), PLEX.read_bytes()[:3000], PLEX.read_bytes()[:-200]],
    ids=["empty", "text", "zeros", "start", "end cut off"],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    folder = project(tmp_path, LISTING)
    (folder / "fonts/a.ttf").write_bytes(content)
    with pytest.raises(FontError, match=r"the font file fonts/a\.ttf is damaged"):
        FontBook(ProjectPaths((folder,))).face("Mine")


def test_the_users_fonts_come_first_and_the_bundled_ones_after(tmp_path: Path) -> None:
    listing = "families:\n  IBM Plex Sans:\n    faces:\n      - {file: own.ttf, weight: 400}\n"
    folder = project(tmp_path, listing, own=BOLD)
    book = FontBook(ProjectPaths((folder, ROOT)))
    assert book.face("IBM Plex Sans", 400).path == folder / "fonts/own.ttf"
    assert book.face("IBM Plex Sans", 700).path == BOLD
    assert book.face("Bebas Neue").key == "BebasNeue-Regular"


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    listing = "families:\n  Mine:\n    faces:\n      - {file: IBMPlexSans-Bold.ttf, weight: 400}\n"
    folder = project(tmp_path, listing)
    with pytest.raises(FontError, match="have the same name"):
        FontBook(ProjectPaths((folder, ROOT)))


@pytest.mark.parametrize(
    ("listing", "said"),
    [
        ("families: [", "cannot be read"),
        ("- a", "no mapping 'families'"),
        ("families: {Mine: {}}", "'Mine' has no list of faces"),
        ("families: {Mine: {faces: []}}", "'Mine' has no list of faces"),
        ("families: {Mine: {faces: [{weight: 400}]}}", "a face of 'Mine' names no file"),
        ("families: {Mine: {faces: [{file: a.ttf, weight: bold}]}}", "not a number from 1 to 1000"),
        ("families: {Mine: {faces: [{file: a.ttf, weight: true}]}}", "not a number from 1 to 1000"),
        ("families: {Mine: {faces: [{file: a.ttf, style: oblique}]}}", "the style of a.ttf is 'oblique'"),
        ("families: {Mine: {faces: [{file: a.ttf}, {file: b.ttf}]}}", "declares 400 upright twice"),
    ],
)
def test_a_fonts_yaml_that_makes_no_sense(tmp_path: Path, listing: str, said: str) -> None:
    with pytest.raises(FontError) as error:
        FontBook(ProjectPaths((project(tmp_path, listing),)))
    code, message, _ = refusal(error)
    assert code == "font/list"
    assert said in message


def test_a_project_without_fonts(tmp_path: Path) -> None:
    with pytest.raises(FontError, match="no font family 'Mine'"):
        FontBook(ProjectPaths((tmp_path,))).face("Mine")
