"""Times what people wait for: checks, edits and builds of the shipped games and of large decks.

    pip install typst
    python benchmarks/people.py [REVISION] [--only ROW …] [--rounds 1] [--deck FOLDER]
                                [--sizes 54 200 1000 2000] [--work FOLDER] [--profile ROW]

With a REVISION of this repository each command runs by its code and by this checkout's, in turns. Every
figure is a whole process. A row without a suffix begins with an empty cache and no output; `-again` finds
nothing changed since, `-one` one figure of one card edited. `--deck` adds a project with one game.
`--only 'check-*' toy-54` picks rows. `--profile check-hackers-one` prints instead how the processor time
of a row's command is spent, by stages (see `stages.py`).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from measured import CARDGEN, Row, Run, add_options, in_a_folder, middle, run, wanted
from stages import profile

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PARTS = ("data", "templates", "schemas", "fonts")
FIGURES = {
    "access-denied": ("aids.yaml", r"Root in (5) sectors"),
    "blockminers": ("encounter.yaml", r"- -(2) money$"),
    "hackers": ("cards.yaml", r"    copies: (2)$"),
    "mindnet": ("events.yaml", r"    price: (2)$"),
    "ptsd": ("data.yaml", r"    sysm: (2)$"),
}
"""Each shipped game's file that is edited, and figures in it. One more is still valid by the schema."""

ANY_FIGURE = r"(?<!copies)(?<!count)(?:: |,|\[|, )(\d)(?=,|\]|$)"
"""A figure of a card in YAML or CSV."""

AIMS = {
    "version": 0.05,
    "list-again": 0.15,
    **dict.fromkeys((f"check-{game}" for game in FIGURES), 3.0),
    **dict.fromkeys((f"check-{game}-one" for game in FIGURES), 0.6),
    **dict.fromkeys((f"build-{game}-one" for game in FIGURES), 0.4),
    **dict.fromkeys((f"build-{game}-again" for game in FIGURES), 0.08),
    "all of build-*": 6.0,
    "figma-check": 12.0,
}
"""Processor seconds that rows are to take."""

RATIOS = {"toy-54": 2.0, "toy-200": 1.3, "toy-1000": 1.0, "toy-2000": 0.8}
"""What rows are to take of Typst's processor time."""


@dataclass(frozen=True, slots=True)
class Code:
    """A checkout whose cardgen is timed, and the folder that it works in."""

    name: str
    tree: Path
    work: Path

    def env(self) -> dict[str, str]:
        return {
            "PYTHONPATH": str(self.tree),
            "PYTHONSAFEPATH": "1",
            "CARDGEN_CACHE": str(self.work / "cache"),
        }


