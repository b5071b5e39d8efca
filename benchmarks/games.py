"""Times whole processes on the shipped games: all sheets, and their checks.

    python benchmarks/games.py [--games hackers mindnet …] [--only ROW …] [--rounds 1] [--work FOLDER]

`build` and `check` begin with an empty cache, `again` is with nothing changed since, `one` with the words
of one card edited. The games are copied before they are edited. The last table is of all of them together.
"""

from __future__ import annotations

import argparse
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from measured import CARDGEN, Row, Run, add_options, in_a_folder, show, table

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("data", "templates", "schemas", "fonts")
EDITED = {
    "access-denied": ("cards.yaml", "quip"),
    "blockminers": ("encounter.yaml", "flavor"),
    "hackers": ("cards.yaml", "quip"),
    "mindnet": ("events.yaml", "lore"),
    "ptsd": ("data.yaml", "flavor"),
}
"""The file of each game that is edited, and the key of the words that get one more."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A game in a copy of the project, and what is done to it between commands."""

    work: Path
    game: str

    @property
    def project(self) -> Path:
        return self.work / "project"

    def begin_anew(self) -> None:
        """No cache, no output, no card edited."""
        for folder in ("cache", "project"):
            shutil.rmtree(self.work / folder, ignore_errors=True)
        for part in PARTS:
            shutil.copytree(ROOT / part, self.project / part)
        time.sleep(0.1)  # let files grow older than the clock's grain, as a person's are

    def edit(self) -> None:
        """One more word on the card in the middle of a file."""
        name, key = EDITED[self.game]
        path = self.project / "data" / self.game / name
        lines = path.read_text(encoding="utf-8").splitlines()
        places = [number for number, line in enumerate(lines) if line.startswith(f"    {key}: ")]
        place = places[len(places) // 2]
        words = lines[place].removeprefix(f"    {key}: ")
        quoted = words[:1] in ("'", '"')
        lines[place] = f"    {key}: " + (f"{words[0]}So: {words[1:]}" if quoted else f"So {words}")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        time.sleep(0.1)

    def rows(self) -> list[Row]:
        env = {"CARDGEN_CACHE": str(self.work / "cache")}
        rows = []
        # A card whose words have changed lacks a translation, which `check` says with exit code 1.
        for name, options in (("build", ["--quiet"]), ("check", [])):
            command = [*CARDGEN, name, self.game, "--project", str(self.project), *options]
            rows += [
                Row(name, command, env, self.begin_anew),
                Row(f"{name}-again", command, env, after=name),
                Row(f"{name}-one", command, env, self.edit, after=name, codes=(0, 1)),
            ]
        return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", nargs="+", choices=sorted(EDITED), default=sorted(EDITED))
    add_options(parser)
    options = parser.parse_args()

    def work(folder: Path) -> None:
        taken = []
        for game in options.games:
            print(game)
            taken.append(table(Bench(folder, game).rows(), only=options.only, rounds=options.rounds))
        print("all of them")
        for name in taken[0]:
            runs = [each[name] for each in taken]
            together = Run(
                sum(each.seconds for each in runs),
                sum(each.cpu for each in runs),
                max(each.peak_mb for each in runs),
            )
            show(name, together)

    in_a_folder(options, work)


if __name__ == "__main__":
    main()
