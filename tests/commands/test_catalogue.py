"""`cardgen list --sizes` and the like: what a project's files can name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardgen.cli import arguments
from cardgen.commands.data.list import KINDS, catalogue
from cardgen.commands.data.starters import list_starters
from cardgen.files.project import Project
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]


def named(entries: list[Any]) -> dict[str, Any]:
    found = {entry["name"]: entry for entry in entries}
    assert len(found) == len(entries)
    return found


def test_each_kind_is_listed_for_people_and_programs(run: Run, demo: Path) -> None:
    for kind in KINDS:
        code, out, err = run("list", f"--{kind}", "--format", "json")
        assert (code, err) == (0, "")
        entries = json.loads(out)
        assert entries == catalogue(kind, Project.open(demo))
        code, out, err = run("list", f"--{kind}")
        assert (code, err) == (0, "")
        lines = out.splitlines()
        assert len(lines) == len(entries) > 0
        for line, entry in zip(lines, entries, strict=True):
            assert line.startswith(entry["name"])
            assert line == line.rstrip()
            assert entry["title"] in line
            assert (entry["file"] in line) == entry["own"]


def test_every_kind_has_an_option() -> None:
    assert [arguments.parse(["list", f"--{kind}"]).kind for kind in KINDS] == list(KINDS)


def test_what_is_listed_can_be_used(demo: Path) -> None:
    """Each size as a trim, each layout of a sheet, each paper of a build, each font in a template."""
    project = Project.open(demo)
    sizes, papers = named(catalogue("sizes", project)), named(catalogue("papers", project))
    assert sizes["poker"]["details"] == {"size_mm": [63.5, 88.9]}
    assert papers["a4"]["details"] == {"size_mm": [210.0, 297.0]}
    assert named(catalogue("layouts", project))["poker"]["details"]["grid"] == "auto"
    fonts = named(catalogue("fonts", project))
    assert "700 upright" in fonts["IBM Plex Sans"]["details"]["styles"]
    assert "sans-serif" in fonts["IBM Plex Sans"]["details"]["generic"]
    services = named(catalogue("services", project))
    assert set(services) == set(project.services())
    assert services["mpc"]["title"] == "MakePlayingCards"
    starters = {starter.name for starter in list_starters()}
    assert set(named(catalogue("starters", project))) == starters


def test_what_a_project_brings_comes_with_its_file(demo: Path, run: Run) -> None:
    first = "# yaml-language-server: $schema=../schemas/sizes.schema.json\n"
    (demo / "data/sizes.yaml").write_text(
        f"{first}sizes:\n  coaster: {{title: Beer mat, width: 94mm, height: 94mm, source: measured}}\n",
        encoding="utf-8",
    )
    (demo / "data/sheets").mkdir()
    (demo / "data/sheets/pairs.yaml").write_text("title: Two by two\ngrid: [2, 2]\n", encoding="utf-8")
    out = run("list", "--sizes")[1]
    assert out.splitlines()[0].split("  ")[0] == "coaster"
    assert out.splitlines()[0].endswith("data/sizes.yaml")
    assert out.count("data/sizes.yaml") == 1
    pairs = next(line for line in run("list", "--layouts")[1].splitlines() if line.startswith("pairs"))
    assert pairs.split() == ["pairs", "2×2", "long-edge", "Two", "by", "two", "data/sheets/pairs.yaml"]


def test_icons_are_those_of_the_games_meant(demo: Path, run: Run) -> None:
    project = Project.open(demo)
    entries = catalogue("icons", project)
    own = [entry["name"] for entry in entries if entry["own"]]
    assert own == ["leaf", "moon", "star", "sun"]
    assert {entry["details"]["game"] for entry in entries} == {"demo", None}
    others = catalogue("icons", project, "mindnet")
    assert {entry["details"]["game"] for entry in others} == {"mindnet", None}
    code, _, err = run("list", "demmo", "--icons")
    assert code == 2
    assert "did you mean 'demo'?" in err


def test_misuse(run: Run, wording: Wording) -> None:
    for words in (("demo", "--papers"), ("--papers", "--language", "de"), ("--papers", "--sizes")):
        code, _, err = run("list", *words)
        assert code == 2
        wording(err)


def test_a_file_in_error_is_said_and_nothing_listed(demo: Path, run: Run) -> None:
    for kind, file in (
        ("sizes", "data/sizes.yaml"),
        ("papers", "data/papers.yaml"),
        ("layouts", "data/sheets/x.yaml"),
        ("fonts", "fonts/fonts.yaml"),
        ("services", "data/services/x.yaml"),
    ):
        (demo / file).parent.mkdir(parents=True, exist_ok=True)
        (demo / file).write_text("a: [\n", encoding="utf-8")
        code, out, err = run("list", f"--{kind}")
        assert (code, out) == (1, "")
        assert file in err
        (demo / file).unlink()
