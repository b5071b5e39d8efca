"""Packages of plug-ins, as pip builds and installs them: the documents' examples, and new ones."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cardgen.commands.data.new_plugin import KINDS, new_plugin
from cardgen.commands.data.plugins import check_plugin
from cardgen.core.findings import UsageError
from cardgen.files import plugins
from tests.for_each import for_each
from tests.plugged import forget, importable, package

Run = Callable[..., tuple[int, str, str]]
EXAMPLES = Path(__file__).resolve().parent.parent / "docs/examples/plugins"
NAMES = {
    "exporter": "my-shop",
    "rule-kind": "short-texts",
    "filter": "big-dots",
    "table-format": "bars",
    "starter": "my-deck",
}


def install(packages: Sequence[Path], site: Path) -> None:
    """Build wheels of packages and install them into a folder with pip, without a network."""
    words = "install --quiet --no-index --no-deps --no-build-isolation --disable-pip-version-check --target"
    command = [sys.executable, "-m", "pip", *words.split(), site, *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


BUILD = """
import os, sys
from hatchling.build import build_wheel
os.mkdir(sys.argv[1])
for source in sys.argv[2:]:
    os.chdir(source)
    build_wheel(sys.argv[1])
"""


def unpack(packages: Sequence[Path], site: Path) -> None:
    """Do the same without pip, which takes longer than all else."""
    wheels = site.parent / "wheels"
    words = ("-c", BUILD, str(wheels), *map(str, packages))
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    for wheel in wheels.iterdir():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)


def python(site: Path, folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with the packages of another."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site), "CARDGEN_CACHE": str(site.parent / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


COMMANDS = """
from cardgen.cli.main import main
assert main(["doctor"]) == main(["check", "demo"]) == 0
assert main("export demo --to corner-shop --paper linen --dpi 50 --component cards".split()) == 0
"""


def test_the_documents_examples_work_as_wheels(demo: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    unpack(sorted(EXAMPLES.iterdir()), site)

    rules = demo / "data/demo/rules.yaml"
    rule = "{id: short, question: Short?, kind: first-letters, component: cards, value: title, letters: 1}"
    rules.write_text(f"rules:\n  - {rule}\n", encoding="utf-8")
    face = demo / "templates/demo/card.svg"
    text = face.read_text(encoding="utf-8").replace("{{ card.title }}", "{{ card.value|roman }}")
    face.write_text(text, encoding="utf-8")
    done = python(site, demo, "-c", COMMANDS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok  plug-in corner-shop: 1.0, export target 'corner-shop'" in done.stdout
    assert "ok  plug-in cardgen-first-letters: 1.0, rule kind 'first-letters'" in done.stdout
    assert "ok  plug-in cardgen-roman: 1.0, filter 'roman'" in done.stdout
    assert "\nno findings\n" in done.stdout
    orders = (demo / "output/demo/corner-shop/order.csv").read_text(encoding="utf-8")
    assert orders.splitlines()[1] == "cards/early-bird.png,2,63.5,88.9,30"
    assert (demo / "output/demo/corner-shop/cards/old-oak.png").exists()


@pytest.mark.long
def test_new_packages_work_and_pass_their_own_tests(tmp_path: Path) -> None:
    folders = [new_plugin(kind, NAMES[kind], tmp_path) for kind in KINDS]
    site = tmp_path / "site"
    install(folders, site)
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path)
    done = python(site, tmp_path, *words, *folders)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 passed" in done.stdout
    listed = python(site, tmp_path, "-m", "cardgen", "doctor").stdout
    for kind, name in NAMES.items():
        title = plugins.KINDS[KINDS[kind].kind]
        point = name.replace("-", "_") if kind == "filter" else name
        assert f"ok  plug-in cardgen-{name}: 0.1.0, {title} '{point}'" in listed


def test_there_is_a_new_package_of_each_kind(run: Run, tmp_path: Path) -> None:
    assert [each.kind for each in KINDS.values()] == list(plugins.KINDS)
    code, out, _ = run("plugin", "new", "filter", "dots", "--project", str(tmp_path / "here"))
    folder = tmp_path / "here/cardgen-dots"
    assert code == 0
    assert out.splitlines() == [
        f"{folder}: a new package; next:",
        f"  pip install -e {folder} && pytest {folder}",
    ]
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "README.md",
        "cardgen_dots.py",
        "pyproject.toml",
        "tests/test_cardgen_dots.py",
    ]


@for_each("kind", list(KINDS))
def test_new_packages_have_sound_plugins_and_tests(kind: str, tmp_path: Path) -> None:
    folder = new_plugin(kind, NAMES[kind], tmp_path)
    for path in folder.rglob("*.py"):
        compile(path.read_text(encoding="utf-8"), str(path), "exec")
    about = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = {group.removeprefix("cardgen."): named for group, named in about["entry-points"].items()}
    with importable(folder):
        package(folder, about["name"], points, about["version"])
        forget()
        (plugin,) = (each for each in plugins.installed() if each.package == about["name"])
        check_plugin(plugin)


@for_each(
    "kind, name, message",
    [
        ("exporter", "png", "the export target 'png' is cardgen's own"),
        ("rule-kind", "count", "the rule kind 'count' is cardgen's own"),
        ("filter", "yes-no", "the filter 'yes_no' is cardgen's own"),
        ("table-format", "yaml", "the table format 'yaml' is cardgen's own"),
        ("starter", "poker", "the starter 'poker' is cardgen's own"),
        ("table-format", "json-lines", "'json-lines' can't be the name of this plug-in"),
        ("exporter", "My Shop", "'My Shop' can't be the name of this plug-in"),
        ("exporter", "../shop", "'../shop' can't be the name of this plug-in"),
        ("filter", "class", "'class' is a word of Python, so no function can have this name"),
        ("sauce", "shop", "there is no kind of plug-in 'sauce'"),
    ],
)
def test_unfit_names_are_refused(kind: str, name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^.*$") as caught:
        new_plugin(kind, name, tmp_path)
    assert caught.value.findings[0].message == message
    assert not list(tmp_path.iterdir())


def test_folders_that_exist_are_kept(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "cardgen-dots").mkdir()
    with pytest.raises(UsageError) as caught:
        new_plugin("filter", "dots", tmp_path)
    assert "exists already" in str(caught.value)
    with pytest.raises(UsageError) as caught:
        new_plugin("filter", "dots", demo)
    assert "would be inside the project" in str(caught.value)
