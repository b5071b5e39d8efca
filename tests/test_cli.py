"""The commands as a user types them: what they print, write and exit with."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import cardgen
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

GAME = "data/demo/game.yaml"
CARDS = "data/demo/cards.yaml"
FACE = "templates/demo/card.svg"


def test_a_new_project_builds(run: Run, demo: Path) -> None:
    code, out, err = run("build", "demo")
    assert code == 0, err
    pdf = demo / "output" / "demo" / "poker.pdf"
    assert "poker.pdf  2 pages, 9 cards" in out
    with pikepdf.open(pdf) as document:
        assert len(document.pages) == 2
        assert [float(side) for side in document.pages[0].mediabox] == [0, 0, 612, 792]
    manifest = json.loads((demo / "output" / "demo" / "manifest.json").read_text())
    assert [entry["path"] for entry in manifest["files"]] == ["poker.pdf"]


def test_quiet_says_nothing(run: Run) -> None:
    assert run("build", "demo", "--quiet") == (0, "", "")


def test_a_second_build_has_nothing_to_do(run: Run, edit: Edit) -> None:
    assert "done" in run("build", "demo")[1]
    again = run("build", "demo")[1]
    assert "up to date" in again
    assert "poker.pdf  2 pages, 9 cards" in again
    edit(CARDS, "Early Bird", "Earlier Bird")
    assert "done" in run("build", "demo")[1]


def test_warnings_are_said_again(run: Run, demo: Path, edit: Edit, settle: Callable[[Path], None]) -> None:
    edit(FACE, 'y="{{ trim.y + 11.7 }}"', 'y="{{ trim.y + 4 }}"')
    settle(demo / "templates")
    results = [run("build", "demo") for _ in range(2)]
    assert "done" in results[0][1]
    assert "up to date" in results[-1][1]
    for code, _, err in results:
        assert code == 0
        assert "warning: " in err
        assert "[text/safe-zone]" in err


def test_list_json_is_a_contract(run: Run) -> None:
    code, out, err = run("list", "demo", "--format", "json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "game": "demo",
        "title": "Demo",
        "version": "0.1.0",
        "components": [{"id": "cards", "kind": "card", "trim_mm": [63.5, 88.9], "unique": 6, "copies": 9}],
        "sheets": [{"name": "poker", "paper": "letter", "components": ["cards"]}],
    }


def test_list_names_every_game(run: Run) -> None:
    code, out, _ = run("list", "--format", "json")
    assert code == 0
    games = [entry["game"] for entry in json.loads(out)]
    assert games == sorted(games)
    assert {"demo", "ptsd", "hackers"} <= set(games)


def test_check_json_holds_all_findings(run: Run, edit: Edit, wording: Wording) -> None:
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 10")
    code, out, err = run("check", "demo", "--format", "json")
    assert (code, err) == (1, "")
    report = json.loads(out)
    assert report["counts"] == {"error": 2, "warning": 0, "note": 1}
    first, second, left_out = report["findings"]
    assert set(first) == {"severity", "code", "message", "file", "line", "column", "path", "cell", "hint"}
    assert (first["file"], first["line"], first["column"]) == (CARDS, 14, 11)
    assert first["path"] == "cards[1].suit"
    wording(first["message"], "moo")
    assert "'moon'" in first["hint"]
    assert second["path"] == "cards[1].value"
    assert left_out["code"] == "check/left-out"


def test_check_of_several_games_joins_them(run: Run, demo: Path, edit: Edit) -> None:
    for folder in ("data", "templates", "schemas"):
        shutil.copytree(demo / folder / "demo", demo / folder / "twin")
    twin = demo / "data/twin/game.yaml"
    twin.write_text(twin.read_text(encoding="utf-8").replace("id: demo", "id: twin"), encoding="utf-8")
    assert run("check", "demo", "twin")[0] == 0
    edit(CARDS, "suit: moon\n    value: 1", "suit: moo\n    value: 1")
    twin.write_text(twin.read_text(encoding="utf-8").replace("kind: card", "kind: crad"), encoding="utf-8")
    code, out, _ = run("check", "demo", "twin")
    assert code == 1
    assert out.count("[schema/enum]") == 2
    assert "'moo'" in out
    assert "'crad'" in out


def test_proof_writes_both_sides(run: Run) -> None:
    code, out, err = run("proof", "demo", "old-oak")
    assert code == 0, err
    face, back = (Path(line) for line in out.split())
    for path in (face, back):
        with Image.open(path) as image:
            assert image.size == (750, 1050)
            assert len(image.convert("RGB").getcolors(1 << 20) or []) > 10


def test_misuse_exits_with_2(run: Run, wording: Wording) -> None:
    for words in (
        ("build", "demoo"),
        ("build", "demo", "--sheet", "pocker"),
        ("build", "demo", "--component", "card"),
        ("build", "demo", "--paper", "leter"),
        ("build", "demo", "--players", "9"),
        ("build", "demo", "--printer", "attic"),
        ("build", "demo", "--duplex", "sideways"),
        ("list", "nothing"),
        ("bild", "demo"),
    ):
        code, out, err = run(*words)
        assert code == 2
        assert out == ""
        wording(err)
        assert "Traceback" not in err


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of a new project that was built."""
    project = cardgen.new_project("demo", tmp_path_factory.mktemp("built"))
    cardgen.build(cardgen.BuildOptions("demo"), project=cardgen.Project.open(project))
    return project / "output"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (GAME, "trim: poker", "trim: pokr", "did you mean 'poker'"),
        (CARDS, ":star:", ":starr:", "did you mean ':star:'"),
        (FACE, "{{ card.value }}", "{{ card.valeu }}", "valeu"),
    ],
)
def test_bad_input_is_a_finding_and_loses_nothing(
    run: Run, demo: Path, built: Path, edit: Edit, file: str, old: str, new: str, message: str
) -> None:
    shutil.copytree(built, demo / "output", dirs_exist_ok=True)
    pdf = demo / "output" / "demo" / "poker.pdf"
    before = pdf.read_bytes()
    edit(file, old, new)
    code, out, err = run("build", "demo", "--quiet")
    assert code == 1, err
    assert message in err
    assert file in err
    assert "Traceback" not in out + err
    assert pdf.read_bytes() == before
    assert not list(pdf.parent.glob("*.tmp"))
    code, out, _ = run("check", "demo")
    assert code == 1
    assert message in out


