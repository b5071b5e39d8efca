"""The approved wording of messages, so that tests assert codes, places and values alone.

A test calls the `wording` fixture with a finding, an error or a text. The words must be those that
FAMILY.yaml in this folder has for the test. `pytest --approve-wording PATH` rewrites the entries of the
tests that it runs; review the difference before you commit it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardgen.core.findings import CardgenError, Findings

FOLDER = Path(__file__).parent
_TESTS = FOLDER.parent
_VARYING = (
    (re.compile(r"\Ausage: .*?error: ([^(\n]*)[^\n]*", re.DOTALL), r"\1"),
    (re.compile(r"\b[0-9a-f]{10}\b"), "COMMIT"),
    (re.compile(r"(git could not read the commit: )[^\n]*"), r"\1REASON"),
)
"""Texts of argparse and git, which differ between versions and runs, and what replaces them."""

Entries = dict[str, dict[str, str]]
"""The text of each case of each test function: `svg/test_lint.py::test_x` → case → text."""


class Wording:
    """Compare the texts of one test with the approved ones.

    Fail if they differ, or if a text lacks one of the values given with it.
    """

    def __init__(self, approved: Approved, node: pytest.Item, folder: Path | None) -> None:
        self._approved, self._calls = approved, 0
        self._folders = {str(_TESTS): "TESTS"} | ({str(folder): "TMP"} if folder else {})
        self._room = node.path.parent.name if node.path.parent != _TESTS else "project"
        name, bracket, case = node.name.partition("[")
        self._function = f"{node.path.relative_to(_TESTS).as_posix()}::{name}"
        self._case = case.removesuffix("]").replace(str(_TESTS), "TESTS") if bracket else "-"

    def start(self, case: str, folder: Path | None) -> None:
        """Go on to the next case of a test that runs all of its cases, and to the folder of this case."""
        self._case, self._calls = case.replace(str(_TESTS), "TESTS"), 0
        if folder is not None:
            self._folders = {str(_TESTS): "TESTS", str(folder): "TMP"}

    def __call__(self, thing: object, *values: object) -> None:
        found = "\n".join(_lines(thing))
        for folder, name in self._folders.items():
            found = found.replace(folder, name)
        for pattern, name in _VARYING:
            found = pattern.sub(name, found)
        code = re.match(r"([a-z]+)/[a-z0-9-]+: ", found)
        self._calls += 1
        case = self._case if self._calls == 1 else f"{self._case} ({self._calls})"
        wanted = self._approved.compared(code[1] if code else self._room, self._function, case, found)
        if found != wanted:
            command = f"pytest --approve-wording 'tests/{self._function}'"
            pytest.fail(
                f"the text of {case!r} is\n{found}\n\napproved is\n{wanted}\n\nto approve it: {command}",
                False,
            )
        lacking = [value for value in values if str(value) not in found]
        assert lacking == [], f"{lacking} is not in\n{found}"


class Approved:
    """The families' files: read when first needed, and rewritten after a run that approves."""

    def __init__(self, approving: bool) -> None:
        self._approving = approving
        self._families: dict[str, Entries] = {}
        self._new: dict[str, Entries] = {}

    def compared(self, family: str, function: str, case: str, found: str) -> str | None:
        """The text that the found one must be: in a run that approves, the found one."""
        if self._approving:
            self._new.setdefault(function, {}).setdefault(family, {})[case] = found
            return found
        return self._of(family).get(function, {}).get(case)

    def save(self) -> None:
        for path in FOLDER.glob("*.yaml"):
            self._of(path.stem)
        for function, families in self._new.items():
            for entries in self._families.values():
                entries.pop(function, None)
            for family, cases in families.items():
                self._of(family)[function] = cases
        for family, entries in self._families.items():
            kept = {function: cases for function, cases in entries.items() if is_there(function)}
            path = FOLDER / f"{family}.yaml"
            text = yaml.dump(kept, Dumper=_Dumper, allow_unicode=True, width=1_000)
            path.write_text(text, "utf-8") if kept else path.unlink(missing_ok=True)

    def _of(self, family: str) -> Entries:
        if family not in self._families:
            self._families[family] = read(family)
        return self._families[family]


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Write each text as a block, so that nothing in it is escaped."""


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, "|" if "\n" in text or "'" in text or ": " in text else None
    ),
)


def read(family: str) -> Entries:
    path = FOLDER / f"{family}.yaml"
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return (yaml.load(path.read_text("utf-8"), loader) or {}) if path.is_file() else {}


def is_there(function: str) -> bool:
    """Tell whether a test of this name exists and compares its wording."""
    file, _, name = function.partition("::")
    path = _TESTS / file
    return path.is_file() and bool(re.search(rf"def {name}\([^)]*\bwording\b", path.read_text("utf-8")))


def _lines(thing: Any) -> Iterator[str]:
    if isinstance(thing, CardgenError):
        yield from _lines(thing.findings)
    elif hasattr(thing, "message"):
        yield f"{thing.code}: {thing.message}" if hasattr(thing, "code") else thing.message
        if getattr(thing, "hint", None) is not None:
            yield f"hint: {thing.hint}"
    elif isinstance(thing, str | BaseException):
        yield str(thing)
    elif isinstance(thing, list | tuple | Findings):
        for each in thing:
            yield from _lines(each)
    else:
        raise TypeError(f"not a message: {type(thing)}")
