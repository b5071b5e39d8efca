"""Draws each SVG below a folder by Chromium and by librsvg, and says where the two disagree.

    python benchmarks/svg_references.py tests/drawings --into FOLDER [--only AREA/NAME …] [--write]

FOLDER gets `chromium/` and `librsvg/` with a PNG for each drawing, 200 × 200 pixels on white. With
`--write` the picture that Chromium drew becomes the reference beside the drawing, in as few bytes as it can
be; for those that the folder's `librsvg.txt` names, what librsvg drew. It needs `rsvg-convert` and
`chromium-headless-shell` (or `chromium`), which are given no fonts but the bundled ones.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image
from svg_measure import compare, on_white

SIDE = 200
COLUMNS = 10
ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = "--headless --no-sandbox --disable-gpu --disable-background-networking --disable-sync".split()
CHROMIUM += "--disable-component-update --hide-scrollbars --force-device-scale-factor=1".split()
CHROMIUM += "--font-render-hinting=none --disable-lcd-text --force-color-profile=srgb --lang=en-US".split()
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir>
<match target="pattern"><edit name="hinting" mode="assign"><bool>false</bool></edit></match>
</fontconfig>"""


def by_chromium(files: Sequence[Path], work: Path, env: Mapping[str, str]) -> list[Image.Image]:
    """All drawings on one page, each as an image of its own, cut apart."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        raise SystemExit("there is no chromium")
    shown = "".join(f'<img src="{file.as_uri()}" width="{SIDE}" height="{SIDE}">' for file in files)
    style = f"body{{margin:0;width:{SIDE * COLUMNS}px;background:#fff}}img{{float:left}}"
    page, shot = work / "page.html", work / "page.png"
    page.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{shown}", "utf-8")
    height = SIDE * -(-len(files) // COLUMNS)
    size = f"--window-size={SIDE * COLUMNS},{height}"
    where = (f"--user-data-dir={work / 'profile'}", f"--screenshot={shot}", size, page.as_uri())
    subprocess.run([program, *CHROMIUM, *where], env=env, check=True, capture_output=True)
    with Image.open(shot) as whole:
        whole = on_white(whole)
    places = [(SIDE * (k % COLUMNS), SIDE * (k // COLUMNS)) for k in range(len(files))]
    return [whole.crop((x, y, x + SIDE, y + SIDE)) for x, y in places]


def by_librsvg(files: Sequence[Path], work: Path, env: Mapping[str, str]) -> list[Image.Image | None]:
    """Each drawing by a process of its own; None where it says that it can't."""
    found: list[Image.Image | None] = []
    size = ("--width", str(SIDE), "--height", str(SIDE), "--background-color", "white")
    for file in files:
        out = work / "one.png"
        command = ["rsvg-convert", *size, "--accept-language", "en", "--output", str(out), str(file)]
        done = subprocess.run(command, env=env, capture_output=True)
        if done.returncode:
            found.append(None)
            continue
        with Image.open(out) as image:
            drawn = on_white(image)
        found.append(drawn if drawn.size == (SIDE, SIDE) else drawn.resize((SIDE, SIDE)))
    return found


def smallest(image: Image.Image) -> Image.Image:
    """The picture with a palette where that loses nothing, else as it is."""
    if image.getcolors(256) is None:
        return image
    return image.quantize(256, dither=Image.Dither.NONE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--only", nargs="+", default=())
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    folder = options.folder.resolve()
    files = [
        file for file in sorted(folder.rglob("*.svg")) if not options.only or _name(file) in options.only
    ]
    listed = folder / "librsvg.txt"
    better = set(listed.read_text("utf-8").split()) if listed.is_file() else set()
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        (work / "fonts.conf").write_text(FONTS.format(fonts=ROOT / "fonts", cache=work / "cache"))
        env = os.environ | {"FONTCONFIG_FILE": str(work / "fonts.conf"), "LANG": "en_US.UTF-8"}
        theirs = by_librsvg(files, work, env)
        for start in range(0, len(files), 100):
            some = files[start : start + 100]
            for file, drawn, other in zip(some, by_chromium(some, work, env), theirs[start:]):
                name = _name(file)
                for kind, image in (("chromium", drawn), ("librsvg", other)):
                    if image is not None:
                        target = options.into / kind / f"{name}.png"
                        target.parent.mkdir(parents=True, exist_ok=True)
                        image.save(target)
                if other is None:
                    print(f"{name}: librsvg refuses it")
                elif not (difference := compare(other, drawn)).right:
                    print(f"{name}: {difference}")
                if options.write:
                    chosen = other if name in better and other is not None else drawn
                    smallest(chosen).save(file.with_suffix(".png"), optimize=True)


def _name(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


if __name__ == "__main__":
    main()
