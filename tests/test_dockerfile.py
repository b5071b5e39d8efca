"""The image that the Dockerfile says: what it stands on, who runs in it, and what it runs."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from packaging.specifiers import SpecifierSet

from cardgen.cli import arguments
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LINES = [
    (line.split(maxsplit=1)[0], line.split(maxsplit=1)[1])
    for line in re.sub(r"\\\n\s*", "", TEXT).splitlines()
    if line and not line.startswith("#")
]


def said(word: str) -> list[str]:
    return [rest for instruction, rest in LINES if instruction == word]


def test_it_stands_on_a_stated_release_of_python_and_debian() -> None:
    allowed = SpecifierSet(
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    )
    bases = [re.fullmatch(r"python:(3\.\d+)-slim-[a-z]+(?: AS \w+)?", base) for base in said("FROM")]
    assert len(bases) == 2
    pythons = {base[1] for base in bases if base is not None}
    assert len(pythons) == 1  # wheels are of one Python
    assert pythons.pop() in allowed


def test_it_fetches_nothing_but_packages_of_debian_and_what_was_built() -> None:
    assert said("ADD") == []
    commands = "\n".join(said("RUN"))
    assert not re.search(r"\b(?:curl|wget|https?:|git clone)", commands)
    assert "--no-index" in commands.partition("pip install")[2]


@for_each("library", ["libcairo2", "libfreetype6"])
def test_it_has_the_libraries_that_setting_up_installs(library: str) -> None:
    assert library in " ".join(said("RUN"))
    assert library in (ROOT / ".ci/setup").read_text(encoding="utf-8")


def test_whoever_runs_in_it_is_not_root_and_may_write_where_it_works() -> None:
    (user,) = said("USER")
    words = [instruction for instruction, _ in LINES]
    assert user != "root"
    assert f"useradd --create-home --uid 1000 {user}" in " ".join(said("RUN"))
    assert "RUN" not in words[words.index("USER") :]
    folder = said("WORKDIR")[-1]
    assert f"chown {user}:{user} {folder}" in " ".join(said("RUN"))


def test_it_runs_the_command_that_the_readme_begins_with() -> None:
    (entry,), (command,) = said("ENTRYPOINT"), said("CMD")
    assert json.loads(entry) == ["cardgen"]
    words = json.loads(command)
    assert f"cardgen {' '.join(words)}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert arguments.parse(words).game == words[1]


def test_what_stays_outside_of_it_is_what_git_leaves_out_or_is_no_source() -> None:
    left_out = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    needed = {
        "cardgen",
        "schemas",
        "data",
        "templates",
        "fonts",
        ".ci",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    }
    assert not needed & set(left_out)
    assert {".git", ".venv", "output"} <= set(left_out)
