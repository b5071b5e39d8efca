"""Plug-in packages as an installer leaves them, made in a moment."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from cardgen.files import cache, plugins

EXAMPLES = Path(__file__).resolve().parent.parent / "docs/examples/plugins"


def package(
    folder: Path,
    name: str,
    entry_points: Mapping[str, Mapping[str, str]],
    version: str = "1.0",
    **code: str,
) -> Path:
    """Install a package into a folder: its entry points by kind, and the code of its modules by name."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True)
    lines = ["[console_scripts]", "made-up = nothing:main", ""]
    for kind, points in entry_points.items():
        lines += [f"[cardgen.{kind}]", *(f"{key} = {value}" for key, value in points.items()), ""]
    (about / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    for module, text in code.items():
        (folder / f"{module}.py").write_text(text, encoding="utf-8")
    return folder


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Let this process import a folder's packages, and forget them in the end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setattr(sys, "dont_write_bytecode", True)  # a bytecode's source may change within a second
        forget()
        yield
        forget()
    forget()


def forget() -> None:
    """Read installed packages again, as a new process does."""
    for each in plugins.installed():
        sys.modules.pop(each.top, None)
    plugins.load.cache_clear()
    plugins._installed.cache_clear()
    cache.our_environment.cache_clear()
    cache.code_digest.cache_clear()


def example(name: str, site: Path, **changed: str) -> Path:
    """Install an example of the documents, with changes of its code; return the file of it."""
    about = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (source,) = (EXAMPLES / name).glob("*.py")
    text = source.read_text(encoding="utf-8")
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    points = {kind.removeprefix("cardgen."): named for kind, named in about["entry-points"].items()}
    package(site, about["name"], points, about["version"], **{source.stem: text})
    forget()
    return site / source.name
