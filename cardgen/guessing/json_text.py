"""JSON as people write it, short things on one line; and adding to such a text, the rest untouched."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

WIDTH = 108
"""Characters of a line beyond which a list or mapping is written one entry a line."""

Pointer = tuple[str | int, ...]
_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")


def written(value: Any, indent: int = 0, taken: int = 0) -> str:
    """A value as JSON, lines after the first indented by `indent`; `taken` are the characters before it on
    its line."""
    line = _on_one_line(value)
    if not isinstance(value, dict | list) or not value or len(line) + indent + taken <= WIDTH:
        return line
    pad = " " * (indent + 2)
    entries = []
    if isinstance(value, dict):
        for key, item in value.items():
            name = json.dumps(str(key), ensure_ascii=False)
            entries.append(f"{pad}{name}: {written(item, indent + 2, len(name) + 3)}")
        return "{\n" + ",\n".join(entries) + "\n" + " " * indent + "}"
    entries = [f"{pad}{written(item, indent + 2, 1)}" for item in value]
    return "[\n" + ",\n".join(entries) + "\n" + " " * indent + "]"


def _on_one_line(value: Any) -> str:
    if isinstance(value, dict) and value:
        inside = ", ".join(
            f"{json.dumps(str(key), ensure_ascii=False)}: {_on_one_line(item)}"
            for key, item in value.items()
        )
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_on_one_line, value))}]"
    return json.dumps(value, ensure_ascii=False)


def added(text: str, pointer: Pointer, entries: Sequence[Any] | dict[str, Any]) -> str:
    """The text of a JSON file with entries added at the end of the mapping (or list) at a pointer, written
    as its others are. Everything else stays as it is, byte for byte."""
    start, end = _spans(text)[pointer]
    inside = text[start + 1 : end - 1]
    parts = (
        [(json.dumps(key, ensure_ascii=False) + ": ", item) for key, item in entries.items()]
        if isinstance(entries, dict)
        else [("", item) for item in entries]
    )
    if not parts:
        return text
    empty = not inside.strip()
    newline = "\r\n" if "\r\n" in text else "\n"
    last = end - 1 - (len(inside) - len(inside.rstrip()))
    if "\n" in inside and not empty:
        line = text.rindex("\n", start, last) + 1
        head = text.find("\n", start, last) + 1
        pad = re.match(r"[ \t]*", text[head or line :])
        room = pad.group() if pad else ""
        depth = len(room.expandtabs(2))
        new = "".join(f",\n{room}{name}{written(item, depth, len(name) + 1)}" for name, item in parts)
        return text[:last] + new.replace("\n", newline) + text[last:]
    new = ", ".join(name + _on_one_line(item) for name, item in parts)
    if empty:
        new = f"{{ {new} }}" if text[start] == "{" else f"[{new}]"
        return text[:start] + new + text[end:]
    return f"{text[:last]}, {new}{text[last:]}"


def _spans(text: str) -> dict[Pointer, tuple[int, int]]:
    """Where each value of a JSON text that is known to be valid begins and ends."""
    found: dict[Pointer, tuple[int, int]] = {}
    _span(text, _space(text, 1 if text.startswith("\ufeff") else 0), (), found)
    return found


def _space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _span(text: str, at: int, pointer: Pointer, found: dict[Pointer, tuple[int, int]]) -> int:
    start = at
    if text[at] in "{[":
        mapping, index = text[at] == "{", 0
        at = _space(text, at + 1)
        while text[at] not in "}]":
            key: str | int = index
            if mapping:
                key, at = scanstring(text, at + 1)
                at = _space(text, _space(text, at) + 1)
            at = _space(text, _span(text, at, (*pointer, key), found))
            at, index = _space(text, at + 1) if text[at] == "," else at, index + 1
        at += 1
    elif text[at] == '"':
        at = scanstring(text, at + 1)[1]
    else:
        scalar = _SCALAR.match(text, at)
        assert scalar is not None
        at = scalar.end()
    found[pointer] = (start, at)
    return at
