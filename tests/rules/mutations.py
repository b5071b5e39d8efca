"""Mutations: a text of a game's data changed, and the finding that must follow.

`tests/examples/mutations/*.yaml` list them. In the `file`, the text `old`, which it contains once, becomes
`new`; with a `card`, `old` is among the lines of the record with that id; with `all`, every `old` changes.
`delete: ID` removes a record, `copy: ID` adds one like it with the texts of `change` replaced, and `swap`
exchanges two texts. `also` lists further changes of the same file. The finding has the `code`, its
`severity` if it is no error, and the line that reads `line`, in the same file or in the file `at`.

The game is `game`, or the one that `cardgen new` makes of a `starter`, or else the one that the list is
called after.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import cardgen
from cardgen.core.findings import CardgenError, Finding, Findings, Severity
from cardgen.core.paths import ProjectPaths
from cardgen.files.listing import ProjectFolders
from cardgen.files.yaml import Document
from cardgen.game.loading import load_game
from cardgen.game.sources import load_checked
from cardgen.rules.judging import check_rules
from cardgen.rules.results import RuleResult, Verdict
from tests.shipped import PROJECT, plain_yaml

from .decks import ROOT

FOLDER = ROOT / "tests/examples/mutations"
NEW = "demo"
"""The name of the games made of starters."""
Mutation = dict[str, Any]


@cache
def mutations(name: str) -> list[Mutation]:
    """The mutations of one list."""
    listed: list[Mutation] = plain_yaml(f"tests/examples/mutations/{name}.yaml")
    return [{"game": NEW if "starter" in each else name, **each} for each in listed]


def in_all_lists() -> dict[str, list[Mutation]]:
    names = sorted(path.stem for path in FOLDER.glob("*.yaml") if not path.stem.endswith("-decks"))
    return {name: mutations(name) for name in names}


def paths_of(mutation: Mutation, starters: Path) -> ProjectPaths:
    """The project of a mutation's game; those of starters are made in a folder."""
    name = mutation.get("starter")
    if name is None:
        return PROJECT.paths
    project = starters / name / NEW
    if not project.exists():
        project.parent.mkdir(exist_ok=True)
        cardgen.new_project(NEW, project.parent, template=None if name == "scaffold" else name)
    return cardgen.Project.open(project).paths


# ---------------------------------------------------------------- judgment

_documents: dict[str, Document] = {}


def rules_of(game: str, paths: ProjectPaths) -> Document:
    relative = f"data/{game}/rules.yaml"
    found = paths.find(relative)
    assert found is not None
    text = found.read_text(encoding="utf-8")
    if text not in _documents:  # few mutations are in the rules
        document = load_checked(paths, relative, "schemas/rules.schema.json", Findings())
        assert document is not None
        _documents[text] = document
    return _documents[text]


def rules_with_verdict(game: str, paths: ProjectPaths) -> tuple[str, ...]:
    rules = rules_of(game, paths).data["rules"]
    return tuple(rule["id"] for rule in rules if rule.keys().isdisjoint(("report", "long", "bot")))


def examine(
    game: str, paths: ProjectPaths = PROJECT.paths, code: str | None = None
) -> tuple[list[Finding], list[RuleResult]]:
    """Load a game and judge its rules, or only the rule that a code names."""
    try:
        loaded, findings = load_game(paths, game)
    except CardgenError as error:
        return list(error.findings), []
    rules = rules_with_verdict(game, paths)
    only = rules if code is None else tuple(rule for rule in rules if code == f"rule/{rule}")
    if not only:
        return list(findings), []
    results = check_rules(loaded, rules_of(game, paths).data, f"data/{game}/rules.yaml", only=only)
    return [*findings, *(finding for result in results for finding in result.findings)], results


def must_be_caught(mutation: Mutation, starters: Path, folder: Path) -> None:
    """Require an error with the mutation's code at its line. `folder` is empty, for the changed file."""
    game, paths = mutation["game"], paths_of(mutation, starters)
    relative = f"data/{game}/{mutation['file']}.yaml"
    original = paths.find(relative)
    assert original is not None
    changed = changed_by(mutation, original.read_text(encoding="utf-8"))
    (folder / relative).parent.mkdir(parents=True)
    (folder / relative).write_text(changed, encoding="utf-8")
    paths = ProjectFolders((folder, *paths.roots))
    findings, results = examine(game, paths, mutation["code"])
    found = [item for item in findings if item.code == mutation["code"]]
    assert found, "\n".join(map(str, findings))
    assert {item.severity for item in found} == {Severity(mutation.get("severity", "error"))}
    file = f"data/{game}/{mutation.get('at', mutation['file'])}.yaml"
    place = paths.find(file)
    assert place is not None
    lines = place.read_text(encoding="utf-8").splitlines()
    places = [item.location for item in found if item.location is not None and item.location.file == file]
    assert mutation["line"] in [lines[(place.line or 0) - 1].strip() for place in places]
    assert {result.verdict for result in results} <= {Verdict.FAIL}, "a rule that can't be judged"


# ---------------------------------------------------------------- changes


def changed_by(mutation: Mutation, text: str) -> str:
    """Return the text of the mutation's file, mutated."""
    if "swap" in mutation:
        one, other = mutation["swap"]
        assert text.count(one) == 1 == text.count(other), "the mutation names two places"
        return text.replace(one, "\0").replace(other, one).replace("\0", other)
    for more in mutation.get("also", ()):
        text = changed_by(more, text)
    lines = text.splitlines(keepends=True)
    first, last = 0, len(lines)
    if id := mutation.get("card") or mutation.get("delete") or mutation.get("copy"):
        first, last = _record(lines, id)
    part = "".join(lines[first:last])
    if "delete" in mutation:
        part = ""
    elif "copy" in mutation:
        more = part
        for old, new in mutation["change"].items():
            assert old in more, "the record contains the text"
            more = more.replace(old, new, 1)
        part += more
    else:
        assert part.count(mutation["old"]) == 1 or mutation.get("all"), "the mutation names one place"
        part = part.replace(mutation["old"], mutation["new"])
    return "".join([*lines[:first], part, *lines[last:]])


def _record(lines: list[str], id: str) -> tuple[int, int]:
    """From which line to before which the record with an id, or one that begins so, is in a list."""
    begins = id if ":" in id else f"id: {id}"
    named = re.compile(rf"(?:- |[{{,] ?|^ +){re.escape(begins)}(?=[,\s}}])")
    first = next(index for index, line in enumerate(lines) if named.search(line))
    while not lines[first].lstrip().startswith("- "):  # an anchor's line is above
        first -= 1
    indent = _indent(lines[first])
    last = first + 1
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > indent):
        last += 1
    return first, last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
