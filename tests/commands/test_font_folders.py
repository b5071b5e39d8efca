"""`cardgen font add` for folders, and for what a drawing asks for; what `check` says of missing fonts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.files.listing import ProjectFolders
from cardgen.text.fonts import FontBook
from tests.commands.test_font_add import variable
from tests.text.color_fonts import changed, colored, pixelated, plain, saved, solid
from tests.text.color_fonts import glyph as painted

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]
STYLES = {"Regular": (400, False), "Bold": (700, False), "Italic": (400, True), "BoldItalic": (700, True)}


def font(family: str, style: str = "Regular", weight: int | None = None) -> bytes:
    stated, italic = STYLES.get(style, (400, False))
    data = saved(plain(familyName=family, styleName=style, psName=f"{family.replace(' ', '')}-{style}"))

    def change(made: object) -> None:
        os2, head = made["OS/2"], made["head"]  # type: ignore[index]
        os2.usWeightClass = weight or stated
        head.macStyle = 2 * italic
        os2.fsSelection = int(italic)

    return changed(data, change)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "fonts of mine"
    (place / "Inter").mkdir(parents=True)
    for style in STYLES:
        (place / "Inter" / f"Inter-{style}.ttf").write_bytes(font("Inter", style))
    (place / "Lato.ttf").write_bytes(font("Lato"))
    return place


def families(demo: Path) -> dict[str, list[tuple[int, bool]]]:
    found = FontBook(ProjectFolders((demo,))).families if (demo / "fonts/fonts.yaml").exists() else {}
    return {name: sorted(family.faces) for name, family in found.items()}


def drawing(demo: Path, body: str, head: str = "") -> str:
    path = demo / "templates/demo/card.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="{{ width }}mm" '
        f'height="{{{{ height }}}}mm" viewBox="0 0 {{{{ width }}}} {{{{ height }}}}">{head}\n'
        f"{body}\n</svg>\n",
        encoding="utf-8",
    )
    return str(path)


def text(name: str, more: str = "", y: int = 20) -> str:
    return f'<text x="10" y="{y}" font-size="4" font-family="{name}" {more}>AxH</text>'


def test_every_font_of_a_folder_is_added_by_family(run: Run, demo: Path, folder: Path) -> None:
    (folder / "notes.txt").write_text("no font", encoding="utf-8")
    variable(folder / "Wide.ttf")
    (folder / "semi.ttf").write_bytes(font("Lato SemiBold", weight=600))
    code, out, err = run("font", "add", str(folder))
    assert (code, err) == (0, "")
    assert families(demo) == {
        "Inter": sorted(STYLES.values()),
        "Lato": [(400, False), (600, False)],
        "Wide Range": [(400, False), (700, False)],
    }
    assert out.count("fonts/inter/") == 4


def test_fonts_that_cannot_be_used_are_skipped_by_name(run: Run, demo: Path, folder: Path) -> None:
    (folder / "broken.ttf").write_bytes(b"no font")
    (folder / "emoji.ttf").write_bytes(pixelated(familyName="Emoji"))
    (folder / "colors.ttf").write_bytes(colored(painted("square", solid())))
    code, out, _ = run("font", "add", str(folder))
    assert code == 0
    assert set(families(demo)) == {"Inter", "Lato", "Color Box"}
    assert "skipped broken.ttf" in out
    assert "skipped emoji.ttf" in out
    assert "sbix" in out
    shutil.rmtree(folder / "Inter")
    for name in ("Lato.ttf", "colors.ttf"):
        (folder / name).unlink()
    code, _, err = run("font", "add", str(folder))
    assert code == 1
    assert "broken.ttf" in err


def test_folder_added_again_changes_nothing(run: Run, demo: Path, folder: Path) -> None:
    assert run("font", "add", str(folder))[0] == 0
    before = (demo / "fonts/fonts.yaml").read_bytes()
    code, _, err = run("font", "add", str(folder))
    assert (code, err) == (0, "")
    assert (demo / "fonts/fonts.yaml").read_bytes() == before


def test_options_of_one_file_are_refused_for_a_folder(run: Run, demo: Path, folder: Path) -> None:
    for option in (["--family", "A"], ["--face", "1"], ["--weight", "400"]):
        assert run("font", "add", str(folder), *option)[0] == 2
    assert run("font", "add")[0] == 2
    (folder / "empty").mkdir()
    code, _, err = run("font", "add", str(folder / "empty"))
    assert code == 1
    assert "font/file" in err


ASKS = {
    "a PostScript name": (text("Inter-BoldItalic"), "", {"Inter": sorted(STYLES.values())}),
    "a list": (text("'Lato', sans-serif"), "", {"Lato": [(400, False)]}),
    "a rule": (
        '<text class="t" x="10" y="9" font-size="4">AxH</text>',
        "<style>.t{font-family:Lato}</style>",
        {"Lato": [(400, False)]},
    ),
    "a group": (
        '<g font-family="Lato"><text x="10" y="9" font-size="4">A</text></g>',
        "",
        {"Lato": [(400, False)]},
    ),
    "code": (text("Lato") + "{% if card.id %}<text x='9' y='9'/>{% endif %}", "", {"Lato": [(400, False)]}),
    "nothing missing": (text("IBM Plex Sans"), "", {}),
}


@pytest.mark.parametrize("name", ASKS)
def test_fonts_that_a_drawing_asks_for_are_added(name: str, run: Run, demo: Path, folder: Path) -> None:
    body, head, expected = ASKS[name]
    code, _, err = run("font", "add", "--missing-from", drawing(demo, body, head), str(folder))
    assert (code, err) == (0, "")
    assert families(demo) == expected
    assert "text/font" not in run("check", "demo")[1]


def test_face_asked_for_by_an_abbreviated_name_is_added_as_itself(
    run: Run, demo: Path, folder: Path
) -> None:
    data = saved(plain(familyName="Odd Face", styleName="Bold", psName="OddFc-Bd"))
    (folder / "X.ttf").write_bytes(changed(data, lambda made: setattr(made["OS/2"], "usWeightClass", 700)))
    asked = drawing(demo, text("OddFc-Bd"))
    assert run("font", "add", "--missing-from", asked, str(folder))[0] == 0
    assert families(demo) == {"Odd Face": [(700, False)]}
    assert "text/font" not in run("check", "demo")[1]


def test_weight_of_a_family_that_is_there_is_added(run: Run, demo: Path, folder: Path) -> None:
    (folder / "plex.ttf").write_bytes(font("IBM Plex Sans", "Light", weight=300))
    body = text("IBM Plex Sans", 'font-weight="300"')
    assert run("font", "add", "--missing-from", drawing(demo, body), str(folder))[0] == 0
    assert families(demo) == {"IBM Plex Sans": [(300, False)]}


def test_variable_font_is_cut_to_the_weight_asked_for(run: Run, demo: Path, folder: Path) -> None:
    variable(folder / "Wide.ttf")
    body = text("Wide Range", 'font-weight="600"')
    assert run("font", "add", "--missing-from", drawing(demo, body), str(folder))[0] == 0
    assert (600, False) in families(demo)["Wide Range"]


def test_file_to_get_is_named_where_none_is_found(run: Run, demo: Path, folder: Path) -> None:
    body = text("Lato", 'font-weight="bold"') + text("Nowhere Sans", 'font-style="italic"')
    code, out, _ = run("font", "add", "--missing-from", drawing(demo, body), str(folder))
    assert code == 1
    assert "Lato 700 upright; get Lato-Bold.ttf" in out
    assert "Nowhere Sans 400 italic; get NowhereSans-Italic.ttf" in out
    assert "Nowhere Sans" not in families(demo)


def test_fonts_of_the_computer_are_searched(
    run: Run, demo: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardgen.commands.data.fonts.system_folders", lambda: [folder, folder / "none"])
    assert run("font", "add", "--missing-from", drawing(demo, text("Lato")))[0] == 0
    assert set(families(demo)) == {"Lato"}


def test_drawing_that_cannot_be_read_is_an_error_at_its_line(run: Run, demo: Path, folder: Path) -> None:
    code, _, err = run("font", "add", "--missing-from", drawing(demo, "<text></g>"), str(folder))
    assert code == 1
    assert "card.svg:2" in err


def test_missing_family_is_said_once_with_places_and_the_command(
    run: Run, demo: Path, folder: Path
) -> None:
    lines = [
        text("Inter"),
        text("Inter-Bold", y=30),
        text("Inter", 'font-weight="bold"', 40),
        text("Lato", y=50),
    ]
    path = drawing(demo, "\n".join(lines))
    code, out, _ = run("check", "demo")
    assert code == 1
    found = [line for line in out.splitlines() if "[text/font]" in line]
    assert len(found) == 2
    (inter,) = (line for line in found if "'Inter'" in line)
    assert inter.startswith("templates/demo/card.svg:2: ")
    assert "templates/demo/card.svg:2,3,4" in inter
    hints = [line for line in out.splitlines() if "--missing-from" in line]
    assert all(hint.endswith("cardgen font add --missing-from templates/demo/card.svg") for hint in hints)
    assert len(hints) == 2
    assert run("font", "add", "--missing-from", path, str(folder))[0] == 0
    assert "[text/font]" not in run("check", "demo")[1]
