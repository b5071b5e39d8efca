"""Slips: one text of a bundled game changed, and the finding that it must give.

`tests/examples/mutations/GAME.yaml` lists them: in which `file` the text `old`, which stands there once,
becomes `new`; the `code` of the finding; the `line` that it stands at, of that file or of the file `at`.
With a `card`, `old` stands once among the lines of the record with that id; `delete: ID` takes the record
out. `also` lists further changes of the same file; `swap` has two texts trade places.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from cardgen.checking import check_rules
from cardgen.findings import CardgenError, Finding, Findings, Severity
from cardgen.loading import load_checked, load_game
from cardgen.model.game import ProjectPaths
from cardgen.yaml.reader import Document
from tests.shipped import plain_yaml

from .decks import ROOT

_documents: dict[str, Document] = {}


def slips_of(game: str) -> list[dict[str, str]]:
    slips: list[dict[str, str]] = plain_yaml(f"tests/examples/mutations/{game}.yaml")
    return slips


def rules_of(game: str, paths: ProjectPaths) -> Document:
    relative = f"data/{game}/rules.yaml"
    found = paths.find(relative)
    assert found is not None
    text = found.read_text(encoding="utf-8")
    if text not in _documents:  # few slips are in the rules
        document = load_checked(paths, relative, "schemas/rules.schema.json", Findings())
        assert document is not None
        _documents[text] = document
    return _documents[text]


def examine(game: str, rules: tuple[str, ...], paths: ProjectPaths, code: str = "") -> list[Finding]:
    """All that loading and these rules say, or the one rule of them that `code` names."""
    try:
        loaded, findings = load_game(paths, game)
    except CardgenError as error:
        return list(error.findings)
    named = code.removeprefix("rule/")
    only = (named,) if named in rules else rules
    results = check_rules(loaded, rules_of(game, paths).data, f"data/{game}/rules.yaml", only=only)
    return [*findings, *(finding for result in results for finding in result.findings)]


def changed_by(slip: dict[str, Any], text: str) -> str:
    """The text of the slip's file with the slip in it."""
    if "swap" in slip:
        one, other = slip["swap"]
        assert text.count(one) == 1 == text.count(other), "the slip names two places"
        return text.replace(one, "\0").replace(other, one).replace("\0", other)
    for more in slip.get("also", ()):
        text = changed_by(more, text)
    lines = text.splitlines(keepends=True)
    first, last = 0, len(lines)
    if id := slip.get("card") or slip.get("delete"):
        first, last = _record(lines, id)
    if "delete" in slip:
        return "".join(lines[:first] + lines[last:])
    part = "".join(lines[first:last])
    assert part.count(slip["old"]) == 1, "the slip names one place"
    return "".join(lines[:first]) + part.replace(slip["old"], slip["new"]) + "".join(lines[last:])


def _record(lines: list[str], id: str) -> tuple[int, int]:
    """From which line to before which the record with an id stands in a list."""
    named = re.compile(rf"(?:- |[{{,] ?|^ +)id: {re.escape(id)}(?=[,\s}}])")
    first = next(index for index, line in enumerate(lines) if named.search(line))
    while not lines[first].lstrip().startswith("- "):  # an anchor's line stands above
        first -= 1
    indent = _indent(lines[first])
    last = first + 1
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > indent):
        last += 1
    return first, last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def must_be_caught(game: str, rules: tuple[str, ...], slip: dict[str, Any], folder: Path) -> None:
    """By an error with the slip's code at its line. `folder` is an empty one for the changed file."""
    relative = f"data/{game}/{slip['file']}.yaml"
    text = (ROOT / relative).read_text(encoding="utf-8")
    changed = changed_by(slip, text)
    (folder / relative).parent.mkdir(parents=True)
    (folder / relative).write_text(changed, encoding="utf-8")
    said = examine(game, rules, ProjectPaths((folder, ROOT)), slip["code"])
    found = [item for item in said if item.code == slip["code"]]
    assert found, "it is caught"
    assert {item.severity for item in found} == {Severity.ERROR}
    file = f"data/{game}/{slip.get('at', slip['file'])}.yaml"
    lines = (changed if file == relative else (ROOT / file).read_text(encoding="utf-8")).splitlines()
    places = [item.location for item in found if item.location is not None and item.location.file == file]
    assert slip["line"] in [lines[(place.line or 0) - 1].strip() for place in places]
