"""Times whole processes on a real deck (see `saga.py`), cardgen's commands beside Typst's build.

    pip install typst
    python benchmarks/real.py [--cards 2000] [--photos 500] [--language de|ja] [--font FILE]
                              [--only ROW …] [--rounds 1] [--work FOLDER] [--profile build|check|tts|png]

The cards are the same, in the same seven layouts, and both tools set each text as large as fits its box.
`again` is with nothing changed since, `one` with one card edited; all others begin with an empty cache.
`--only build-one` has just that row, and `build` before it. `--profile` prints instead how the processor
time of a command is spent, by stages (see `stages.py`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from measured import CARDGEN, Row, add_options, in_a_folder, table
from saga_project import Deck, change_one
from saga_project import add_options as add_deck_options
from stages import profile

HERE = Path(__file__).resolve().parent
FONTS = HERE.parent / "fonts"
COMMANDS = {
    "build": ["build", "saga", "--quiet"],
    "check": ["check", "saga"],
    "tts": ["export", "saga", "--to", "tts", "--quiet"],
    "png": ["export", "saga", "--to", "png", "--quiet"],
}


class Bench:
    """A deck in a folder, and what is done to it between commands."""

    def __init__(self, work: Path, deck: Deck) -> None:
        self.work, self.deck = work, deck
        self.project, self.cache, self.written = work / "project", work / "cache", work / "written"
        self.cards, self.as_made = self.project / "data" / "saga" / "cards.yaml", work / "cards.yaml"
        shutil.rmtree(self.project, ignore_errors=True)
        maker = [sys.executable, str(HERE / "saga_project.py"), str(work), *deck.arguments()]
        subprocess.run(maker, check=True)
        shutil.copyfile(self.cards, self.as_made)

    def begin_anew(self) -> None:
        """No cache, no output, no card edited."""
        for folder in (self.cache, self.written):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copyfile(self.as_made, self.cards)
        time.sleep(0.1)  # let the edit grow older than the clock's grain, as a person's edit is

    def edit(self) -> None:
        change_one(self.project)
        time.sleep(0.1)

    @property
    def env(self) -> dict[str, str]:
        return {"CARDGEN_CACHE": str(self.cache)}

    def command(self, name: str) -> list[str]:
        """The words after `cardgen`."""
        output = [] if name == "check" else ["--output", str(self.written)]
        return [*COMMANDS[name], "--project", str(self.project), *output]

    def rows(self) -> list[Row]:
        built = self.written / "saga" / "poker.pdf"
        rows = [self._typst()]
        for name, out in (("build", built), ("check", None)):
            command = [*CARDGEN, *self.command(name)]
            rows += [
                Row(name, command, self.env, self.begin_anew, out=out),
                Row(f"{name}-again", command, self.env, after=name),
                Row(f"{name}-one", command, self.env, self.edit, after=name),
            ]
        for name in ("tts", "png"):
            rows.append(Row(name, [*CARDGEN, *self.command(name)], self.env, self.begin_anew))
        return rows

    def _typst(self) -> Row:
        drawings, out = self.project / "templates" / "saga", self.work / "typst.pdf"
        fonts = [FONTS / "ibm-plex-sans", FONTS / "ibm-plex-mono", self.project / "fonts"]
        words = [HERE / "saga" / "deck.typ", self.work / "cards.json", drawings, out, 1, *fonts]
        return Row("typst", [sys.executable, str(HERE / "peers.py"), *map(str, words)], out=out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    add_deck_options(parser)
    add_options(parser)
    parser.add_argument("--profile", choices=COMMANDS, help="how the time of a command is spent")
    options = parser.parse_args()
    deck = Deck.of(options)

    def work(folder: Path) -> None:
        print(deck)
        bench = Bench(folder, deck)
        if options.profile:
            os.environ.update(bench.env)
            profile(bench.command(options.profile), deck.count, bench.begin_anew)
        else:
            table(bench.rows(), only=options.only, rounds=options.rounds)

    in_a_folder(options, work)


if __name__ == "__main__":
    main()
