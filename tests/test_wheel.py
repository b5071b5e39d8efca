"""The wheel works from any folder, with the bundled games inside."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cardgen.exports.exporters import EXPORTERS
from tests.repositories import commit
from tests.workbench.served import PATIENCE_S, served

ROOT = Path(__file__).resolve().parent.parent


def build(target: str, source: Path, folder: Path) -> Path:
    """The file that hatchling makes of a folder, without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist's content."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", ROOT, folder)) as archive:
        archive.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return source


@pytest.fixture(scope="module")
def installed(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of the wheel that is made from the sdist, as pip lays it down."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(build("wheel", unpacked, tmp_path_factory.mktemp("wheel"))) as archive:
        archive.extractall(site)
    return site


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.long
def test_the_sdist_is_the_repository(unpacked: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode("utf-8")
    there = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    assert names(unpacked) == there - {"output/.gitkeep"} | {"PKG-INFO"}


def test_every_file_of_the_package_is_installed(unpacked: Path, installed: Path) -> None:
    """With it all that the workbench's page and the services are made of."""
    assert names(unpacked / "cardgen") <= names(installed / "cardgen")


@pytest.mark.long
def test_a_checkout_makes_the_same_wheel_as_the_sdist(installed: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(build("wheel", ROOT, tmp_path)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert set(files) == names(installed)
    assert [name for name, data in files.items() if (installed / name).read_bytes() != data] == []


def environment(installed: Path, folder: Path) -> dict[str, str]:
    """What commands run in, their children too: the installed package comes before an editable checkout."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PYTHONPATH": str(installed),
        "CARDGEN_CACHE": str(folder / "cache"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }


def run(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run one command in a folder."""
    command = [sys.executable, "-P", "-m", "cardgen", *words]
    return subprocess.run(
        command, cwd=folder, env=environment(installed, folder), capture_output=True, text=True, check=False
    )


MANY = """
import contextlib, io, json, sys
import cardgen.cli
assert cardgen.cli.__file__.startswith(sys.argv[1]), cardgen.cli.__file__
failed = []
for words in json.loads(sys.argv[2]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = cardgen.cli.main(words)
        except SystemExit as stop:
            code = stop.code
    if code:
        failed.append([words, code, (out.getvalue() + err.getvalue())[-2000:]])
print(json.dumps(failed))
"""


def failures(installed: Path, folder: Path, commands: Sequence[str]) -> list[Any]:
    """Run commands in one process, in a folder; those that fail, with code and messages."""
    words = json.dumps([shlex.split(command) for command in commands])
    done = subprocess.run(
        [sys.executable, "-P", "-c", MANY, str(installed), words],
        cwd=folder,
        env=environment(installed, folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout.splitlines()[-1])  # after what sandboxed commands print
    return found


@pytest.mark.long
def test_a_bundled_game_builds_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "build", "hackers", "--sheet", "tokens")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "output" / "hackers" / "tokens.pdf").stat().st_size > 10_000


def test_licences_and_types_travel(installed: Path) -> None:
    assert (installed / "cardgen" / "py.typed").is_file()
    fonts = installed / "cardgen" / "_bundled" / "fonts"
    for folder in fonts.iterdir():
        if folder.is_dir():
            assert (folder / "LICENSE.txt").is_file(), folder.name


# ---------------------------------------------------------------- everything, in a folder elsewhere

PIECES = """\
  tags: {title: Tags, kind: token, trim: [30mm, 20mm], data: tags.yaml, face: tag.svg, back: tag.svg}
  board: {title: Board, kind: board, trim: [300mm, 220mm], data: tags.yaml, face: tag.svg}
  figures: {title: Figures, kind: standee, trim: [30mm, 45mm], standee: {foot: tab}, data: tags.yaml,
    face: tag.svg}
  book: {title: Book, kind: book, trim: [100mm, 150mm], book: rules.md}
  tuck: {title: Tuck, kind: box, box: {holds: [cards]}, data: tags.yaml, face: tag.svg}
"""
LISTS = ("tags", "board", "figures", "tuck")
FOR = {"booklet": "book", "board": "board", "standees": "figures", "box": "tuck"}
TAG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
    'viewBox="0 0 {{ width }} {{ height }}"><rect width="100" height="100" fill="#ddd"/></svg>'
)


def layouts() -> list[str]:
    return sorted(path.stem for path in (ROOT / "data" / "sheets").glob("*.yaml"))


def services() -> list[str]:
    return sorted(path.stem for path in (ROOT / "data" / "services").glob("*.yaml"))


@pytest.fixture(scope="module")
def market(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a sheet of every layout, in a folder with a blank and letters beyond ASCII."""
    folder = tmp_path_factory.mktemp("elsewhere") / "Spiele für zwei"
    folder.mkdir()
    assert run(installed, folder, "new", "night-market").returncode == 0
    project = folder / "night-market"
    sheets = [
        f"  {name}: {{layout: {name}, components: [{FOR.get(name, 'tags')}]}}\n" for name in layouts()
    ]
    manifest = project / "data" / "night-market" / "game.yaml"
    text = manifest.read_text(encoding="utf-8")
    text = text.replace("\nsheets:\n", f"{PIECES}\nsheets:\n").replace("  poker: {", "  cards: {", 1)
    text = text.replace("\nsheets:\n", f"\nsheets:\n{''.join(sheets)}", 1)
    manifest.write_text(f"{text}\ndecks: {{component: cards}}\n", encoding="utf-8")
    for name, content in {
        "data/night-market/tags.yaml": "".join(f"{name}: [{{id: stall}}]\n" for name in LISTS),
        "data/night-market/rules.md": "# Rules\n\nTrade by lantern light.\n",
        "templates/night-market/tag.svg": TAG,
    }.items():
        (project / name).write_text(content, encoding="utf-8")
    shutil.copy(
        installed / "cardgen" / "pdf" / "coated.icc", project / "data" / "night-market" / "shop.icc"
    )
    return project


GAME = "night-market"
QUICK = [
    f"build {GAME} --sheet cards --inks cmyk --quiet",
    f"export {GAME} --to pcio --component cards --quiet",
    f"report {GAME} --inks cmyk",
]
"""Commands that read files of every folder of the package."""


@pytest.mark.long
def test_the_package_builds_exports_and_reports(installed: Path, market: Path) -> None:
    assert failures(installed, market, QUICK) == []
    output = market / "output" / GAME
    assert (output / "pcio/export.json").is_file()
    assert b"FOGRA39" in (output / "cards.cmyk.pdf").read_bytes()
    assert (output / "report.html").stat().st_size > 10_000


@pytest.mark.long
def test_every_layout_and_exporter_works_from_the_wheel(installed: Path, market: Path) -> None:
    exports = [f"export {GAME} --to {name} --component cards --quiet" for name in EXPORTERS]
    assert failures(installed, market, [f"build {GAME} --quiet", *exports]) == []
    output = market / "output" / GAME
    assert {path.stem for path in output.glob("*.pdf")} >= {*layouts(), "cards"}
    assert all((output / name / "export.json").is_file() for name in EXPORTERS)


@pytest.mark.long
def test_the_preview_works_from_the_wheel(installed: Path, market: Path) -> None:
    with served(market, GAME, environment=environment(installed, market.parent)) as shop:
        assert shop.ask("").status == 303
        state = shop.ask("state.json").json
        assert len(state["cards"]) > 5
        key = next(card["face"]["key"] for card in state["cards"] if card["component"] == "cards")
        assert shop.ask(f"side/{key}.png?w=120").body.startswith(b"\x89PNG")
        end = time.monotonic() + PATIENCE_S
        while not shop.ask("sheets/cards.json").json["pages"]:
            assert time.monotonic() < end
            time.sleep(0.1)


REST = [
    f"check {GAME} --language source --inks cmyk",
    f"check {GAME} --language source --sandboxed --format sarif",
    f"build {GAME} --sheet cards --sandboxed --inks cmyk --standard x1a --quiet",
    f"build {GAME} --sheet cards --inks cmyk --profile data/{GAME}/shop.icc --quiet",
    f"build {GAME} --jobs 2 --low-ink --paper a4,letter --quiet",
    f"build {GAME} --sheet cards --cut svg --cut dxf --cut pdf --cut png --cut spot --quiet",
    f"build {GAME} --sheet cards --since HEAD --quiet",
    *(f"export {GAME} --to {name} --component cards --sandboxed --quiet" for name in services()),
    f"export {GAME} --to printshop --component cards --inks cmyk --standard x1a --quiet",
    f"report {GAME} --sandboxed",
    f"report {GAME} --since HEAD",
    f"diff {GAME} --html difference.html",
    f"translate {GAME}",
    f"schema {GAME}",
    f"reference {GAME}",
    f"proof {GAME} old-oak",
    *(f"table {GAME} --to {kind} -o cards-{kind}{end}" for kind, end in (("xlsx", ".xlsx"), ("csv", ""))),
    f"table {GAME} --to ods -o cards.ods",
    *(f"table {GAME} --from {name}" for name in ("cards-xlsx.xlsx", "cards-csv", "cards.ods")),
    *(f"completion {shell}" for shell in ("bash", "zsh", "fish")),
    *(
        f"list --{kind}"
        for kind in ("sizes", "papers", "layouts", "icons", "fonts", "services", "starters")
    ),
    "doctor",
    "calibrate --paper a4",
    "calibrate --printer office --paper a4 --read 0.5 0.2 0.7 0.1",
    f"build {GAME} --sheet cards --paper a4 --printer office --quiet",
    "explain sheet/duplex",
    "new --refresh",
]


@pytest.mark.long
def test_every_command_works_from_the_wheel(installed: Path, market: Path) -> None:
    manifest = market / "data" / GAME / "game.yaml"
    text = manifest.read_text(encoding="utf-8").replace(
        "language: en\n", "language: en\nlanguages: {de: {}}\n"
    )
    manifest.write_text(text, encoding="utf-8")
    commit(market)
    font = next((installed / "cardgen" / "_bundled" / "fonts").rglob("*.ttf"))
    assert (
        failures(installed, market, [*REST, f"font add {shlex.quote(str(font))} --family Marktschrift"])
        == []
    )
    assert "<html" in (market / "difference.html").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("color", ["coated", "shop.icc"])
@pytest.mark.parametrize("standard", ["x4", "x1a"])
def test_a_game_may_state_its_press(installed: Path, market: Path, color: str, standard: str) -> None:
    manifest = market / "data" / GAME / "game.yaml"
    text = manifest.read_text(encoding="utf-8")
    press = f"press: {{profile: {color}, standard: {standard}, ink_limit: 280}}\n"
    try:
        manifest.write_text(f"{text}{press}", encoding="utf-8")
        commands = [
            f"build {GAME} --sheet single --inks cmyk",
            f"export {GAME} --to printshop --inks cmyk",
        ]
        assert failures(installed, market, commands) == []
    finally:
        manifest.write_text(text, encoding="utf-8")


@pytest.mark.long
def test_every_starter_works_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    starters = sorted(path.name for path in (installed / "cardgen" / "starters").iterdir() if path.is_dir())
    assert len(starters) > 5
    commands = []
    for name in starters:
        commands += [
            f"new my-{name} --template {name}",
            f"check --project my-{name}",
            f"build --project my-{name}",
        ]
    assert failures(installed, tmp_path, commands) == []


@pytest.mark.long
def test_watch_builds_from_the_wheel(installed: Path, market: Path) -> None:
    command = [
        sys.executable,
        "-P",
        "-m",
        "cardgen",
        "watch",
        GAME,
        "--sheet",
        "cards",
        "--output",
        "watched",
    ]
    environ = environment(installed, market.parent)
    with subprocess.Popen(command, cwd=market, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline()
            file = market / "watched" / GAME / "cards.pdf"
            before = file.read_bytes()
            cards = market / "data" / GAME / "cards.yaml"
            text = cards.read_text(encoding="utf-8")
            cards.write_text(text.replace("title: Gardener", "title: Gardeners"), encoding="utf-8")
            while file.read_bytes() == before:
                assert process.poll() is None
                time.sleep(0.1)
            cards.write_text(text, encoding="utf-8")
        finally:
            process.send_signal(signal.SIGINT)
