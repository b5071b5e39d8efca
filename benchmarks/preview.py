"""How soon an edit is seen in the workbench: from the file's last write to the changed card painted in a
browser (see `preview_browser.py`), or, with `--no-browser`, to pictures ready.

    python benchmarks/preview.py [--no-browser] [--edits 50] [--game ptsd] [--cards 1000] [--only text]

Prints, for a shipped game and for a generated one, the median and the 95th percentile of so many edits of
the text of one card, and of the template of a hundred cards of which twenty are on the screen; how soon
there is a first picture, in a process of its own; and the memory that all of that took. The times are of
this machine's clock and of its processor: on a busy machine the second tells more.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
WIDTH = 400
"""px, of a card on the screen."""
ON_SCREEN = 20
_START = """
import sys, time
begun = time.perf_counter(), time.process_time()
from cardgen.files.project import Project
from cardgen.workbench.bench import Bench
bench = Bench(Project.open(sys.argv[1]), sys.argv[2])
bench.refresh()
bench.picture(next(card.face.key for card in bench.state.cards if card.face and card.face.key), 400)
print(time.perf_counter() - begun[0], time.process_time() - begun[1])
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A game in a project folder, and what is edited: in `text` the first `words` become others, in
    `template` the first `sign`; `search` finds the cards that it draws, where others are among them."""

    title: str
    project: Path
    game: str
    text: str
    words: str
    template: str
    sign: str
    search: str = ""


def shipped(folder: Path, game: str) -> Case:
    """A copy of a shipped game."""
    root = HERE.parent
    for name in ("data", "templates", "schemas"):
        for part in (game, "_shared"):
            if (root / name / part).is_dir():
                shutil.copytree(root / name / part, folder / name / part)
    files = [path for path in (folder / "data" / game).glob("*.yaml") if path.name != "rules.yaml"]
    lists = sorted(files, key=lambda path: path.read_text("utf-8").count("\n  - id:"))
    text = lists[-1].relative_to(folder)
    template = f"templates/{game}/{text.stem}.svg"
    return Case(game, folder, game, str(text), "title: ", template, "</svg>")


def generated(folder: Path, cards: int) -> Case:
    """A deck of so many generated cards."""
    command = [sys.executable, str(HERE / "saga_project.py"), str(folder), "--cards", str(cards)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    title = f"{cards:,} cards"
    project = folder / "project"
    return Case(
        title,
        project,
        "saga",
        "data/saga/cards.yaml",
        'title: "',
        "templates/saga/ally.svg",
        "</svg>",
        "type:ally",
    )


def edits(file: Path, old: str, new: Callable[[int], str], count: int) -> Iterator[int]:
    """Write a file so many times, each time with other words in the place of the first such; at last as it
    was."""
    text = file.read_text("utf-8")
    assert old in text, f"{old!r} is not in {file}"
    try:
        for number in range(count):
            file.write_text(text.replace(old, new(number), 1), "utf-8")
            yield number
    finally:
        file.write_text(text, "utf-8")


class Clock:
    """Times in ms, of the clock and of the processor."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, float]] = []

    def start(self) -> None:
        self._begun = time.perf_counter(), time.process_time()

    def stop(self) -> None:
        wall, cpu = time.perf_counter() - self._begun[0], time.process_time() - self._begun[1]
        self.taken.append((1000 * wall, 1000 * cpu))

    def figures(self) -> dict[str, float]:
        """Medians and 95th percentiles."""
        found = {}
        for name, times in zip(("wall", "cpu"), zip(*self.taken, strict=True), strict=True):
            ordered = sorted(times)
            found[f"{name} median"] = round(statistics.median(ordered), 1)
            found[f"{name} 95 %"] = round(ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))], 1)
        return found