@dataclass(frozen=True, slots=True)
class Bench:
    """A game in a project of a checkout's own, and what is done to it between commands."""

    code: Code
    game: str
    origin: Callable[[], Path]
    figures: tuple[str, str] | None = None

    @property
    def project(self) -> Path:
        return self.code.work / "project"

    def begin_anew(self) -> None:
        """No cache, no output, no card edited."""
        for folder in (self.code.work / "cache", self.project):
            shutil.rmtree(folder, ignore_errors=True)
        origin = self.origin()
        for part in PARTS:
            if (origin / part).is_dir():
                shutil.copytree(origin / part, self.project / part)
        time.sleep(0.1)  # let files grow older than the clock's grain, as a person's are

    def edit(self) -> None:
        """Another figure on a card in the middle of a file."""
        folder = self.project / "data" / self.game
        if self.figures is not None:
            path, pattern = folder / self.figures[0], self.figures[1]
        else:
            tables = [file for file in folder.iterdir() if file.suffix in (".yaml", ".csv")]
            path, pattern = max(tables, key=lambda file: file.stat().st_size), ANY_FIGURE
        text = path.read_text(encoding="utf-8")
        found = list(re.finditer(pattern, text, re.M))
        place = found[len(found) // 2].start(1)
        figure = str(int(text[place]) % 9 + 1)
        path.write_text(text[:place] + figure + text[place + 1 :], encoding="utf-8")
        time.sleep(0.1)

    def rows(self, *, build: str, check: str) -> list[Row]:
        """The rows that build and check the game, by the names that these two begin with."""
        env, rows = self.code.env(), []
        for words, name in ((["build", "--quiet"], build), (["check"], check)):
            command = [*CARDGEN, *words, self.game, "--project", str(self.project)]
            rows += [
                Row(name, command, env, self.begin_anew, codes=(0, 1)),
                Row(f"{name}-again", command, env, after=name, codes=(0, 1)),
                Row(f"{name}-one", command, env, self.edit, after=name, codes=(0, 1)),
            ]
        return rows


def rows_of(code: Code, decks: Path, sizes: Sequence[int], deck: Path | None) -> list[Row]:
    """All rows of a checkout; `decks` holds those that are made here."""
    version = [*CARDGEN, "--version"]
    listing = [*CARDGEN, "list", "--project", str(code.tree)]
    rows = [Row("version", version, code.env()), Row("list", listing, code.env())]
    rows.append(Row("list-again", listing, code.env(), after="list"))
    for game, figures in FIGURES.items():
        bench = Bench(code, game, lambda: code.tree, figures)
        rows += bench.rows(build=f"build-{game}", check=f"check-{game}")
    for size in sizes:
        bench = Bench(code, "bench", partial(toy_deck, decks / str(size), "--cards", str(size)))
        rows += bench.rows(build=f"toy-{size}", check=f"toy-{size}-check")
    bench = Bench(code, "bench", partial(toy_deck, decks / "figma", "--cards", "400", "--figma"))
    rows += bench.rows(build="figma", check="figma-check")
    if deck is not None:
        (game,) = (file.parent.name for file in deck.glob("data/*/game.yaml"))
        rows += Bench(code, game, lambda: deck).rows(build="deck", check="deck-check")
    return rows


def toy_deck(folder: Path, *words: str) -> Path:
    """The project of a toy deck, made by a process of its own, whose memory is not measured."""
    if not folder.exists():
        subprocess.run([sys.executable, str(HERE / "deck.py"), str(folder), *words], check=True)
    return folder / "project"


def typst_rows(decks: Path, sizes: Sequence[int]) -> Iterator[Row]:
    """Typst's rows of the toy decks: one document, and for 2,000 cards also four of 500."""
    fonts = ROOT / "fonts" / "ibm-plex-sans"
    for size in sizes:
        for documents in (1, 4)[: 1 + (size == 2000)]:
            name = f"typst-{size}" + (f"-in-{documents}" if documents > 1 else "")
            words = (HERE / "deck.typ", decks / str(size) / "cards.json", HERE, decks / f"{name}.pdf")
            command = [sys.executable, HERE / "peers.py", *words, documents, fonts]
            make = partial(toy_deck, decks / str(size), "--cards", str(size))
            yield Row(name, [str(word) for word in command], before=make)


@contextmanager
def checkouts(revision: str | None, folder: Path) -> Iterator[list[Code]]:
    """This checkout, after one of the revision."""
    new = Code("new", ROOT, folder / "new")
    if revision is None:
        yield [new]
        return
    old = Code("old", folder / "old" / "tree", folder / "old")
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--force", "--detach", str(old.tree), revision], check=True)
    try:
        yield [old, new]
    finally:
        subprocess.run([*git, "remove", "--force", str(old.tree)], check=True)


def table(
    codes: Sequence[Code], rows: Mapping[str, Sequence[Row]], peers: Sequence[Row], rounds: int
) -> None:
    """Run the rows of all checkouts in turns and print their medians."""
    names = [code.name for code in codes]
    heads = [f"{name} {unit}" for unit in ("cpu", "s", "MB") for name in names]
    print(f"{'':<26}", *(f"{head:>8}" for head in (*heads, "new/old", "÷ typst", "aim")))
    floors: dict[str, Run] = {}
    together: dict[str, dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for peer in peers:
        peer.before()
        floors[peer.name] = middle([run(peer.command) for _ in range(rounds)])
        show(peer.name, ["typst"], {"typst": floors[peer.name]}, columns=len(names))
    # The rows that go on from one another keep together, since all games share a project and a cache.
    for chain in chains(rows[names[-1]]):
        taken: dict[str, dict[str, list[Run]]] = {name: defaultdict(list) for name in chain}
        for _ in range(rounds):
            for code in codes:
                for row in rows[code.name]:
                    if row.name in chain:
                        row.before()
                        taken[row.name][code.name].append(run(row.command, row.env, row.codes))
        for name in chain:
            done = {code: middle(runs) for code, runs in taken[name].items()}
            peer_name = name.replace("toy-", "typst-")
            show(
                name,
                names,
                done,
                [floors[each] for each in (peer_name, f"{peer_name}-in-4") if each in floors],
            )
            if (game := next((game for game in FIGURES if f"-{game}" in name), None)) is not None:
                for code, each in done.items():
                    together[f"all of {name.replace(game, '*')}"][code].append(each)
    for name, runs in together.items():
        if all(len(each) == len(FIGURES) for each in runs.values()):
            show(name, names, {code: total(each) for code, each in runs.items()})


def profile_row(rows: Sequence[Row], name: str) -> None:
    """Print the stages of a row's command, after the row that it goes on from. Raises SystemExit for an
    unknown name."""
    *before, row = wanted(rows, [name])
    os.environ.update(row.env)
    for each in before:
        each.before()
        run(each.command, each.env, each.codes)
    profile(row.command[len(CARDGEN) :], 1, row.before)


def typst_names(name: str) -> list[str]:
    """The rows of Typst that a toy deck's build is compared with."""
    return [name.replace("toy-", "typst-") + end for end in ("", "-in-4")]


def chains(rows: Sequence[Row]) -> Iterator[list[str]]:
    """The names of rows that go on from one another."""
    for row in rows:
        if not row.after:
            yield [row.name, *(other.name for other in rows if other.after == row.name)]


def total(runs: Sequence[Run]) -> Run:
    """The runs one after the other."""
    return Run(
        sum(each.seconds for each in runs),
        sum(each.cpu for each in runs),
        max(each.peak_mb for each in runs),
    )


def show(
    name: str, names: Sequence[str], done: Mapping[str, Run], floors: Sequence[Run] = (), columns: int = 0
) -> None:
    """Print a line of the table."""
    units = ([f"{done[each].cpu:.2f}" for each in names], [f"{done[each].seconds:.2f}" for each in names])
    peaks = [f"{done[each].peak_mb:.0f}" for each in names]
    cells = [cell for group in (*units, peaks) for cell in [""] * (columns - len(names)) + group]
    if "new" in done:
        cells.append(f"{done['new'].cpu / done['old'].cpu:.2f}" if "old" in done else "")
        cells.append(" ".join(f"{done['new'].cpu / floor.cpu:.2f}" for floor in floors))
        cells.append(f"{RATIOS[name]:g} ×" if name in RATIOS else f"{AIMS[name]:g}" if name in AIMS else "")
    print(f"{name:<26}", *(f"{cell:>8}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("revision", nargs="?", help="also time the code of this commit")
    parser.add_argument("--sizes", nargs="+", type=int, default=[54, 200, 1000, 2000])
    parser.add_argument("--deck", type=Path, help="a project with one game, timed as well")
    parser.add_argument("--profile", metavar="ROW", help="how the time of a row's command is spent")
    add_options(parser)
    options = parser.parse_args()

    def work(folder: Path) -> None:
        decks = folder / "decks"
        with checkouts(options.revision, folder) as codes:
            for code in codes:  # an installed package comes compiled
                subprocess.run([sys.executable, "-m", "compileall", "-q", str(code.tree / "cardgen")])
            found = {code.name: rows_of(code, decks, options.sizes, options.deck) for code in codes}
            if options.profile:
                profile_row(found["new"], options.profile)
                return
            peers = list(typst_rows(decks, options.sizes))
            chosen = {row.name for row in wanted([*found["new"], *peers], options.only)}
            chosen |= {peer for name in chosen for peer in typst_names(name)}
            rows = {name: [row for row in each if row.name in chosen] for name, each in found.items()}
            table(codes, rows, [row for row in peers if row.name in chosen], options.rounds)

    in_a_folder(options, work)


if __name__ == "__main__":
    main()
