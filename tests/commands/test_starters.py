"""The starters that `cardgen new --template` copies: whole, clean, and drawings that show as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import cairosvg
import pytest

import cardgen
from cardgen.commands.data.starters import list_starters
from cardgen.core.findings import UsageError
from cardgen.files.project import starters_root
from tests.sampling import one_in
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).resolve().parents[2]
NAME = "lanterns-of-the-old-town"
"""As long as names of games mostly get: it stands on backs."""
NAMES = [starter.name for starter in list_starters()]
TEMPLATES = sorted(starters_root().glob("*/templates/__NAME__/*.svg"))
SVG = "{http://www.w3.org/2000/svg}"
CG = "{urn:cardgen}"
LITERAL = re.compile(r"[0-9]+(\.[0-9]+)?mm")


@pytest.fixture(scope="module", params=one_in(6, NAMES))
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of each starter, its game called `NAME`."""
    folder = tmp_path_factory.mktemp(request.param)
    return cardgen.new_project(NAME, folder, template=request.param)


def test_a_starter_has_all_names_filled_in(started: Path) -> None:
    for path in started.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "__NAME__" not in path.name + text, path
            assert "__TITLE__" not in text, path
    game = cardgen.load(NAME, project=cardgen.Project.open(started))
    assert game.title == "Lanterns Of The Old Town"
    assert 1 <= sum(len(component.cards) for component in game.components) <= 12


def test_a_starter_is_clean(started: Path, run: Run) -> None:
    code, out, err = run("check", "--project", str(started), NAME)
    assert (code, out + err) == (0, "no findings\n")


def test_a_starter_builds(started: Path, run: Run) -> None:
    code, _, err = run("build", "--project", str(started), NAME)
    assert code == 0, err
    game = cardgen.load(NAME, project=cardgen.Project.open(started))
    for sheet in game.sheets:
        assert (started / "output" / NAME / f"{sheet.name}.pdf").stat().st_size > 2_000
    assert not re.search("warning|note", err)


def test_a_starter_keeps_rules_that_can_fail(started: Path) -> None:
    game = cardgen.load(NAME, project=cardgen.Project.open(started))
    judged = cardgen.judge(game)
    assert len(judged) >= 5
    assert {one.verdict.value for one in judged} == {"pass"}


def test_a_template_says_its_size_in_millimetres_and_shows_by_itself() -> None:
    for path in TEMPLATES:
        is_whole_by_itself(path)


def is_whole_by_itself(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert LITERAL.fullmatch(root.attrib["width"])
    assert LITERAL.fullmatch(root.attrib["height"])
    size = [root.attrib[side].removesuffix("mm") for side in ("width", "height")]
    assert root.attrib["viewBox"].split() == ["0", "0", *size]
    for element in root.iter():
        for name, value in element.attrib.items():
            assert "{" not in value or name == "class", "a class that there is no rule for changes nothing"
            if name.endswith("href") and not value.startswith("#"):
                assert (path.parent / value).is_file(), f"{value}: a browser would show a gap"
    shown = [" ".join("".join(text.itertext()).split()) for text in root.iter(f"{SVG}text")]
    assert "" not in shown, f"{path}: sample words, which a browser shows"
    assert not any("{" in words for words in shown), "no expressions, which it would show as they stand"
    assert cairosvg.svg2png(bytestring=text.encode(), url=str(path), output_width=40)


def test_rules_are_set_in_a_size_that_can_be_read() -> None:
    for path in TEMPLATES:
        texts = [text for text in ElementTree.parse(path).iter(f"{SVG}text") if text.get(f"{CG}valign")]
        for text in texts:
            least = float(text.get(f"{CG}min-size", text.attrib["font-size"]))
            small = text.get(f"{CG}field") == "flavour"
            assert least * 72 / 25.4 >= (7 if small else 7.5), (path, text.get(f"{CG}field"))
        assert texts or path.name in ("back.svg", "token.svg", "tile.svg")


def test_a_picture_is_small_and_of_plain_shapes() -> None:
    for path in starters_root().rglob("*.svg"):
        assert path.stat().st_size < 60_000, path
        assert b"<image" not in path.read_bytes() or path in TEMPLATES, path


def test_the_list_names_every_starter_with_one_line(run: Run) -> None:
    code, out, err = run("new", "--list")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == NAMES == sorted(NAMES)
    assert all(30 <= len(starter.about) <= 120 for starter in list_starters())


def test_a_starter_that_there_is_not(run: Run, tmp_path: Path, wording: Wording) -> None:
    code, _, err = run("new", "--project", str(tmp_path), NAME, "--template", "pocker")
    assert code == 2
    wording(err, "'pocker'")
    assert "did you mean 'poker'?" in err
    assert not (tmp_path / NAME).exists()
    with pytest.raises(UsageError, match="no starter"):
        cardgen.new_project(NAME, tmp_path, template="../scaffold")


def test_a_new_project_without_a_name(run: Run, wording: Wording) -> None:
    code, _, err = run("new", "--template", "poker")
    assert code == 2
    wording(err, "--list")
