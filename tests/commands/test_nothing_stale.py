"""Nothing that was kept is believed when anything that it was made of has changed."""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.production.fonts import fontbook
from cardgen.exports.svg import glyph_path
from cardgen.files import cache as environment
from cardgen.files.cache import Cache
from cardgen.text.fonts import FontBook

Edit = Callable[[str, str, str], Path]
Settle = Callable[[Path], None]


def build(project: Path, **options: object) -> cardgen.BuildResult:
    return cardgen.build(
        cardgen.BuildOptions(game="demo", **options),  # type: ignore[arg-type]
        project=cardgen.Project.open(project),
    )


def digest(project: Path, name: str = "poker.pdf") -> str:
    return hashlib.sha256((project / "output/demo" / name).read_bytes()).hexdigest()


def clean(project: Path, folder: Path) -> str:
    """What a build with nothing kept gives."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(folder / "clean-cache"))
        result = build(project, output=folder / "clean")
    return hashlib.sha256(Path(result.files[0].path).read_bytes()).hexdigest()


def test_another_game_s_part_in_a_template(demo: Path, edit: Edit, settle: Settle, tmp_path: Path) -> None:
    for folder in ("data", "templates", "schemas"):
        shutil.copytree(demo / folder / "demo", demo / folder / "other")
    part = demo / "templates/other/part.svg"
    part.write_text('<text x="32" y="60" font-family="IBM Plex Sans" font-size="4">Old</text>', "utf-8")
    edit("templates/demo/card.svg", "</svg>", "{% include 'other/part.svg' %}</svg>")
    settle(demo / "templates")
    build(demo)
    old = digest(demo)
    assert build(demo).up_to_date
    part.write_text(part.read_text("utf-8").replace("Old", "New words"), "utf-8")
    assert not build(demo).up_to_date
    assert digest(demo) == clean(demo, tmp_path) != old


def test_a_picture_in_the_projects_art(demo: Path, edit: Edit, settle: Settle, tmp_path: Path) -> None:
    art = demo / "art/demo/owl.svg"
    art.parent.mkdir(parents=True)
    rect = '<rect width="9" height="9" fill="red"/>'
    box = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{rect}</svg>'
    art.write_text(box, "utf-8")
    edit("templates/demo/card.svg", "</svg>", '<image href="owl.svg" width="9" height="9"/></svg>')
    settle(demo)
    build(demo)
    old = digest(demo)
    assert build(demo).up_to_date
    art.write_text(box.replace("red", "blue"), "utf-8")
    assert digest(demo) == old
    assert not build(demo).up_to_date
    assert digest(demo) == clean(demo, tmp_path) != old


def test_a_font_file_that_was_replaced(demo: Path, settle: Settle, tmp_path: Path) -> None:
    fonts = demo / "fonts"
    fonts.mkdir(exist_ok=True)
    bundled = Path(fontbook(cardgen.Project.open(demo).paths).face("IBM Plex Sans", 400).path).parent
    shutil.copy(bundled / "IBMPlexSans-Regular.ttf", fonts / "Mine.ttf")
    (fonts / "fonts.yaml").write_text(
        "families:\n  IBM Plex Sans:\n    licence: OFL-1.1\n    faces:\n"
        "      - {file: Mine.ttf, weight: 400, style: normal}\n",
        "utf-8",
    )
    settle(fonts)
    build(demo)
    old = digest(demo)
    shutil.copy(bundled / "IBMPlexSans-Italic.ttf", fonts / "Mine.ttf")
    build(demo)
    assert digest(demo) == clean(demo, tmp_path) != old


def test_another_library_makes_all_anew(
    demo: Path, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(demo)
    build(demo)
    assert build(demo).up_to_date
    cache = Cache("kind")
    cache.put("key", b"kept")
    cache.save()
    assert Cache("kind").get("key") == b"kept"
    described = [*environment._distributions()]
    assert any("reportlab-" in line for line in described)
    newer = [line.replace("reportlab-", "reportlab-9") for line in described]
    monkeypatch.setattr(environment, "_distributions", lambda: iter(newer))
    environment.our_environment.cache_clear()
    try:
        assert Cache("kind").get("key") is None
        assert not build(demo).up_to_date
    finally:
        environment.our_environment.cache_clear()


def test_the_environment_is_all_that_we_work_with(monkeypatch: pytest.MonkeyPatch) -> None:
    before = environment.our_environment.__wrapped__()
    assert environment.our_environment.__wrapped__() == before
    for what in ("_modules", "_distributions", "_libraries"):
        lines = [*getattr(environment, what)()]
        assert lines
        with monkeypatch.context() as patch:
            patch.setattr(environment, what, lambda lines=lines: iter([*lines[:-1], f"{lines[-1]} "]))
            assert environment.our_environment.__wrapped__() != before


def test_an_edit_of_our_code_is_another_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "art/cards.py"
    module.parent.mkdir()
    module.write_text("one = 1\n")
    monkeypatch.setattr(environment, "_PACKAGE", tmp_path)
    before = environment.our_environment.__wrapped__(), environment.code_digest.__wrapped__()
    os.utime(module, ns=(0, 0))
    after = environment.our_environment.__wrapped__(), environment.code_digest.__wrapped__()
    assert after[0] != before[0]
    assert after[1] == before[1]
    module.write_text("one = 2\n")
    assert environment.code_digest.__wrapped__() != before[1]


@pytest.mark.long
def test_outlines_of_a_font_that_is_gone(demo: Path) -> None:
    paths = cardgen.Project.open(demo).paths
    outlines = set()
    for weight in (400, 700) * 3:
        fonts = FontBook(paths)
        font = fonts.face("IBM Plex Sans", weight)
        outlines.add((weight, glyph_path(fonts, font.key, 40)))
        gone = weakref.ref(font)
        del fonts, font
        gc.collect()
        assert gone() is None
    assert len(outlines) == 2
