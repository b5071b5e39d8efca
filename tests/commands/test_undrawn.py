"""A picture that the program behind can't draw is said where the template, or a drawing's file, has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.pdf import typst_pages
from cardgen.pdf.typst_process import TypstError, compiled

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

FACE = "templates/demo/card.svg"
MASK = '<mask id="m"><rect width="9" height="9" fill="white"/></mask>'
MASKED = '<g mask="url(#m)"><rect x="{}" width="2" height="2" fill="#c00"/></g>'
ART = f'<!-- art -->\n\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{MASK}{MASKED}</svg>\n'


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typst draws all but what has a shape at 7.25."""

    def draw(source: str, inputs: dict[str, str]) -> bytes:
        if any('x="7.25"' in each for each in inputs.values()):
            raise TypstError("the renderer stops over it")
        return compiled(source, inputs)

    monkeypatch.setattr(typst_pages, "compiled", draw)


def said(run: Run, command: str) -> list[tuple[str, str, int]]:
    """What is wrong with pictures, and where."""
    code, out, err = run(command, "demo")
    assert code == 1
    lines = [line for line in (out + err).splitlines() if line.endswith("[picture/svg]")]
    assert all("the renderer stops over it" in line for line in lines)
    found = [re.match(r"([\w/.]+):(\d+): (?:error: )?([^:]+):", line) for line in lines]
    return [(each[3], each[1], int(each[2])) if each else ("", "", 0) for each in found]


def appended(demo: Path, markup: str) -> int:
    """Puts markup at the end of the template; the line on which it stands."""
    file = demo / FACE
    head, _, _ = file.read_text(encoding="utf-8").rpartition("</svg>")
    file.write_text(f"{head}<!-- more -->\n{markup}\n</svg>\n", encoding="utf-8")
    return head.count("\n") + 2


def test_beside_a_text_in_groups_and_next_to_another(run: Run, demo: Path) -> None:
    text = '<text x="9" y="9" font-family="IBM Plex Sans" font-size="3">T</text>'
    rows = (MASK, "<g>", "<g>", text, MASKED.format(7.25), "</g>", "</g>", MASKED.format("7.250"))
    rows = (*rows[:-1], MASKED.format(7.25).replace("#c00", "#00c"))
    line = appended(demo, "\n".join(rows))
    for command in ("build", "check"):
        assert said(run, command) == [("artwork", FACE, line + 4), ("artwork", FACE, line + 7)]


def test_a_drawing_stands_at_its_file(run: Run, demo: Path) -> None:
    (demo / "templates/demo/art.svg").write_text(ART.format(7.25), encoding="utf-8")
    appended(demo, '<image href="art.svg" width="9" height="9"/>')
    assert said(run, "check") == [("artwork", "templates/demo/art.svg", 3)]


def test_an_icon_stands_at_its_file(run: Run, demo: Path) -> None:
    folder = demo / "templates/demo/icons"
    folder.mkdir(parents=True, exist_ok=True)
    icon = ART.replace(' fill="#c00"', "").format(7.25)
    (folder / "stop.svg").write_text(icon, encoding="utf-8")
    appended(demo, '<text x="9" y="9" font-family="IBM Plex Sans" font-size="3">:stop:</text>')
    assert said(run, "build") == [("icon 'stop'", "templates/demo/icons/stop.svg", 3)]
    (folder / "stop.svg").write_text(icon, encoding="utf-8")
    appended(demo, '<use href="#icon-stop" width="9" height="9"/>')
    assert said(run, "build")[0][1:] == ("templates/demo/icons/stop.svg", 3)
