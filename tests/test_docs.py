"""What the documents say is so: their commands run, their links lead somewhere."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.cli.main import main
from cardgen.commands.data import doctor
from tests.for_each import for_each
from tests.plugged import example, importable
from tests.repositories import commit
from tests.shipped import GAMES, shipped

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")])
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)[^)]*\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
CONSOLE = re.compile(r"^```console\n.*?^```", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^(?: {4}|\$ )(?:.*&& )?(?:\.venv/bin/)?cardgen ([^#&|\n]*)", re.MULTILINE)
ENDLESS = ("preview", "watch")


@for_each("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in LINK.findall(CODE.sub("", path.read_text(encoding="utf-8"))):
        if "://" not in link:
            assert (path.parent / link).exists(), link


def commands() -> list[str]:
    found: dict[str, None] = {}
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        if "<!-- followed" in text[:300]:
            # Its commands run step by step, in test_docs_followed.py.
            text = SHELL.sub("", CONSOLE.sub("", text))
        text = SHELL.sub(lambda match: re.sub("^", "    ", match[1], flags=re.MULTILINE), text)
        for match in COMMAND.finditer(text):
            if (command := match[1].strip()).partition(" ")[0] not in ENDLESS:
                found[command] = None
    return list(found)


def test_there_are_commands_to_run() -> None:
    assert {EVERY_RUN, "export ptsd --to tts"} <= set(commands())


@pytest.fixture(scope="module")
def designer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of somebody who reads on: one for all, since drawn games are kept by their folder."""
    folder = cardgen.new_project("night-market", tmp_path_factory.mktemp("designer"))
    entries = shipped("mindnet").decks[0].entries
    lines = [f"{entry.copies} {entry.card}\n" for entry in entries]
    (folder / "mine.txt").write_text("".join(lines), encoding="utf-8")
    shutil.copy(ROOT / "cardgen/pdf/coated.icc", folder / "shop.icc")
    (folder.parent / "deck.csv").write_text("Title,Cost\nOak,1\n", encoding="utf-8")
    for message in ("one", "two"):  # `diff` says what changed since then
        commit(folder, message)
    return folder


EVERY_RUN = "build ptsd --sheet jumbo"
"""The command for a game that ships that is in every run; the others, and confined ones, are long."""


def printed() -> list[Any]:
    """Commands to parametrize a test by."""
    return [
        command
        if command == EVERY_RUN or not set(shlex.split(command)) & {*GAMES, "--sandboxed"}
        else pytest.param(command, marks=pytest.mark.long)
        for command in commands()
    ]


@pytest.mark.parametrize("command", printed())
def test_printed_commands_run(
    command: str,
    designer: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = shlex.split(command)
    shutil.rmtree(designer / "output", ignore_errors=True)  # nothing is up to date
    new = words[0] in ("new", "plugin") and "--refresh" not in words
    monkeypatch.chdir(tmp_path if new else designer)
    if "--from" in words:
        shutil.copy(designer.parent / "deck.csv", tmp_path)
    values = {"NAME": "cellar", "X1": "0.5", "Y1": "0.2", "X2": "0.7", "Y2": "0.1", "GAME": "night-market"}
    if "--language" in words:  # one that has another language
        values["GAME"] = "hackers"
    if "--upload" in words and "--dry-run" not in words:  # nothing goes out to a vendor here
        words.append("--dry-run")
    if "--cluster" in words:  # no scheduler is there
        monkeypatch.setattr("cardgen.commands.production.cluster.ClusterExecutor.reach", lambda _: None)
    words = [values.get(word, word) for word in words]
    with importable(tmp_path / "site"):
        if "corner-shop" in words:
            example("corner-shop", tmp_path / "site")
        assert main(coarse(words)) == 0, capsys.readouterr().err


def test_installing_names_what_doctor_asks_for() -> None:
    text = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    apt, other = (" ".join(names) for names in zip(*(packages for _, _, packages in doctor.LIBRARIES)))
    for _, command in doctor.INSTALLERS:
        assert f"`{command.format(apt=apt, dnf=other, apk=other, brew=other)}`" in text


def coarse(words: list[str]) -> list[str]:
    """The command with pictures of few pixels, where it does not say how many it wants."""
    if words[0] == "export" and "--to" in words and "--dpi" not in words:
        exporter = cardgen.exporters()[words[words.index("--to") + 1]]
        return [*words, "--dpi", "30"] if "dpi" in exporter.options else words
    return words


@pytest.mark.skipif(sys.platform == "win32", reason="the files are shell scripts")
@pytest.mark.parametrize("file", ["cardgen.command", "cardgen.desktop"])
def test_a_double_click_opens_the_start_page(tmp_path: Path, file: str) -> None:
    program = tmp_path / ".local/bin/cardgen"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$PWD: $*"\n')
    program.chmod(0o755)
    path = ROOT / "docs/examples" / file
    command = [str(path)]
    if file.endswith(".desktop"):
        entry = configparser.ConfigParser(interpolation=None)
        entry.read(path)
        command = shlex.split(entry["Desktop Entry"]["Exec"])
    places = {"HOME": str(tmp_path), "PATH": f"{program.parent}:{os.environ['PATH']}"}
    ran = subprocess.run(command, env=places, capture_output=True, text=True, check=True)
    assert ran.stdout == f"{tmp_path}/Games: preview --open\n"


def test_the_readme_names_commands_that_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    _, help_text, _ = run_help()
    commands = set(re.findall(r"^  cardgen ([a-z]+)", help_text, re.MULTILINE))
    named = set(re.findall(r"^\| `cardgen ([a-z]+)", readme, re.MULTILINE))
    assert len(named) == 8
    assert named <= commands


def test_the_readme_fits_on_three_screens() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 110


def test_code_blocks_fit_in_their_column() -> None:
    long = [
        (path.name, line)
        for path in DOCUMENTS
        for block in SHELL.findall(path.read_text(encoding="utf-8"))
        for line in block.splitlines()
        if len(line) > 100
    ]
    assert long == []


def test_a_version_has_few_lines_in_the_changelog() -> None:
    versions = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## [")[1:]
    assert all(len(version.splitlines()) <= 40 for version in versions)


def run_help() -> tuple[int, str, str]:
    import io
    from contextlib import redirect_stdout

    out = io.StringIO()
    with redirect_stdout(out), pytest.raises(SystemExit):
        main(["--help"])
    return 0, out.getvalue(), ""


@for_each("game", GAMES)
def test_the_readme_has_the_players_of_each_game(game: str) -> None:
    least, most = shipped(game).players
    players = f"{least} players" if least == most else f"{least}–{most} players"
    assert re.search(rf"^\| `{game}` \| [^|]*, {players} \|", (ROOT / "README.md").read_text("utf-8"), re.M)


@pytest.mark.long
def test_the_library_example_runs(designer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    monkeypatch.chdir(designer)
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(code, "docs/library.md", "exec"), {})
    assert (designer / "hackers.pdf").stat().st_size > 10_000