def without_browser(case: Case, count: int, only: str | None) -> dict[str, dict[str, float]]:
    """The figures of a case, in ms, s and MB."""
    from cardgen.cli.main import SELDOM
    from cardgen.files.project import Project
    from cardgen.workbench.bench import Bench

    gc.set_threshold(SELDOM)  # as the command does
    found: dict[str, dict[str, float]] = {}
    if only in (None, "start"):
        command = [sys.executable, "-c", _START, str(case.project), case.game]
        out = subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE.parent).stdout
        wall, cpu = map(float, out.split())
        found["start to the first card (s)"] = {"wall": round(wall, 2), "cpu": round(cpu, 2)}
    bench = Bench(Project.open(case.project), case.game)
    bench.refresh()
    while not bench.is_idle:
        bench.idle()

    def timed(file: str, old: str, new: Callable[[int], str]) -> dict[str, float]:
        clock = Clock()
        for _ in edits(case.project / file, old, new, count):
            clock.start()
            change = bench.refresh()
            assert change is not None, "the edit shows nothing"
            for card in change.cards[:ON_SCREEN]:
                assert card.face is not None
                assert bench.picture(card.face.key, WIDTH) is not None
            clock.stop()
            while not bench.is_idle:
                bench.idle()
        bench.refresh()
        return clock.figures()

    if only in (None, "text"):
        found["text of one card (ms)"] = timed(case.text, case.words, lambda each: f"{case.words}{each} ")
    if only in (None, "typing") and case.text.endswith("cards.yaml"):
        found["typed in the inspector (ms)"] = typed(case, bench, count)
    if only in (None, "template"):
        for card in [card for card in bench.state.cards if card.face][:ON_SCREEN]:
            assert card.face is not None
            bench.picture(card.face.key, WIDTH)
        dot = '<circle cx="9" cy="9" r="{}"/></svg>'
        found[f"template, {ON_SCREEN} on the screen (ms)"] = timed(
            case.template, case.sign, lambda each: dot.format(1 + each / 100)
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found["memory so far (MB)"] = {"peak": round(peak / 1000, 1)}
    return found


def typed(case: Case, bench: Any, count: int) -> dict[str, float]:
    """Return the times of edits of a title as the page makes them: judged, saved, read again, drawn. The
    page's own pause of 40 ms and the browser come on top."""
    from cardgen.commands.data.card_edits import CardChange, CardEditor, write_contents
    from cardgen.files.project import Project

    project, clock = Project.open(case.project), Clock()
    editor, card = CardEditor(project, case.game), bench.state.cards[0]
    for number in range(count):
        clock.start()
        title = f"{card.fields['title']} {number}"
        made = editor.edit([CardChange("set", card.component, card.id, ("title",), title)])
        assert write_contents(project, made.contents) is None
        change = bench.refresh([project.root / file for file in made.contents])
        assert bench.picture(change.cards[0].face.key, WIDTH) is not None
        clock.stop()
        while not bench.is_idle:
            bench.idle()
    made = editor.edit([CardChange("set", card.component, card.id, ("title",), card.fields["title"])])
    write_contents(project, made.contents)
    bench.refresh()
    return clock.figures()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--no-browser", action="store_true", help="the bench alone")
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--game", default="ptsd", help="a shipped game; '' for none")
    parser.add_argument("--cards", type=int, default=1000, help="of the generated game; 0 for none")
    parser.add_argument("--only", choices=("start", "text", "typing", "template", "rule", "table"))
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args()
    measure = without_browser
    if not options.no_browser:
        from preview_browser import with_browser as measure
    results: dict[str, dict[str, dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        if options.game:
            cases.append(shipped(Path(folder) / "shipped", options.game))
        if options.cards:
            cases.append(generated(Path(folder) / "generated", options.cards))
        for case in cases:
            results[case.title] = measure(case, options.edits, options.only)
            for name, figures in results[case.title].items():
                words = "  ".join(f"{key} {each}" for key, each in figures.items())
                print(f"{case.title:12} {name:38} {words}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2), "utf-8")


if __name__ == "__main__":
    main()
