"""Compares what two commits make of the shipped games, file by file and page by page.

    python benchmarks/same.py REVISION [--games hackers mindnet …] [--sheets jumbo …] [--dpi 60]

Both build from nothing, with the data that each has. Files of the same bytes are counted. For any other,
each page is drawn by pdftoppm, and the share of its pixels that differ is said. Exits with 1 if a picture
differs, if a page is missing, or if a file is there only once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageChops

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("access-denied", "blockminers", "hackers", "mindnet", "ptsd")


def build(tree: Path, game: str, sheets: Sequence[str], work: Path) -> Path:
    """Build a game with the code and the data of a checkout. Return the folder of its files."""
    output = work / game
    chosen = [part for sheet in sheets for part in ("--sheet", sheet)]
    command = [sys.executable, "-m", "cardgen", "build", game, *chosen, "--output", str(output), "--quiet"]
    env = os.environ | {"SOURCE_DATE_EPOCH": "1700000000", "CARDGEN_CACHE": str(work / "cache")}
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{tree}: building {game} ended with {done.returncode}:\n{done.stderr}")
    return output


def pages(file: Path, dpi: int, work: Path) -> list[Image.Image]:
    """Draw the pages of a PDF, or open a picture."""
    if file.suffix != ".pdf":
        return [Image.open(file).convert("RGB")]
    with tempfile.TemporaryDirectory(dir=work) as folder:
        subprocess.run(["pdftoppm", "-r", str(dpi), str(file), f"{folder}/page"], check=True)
        return [Image.open(page).copy() for page in sorted(Path(folder).iterdir())]


def differences(before: Path, after: Path, dpi: int, work: Path) -> Iterator[str]:
    """Say what differs in two files' pictures, a sentence a page."""
    old, new = pages(before, dpi, work), pages(after, dpi, work)
    if len(old) != len(new):
        yield f"{len(old)} pages before, {len(new)} after"
    for number, (one, other) in enumerate(zip(old, new, strict=False), 1):
        if one.size != other.size:
            yield f"page {number}: {one.size} pixels before, {other.size} after"
            continue
        wrong = sum(ImageChops.difference(one, other).convert("L").histogram()[1:])
        if wrong:
            yield f"page {number}: {wrong / (one.width * one.height):.3%} of its pixels differ"


def compare(before: Path, after: Path, dpi: int, work: Path) -> tuple[int, list[str], list[str]]:
    """Return how many files have the same bytes, which have the same pictures only, and what differs."""
    same, drawn, said = 0, [], []
    found = [file for top in (before, after) for file in top.rglob("*") if file.suffix in (".pdf", ".png")]
    names = {
        file.relative_to(before if file.is_relative_to(before) else after).as_posix() for file in found
    }
    for name in sorted(names):
        one, other = before / name, after / name
        if not one.exists() or not other.exists():
            said.append(f"{name}: only {'after' if other.exists() else 'before'}")
        elif one.read_bytes() == other.read_bytes():
            same += 1
        elif wrong := list(differences(one, other, dpi, work)):
            said += [f"{name}: {each}" for each in wrong]
        else:
            drawn.append(name)
    return same, drawn, said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("revision")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--sheets", nargs="+", default=())
    parser.add_argument("--dpi", type=int, default=60)
    options = parser.parse_args()
    found = 0
    with tempfile.TemporaryDirectory(prefix="cardgen-same-") as folder:
        work = Path(folder)
        tree = work / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), options.revision], check=True)
        try:
            for game in options.games:
                (work / "before").mkdir(exist_ok=True)
                (work / "after").mkdir(exist_ok=True)
                before = build(tree, game, options.sheets, work / "before")
                after = build(ROOT, game, options.sheets, work / "after")
                same, drawn, said = compare(before, after, options.dpi, work)
                print(f"{game}: {same} files of the same bytes, {len(said)} differences")
                if drawn:
                    print(f"  other bytes, same pictures: {', '.join(drawn)}")
                print(*(f"  {each}" for each in said), sep="\n", end="\n" if said else "")
                found += len(said)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
