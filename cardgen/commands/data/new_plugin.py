"""`cardgen plugin new KIND NAME`: a package with one plug-in that works, and its tests."""

from __future__ import annotations

import re
from keyword import iskeyword
from pathlib import Path

from cardgen.commands.data.plugins import REGISTRIES
from cardgen.commands.data.starters import own_files
from cardgen.core.findings import UsageError
from cardgen.core.records import dataclass
from cardgen.files import plugins
from cardgen.files.changes import Changes
from cardgen.files.project import bundled_root, enclosing
from cardgen.files.reading import read_bundled
from cardgen.files.writing import Output

_TEMPLATES = "commands/data/plugin_projects"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class PluginKind:
    """A kind of plug-in as `cardgen plugin new` takes it: the kind of its entry points, the object in its
    module, its description, and how it is used, with NAME for its name."""

    kind: str
    value: str
    about: str
    use: str


KINDS = {
    "exporter": PluginKind(
        "exporters", ":EXPORTER", "An export target: a list and pictures", "cardgen export GAME --to NAME"
    ),
    "rule-kind": PluginKind(
        "rule_kinds", "", "A rule kind: texts of at most so many letters", "kind: NAME in rules.yaml"
    ),
    "filter": PluginKind(
        "filters", ":NAME", "A filter: a number as so many signs", "{{ card.cost|NAME }} in a template"
    ),
    "table-format": PluginKind(
        "table_formats", ":read", "A table format: cells separated by |", "data: cards.NAME in game.yaml"
    ),
    "starter": PluginKind("starters", "", "A starter: a small deck", "cardgen new GAME --template NAME"),
}


def new_plugin(kind: str, name: str, parent: Path) -> Path:
    """Make the folder `parent/cardgen-NAME`, a package with a plug-in of that kind and its tests; return
    it.

    Raises UsageError for an unknown kind, a name that the kind can't have or that is cardgen's own, and a
    folder that exists.
    """
    if kind not in KINDS:
        raise UsageError(f"there is no kind of plug-in '{kind}'", f"use one of: {', '.join(KINDS)}")
    about = KINDS[kind]
    point = _point(kind, name)
    package = f"cardgen-{name}"
    folder = parent / package
    with Output(folder):
        if folder.exists():
            raise UsageError(f"'{folder}' exists already", "choose another name, or move it away")
    if (around := enclosing(parent)) not in (None, bundled_root()):
        hint = f"name another folder: cardgen plugin new {kind} {name} --project DIR"
        raise UsageError(f"'{folder}' would be inside the project '{around}'", hint, "usage/nested")
    module = package.replace("-", "_")
    words = {
        "PACKAGE": package,
        "MODULE": module,
        "KIND": about.kind,
        "POINT": point,
        "VALUE": module + about.value.replace("NAME", point),
        "ABOUT": about.about,
        "USE": f"To use it: `{about.use.replace('NAME', point)}`.",
        "CODE": module if kind == "starter" else f"{module}.py",
    }
    with Changes(folder) as changes:
        for path, content in _files(kind, module, words).items():
            changes.write_bytes(path, content)
        changes.commit()
    return folder


def _point(kind: str, name: str) -> str:
    """Return the name of the entry point. Raises UsageError."""
    hint = "use letters a to z in lower case and digits, joined by '-', such as corner-shop"
    if not _NAME.fullmatch(name) or (kind == "table-format" and "-" in name):
        if kind == "table-format":
            hint = "use letters a to z in lower case and digits: it is the ending of files, such as jsonl"
        raise UsageError(f"'{name}' can't be the name of this plug-in", hint)
    point = name.replace("-", "_") if kind == "filter" else name
    if kind == "filter" and iskeyword(point):
        raise UsageError(f"'{name}' is a word of Python, so no function can have this name", hint)
    group = KINDS[kind].kind
    if point in REGISTRIES[group]().names:
        raise UsageError(f"the {plugins.KINDS[group]} '{point}' is cardgen's own", "choose another name")
    return point


def _files(kind: str, module: str, words: dict[str, str]) -> dict[str, bytes]:
    """Return the files of the package by path."""
    stem = kind.replace("-", "_")
    code = f"{module}/__init__.py" if kind == "starter" else f"{module}.py"
    found = {
        "pyproject.toml": _filled("pyproject.toml", words),
        "README.md": _filled("README.md", words),
        code: _filled(f"{stem}.py", words),
        f"tests/test_{module}.py": _filled(f"{stem}_test.py", words),
    }
    if kind == "starter":
        found |= {f"{module}/{path}": content for path, content in own_files().items()}
    return found


def _filled(name: str, words: dict[str, str]) -> bytes:
    text = read_bundled(_TEMPLATES, f"{name}.in").decode("utf-8")
    return re.sub("@([A-Z]+)@", lambda match: words[match[1]], text).encode("utf-8")
