"""fonts.yaml to faces: exactly what was asked for, or a sentence saying what there is."""

from __future__ import annotations

import contextlib
import shutil
import struct
from pathlib import Path

import pytest

from cardgen.core.findings import CardgenError
from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import FontBook
from cardgen.text.shaping import Font, FontError
from tests.for_each import for_each
from tests.wording import Wording

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


@for_each("family", sorted(BOOK.families))
def test_every_bundled_face_loads_and_has_plausible_measures(family: str) -> None:
    for weight, italic in BOOK.families[family].faces:
        font = BOOK.face(family, weight, italic)
        assert 0.4 < font.x_height <= font.cap_height <= font.rise <= font.ascent + 0.05
        assert 0 <= font.depth <= font.descent + 0.05
        assert font.word("Hamburg").advance > 1
        assert BOOK.by_key(font.key).file == font.file


def test_every_bundled_font_file_is_declared_and_licensed() -> None:
    on_disk = {path for ending in ("ttf", "otf") for path in (ROOT / "fonts").rglob(f"*.{ending}")}
    declared = {face.path for family in BOOK.families.values() for face in family.faces.values()}
    assert declared == on_disk
    for family in BOOK.families.values():
        assert family.licence == ("Bitstream-Vera" if family.name == "Cardgen Symbols" else "OFL-1.1")
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
        "use 400 upright, 400 italic, 600 upright, 700 upright, 700 italic, "
        "or add its file: cardgen font add FILE",
    )


@for_each("misspelt", ["IBM Plex Sanz", "ibm plex sans", "IBM PlexSans"])
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
    assert hint.startswith("use one of: Bebas Neue, Big Shoulders Display, Cardgen Symbols")


def test_an_unknown_key() -> None:
    with pytest.raises(FontError, match="no font 'IBMPlexSans-Blod'") as error:
        BOOK.by_key("IBMPlexSans-Blod")
    assert refusal(error)[2] == "did you mean 'IBMPlexSans-Bold'?"


def test_font_errors_are_cardgen_errors() -> None:
    assert issubclass(FontError, CardgenError)


LISTING = "families:\n  Mine:\n    faces:\n      - {file: a.ttf, weight: 400}\n"


def test_files_are_read_only_when_a_face_is_asked_for(tmp_path: Path) -> None:
    book = FontBook(ProjectFolders((project(tmp_path, LISTING), ROOT)))
    with pytest.raises(FontError) as error:
        book.face("Mine")
    assert refusal(error)[:2] == ("font/file", "the font file fonts/a.ttf does not exist")


def damaged_head(at: int, new: bytes) -> bytes:
    """Plex with other bytes at that place of its table `head`."""
    content = bytearray(PLEX.read_bytes())
    entry = content.index(b"head")
    (start,) = struct.unpack_from(">I", content, entry + 8)
    content[start + at : start + at + len(new)] = new
    return bytes(content)


