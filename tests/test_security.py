"""Each sentence of SECURITY.md names the tests that hold it, in security.yaml.

An entry has `claim`, a sentence or a row of a table word for word. Then it has `tests`, each a function
(`tests/path.py::test_name`) or a case of `tests/hostile/cases`, or `untested`, the reason for having none.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

from cardgen.commands.production import git
from cardgen.files import confinement as parent
from cardgen.files.confinement_limits import Limits
from cardgen.workbench import studio as limited
from cardgen.workbench.server import app as guard
from cardgen.workbench.server import serving as connections
from tests.for_each import for_each
from tests.hostile import cases
from tests.shipped import plain_yaml
from tests.sources import tree

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ENTRIES: list[dict[str, Any]] = plain_yaml("tests/security.yaml")
HEADINGS = "## For designers", "## Outside the model"
"""The first of these is where the sentences begin, the second where they end."""
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")


def sentences(text: str) -> list[str]:
    """Return the sentences, items of lists and rows of tables of a Markdown text, each on one line."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n|\n(?=- )", text):
        lines = block.strip("\n").splitlines()
        if not lines or lines[0].startswith(("#", "    ")):
            continue
        if lines[0].startswith("|"):
            found += lines[2:]  # without the header and the line below it
        else:
            words = " ".join(line.strip() for line in lines).removeprefix("- ")
            found += _SENTENCE_END.split(words)
    return found


def claims() -> list[str]:
    start, end = map(TEXT.index, HEADINGS)
    return sentences(TEXT[start:end])


@cache
def functions(path: Path) -> frozenset[str]:
    module = tree(path)
    return frozenset(node.name for node in module.body if isinstance(node, ast.FunctionDef))


def is_missing(test: str) -> bool:
    """Tell whether there is no such test function or hostile case."""
    file, _, name = test.partition("::")
    path = ROOT / file
    if not path.is_file() or not file.startswith("tests/"):
        return True
    if not name:
        return not path.is_relative_to(cases.CASES) or cases.read(path) is None
    return not name.startswith("test_") or name not in functions(path)


def test_sentences_are_told_apart() -> None:
    text = "# T\n\nOne. Two\nwords:\n\n- an item. More\n  of it\n- `x`\n\n    code\n\n"
    text += "| a |\n|---|\n| b |\n| c. d |\n"
    assert sentences(text) == ["One.", "Two words:", "an item.", "More of it", "`x`", "| b |", "| c. d |"]


def test_each_sentence_has_an_entry() -> None:
    listed = [entry["claim"] for entry in ENTRIES]
    assert [each for each in claims() if each not in listed] == [], "name the tests that hold it"


def test_each_entry_is_a_sentence_and_in_its_order() -> None:
    found = claims()
    listed = [entry["claim"] for entry in ENTRIES]
    assert [each for each in listed if each not in found] == [], "SECURITY.md no longer says this"
    assert listed == found


@for_each("entry", ENTRIES, ids=lambda entry: entry["claim"][:40])
def test_each_entry_names_tests_that_exist(entry: dict[str, Any]) -> None:
    assert entry.keys() in ({"claim", "tests"}, {"claim", "untested"})
    assert entry.get("tests") or entry.get("untested")
    assert [test for test in entry.get("tests", ()) if is_missing(test)] == []


@for_each(
    "test", ["tests/test_security.py::test_none", "tests/none.py::test_a", "tests/hostile/cases/none.yaml"]
)
def test_a_test_that_is_not_there_is_missing(test: str) -> None:
    assert is_missing(test)


@for_each(
    ("text", "figure"),
    [
        ("Each git process may take {:g} GB", git.LIMITS.memory / 1e9),
        ("and {} s of processor time, and can't write", git.LIMITS.seconds),
        ("can't write to a file. Its output is read as a stream, and ends at {:,} files", git.MOST_FILES),
        ("| {:g} GB of memory |", Limits().memory / 1e9),
        ("| {} s of processor time, 1 GB a file", Limits().seconds),
        ("processor time, {:g} GB a file", Limits().file_size / 1e9),
        ("{} open files", Limits().open_files),
        ("{:g} GB added to all files", Limits().written / 1e9),
        ("a stated length of at most {:g} KiB", guard.MOST_BODY / 1024),
        ("which may take {} s of processor time", limited.MOST_SECONDS),
        ("s of processor time and {:g} MB (not on Windows)", limited.MOST_MEMORY / 1e6),
        ("Connections without the token end after {:g} s", connections.MOST_SILENT_S),
        ("there are at most {} of them", connections.MOST_STRANGERS),
    ],
)
def test_figures_are_those_of_the_code(text: str, figure: float) -> None:
    assert text.format(figure) in " ".join(TEXT.split())


def test_files_are_watched_five_times_a_second() -> None:
    assert "five times a second" in TEXT
    assert parent._LOOK_S == 1 / 5
