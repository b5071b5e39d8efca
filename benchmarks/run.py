"""Times whole processes on the same cards, cardgen beside Typst and WeasyPrint, and prints ratios.

    pip install typst weasyprint
    python benchmarks/run.py [--sizes 54 200 1000] [--rounds 5] [--pictures] [--only ROW …] [--work DIR]

The tools take turns within a round; figures are medians over the rounds, and WeasyPrint has only one.
`build` begins with an empty cache, `build-one` has one card edited since, `build-again` nothing. `--sizes
20000 --rounds 1 --only build` is for the largest decks.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from measured import CARDGEN, Row, add_options, in_a_folder, table

HERE = Path(__file__).resolve().parent


def rows(work: Path, pictures: bool) -> list[Row]:
    """A table of the cards that `work` holds, as `deck.py` writes them."""
    project, cache, cards = work / "project", work / "cache", work / "project/data/bench/cards.yaml"
    as_made = work / "cards.yaml"
    shutil.copyfile(cards, as_made)

    def begin_anew() -> None:
        for folder in (cache, project / "output"):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copyfile(as_made, cards)
        time.sleep(0.1)  # let the edit grow older than the clock's grain, as a person's edit is

    def edit() -> None:
        subprocess.run([sys.executable, str(HERE / "deck.py"), str(work), "--change-one"], check=True)
        time.sleep(0.1)

    build = [*CARDGEN, "build", "bench", "--quiet", "--project", str(project)]
    env = {"CARDGEN_CACHE": str(cache)}
    pdf = project / "output" / "bench" / "poker.pdf"
    art = [str(project / "templates" / "bench" / "art")] if pictures else []

    def peer(name: str) -> Row:
        out = work / f"{name}.pdf"
        command = [sys.executable, str(HERE / "peers.py"), name, str(work / "cards.json"), str(out), *art]
        return Row(name, command, out=out, once=name == "weasyprint")

    return [
        peer("typst"),
        Row("build", build, env, begin_anew, out=pdf),
        Row("build-again", build, env, after="build"),
        Row("build-one", build, env, edit, after="build", out=pdf),
        peer("weasyprint"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", nargs="+", type=int, default=[54, 200, 1000])
    parser.add_argument("--pictures", action="store_true", help="a photograph on every card")
    add_options(parser, rounds=5)
    options = parser.parse_args()

    def work(folder: Path) -> None:
        for count in options.sizes:
            print(f"{count} cards" + (", each with a photograph" if options.pictures else ""))
            shutil.rmtree(folder / "project", ignore_errors=True)
            maker = [sys.executable, str(HERE / "deck.py"), str(folder), "--cards", str(count)]
            subprocess.run([*maker, *(["--pictures"] if options.pictures else [])], check=True)
            table(rows(folder, options.pictures), only=options.only, rounds=options.rounds)

    in_a_folder(options, work)


if __name__ == "__main__":
    main()