@for_each(
    "content",
    [
        b"",
        b"not a font",
        b"\0\1\0\0" + bytes(200),
        PLEX.read_bytes()[:3000],
        PLEX.read_bytes()[:-200],
        PLEX.read_bytes().replace(b"cmap", b"\xce\xffap", 1),
        PLEX.read_bytes().replace(b"hhea", b"hhe9", 1),
        damaged_head(18, b"\0\0"),
        PLEX.read_bytes()[:4] + b"\xff\xff" + PLEX.read_bytes()[6:300],
    ],
    ids=[
        "empty",
        "text",
        "zeros",
        "start",
        "end cut off",
        "no letters in a name",
        "a table less",
        "no units",
        "thousands of tables",
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    folder = project(tmp_path, LISTING)
    (folder / "fonts/a.ttf").write_bytes(content)
    with pytest.raises(
        FontError, match=r"the font file fonts/a\.ttf (is damaged|has no table (cmap|hhea))"
    ):
        FontBook(ProjectFolders((folder, ROOT))).face("Mine")


def test_the_users_fonts_come_first_and_the_bundled_ones_after(tmp_path: Path) -> None:
    listing = "families:\n  IBM Plex Sans:\n    faces:\n      - {file: own.ttf, weight: 400}\n"
    folder = project(tmp_path, listing, own=BOLD)
    book = FontBook(ProjectFolders((folder, ROOT)))
    assert book.face("IBM Plex Sans", 400).path == folder / "fonts/own.ttf"
    assert book.face("IBM Plex Sans", 700).path == BOLD
    assert book.face("Bebas Neue").key == "BebasNeue-Regular"


def refusals(folder: Path) -> list[str]:
    """What is said of a project's fonts.yaml, each with its place."""
    with pytest.raises(CardgenError) as error:
        FontBook(ProjectFolders((folder, ROOT)))
    return [f"{finding} [{finding.code}]" for finding in error.value.findings]


def test_two_files_of_one_name_are_refused(tmp_path: Path, wording: Wording) -> None:
    listing = "families:\n  Mine:\n    faces:\n      - {file: x/IBMPlexSans-Bold.ttf, weight: 400}\n"
    found = refusals(project(tmp_path, listing))
    assert len(found) == 1
    assert "fonts/x/IBMPlexSans-Bold.ttf" in found[0]
    wording(found[0], "font/list")
    assert found[0].startswith("fonts/fonts.yaml:")


def test_a_file_may_replace_a_bundled_one_of_its_name(tmp_path: Path) -> None:
    listing = "families:\n  IBM Plex Sans:\n    faces:\n      - {file: IBMPlexSans-Bold.ttf, weight: 700}\n"
    folder = project(tmp_path, listing)
    shutil.copy(BOLD, folder / "fonts/IBMPlexSans-Bold.ttf")
    book = FontBook(ProjectFolders((folder, ROOT)))
    assert book.by_key("IBMPlexSans-Bold").path == folder / "fonts/IBMPlexSans-Bold.ttf"


@for_each(
    ("listing", "said"),
    [
        ("families: [a", "1:11 [yaml/syntax]"),
        ("- a", "1:1 [schema/type]"),
        ("families: {}", "1:11: families [schema/min-keys]"),
        ("familys: {}", "1:1: familys [schema/unknown-key]"),
        ("families: {Mine: {}}", "1:18: families.Mine [schema/required]"),
        (
            "families: {Mine: {faces: []}}",
            "1:26: families.Mine.faces [schema/min-items]",
        ),
        (
            "families: {Mine: {faces: [{weight: 400}]}}",
            "1:27: families.Mine.faces[0] [schema/required]",
        ),
        (
            "families: {Mine: {faces: [{file: ../a.ttf}]}}",
            "1:34: families.Mine.faces[0].file [schema/pattern]",
        ),
        (
            "families: {Mine: {faces: [{file: a.ttf, weight: bold}]}}",
            "1:49: families.Mine.faces[0].weight [schema/type]",
        ),
        (
            "families: {Mine: {faces: [{file: a.ttf, weight: true}]}}",
            "1:49: families.Mine.faces[0].weight [schema/type]",
        ),
        (
            "families: {Mine: {faces: [{file: a.ttf, style: oblique}]}}",
            "1:48: families.Mine.faces[0].style [schema/enum]",
        ),
        (
            "families: {Mine: {faces: [{file: a.ttf}, {file: b.ttf}]}}",
            "1:42: families.Mine.faces[1] [font/list]",
        ),
    ],
)  # fmt: skip
def test_a_fonts_yaml_that_makes_no_sense(
    tmp_path: Path, listing: str, said: str, wording: Wording
) -> None:
    place, code = said.split(" ")[:-1], said.split(" ")[-1]
    found = [each for each in refusals(project(tmp_path, listing)) if each.endswith(code)]
    assert any(each.startswith(f"fonts/fonts.yaml:{' '.join(place)}: ") for each in found)
    wording(found)


def test_all_slips_of_a_fonts_yaml_come_at_once(tmp_path: Path) -> None:
    listing = (
        "families:\n  A: {faces: [{file: a.ttf, wieght: 400}]}\n  B: {faces: [{file: b.ttf, weight: 0}]}\n"
    )
    with pytest.raises(CardgenError) as error:
        FontBook(ProjectFolders((project(tmp_path, listing), ROOT)))
    assert [(f.location and f.location.line, f.code, f.hint) for f in error.value.findings] == [
        (2, "schema/unknown-key", "did you mean 'weight'?"),
        (3, "schema/minimum", None),
    ]


def test_a_project_without_fonts(tmp_path: Path) -> None:
    with pytest.raises(FontError, match="no font family 'Mine'"):
        FontBook(ProjectFolders((tmp_path,))).face("Mine")


def test_a_family_that_stands_in_is_named_and_takes_letters_of_the_other() -> None:
    book = BOOK.standing_in([("IBM Plex Sans", "Bebas Neue")])
    assert book.face("IBM Plex Sans", 700, True).file == BOOK.face("Bebas Neue").file
    with pytest.raises(FontError) as error:
        book.face("IBM Plex Sans", 950, True)
    said = "the font family 'Bebas Neue', the replacement for 'IBM Plex Sans', has no 950 italic"
    assert refusal(error)[1] == said
    font = book.face("IBM Plex Sans")
    assert not font.covers("α")
    assert font.stand_in("α").file == BOOK.face("IBM Plex Sans").file


def test_a_font_whose_tables_are_out_of_order_is_damaged(tmp_path: Path) -> None:
    """HarfBuzz looks a table up by halving, and so finds none that our own look at the list has found."""
    data = BOLD.read_bytes()
    place = data.index(b"name", 12)
    path = tmp_path / "x.ttf"
    path.write_bytes(data[:place] + b"\xb5" + data[place + 1 :])
    with contextlib.suppress(FontError):
        assert Font("x", path, "x.ttf").covers("a")


@for_each("start", [b"wOFF", b"wOF2"])
def test_a_web_font_is_called_one(tmp_path: Path, start: bytes, wording: Wording) -> None:
    path = tmp_path / "x.ttf"
    path.write_bytes(start + BOLD.read_bytes()[4:])
    with pytest.raises(FontError) as error:
        Font("x", path, "x.ttf")
    wording(error.value)
    assert refusal(error)[0] == "font/file"
