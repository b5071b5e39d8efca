"""Hostile cases: YAML files that say what goes into a small project, and what cardgen has to say to it.

A case has `about` (a sentence), `role`, `payload` and either `finds` (a code, or several) or
`passes: true`; it may have `command`, one of COMMANDS, and `line`, `file` and `says` (part of the message)
of the first such finding. `large: true` says that it takes long, being as large as may be; `fewer: N` that
it takes long as well, and is the same case with an N-th of each piece that is repeated.

A payload is text or a list of pieces, each text or {repeat: TEXT, times: N}, where {i}, {i+1} and {i-1}
count from 0. For the role `files` it is a mapping from path to a payload, {link: TARGET}, {folder: true},
{base64: TEXT}, {zeros: BYTES}, or {zip: {PART: PAYLOAD}}, a zip archive such as a workbook.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml

from .confined import Commands, Outcome

HERE = Path(__file__).parent
CASES = HERE / "cases"
PROJECT = HERE / "project"

GAME = "data/demo/game.yaml"
TEMPLATE = "templates/demo/card.svg"

_TEXT = "{{ card.text }}</text>"
_BOOK = """\
  rules: {title: Rules, kind: book, trim: a5, book: rulebook.md}
sheets:
  rules: {layout: single, components: [rules]}
"""
_RULE = """\
rules:
  - id: hostile
    question: Does it hold?
    kind: each
    component: cards
    holds: %s
"""
_ICON = '{{ icon("hostile", 10, 30, 20) }}</svg>'
_PICTURE = '<image href="hostile.svg" x="10" y="30" width="20" height="20"/></svg>'

ROLES: Mapping[str, tuple[str, tuple[tuple[str, str, str], ...]]] = {
    "template": (TEMPLATE, ()),
    "expression": (TEMPLATE, ()),
    "rule": ("data/demo/rules.yaml", ((GAME, "components:", "rules: rules.yaml\ncomponents:"),)),
    "rule-expression": ("data/demo/rules.yaml", ((GAME, "components:", "rules: rules.yaml\ncomponents:"),)),
    "prose": ("data/demo/rulebook.md", ((GAME, "sheets:\n", _BOOK),)),
    "prose-expression": ("data/demo/rulebook.md", ((GAME, "sheets:\n", _BOOK),)),
    "icon": ("templates/demo/icons/hostile.svg", ((TEMPLATE, "</svg>", _ICON),)),
    "picture": ("templates/demo/hostile.svg", ((TEMPLATE, "</svg>", _PICTURE),)),
    "schema": ("schemas/demo/cards.schema.json", ()),
    "fonts": ("fonts/fonts.yaml", ()),
    "service": ("data/services/hostile.yaml", ()),
    "deck": ("deck.txt", ((GAME, "components:", "decks: {component: cards}\ncomponents:"),)),
    "table": ("data/demo/table.yaml", ()),
    "cards": ("data/demo/cards.yaml", ()),
    "game": (GAME, ()),
    "sheet": ("data/sheets/hostile.yaml", ((GAME, "layout: poker", "layout: hostile"),)),
    "files": ("", ()),
}
"""Where a role's payload goes, and what is changed elsewhere (file, text, new text) for it to be used."""

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "check": ("check", "demo", "--format", "json"),
    "build": ("build", "demo", "--quiet"),
    "export": ("export", "demo", "--to", "tts", "--quiet"),
    "export-service": ("export", "demo", "--to", "hostile", "--quiet"),
    "list": ("list",),
    "list-game": ("list", "demo"),
    "reference": ("reference", "demo"),
    "report": ("report", "demo"),
    "version": ("--version",),
}
_FINDING = re.compile(
    r"^(?:(?P<file>[^\s:]+)(?::(?P<line>\d+))?(?::\d+)?: )?(?P<message>.*) \[(?P<code>[a-z/-]+)\]$"
)


@dataclass(frozen=True, slots=True)
class Case:
    """One case, as its file has it."""

    name: str
    about: str
    role: str
    payload: Any
    command: str
    finds: tuple[str, ...]
    line: int | None
    file: str | None
    says: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """A finding as the command line tells it."""

    code: str
    message: str
    file: str | None
    line: int | None


def read(path: Path, *, fewer: bool = False) -> Case:
    """A case from its file, with fewer repetitions if that is asked for. Raises ValueError for one that is
    not well formed."""
    entry = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    unknown = set(entry) - {
        "about",
        "large",
        "fewer",
        "role",
        "payload",
        "command",
        "finds",
        "passes",
        "line",
        "file",
        "says",
    }
    if unknown or not entry.get("about") or entry["role"] not in ROLES:
        raise ValueError(f"{path}: not a case: {unknown or entry}")
    if ("finds" in entry) == (entry.get("passes") is True):
        raise ValueError(f"{path}: a case says either what it finds or passes: true")
    command = entry.get("command", "check")
    if command not in COMMANDS:
        raise ValueError(f"{path}: there is no command {command}")
    finds = entry.get("finds", ())
    return Case(
        path.relative_to(CASES).with_suffix("").as_posix() if path.is_relative_to(CASES) else path.stem,
        entry["about"],
        entry["role"],
        _with_fewer(entry["payload"], entry["fewer"]) if fewer else entry["payload"],
        command,
        (finds,) if isinstance(finds, str) else tuple(finds),
        entry.get("line"),
        entry.get("file"),
        entry.get("says"),
    )


