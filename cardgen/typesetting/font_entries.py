"""A face more in a project's fonts.yaml, whose other lines stay as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from cardgen.findings import CardgenError, Finding, Findings, Location, Severity
from cardgen.storage.reading import is_there
from cardgen.typesetting.font_files import Face
from cardgen.typesetting.font_list import FONT_LIST
from cardgen.yaml.reader import Document, parse_yaml, read_text

_HEADER = """\
# yaml-language-server: $schema=../schemas/fonts.schema.json
# The fonts that templates may name besides the bundled ones. Files are relative to this folder.
families:
"""
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9]+)*")
_WORDS = frozenset(("yes", "no", "on", "off", "true", "false", "null", "y", "n"))


def with_face(root: Path, family: str, place: str, face: Face, licence: str) -> str:
    """The text of fonts.yaml with the face in it: a few lines more, and all others as they were."""
    style = ", style: italic" if face.italic else ""
    entry = f"- {{file: {_quoted(place)}, weight: {face.weight}{style}}}"
    findings = Findings()
    text, document = _HEADER, None
    if is_there(root / FONT_LIST):
        said = read_text(root / FONT_LIST, FONT_LIST, findings, within=(root,))
        document = parse_yaml(said, FONT_LIST, findings) if said is not None else None
        findings.raise_if_errors()
        assert said is not None
        text = said if said.endswith("\n") or not said else said + "\n"
    families = document.data["families"] if document is not None else {}
    lines = text.splitlines(keepends=True)
    if family in families and document is not None:
        new = _after_its_faces(lines, document, family, entry)
    else:
        indent = _indent_of_families(lines, document)
        new = [*lines, f"{indent}{_quoted(family)}:\n"]
        if licence:
            new.append(f"{indent}  licence: {_quoted(licence)}\n")
        new += [f"{indent}  faces:\n", f"{indent}    {entry}\n"]
    result = "".join(new)
    # The list may be written in any way that YAML allows; what was meant is compared with what came out.
    again = parse_yaml(result, FONT_LIST, Findings())
    before = {name: len(each["faces"]) for name, each in families.items()}
    wanted = {**before, family: before.get(family, 0) + 1}
    after: Any = again.data.get("families") if again is not None else None
    if not isinstance(after, dict) or {key: len(each["faces"]) for key, each in after.items()} != wanted:
        hint = f"add it by hand, below the faces of '{family}': {entry}"
        message = "the list is written in a way that can't be added to"
        raise CardgenError(Finding(Severity.ERROR, "font/list", message, Location(FONT_LIST), hint))
    return result


def _after_its_faces(lines: list[str], document: Document, family: str, entry: str) -> list[str]:
    last = len(document.data["families"][family]["faces"]) - 1
    line = document.locate(("families", family, "faces", last)).line or 1
    start = lines[line - 1]
    indent = start[: len(start) - len(start.lstrip())]
    end = line
    while end < len(lines) and lines[end].startswith(f"{indent} "):
        end += 1
    return [*lines[:end], f"{indent}{entry}\n", *lines[end:]]


def _indent_of_families(lines: list[str], document: Document | None) -> str:
    if document is None:
        return "  "
    first = next(iter(document.data["families"]))
    line = lines[(document.locate(("families", first), key=True).line or 1) - 1]
    return line[: len(line) - len(line.lstrip())]


def _quoted(text: str) -> str:
    """A text as YAML has it, in quotes where it needs them."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9./-]*", text):
        return text
    return "'" + text.replace("'", "''") + "'"
