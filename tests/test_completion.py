"""What a shell proposes while a command is typed."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import argcomplete
import argcomplete.io
import pytest

from cardgen.cli import arguments, completing
from cardgen.cli.editing import SHELLS
from cardgen.cli.main import main
from cardgen.commands.data.naming import KINDS, names
from cardgen.files.project import Project
from tests.for_each import for_each

Propose = Callable[[str], list[str]]


@pytest.fixture
def propose(demo: Path, monkeypatch: pytest.MonkeyPatch) -> Propose:
    """What is proposed in the demo project where a line ends."""
    monkeypatch.chdir(demo)
    # It would take the file descriptor 9 for words about itself, which is somebody else's here.
    monkeypatch.setattr(argcomplete.CompletionFinder, "_init_debug_stream", lambda self: None)
    monkeypatch.setattr(argcomplete.io, "debug_stream", io.StringIO())

    def ask(line: str) -> list[str]:
        monkeypatch.setenv("_ARGCOMPLETE", "1")
        monkeypatch.setenv("_ARGCOMPLETE_IFS", "\n")
        monkeypatch.setenv("COMP_LINE", line)
        monkeypatch.setenv("COMP_POINT", str(len(line.encode())))
        arguments._parser.cache_clear()
        output, left = io.StringIO(), []
        completing.complete(output, left.append)
        arguments._parser.cache_clear()  # argcomplete has changed it
        assert left == [0]
        return [word.rstrip() for word in output.getvalue().split("\n") if word]

    return ask


@for_each(
    ("line", "proposed"),
    [
        ("cardgen bui", ["build"]),
        ("cardgen build --sheet ", ["poker", "single"]),
        ("cardgen build --sheet=po", ["--sheet=poker"]),
        ("cardgen build --card o", ["old-oak"]),
        ("cardgen build --quiet --card o", ["old-oak"]),
        ("cardgen build demo --component ", ["cards"]),
        ("cardgen build mindnet --deck d", ["data/"]),
        ("cardgen build --paper lett", ["letter"]),
        ("cardgen build --duplex f", ["fold"]),
        ("cardgen build --low", ["--low-ink"]),
        ("cardgen build --jobs ", []),
        ("cardgen build --project d", ["data/"]),
        ("cardgen build nowhere --card ", []),
        ("cardgen build --project nowhere --card ", []),
        ("cardgen build ptsd --component players --sheet ju", ["jumbo"]),
        ("cardgen check hackers --language ", ["de"]),
        ("cardgen check dem", ["demo"]),
        ("cardgen check hackers --rule no-such", []),
        ("cardgen proof --dpi 50 early", ["early-bird"]),
        ("cardgen export --to pri", ["printerstudio", "printshop"]),
        ("cardgen new x --template pok", ["poker"]),
        ("cardgen new x --from d.csv --trim brid", ["bridge"]),
        ("cardgen list --siz", ["--sizes"]),
        ("cardgen explain schema/enu", ["schema/enum"]),
        ("cardgen completion ", ["bash", "zsh", "fish", "--help", "--project", "--budget", "--plugins"]),
        ("cardgen font add READ", ["README.md"]),
    ],
)
def test_proposals(propose: Propose, line: str, proposed: list[str]) -> None:
    assert sorted(propose(line)) == sorted(proposed)


def test_all_commands_are_proposed(propose: Propose) -> None:
    assert set(propose("cardgen ")) >= set(arguments.COMMANDS)


def test_every_kind_of_name_can_be_listed(demo: Path) -> None:
    project = Project.open(demo)
    found = {kind: names(kind, project) for kind in KINDS}
    for kind, listed in found.items():
        assert len(listed) == len(set(listed)), kind
    assert set(completing.KINDS.values()) <= set(KINDS)
    assert found["games"] == ["demo"]
    assert found["components"] == ["cards"]
    assert "tts" in found["targets"]
    assert {"titles", "suits"} <= set(found["rules"])
    assert "limits" not in names("rules", project, "mindnet")
    assert len(names("rules", project, "mindnet")) > 3


def test_a_shell_asks_before_anything_else_is_done(demo: Path, tmp_path: Path) -> None:
    """In a process of its own, as shells do; nothing is printed, what is proposed goes to a file."""
    line, answer = "cardgen proof demo f", tmp_path / "answer"
    done = subprocess.run(
        [sys.executable, "-m", "cardgen"],
        cwd=demo,
        env={
            **os.environ,
            "_ARGCOMPLETE": "1",
            "_ARGCOMPLETE_IFS": "\n",
            "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
    assert answer.read_text(encoding="utf-8").split() == ["full-moon"]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_its_words(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["completion", shell]) == 0
    words = capsys.readouterr().out
    assert "_ARGCOMPLETE" in words
    assert "cardgen" in words
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert main(["completion"]) == 0
    assert capsys.readouterr().out == words
    if program := shutil.which(shell):
        option = "--no-execute" if shell == "fish" else "-n"
        subprocess.run([program, option], input=words, text=True, check=True, capture_output=True)


def test_a_shell_that_is_not_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/ksh")
    assert main(["completion"]) == 2
    assert "name bash, zsh or fish: cardgen completion bash" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes(demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The words that bash evaluates, and what it then proposes for a line."""
    assert main(["completion", "bash"]) == 0
    words = capsys.readouterr().out
    program = tmp_path / "bin/cardgen"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardgen "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    line = "cardgen build --card early"
    script = f"""{words}
PATH="{program.parent}:$PATH"
COMP_WORDS=({line}); COMP_CWORD=3; COMP_LINE="{line}"; COMP_POINT={len(line)}; COMP_TYPE=9
_python_argcomplete cardgen early --card
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "-c", script], cwd=demo, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split() == ["early-bird"]
