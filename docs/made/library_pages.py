"""The page of the Python library, made from the docstrings and signatures of its names."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import cardgen

MORE_FUNCTIONS, MORE_VALUES = "More: what single commands do", "More: types of results and options"
GROUPS = {
    "One stage after the other": ("load", "check", "render", "impose", "export"),
    "One card, or all sheets": ("render_card", "build", "BuildOptions", "cluster"),
    "Values": ("Project", "Game"),
    "Findings": ("Finding", "CardgenError", "UsageError", "Cancelled"),
    MORE_FUNCTIONS: (),
    MORE_VALUES: (),
}
"""The parts of the page with the names that stand there. The last two have the second row."""


def page() -> str:
    """All public names, as Markdown."""
    lines = ["# Python library", "", (cardgen.__doc__ or "").strip(), ""]
    lines[2] = _fenced(lines[2])
    for title, names in groups().items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += [f"### {name} {{ #{name} }}", "", *_told(name, getattr(cardgen, name)), ""]
    return "\n".join(lines)


def groups() -> dict[str, list[str]]:
    """The names of each part; every name is in one."""
    found = {title: list(names) for title, names in GROUPS.items()}
    for name in sorted(cardgen.SECOND_ROW, key=str.lower):
        found[MORE_VALUES if inspect.isclass(getattr(cardgen, name)) else MORE_FUNCTIONS].append(name)
    return found


def _told(name: str, value: Any) -> Iterator[str]:
    yield from ("```python", _signature(name, value), "```", "")
    yield _fenced(inspect.getdoc(value) or "")
    if not inspect.isclass(value):
        return
    rows = [f"| `{key}` | {text} |" for key, text in _members(value)]
    if rows:
        yield from ("", "| | |", "|---|---|", *rows)


def _signature(name: str, value: Any) -> str:
    """How it is called, an argument a line where one line would be too long."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return f"cardgen.{name}"
    told = f"cardgen.{name}{_shortened(str(signature))}"
    if len(told) <= 96:
        return told
    after = signature.return_annotation
    parameters, star = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parameters, star = [*parameters, "*"], True
        parameters.append(_shortened(str(parameter)))
    end = "" if after is signature.empty or inspect.isclass(value) else f" -> {_shortened(str(after))}"
    return "\n".join([f"cardgen.{name}(", *(f"    {each}," for each in parameters), f"){end}"])


def _shortened(text: str) -> str:
    """Types without the modules they live in, and defaults as one would write them."""
    text = re.sub(
        r"<factory>|<object object at 0x[0-9a-f]+>", "…", re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    )
    text = re.sub(r"<function (?:<lambda>|(\w+))[^>]*>", lambda match: match[1] or "…", text)
    return re.sub(r"\b(?:[a-z_]+\.)+([A-Z]\w*)", r"\1", text)


def _members(value: type) -> Iterator[tuple[str, str]]:
    """Public methods and properties, each with the first sentence of its docstring."""
    fields = (
        {field.name for field in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else set()
    )
    for key, member in vars(value).items():
        if key.startswith("_") or key in fields:
            continue
        called = inspect.isroutine(member) or isinstance(member, (classmethod, staticmethod))
        if not called and not isinstance(member, property):
            continue
        about = inspect.getdoc(member) or ""
        yield (
            f"{key}()" if called else key,
            " ".join(about.partition("\n\n")[0].split()).replace("|", "\\|"),
        )


def _listed(section: re.Match[str]) -> str:
    """A section of a docstring as a Markdown list with names as code."""
    entries = re.sub(r"\n {8,}", " ", inspect.cleandoc(section[2]).replace("\n    ", "\n" + " " * 8))
    named = re.sub(r"^(\w+): ", r"`\1`: ", entries, flags=re.MULTILINE)
    title = {"Args": "Arguments"}.get(section[1], section[1])
    lines = "".join(f"- {line}\n" for line in named.splitlines())
    return f"{title}:\n\n{lines}"


def _fenced(text: str) -> str:
    """A docstring as Markdown: sections of arguments and errors are lists, and what else is set in by four
    columns is Python."""
    text = re.sub(r"^(Args|Returns|Raises):\n((?:    .*\n?)+)", _listed, text, flags=re.MULTILINE)
    blocks = re.split(r"((?:^    .*(?:\n+(?=    )|\n?))+)", text, flags=re.MULTILINE)
    return "".join(
        f"```python\n{dedent(block).strip()}\n```\n" if block.startswith("    ") else block
        for block in blocks
    )
