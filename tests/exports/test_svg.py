"""Sides as SVG: read as XML, and drawn by CairoSVG against our own pixels."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import cairosvg
import pytest
from PIL import Image, ImageChops, ImageStat

import cardgen
from tests.shipped import GAMES, shipped

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"


def exported(run: Run, demo: Path, *words: str) -> list[Path]:
    code, _, errors = run("export", "demo", "--to", "svg", *words)
    assert code == 0, errors
    return sorted((demo / "output/demo/svg").glob("*/*.svg"))


def difference(svg: Path, png: Path) -> float:
    """The mean difference of a channel, edges smoothed alike."""
    with Image.open(png) as ours:
        wanted = ours.convert("RGB")
    small = (wanted.width // 2, wanted.height // 2)
    drawn = cairosvg.svg2png(
        url=str(svg), output_width=wanted.width, output_height=wanted.height, background_color="white"
    )
    with Image.open(io.BytesIO(drawn)) as image:
        theirs = image.convert("RGB").resize(small, Image.Resampling.BOX)
    found = ImageStat.Stat(ImageChops.difference(wanted.resize(small, Image.Resampling.BOX), theirs))
    return sum(found.mean) / 3


@pytest.mark.long
def test_cairosvg_draws_what_we_draw(run: Run, demo: Path) -> None:
    files = exported(run, demo, "--bleed")
    assert run("export", "demo", "--to", "png", "--dpi", "200", "--opaque", "--bleed")[0] == 0
    for svg in files:
        png = demo / "output/demo/png" / svg.parent.name / f"{svg.stem}.png"
        assert difference(svg, png) < 2, svg.name


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_card_of_each_game(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shipped(game)
    first = next(each for each in whole.components if each.kind == "card")
    component = first.id
    alone = replace(whole, components=(replace(first, cards=first.cards[:1]),))
    monkeypatch.setattr("cardgen.commands.production.stages.load", lambda *_, **__: alone)
    for target, settings in (("svg", {}), ("png", {"dpi": 150, "opaque": True})):
        options = cardgen.ExportOptions(game, target, (component,), settings=settings, output=tmp_path)
        cardgen.export_to(options)
    folder = tmp_path / game
    (svg,) = (folder / "svg" / component).glob("*-face.svg")
    assert difference(svg, folder / "png" / component / f"{svg.stem}.png") < 4


def test_a_document_needs_nothing_else(run: Run, demo: Path) -> None:
    for path in exported(run, demo):
        tree = ElementTree.parse(path)
        ids = [element.get("id") for element in tree.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        names = {element.tag.removeprefix(SVG) for element in tree.iter()}
        assert not names & {"text", "style", "image", "script"}
        meant = {use.get(f"{XLINK}href")[1:] for use in tree.iter(f"{SVG}use")}
        text = path.read_text(encoding="utf-8")
        meant |= set(re.findall(r"url\(#([^)]+)\)", text))
        assert meant <= set(ids)
        assert "urn:cardgen" not in text
        assert str(demo) not in text


@pytest.mark.parametrize(
    ("words", "size", "box", "clipped"),
    [
        ((), (63.5, 88.9), (3.175, 3.175, 63.5, 88.9), True),
        (("--square-corners",), (63.5, 88.9), (3.175, 3.175, 63.5, 88.9), False),
        (("--bleed",), (69.85, 95.25), (0, 0, 69.85, 95.25), False),
    ],
)
def test_measures(
    run: Run,
    demo: Path,
    words: tuple[str, ...],
    size: tuple[float, float],
    box: tuple[float, ...],
    clipped: bool,
) -> None:
    root = ElementTree.parse(exported(run, demo, *words)[0]).getroot()
    sides = [root.get("width"), root.get("height")]
    assert [float(side.removesuffix("mm")) for side in sides] == pytest.approx(size)
    assert [float(value) for value in root.get("viewBox").split()] == pytest.approx(box)
    assert bool(list(root.iter(f"{SVG}clipPath"))) == clipped


def test_words_can_be_found_and_heard(run: Run, demo: Path) -> None:
    path = next(each for each in exported(run, demo) if "early-bird-face" in each.name)
    root = ElementTree.parse(path).getroot()
    assert root.findtext(f"{SVG}title") == "Cards: early-bird"
    words = root.findtext(f"{SVG}desc")
    assert "Early Bird" in words
    assert "First turn: take (star) two cards instead of one." in " ".join(words.split())
    labels = [group.get("aria-label") for group in root.iter(f"{SVG}g") if group.get("aria-label")]
    assert "Early Bird" in labels


def test_names_of_a_template_stay_unless_they_clash(run: Run, demo: Path, edit: Edit) -> None:
    card = "templates/demo/card.svg"
    edit(card, '  <circle cx="{{ trim.x + 10 }}"', '  <circle id="pip" cx="{{ trim.x + 10 }}"')
    gradient = (
        '<linearGradient id="glow"><stop offset="0" stop-color="#ffffff"/>'
        '<stop offset="1" stop-color="#dddddd"/></linearGradient></defs>'
    )
    edit(card, "</defs>", gradient)
    box = '<rect x="{}" y="30" width="6" height="6" fill="url(#glow)"/>'
    edit(card, "  <path d=", f"  {box.format(12)}\n  <g>{box.format(50)}</g>\n  <path d=")
    root = ElementTree.parse(exported(run, demo)[0]).getroot()
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert {"pip", "glow", "glow-2"} <= ids
    fills = {element.get("fill") for element in root.iter(f"{SVG}rect")}
    assert {"url(#glow)", "url(#glow-2)"} <= fills


@pytest.mark.parametrize(("file", "kind"), [("a.webp", "webp"), ("a.tiff", "png")])
def test_raster_images_travel_inside(run: Run, demo: Path, edit: Edit, file: str, kind: str) -> None:
    art = demo / "templates/demo/art"
    art.mkdir()
    Image.new("RGB", (300, 300), (10, 200, 30)).save(art / file, lossless=True, quality=100)
    image = f'<image href="art/{file}" x="30" y="60" width="12" height="12"/>'
    edit("templates/demo/card.svg", "  <path d=", f"  {image}\n  <path d=")
    tree = ElementTree.parse(exported(run, demo)[0])
    (found,) = tree.iter(f"{SVG}image")
    href = found.get("href") or found.get(f"{XLINK}href")
    assert href.startswith(f"data:image/{kind};base64,")
    with Image.open(io.BytesIO(b64decode(href.partition(",")[2]))) as shown:
        found = shown.convert("RGB").getpixel((0, 0))
    assert max(abs(one - other) for one, other in zip(found, (10, 200, 30))) <= 2


def test_a_second_export_touches_nothing(run: Run, demo: Path, edit: Edit) -> None:
    files = exported(run, demo)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
    edit("data/demo/cards.yaml", "title: Early Bird", "title: Early Birds")
    _, out, _ = run("export", "demo", "--to", "svg")
    assert "1 file written" in out
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
    assert [path.name for path in files if before[path] != after[path]] == ["01-early-bird-face.svg"]


def test_icons_of_any_box_with_figures_are_drawn(run: Run, demo: Path, edit: Edit) -> None:
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -5 40 12">'
    (demo / "templates/demo/icons/sign.svg").write_text(f'{box}<path d="M-9-4H29L20 6H-9Z"/></svg>')
    edit("data/demo/cards.yaml", "**First turn:**", ":sign@1.4#c00 12: **First turn:**")
    path = next(each for each in exported(run, demo) if "early-bird-face" in each.name)
    assert "(sign)" in path.read_text(encoding="utf-8")
    assert run("export", "demo", "--to", "png", "--dpi", "200", "--opaque")[0] == 0
    assert difference(path, demo / "output/demo/png" / path.parent.name / f"{path.stem}.png") < 2


def test_lines_along_a_text_are_drawn(run: Run, demo: Path, edit: Edit) -> None:
    edit(
        "templates/demo/card.svg",
        "{{ card.title }}",
        '<tspan text-decoration="underline">{{ card.title }}</tspan>',
    )
    path = next(each for each in exported(run, demo) if "early-bird-face" in each.name)
    root = ElementTree.parse(path).getroot()
    title = next(each for each in root.iter(f"{SVG}g") if each.get("aria-label") == "Early Bird")
    (line,) = title.findall(f"{SVG}rect")
    assert float(line.get("width", "0")) > 10 * float(line.get("height", "0")) > 0
    assert run("export", "demo", "--to", "png", "--dpi", "200", "--opaque")[0] == 0
    assert difference(path, demo / "output/demo/png" / path.parent.name / f"{path.stem}.png") < 2


def test_turned_and_faint_letters_are_drawn(run: Run, demo: Path, edit: Edit) -> None:
    edit(
        "templates/demo/card.svg",
        "{{ card.title }}",
        '<tspan rotate="20">{{ card.title }}</tspan><tspan fill-opacity="0.3">!</tspan>',
    )
    path = next(each for each in exported(run, demo) if "early-bird-face" in each.name)
    assert 'opacity="0.3"' in path.read_text(encoding="utf-8")
    assert run("export", "demo", "--to", "png", "--dpi", "200", "--opaque")[0] == 0
    assert difference(path, demo / "output/demo/png" / path.parent.name / f"{path.stem}.png") < 2