def all_cases() -> list[Path]:
    return sorted(CASES.rglob("*.yaml"))


def is_large(path: Path) -> bool:
    """Whether a case says that it takes long; cheap to ask of all."""
    return "\nlarge: true\n" in path.read_text("utf-8")


def has_fewer(path: Path) -> bool:
    """Whether a case says that it is the same with fewer repetitions; cheap as well."""
    return "\nfewer: " in path.read_text("utf-8")


def _with_fewer(payload: Any, divisor: int) -> Any:
    """A payload, each piece of which is repeated so many times less."""
    if isinstance(payload, list):
        return [_with_fewer(piece, divisor) for piece in payload]
    if not isinstance(payload, Mapping):
        return payload
    if "repeat" in payload:
        return {**payload, "times": max(1, payload["times"] // divisor)}
    return {name: _with_fewer(piece, divisor) for name, piece in payload.items()}


def text_of(payload: Any) -> str:
    """A payload written out."""
    if isinstance(payload, str):
        return payload
    parts: list[str] = []
    for piece in payload:
        if isinstance(piece, str):
            parts.append(piece)
        else:
            text = piece["repeat"]
            numbered = "{i" in text
            for i in range(piece["times"]):
                parts.append(
                    text.replace("{i}", str(i)).replace("{i+1}", str(i + 1)).replace("{i-1}", str(i - 1))
                    if numbered
                    else text
                )
    return "".join(parts)


def lay_out(case: Case, folder: Path) -> None:
    """Make the project of a case in `folder`, which is not there yet."""
    shutil.copytree(PROJECT, folder)
    path, changes = ROLES[case.role]
    for file, old, new in changes:
        place = folder / file
        before, found, after = place.read_text("utf-8").partition(old)
        assert found, f"{old!r} is not in {file}"
        place.write_text(before + new + after, "utf-8")
    if case.role == "files":
        for name, payload in case.payload.items():
            _put(folder / name, payload)
        return
    text = text_of(case.payload)
    if case.role == "expression":
        text = (folder / path).read_text("utf-8").replace(_TEXT, f"{text}</text>")
    elif case.role == "rule-expression":
        text = _RULE % json.dumps(text, ensure_ascii=False)
    _put(folder / path, text)


def _put(path: Path, payload: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)
    if not isinstance(payload, Mapping):
        path.write_text(text_of(payload), "utf-8")
    elif "link" in payload:
        path.symlink_to(payload["link"])
    elif "folder" in payload:
        path.mkdir()
    elif "zip" in payload:
        with ZipFile(path, "w", ZIP_DEFLATED) as archive:
            for name, part in payload["zip"].items():
                archive.writestr(ZipInfo(name), text_of(part), ZIP_DEFLATED)
    elif "zeros" in payload:
        with path.open("wb") as file:
            file.truncate(payload["zeros"])
    else:
        path.write_bytes(base64.b64decode(payload["base64"]))


def run(case: Case, folder: Path, commands: Commands, *options: str) -> tuple[Outcome, list[Found]]:
    """Run a case's command, with more options, in `folder`, where `lay_out` has been."""
    words = [*COMMANDS[case.command], *options]
    if case.role == "deck":
        words += ["--deck", "deck.txt"]
    outcome = commands.run(words, folder)
    return outcome, findings_of(outcome)


def rehearse(commands: Commands, folder: Path) -> None:
    """Have a server do once what most cases ask for, so that each pays for its own work alone."""
    lay_out(Case("plain", "", "prose", "# Plain\n", "check", (), None, None, None), folder)
    for name in ("check", "build", "export"):
        commands.rehearse(COMMANDS[name], folder)


def findings_of(outcome: Outcome) -> list[Found]:
    """What a command found, from its JSON or its text."""
    if outcome.out.startswith("{"):
        found = []
        for entry in json.loads(outcome.out)["findings"]:
            found.append(Found(entry["code"], entry["message"], entry.get("file"), entry.get("line")))
        return found
    matches = (_FINDING.match(line) for line in (*outcome.out.splitlines(), *outcome.err.splitlines()))
    return [
        Found(match["code"], match["message"], match["file"], int(match["line"]) if match["line"] else None)
        for match in matches
        if match
    ]
