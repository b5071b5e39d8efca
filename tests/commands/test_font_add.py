"""`cardgen font add`: any font file to a face that templates can name."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont

from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import FontBook
from tests.text.texts import DEJAVU
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def fonts(tmp_path: Path) -> Path:
    folder = tmp_path / "downloads"
    folder.mkdir()
    return folder


def changed(source: str, target: Path, change: Callable[[TTFont], object]) -> str:
    font = TTFont(DEJAVU / source)
    change(font)
    font.save(target)
    return str(target)


def variable(target: Path) -> str:
    """A font of one letter with an axis of weight, from 100 to 900."""
    pens = [TTGlyphPen(None) for _ in range(2)]
    for pen, width in zip(pens, (500, 600)):
        for place, go in (((0, 0), pen.moveTo), ((0, 700), pen.lineTo), ((width, 0), pen.lineTo)):
            go(place)
        pen.closePath()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({65: "A"})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "A": pens[0].glyph()})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "A": (600, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Wide Range", "styleName": "Regular", "psName": "WideRange"})
    builder.setupOS2(usWeightClass=400)
    builder.setupPost()
    builder.setupFvar([("wght", 100, 400, 900, "Weight")], [])
    builder.setupGvar({"A": []})
    builder.save(target)
    return str(target)


def test_a_font_is_copied_and_can_be_named(run: Run, demo: Path) -> None:
    code, out, _ = run("font", "add", str(DEJAVU / "DejaVuSans-Bold.ttf"), "--license", "Bitstream-Vera")
    assert code == 0
    assert "fonts/dejavu-sans/DejaVuSans-Bold.ttf: DejaVu Sans, 700 upright, Bitstream-Vera" in out
    copy = demo / "fonts/dejavu-sans/DejaVuSans-Bold.ttf"
    assert copy.read_bytes() == (DEJAVU / "DejaVuSans-Bold.ttf").read_bytes()
    book = FontBook(ProjectFolders((demo, Path(__file__).parents[2])))
    assert book.face("DejaVu Sans", 700).missing("שלום") == ""
    assert book.families["DejaVu Sans"].licence == "Bitstream-Vera"


def test_what_stands_in_the_list_stays(run: Run, demo: Path) -> None:
    assert run("font", "add", str(DEJAVU / "DejaVuSans.ttf"))[0] == 0
    path = demo / "fonts/fonts.yaml"
    before = (
        "# mine\n" + path.read_text(encoding="utf-8").replace("faces:", "faces: # two of them") + "# end"
    )
    path.write_text(before, encoding="utf-8")
    assert run("font", "add", str(DEJAVU / "DejaVuSans-Oblique.ttf"))[0] == 0
    assert run("font", "add", str(DEJAVU / "DejaVuSerif.ttf"), "--family", "It's: mine")[0] == 0
    after = path.read_text(encoding="utf-8")
    kept = [line for line in after.splitlines() if line in before.splitlines()]
    assert kept == before.splitlines()
    assert len(after.splitlines()) == len(before.splitlines()) + 1 + 3
    families = FontBook(ProjectFolders((demo, Path(__file__).parents[2]))).families
    assert sorted(families["DejaVu Sans"].faces) == [(400, False), (400, True)]
    assert "It's: mine" in families


def test_what_is_there_already_is_refused(run: Run, demo: Path) -> None:
    assert run("font", "add", str(DEJAVU / "DejaVuSans.ttf"))[0] == 0
    before = (demo / "fonts/fonts.yaml").read_bytes()
    code, _, err = run("font", "add", str(DEJAVU / "DejaVuSans.ttf"))
    assert code == 1
    assert "there is a 400 upright of 'DejaVu Sans' already" in err
    assert (demo / "fonts/fonts.yaml").read_bytes() == before


def test_a_list_that_cannot_be_added_to_says_what_to_write(run: Run, demo: Path) -> None:
    (demo / "fonts").mkdir(exist_ok=True)
    text = "families:\n  ? Mine\n  : faces:\n      - file: a.ttf\n"
    (demo / "fonts/fonts.yaml").write_text(text, encoding="utf-8")
    code, _, err = run("font", "add", str(DEJAVU / "DejaVuSans-Bold.ttf"), "--family", "Mine")
    assert code == 1
    assert "[font/list]" in err
    assert "- {file: mine/" in err
    assert (demo / "fonts/fonts.yaml").read_text(encoding="utf-8") == text
    assert not (demo / "fonts/mine").exists()


def test_a_list_in_braces_is_added_to(run: Run, demo: Path) -> None:
    (demo / "fonts").mkdir(exist_ok=True)
    (demo / "fonts/fonts.yaml").write_text("families: {Mine: {faces: [{file: a.ttf}]}}\n", encoding="utf-8")
    assert run("font", "add", str(DEJAVU / "DejaVuSans.ttf"))[0] == 0
    text = (demo / "fonts/fonts.yaml").read_text(encoding="utf-8")
    assert text.startswith("families: {Mine: {faces: [{file: a.ttf}]}, DejaVu Sans: {faces: [{file: ")


def test_one_face_of_a_collection(run: Run, demo: Path, fonts: Path) -> None:
    collection = TTCollection()
    collection.fonts = [TTFont(DEJAVU / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
    collection.save(fonts / "all.ttc")
    code, _, err = run("font", "add", str(fonts / "all.ttc"))
    assert code == 1
    assert "--face: 1 DejaVu Sans, 2 DejaVu Sans Bold" in err
    assert run("font", "add", str(fonts / "all.ttc"), "--face", "3")[0] == 1
    assert run("font", "add", str(fonts / "all.ttc"), "--face", "dejavu sans bold")[0] == 0
    assert run("font", "add", str(fonts / "all.ttc"), "--face", "1")[0] == 0
    book = FontBook(ProjectFolders((demo, Path(__file__).parents[2])))
    assert book.face("DejaVu Sans", 700).word("A").advance > book.face("DejaVu Sans").word("A").advance


def test_a_weight_of_a_variable_font(run: Run, demo: Path, fonts: Path) -> None:
    path = variable(fonts / "wide.ttf")
    assert run("font", "add", path, "--weight", "650")[0] == 0
    book = FontBook(ProjectFolders((demo, Path(__file__).parents[2])))
    assert book.face("Wide Range", 650).file == "fonts/wide-range/WideRange-650.ttf"
    code, _, err = run("font", "add", path, "--weight", "1000")
    assert code == 1
    assert "choose a weight from 100 to 900" in err
    code, _, err = run("font", "add", str(DEJAVU / "DejaVuSans.ttf"), "--weight", "700")
    assert code == 1
    assert "its weight is 400" in err


def test_a_variable_font_with_tables_of_layout(run: Run, demo: Path, fonts: Path) -> None:
    path = fonts / "kerned.ttf"
    font = TTFont(variable(fonts / "wide.ttf"))
    addOpenTypeFeaturesFromString(font, "feature kern { pos A A -50; } kern;")
    font.save(path)
    code, _, err = run("font", "add", str(path), "--weight", "650")
    assert code == 0, err
    face = FontBook(ProjectFolders((demo, Path(__file__).parents[2]))).face("Wide Range", 650)
    assert face.word("AA").advance < 2 * face.word("A").advance


def test_what_may_not_be_embedded_is_refused(run: Run, demo: Path, fonts: Path, wording: Wording) -> None:
    for kind in (2, 0x104, 0x204):
        path = changed(
            "DejaVuSans.ttf",
            fonts / "closed.ttf",
            lambda font, kind=kind: setattr(font["OS/2"], "fsType", kind),
        )
        code, _, err = run("font", "add", path)
        assert code == 1
        wording(err)
    assert not (demo / "fonts/mine").exists()


def test_licences_that_are_known_are_read(run: Run, fonts: Path) -> None:
    text = "This Font Software is licensed under the SIL Open Font License, Version 1.1."
    path = changed(
        "DejaVuSans.ttf", fonts / "x.ttf", lambda font: font["name"].setName(text, 13, 3, 1, 1033)
    )
    assert "400 upright, OFL-1.1" in run("font", "add", path)[1]


def test_what_is_no_font_is_said(run: Run, demo: Path, fonts: Path) -> None:
    for content in (None, b"", b"ttcf", b"\0\1\0\0" + bytes(300), b"OTTO\xff\xff"):
        if content is not None:
            (fonts / "odd.ttf").write_bytes(content)
        code, _, err = run("font", "add", str(fonts / "odd.ttf"))
        assert code == 1
        assert ("[file/missing]" if content is None else "[font/file]") in err
        assert "odd.ttf" in err
    assert not list((demo).glob(".cardgen-*"))


def test_a_web_font_is_refused(run: Run, fonts: Path, wording: Wording) -> None:
    font = TTFont(DEJAVU / "DejaVuSans.ttf")
    font.flavor = "woff"
    out = io.BytesIO()
    font.save(out)
    for name, content in (("web.woff", out.getvalue()), ("web.woff2", b"wOF2\0\1\0\0" + bytes(60))):
        for ending in ("", ".ttf"):  # whatever it is called
            file = fonts / f"{name}{ending}"
            file.write_bytes(content)
            code, _, said = run("font", "add", str(file))
            assert code == 1
            wording(said, "[font/file]", f"({name.partition('.')[2].upper()})")
            assert ".ttf" in said.partition("hint:")[2]
            assert "damaged" not in said
            assert said.count("\n") == 2, "fontTools says something too"
