"""Sheets of several papers in one build."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

import cardgen
from cardgen.cli.main import main
from cardgen.commands.data.list import list_games
from cardgen.commands.data.new import paper_of
from cardgen.commands.production.choices import default_choices
from tests.for_each import for_each

Run = Callable[..., tuple[int, str, str]]


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for path in sorted(folder.glob("*.pdf")):
        with pikepdf.Pdf.open(path) as pdf:
            width, height = sorted(round(float(side)) for side in pdf.pages[0].mediabox[2:])
            found[path.name] = (width, height)
    return found


def test_letter_and_a4_in_one_build_are_those_of_two(run: Run, demo: Path) -> None:
    code, _, errors = run("build", "demo", "--paper", "letter,a4", "--output", str(demo / "both"))
    assert code == 0, errors
    for paper in ("letter", "a4"):
        code, _, errors = run("build", "demo", "--paper", paper, "--output", str(demo / "each"))
        assert code == 0, errors
    both, each = (demo / name / "demo" for name in ("both", "each"))
    assert sizes(both) == sizes(each)
    assert {(612, 792), (595, 842)} <= set(sizes(both).values())
    for path in both.glob("*.pdf"):
        assert path.read_bytes() == (each / path.name).read_bytes()
    code, out, _ = run("build", "demo", "--paper", "letter,a4", "--output", str(demo / "both"))
    assert code == 0
    assert "up to date" in out


def test_what_is_said_of_both_papers_is_said_once(run: Run, demo: Path) -> None:
    sheet = demo / "data/sheets/poker.yaml"
    sheet.parent.mkdir(exist_ok=True)
    sheet.write_text("title: Narrow\nbleed: 3mm\ngutter: 1mm\n", encoding="utf-8")
    code, _, errors = run("build", "demo", "--paper", "letter,a4")
    assert code == 1
    assert errors.count("[sheet/gutter]") == 1


@for_each(
    ("locale", "paper"),
    [
        ("de_AT.UTF-8", "a4"),
        ("en_US.UTF-8", "letter"),
        ("fr_CA", "letter"),
        ("es_MX@euro", "letter"),
        ("English_United States.1252", "letter"),
        ("sr_RS@latin", "a4"),
        ("C.UTF-8", None),
        ("POSIX", None),
        ("", None),
    ],
)
def test_paper_follows_the_territory_of_a_locale(locale: str, paper: str | None) -> None:
    assert paper_of(locale) == paper


def test_new_writes_the_paper_of_the_locale_and_later_commands_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ran(*words: str) -> tuple[int, str]:
        return main(words), capsys.readouterr().out

    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.chdir(tmp_path)
    code, out = ran("new", "owls")
    assert (code, out.count("a4")) == (0, 1)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.chdir(tmp_path / "owls")
    settings = Path("cardgen.yaml")
    assert settings.read_text("utf-8").endswith("\npaper: a4\n")
    settings.write_text("paper: a4\noutput: print/final\n", "utf-8")
    assert ran("build")[0] == 0
    assert sizes(Path("print/final/owls")) == {"poker.a4.pdf": (595, 842)}
    assert ran("build", "--paper", "letter", "--output", "mine")[0] == 0
    assert sizes(Path("mine/owls")) == {"poker.pdf": (612, 792)}
    [owls] = [each for each in list_games(cardgen.Project.open()) if each["game"] == "owls"]
    assert owls["sheets"][0]["paper"] == "a4"


@for_each(
    ("text", "code", "line"),
    [
        ("paper: a44", "sheet/paper", 1),
        ("output: data/x", "schema/forbidden", 1),
        ("output: ../x", "schema/pattern", 1),
        ("# mine\nlanguage: german!", "schema/pattern", 2),
        ("papers: a4", "schema/unknown-key", 1),
    ],
)
def test_wrong_default_is_a_finding_at_its_place(tmp_path: Path, text: str, code: str, line: int) -> None:
    (tmp_path / "cardgen.yaml").write_text(text, "utf-8")
    with pytest.raises(cardgen.CardgenError) as caught:
        default_choices(cardgen.Project.open(tmp_path), ("paper",))
    [found] = caught.value.findings
    assert found.location is not None
    assert (found.code, found.location.file, found.location.line) == (code, "cardgen.yaml", line)
    (tmp_path / "cardgen.yaml").unlink()


@for_each(("name", "value"), [("language", "xx"), ("printer", "nowhere")])
def test_default_that_a_command_lacks_is_a_finding_at_its_place(
    run: Run, demo: Path, name: str, value: str
) -> None:
    (demo / "cardgen.yaml").write_text(f"# ours\n{name}: {value}\n", "utf-8")
    code, _, errors = run("build", "demo")
    assert code == 1
    assert errors.startswith(f"cardgen.yaml:2:{len(name) + 3}: {name}: ")
    assert f"[usage/{name}]" in errors
    assert run("build", "demo", f"--{name}", value)[0] == 2
