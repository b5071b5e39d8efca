"""Brings what is made from the rule kinds up to date: `python docs/kinds.py [--check]`.

Every file in `cardgen/rules/kinds` is a kind, whose keys are a part of `schemas/rules.schema.json`. There
kinds are listed and described by their first sentences. Their documentation is the end of `docs/rules.md`.
`--check` writes nothing.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from cardgen.rules import kinds as rules

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "schemas/rules.schema.json"
DOCUMENT = ROOT / "docs/rules.md"

WIDTH = 120
"""JSON that fits into so many columns stands on one line."""
_HEADING = "## Kinds\n"


def derived_files() -> dict[Path, str]:
    """The two files, each with the text that it should have."""
    modules = {kind: import_module(f"{rules.__name__}.{kind}") for kind in rules.kinds()}
    return {
        SCHEMA: in_lines(with_kinds(json.loads(SCHEMA.read_text(encoding="utf-8")), modules)) + "\n",
        DOCUMENT: documented(DOCUMENT.read_text(encoding="utf-8"), modules),
    }


def with_kinds(schema: dict[str, Any], modules: dict[str, ModuleType]) -> dict[str, Any]:
    """The schema, in which these kinds are listed, and no others."""
    parts: dict[str, Any] = schema["$defs"]
    stated = {name for name, part in parts.items() if "report" in part.get("properties", {})}
    if missing := modules.keys() - stated:
        raise SystemExit(f"add the keys of {', '.join(sorted(missing))}, with report, to its $defs")
    kinds = {
        kind: {**parts[kind], "description": documentation(module).partition("\n")[0]}
        for kind, module in modules.items()
    }
    parameters = [
        {
            "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {"$ref": f"#/$defs/{kind}"},
        }
        for kind in modules
    ]
    rule = {**parts["rule"], "allOf": [parts["rule"]["allOf"][0], *parameters]}
    others = {name: part for name, part in parts.items() if name not in {"rule", "kind", *stated}}
    return {**schema, "$defs": {"rule": rule, "kind": {"enum": list(modules)}, **kinds, **others}}


def documented(text: str, modules: dict[str, ModuleType]) -> str:
    """The document with the sections of these kinds at its end."""
    sections = [f"### {kind}\n\n{documentation(module)}\n" for kind, module in modules.items()]
    return text[: text.index(_HEADING)] + "\n".join([_HEADING, *sections])


def documentation(module: ModuleType) -> str:
    return inspect.getdoc(module) or ""


def in_lines(value: Any, indent: int = 0, before: int = 0) -> str:
    """A value as JSON, of which what fits stands on one line; `before` are the columns taken there."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or indent + before + len(flat) < WIDTH:
        return flat
    keys = [f"{json.dumps(key)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    items = value.values() if isinstance(value, dict) else value
    inside = "  " + " " * indent
    lines = [
        f"{inside}{key}{in_lines(item, indent + 2, len(key))}"
        for key, item in zip(keys, items, strict=True)
    ]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([first, ",\n".join(lines), " " * indent + last])


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, say what is stale")
    arguments = parser.parse_args(words)
    stale = {
        path: text for path, text in derived_files().items() if path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
        sys.stderr.write(f"{path.relative_to(ROOT)} {'is stale' if arguments.check else 'is written'}\n")
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
