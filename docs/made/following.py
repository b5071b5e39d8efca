"""Documents that are followed step by step: files are written, commands run, outputs compared.

Tests follow all of them, and the site shows what comes of some.

A document says so in its first lines: `<!-- followed -->`, from the top, in an empty folder, or
`<!-- followed: each -->`, each section of the third level in a fresh copy of the starter `night-market`.

- Below a line "`PATH`:" a block is a file, and is written whole.
- Below "In `PATH`, add:" it is added: what it says in YAML or JSON is merged into what is there (with "In
  `PATH`, under `a.b`:" there), an element of SVG is put last in the drawing.
- Each line of a block of `sh` is run. A block of `text` right below it shows lines that must be printed, in
  their order; `…` stands for anything. Commands succeed, unless `<!-- fails -->` stands before the block.
- In a block of `console`, commands follow `$`, and the lines below each are its output.
- `cardgen preview` and `cardgen watch`, which don't end, aren't run.
- A block of `python` without a file's name is run.
- `<!-- picture: COMPONENT/CARD -->` is a picture of that card on the site: as it is by then, or at the end
  of its section in a document of sections. A code host shows nothing there.
- `<!-- long -->` before a heading leaves its section to the long tests.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from cardgen.cli.main import main

ROOT = Path(__file__).resolve().parent.parent.parent
MARK = re.compile(r"<!-- followed(: each)? -->")
PICTURE = re.compile(r"<!-- picture: ([\w-]+/[\w-]+(?:#back)?) -->")
STARTER = "night-market"
GIVEN = {"Title.ttf": ROOT / "fonts/loudmouth/Loudmouth-Regular.ttf"}
"""Files that a reader is said to have."""

_BLOCK = re.compile(
    r"(?:^(?P<part>In )?`(?P<path>[^`\n]+)`(?:, (?:add|under `(?P<where>[^`\n]+)`))?:\n\n)?"
    r"(?P<fails>^<!-- fails -->\n)?"
    r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$"
    r"(?:\n\n```text\n(?P<output>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
_ENDLESS = re.compile(r"cardgen (?:preview|watch)\b")


@dataclass(frozen=True, slots=True)
class Step:
    """A block of a document: a file to write, or commands with their outputs."""

    line: int
    text: str
    path: str = ""
    part: bool = False
    where: tuple[str, ...] = ()
    fails: bool = False
    python: bool = False
    output: str | None = None
    """Lines that the commands of a block of `sh` print; None for a block of `console`."""
    shown: str = ""
    """The card of which there is a picture here, as `cards/fox`, and nothing to do."""


@dataclass(slots=True)
class Section:
    """What is followed in one go."""

    document: Path
    heading: str
    each: bool
    """Whether it begins with the starter, not with an empty folder."""
    long: bool = False
    steps: list[Step] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.document.stem}: {self.heading}"


def sections(path: Path) -> Iterator[Section]:
    """The sections of a document; none if it is not one to follow."""
    text = path.read_text(encoding="utf-8")
    mark = MARK.search(text[:300])
    if mark is None:
        return
    each = bool(mark[1])
    places = [match.start() for match in re.finditer(r"^### ", text, re.MULTILINE)] if each else [0]
    for start, end in zip(places, [*places[1:], len(text)], strict=True):
        heading = text[start : text.index("\n", start)].lstrip("# ") if each else "whole"
        long = "<!-- long -->" in text[max(0, start - 20) : start]
        section = Section(path, heading, each, long)
        for match in _BLOCK.finditer(text, start, end):
            if match["path"] or match["kind"] in ("console", "python", "sh"):
                section.steps.append(
                    Step(
                        text.count("\n", 0, match.start("text")),
                        match["text"],
                        match["path"] or "",
                        match["part"] is not None,
                        tuple((match["where"] or "").split(".")) if match["where"] else (),
                        match["fails"] is not None,
                        match["kind"] == "python",
                        (match["output"] or "") if match["kind"] == "sh" else None,
                    )
                )
        for match in PICTURE.finditer(text, start, end):
            section.steps.append(Step(text.count("\n", 0, match.start()), "", shown=match[1]))
        section.steps.sort(key=lambda step: (each and bool(step.shown), step.line))
        yield section


def follow(
    section: Section, folder: Path, starter: Path, show: Callable[[str], None] = lambda card: None
) -> None:
    """Do all that a section says, in an empty folder; `starter` is the project that it may begin with, and
    `show` is told of each card whose picture stands there.

    The working directory is then where the section ends. AssertionError, which names document and line, for
    anything that goes otherwise than it says.
    """
    if section.each:
        folder = Path(shutil.copytree(starter, folder / STARTER))
    for name, source in GIVEN.items():
        shutil.copyfile(source, folder / name)
    os.chdir(folder)
    for step in section.steps:
        try:
            if step.shown:
                show(step.shown)
            elif step.path:
                follow_file(step)
            elif step.python:
                with redirect_stdout(io.StringIO()):
                    exec(compile(step.text, section.document.name, "exec"), {})
            else:
                follow_commands(step)
        except (AssertionError, OSError, ValueError, yaml.YAMLError) as error:
            raise AssertionError(f"{section.document.name}:{step.line}: {error}") from error


def follow_file(step: Step) -> None:
    path = Path(step.path)
    text = step.text
    if step.part:
        assert path.is_file(), f"there is no {step.path} to add to"
        text = added(path.read_text(encoding="utf-8"), text, path.suffix, step.where)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def added(old: str, new: str, suffix: str, where: Sequence[str]) -> str:
    """The old text of a file with what a document says added to it."""
    if suffix == ".svg":
        before, end, _ = old.rpartition("</svg>")
        return f"{before}{new}{end}\n"
    if suffix not in (".yaml", ".json"):
        return old + new
    if suffix == ".json" and not new.lstrip().startswith("{"):
        new = f"{{{new}}}"
    said, whole = yaml.safe_load(new), yaml.safe_load(old)
    for key in reversed(where):
        said = {key: said}
    whole = merged(whole, said)
    head = "".join(line for line in old.splitlines(keepends=True) if line.startswith("# yaml-language"))
    return (
        json.dumps(whole)
        if suffix == ".json"
        else head + yaml.safe_dump(whole, allow_unicode=True, sort_keys=False)
    )


def merged(old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{key: merged(old.get(key), value) for key, value in new.items()}}
    if (
        isinstance(old, list)
        and isinstance(new, list)
        and all(isinstance(each, dict) for each in old + new)
    ):
        names = {each["id"]: each for each in new}
        kept = [merged(each, names.pop(each["id"], {})) for each in old]
        return kept + list(names.values())
    return new


def follow_commands(step: Step) -> None:
    printed = ""
    for command in commands(step.text):
        words = shlex.split(command.text)
        if words[0] == "cd":
            os.chdir(words[1])
            continue
        if _ENDLESS.match(command.text):
            continue
        assert words[0] == "cardgen", f"{words[0]}: no command that a test can run"
        code, text = run(words[1:])
        assert code == (1 if step.fails else 0), f"{command.text} ended with {code}:\n{text}"
        expect(command.output, text, command.text)
        printed += text
    expect(step.output or "", printed, step.text)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a block, with the output that a block of `console` shows below it."""

    text: str
    output: str = ""


def commands(text: str) -> Iterator[Command]:
    """Yield the commands of a block."""
    if not text.startswith("$ "):
        yield from (Command(line) for line in text.splitlines())
        return
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        yield Command(command, wanted)


def expect(wanted: str, printed: str, by: str) -> None:
    """Raise AssertionError unless the wanted lines were printed in their order."""
    pattern = ".*?".join(re.escape(part.strip()) for part in re.split(r"…|\n", wanted) if part.strip())
    assert re.search(pattern, printed, re.DOTALL), f"{by} printed:\n{printed}\nnot:\n{wanted}"


def run(words: list[str]) -> tuple[int, str]:
    """The command's exit code and all that it printed."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue()
