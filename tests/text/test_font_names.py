"""Families by the names that drawing programs write: PostScript names, and words of style."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import FontBook, StyledName, without_style
from cardgen.text.shaping import FontError
from tests.for_each import for_each
from tests.text.color_fonts import declare, plain, saved

ROOT = Path(__file__).resolve().parents[2]
BOOK = FontBook(ProjectFolders((ROOT,)))


@for_each(
    ("name", "parts"),
    [
        ("Inter", ("Inter", None, None)),
        ("Inter-Bold", ("Inter", 700, None)),
        ("Inter-BoldItalic", ("Inter", 700, True)),
        ("Inter Bold", ("Inter", 700, None)),
        ("Inter Semi Bold", ("Inter", 600, None)),
        ("Inter SemiBold Italic", ("Inter", 600, True)),
        ("Inter Extra-Light", ("Inter", 200, None)),
        ("SourceSans3-It", ("SourceSans3", None, True)),
        ("Source Sans 3 Black", ("Source Sans 3", 900, None)),
        ("Arial-BoldItalicMT", ("Arial", 700, True)),
        ("ArialMT", ("ArialMT", None, None)),
        ("Black Ops One", ("Black Ops One", None, None)),
        ("Black", ("Black", None, None)),
        ("Bold", ("Bold", None, None)),
        ("", ("", None, None)),
    ],
)
def test_words_of_style_are_parted_from_a_name(
    name: str, parts: tuple[str, int | None, bool | None]
) -> None:
    assert without_style(name) == StyledName(*parts)


@for_each(
    ("name", "key"),
    [
        ("IBMPlexSans-Bold", "IBMPlexSans-Bold"),
        ("IBMPlexSans-BoldItalic", "IBMPlexSans-BoldItalic"),
        ("IBMPlexSans-SemiBold", "IBMPlexSans-SemiBold"),
        ("IBMPlexSans", "IBMPlexSans-Regular"),
        ("IBM Plex Sans SemiBold", "IBMPlexSans-SemiBold"),
        ("IBM Plex Sans Semi Bold", "IBMPlexSans-SemiBold"),
        ("IBM Plex Sans Bold Italic", "IBMPlexSans-BoldItalic"),
        ("IBM Plex Sans Condensed Bold", "IBMPlexSansCondensed-Bold"),
        ("IBMPlexSansCondensed-Bold", "IBMPlexSansCondensed-Bold"),
        ("BebasNeue-Regular", "BebasNeue-Regular"),
    ],
)
def test_bundled_face_is_found_by_any_of_its_names(name: str, key: str) -> None:
    assert BOOK.face(name).key == key


def test_weight_of_a_name_goes_before_regular_and_a_stated_one_before_a_regular_name() -> None:
    assert BOOK.face("IBMPlexSans-Bold", 400).key == "IBMPlexSans-Bold"
    assert BOOK.face("IBMPlexSans-Bold", 600).key == "IBMPlexSans-Bold"
    assert BOOK.face("IBM Plex Sans Regular", 700).key == "IBMPlexSans-Bold"
    assert BOOK.face("IBMPlexSans-Bold", 400, italic=True).key == "IBMPlexSans-BoldItalic"


def test_face_is_found_by_name_id_6_alone(tmp_path: Path) -> None:
    """Whatever the family is called in fonts.yaml, and whatever the file."""
    declare(tmp_path, "Mine", saved(plain(psName="HlvNeue-Bd")), weight=700)
    (tmp_path / "fonts/f/broken.ttf").write_bytes(b"no font")
    with (tmp_path / "fonts/fonts.yaml").open("a", encoding="utf-8") as file:
        file.write("  Broken:\n    faces:\n      - {file: f/broken.ttf, weight: 400}\n")
    book = FontBook(ProjectFolders((tmp_path, ROOT)))
    assert book.face("HlvNeue-Bd").key == "ColorBox"
    assert book.face("HlvNeue-Bd", 700).key == "ColorBox"
    with pytest.raises(FontError, match="no font family 'HlvNeue-Lt'"):
        book.face("HlvNeue-Lt")


def test_style_that_a_family_lacks_is_said_of_the_family() -> None:
    with pytest.raises(FontError, match="the font family 'IBM Plex Sans' has no 900 upright"):
        BOOK.face("IBM Plex Sans Black")


def test_family_of_exactly_that_name_goes_first(tmp_path: Path) -> None:
    declare(tmp_path, "IBM Plex Sans Bold", saved(plain()))
    book = FontBook(ProjectFolders((tmp_path, ROOT)))
    assert book.face("IBM Plex Sans Bold").key == "ColorBox"


def test_family_that_stands_in_is_found_by_the_other_names() -> None:
    book = BOOK.standing_in([("IBM Plex Sans", "IBM Plex Mono")])
    assert book.face("IBMPlexSans-Bold").key == BOOK.face("IBM Plex Mono", 700).key
