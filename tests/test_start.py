"""What a command loads before it works: what it has no use for would cost every run of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LOADED = """
import json, sys
from cardgen.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("start")
    loaded_by(folder, "new", "small")
    return folder


def loaded_by(folder: Path, *words: str) -> frozenset[str]:
    """The modules that a command had loaded when it was done, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words, "--project", str(folder / "small")]
        if words[0] not in ("new", "--version", "--help")
        else [sys.executable, "-c", LOADED, *words],
        cwd=folder,
        env={**os.environ, "CARDGEN_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_who_asks_for_the_version_or_help_gets_just_that(home: Path, word: str) -> None:
    loaded = loaded_by(home, word)
    ours = {name for name in loaded if name.partition(".")[0] == "cardgen"}
    assert ours <= {"cardgen"} | {
        f"cardgen.{name}"
        for name in (
            *("cli", "cli.arguments", "cli.main", "cli.saying"),
            *("dataclass", "core", "core.findings", "core.lazy_names", "core.records", "core.terminal"),
        )
    }


def test_a_build_loads_what_it_needs(home: Path) -> None:
    """Nothing of pixels, other processes, exports or rules for cards of text and plain shapes; and nothing
    that draws or reads where nothing has changed."""
    loaded = loaded_by(home, "build", "small")
    assert {"cardgen.pdf.plain", "reportlab", "jinja2"} <= loaded
    pixels = {"PIL.ImageCms", "PIL.TiffImagePlugin", "PIL.ImageDraw"}
    elsewhere = {"concurrent.futures", "multiprocessing", "http", "subprocess"}
    rooms = {f"cardgen.{name}" for name in ("commands.build.export", "commands.check", "rules")}
    assert loaded & (pixels | elsewhere | rooms) == set()
    unused = {"argcomplete", "cairocffi", "cairosvg", "pikepdf", "numpy", "budoux"}
    assert loaded & unused == set()
    again = loaded_by(home, "build", "small")
    work = {"jinja2", "jsonschema", "yaml", "reportlab", "uharfbuzz", "markdown_it", "re2", "PIL", "polib"}
    assert again & (unused | work) == set()
    assert again & {"cardgen.game", "cardgen.art", "cardgen.pdf", "cardgen.text"} == set()
    assert again & {"inspect", "importlib.metadata"} == set()


def test_a_check_loads_nothing_that_writes_files(home: Path) -> None:
    loaded = loaded_by(home, "check", "small")
    assert {"cardgen.commands.check.preflight", "uharfbuzz"} <= loaded
    assert loaded & {"reportlab", "http.client", "cardgen.exports.job", "cardgen.exports.pdf"} == set()