def test_an_empty_deck(run: Run, demo: Path) -> None:
    (demo / CARDS).write_text("cards: []\n")
    code, _, err = run("build", "demo")
    assert code == 1
    assert "[deck/empty]" in err
    assert f"{GAME}:" in err


def test_broken_yaml_is_a_finding(run: Run, demo: Path) -> None:
    (demo / CARDS).write_bytes(b"cards:\n\t- id: a\n")
    code, _, err = run("build", "demo")
    assert code == 1
    assert CARDS in err
    assert "tab" in err


def test_a_byte_order_mark_and_crlf_are_fine(run: Run, demo: Path) -> None:
    path = demo / CARDS
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert run("build", "demo")[0] == 0


def test_an_output_folder_that_can_not_be(run: Run, demo: Path) -> None:
    (demo / "output").rename(demo / "old-output")
    (demo / "output").write_text("a file stands in the way")
    code, _, err = run("build", "demo")
    assert code == 1
    assert "output" in err
    assert "Traceback" not in err


def test_the_single_sheet_has_a_card_a_page(run: Run, demo: Path) -> None:
    assert run("build", "demo", "--sheet", "single")[0] == 0
    with pikepdf.open(demo / "output" / "demo" / "single.pdf") as document:
        assert len(document.pages) == 12
        page = document.pages[0]
        assert [round(float(side), 2) for side in page.mediabox] == [0, 0, 198, 270]
        assert [round(float(side), 2) for side in page.obj["/TrimBox"]] == [9, 9, 189, 261]


def test_module_and_installed_command_are_one(demo: Path) -> None:
    command = shutil.which("cardgen")
    if command is None:
        pytest.skip("cardgen is not installed as a command here")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("cardgen ")


def test_a_wrong_snap_point_stops_a_build_as_it_fails_a_check(run: Run, edit: Edit) -> None:
    edit(FACE, "</svg>", '<g transform="translate(20 20)"><path cg:snap="deck" d="M0 0h9"/></g></svg>')
    checked, out, _ = run("check", "demo")
    built, _, err = run("build", "demo")
    assert (checked, built) == (1, 1)
    assert "[snap/element]" in out
    assert out in err


def test_a_build_says_what_it_does_not_judge(
    run: Run, demo: Path, edit: Edit, settle: Callable[[Path], None], wording: Wording
) -> None:
    edit(FACE, 'fill="{{ theme.ink }}">{{ card.title }}', 'fill="#f4f0e8">{{ card.title }}')
    settle(demo / "templates")
    assert "[text/contrast]" in run("check", "demo")[1]
    for done in ("done, ", "up to date, "):
        code, out, _ = run("build", "demo")
        assert code == 0
        *_, last, unjudged = out.splitlines()
        assert last.startswith(done)
        wording(unjudged)
    assert "cardgen check demo" in run("export", "demo", "--to", "png")[1]
