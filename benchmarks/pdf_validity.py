"""Writes every PDF that the shipped games can become and has each one judged: by the strict grammar of
`tests/pdf_grammar`, by qpdf, MuPDF, Ghostscript and poppler, and poppler's text against MuPDF's.

    python benchmarks/pdf_validity.py [GAME …] [--into FOLDER] [--jobs 2] [--only FOLDER]

All sheets in all variants (papers, duplex, faces only, low ink, player counts, deck lists), all exports
with PDFs in them, reports, calibration pages. It takes some minutes; the exit code is 1 if anything is
at fault. It needs the `test` extra, qpdf, poppler and Ghostscript.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cardgen.commands.build.proofs import calibrate  # noqa: E402
from cardgen.commands.check.check import write_report  # noqa: E402
from cardgen.commands.data.list import list_game, list_games  # noqa: E402
from tests.pdf_grammar import judge  # noqa: E402
from tests.pdf_grammar.readers import READERS, AbsentError, text_differences  # noqa: E402

PAPERS = ("letter", "a4", "a3")
DUPLEX = ("short-edge", "fold", "none")
COLUMNS = ("grammar", *READERS, "text")


@dataclass(frozen=True, slots=True)
class Judged:
    """A file's figures, and complaints by who has them."""

    path: Path
    streams: int
    operators: int
    faults: dict[str, list[str]]


def variants(game: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Names and options of the builds of a game."""
    import cardgen

    loaded = cardgen.load(game)
    for paper in PAPERS:
        yield paper, {"paper": paper}
    for low_ink in (False, True):
        ink = "low-ink-" if low_ink else ""
        if low_ink:
            yield "low-ink", {"low_ink": True}
        yield f"{ink}faces", {"backs": False, "low_ink": low_ink}
        for duplex in DUPLEX:
            yield f"{ink}{duplex}", {"duplex": duplex, "low_ink": low_ink}
    entry = list_game(loaded)
    for deck in entry.get("decks", ()):
        yield f"deck-{deck['id']}", {"deck": deck["id"]}
    for players in (2, 4):
        yield f"players-{players}", {"players": players}


def write(game: str, into: Path) -> None:
    """All PDFs of a game, below `into`."""
    import cardgen

    project = cardgen.Project.open()
    entry = list_game(cardgen.load(game))
    for name, options in variants(game):
        try:
            _build(game, into / name, options, project)
        except cardgen.CardgenError:  # what not every sheet can, sheet by sheet
            for sheet in entry["sheets"]:
                with suppress(cardgen.CardgenError):
                    _build(game, into / name, {**options, "sheets": (sheet["name"],)}, project)
    for target, exporter in cardgen.exporters(project).items():
        settings = {"dpi": 30} if "dpi" in exporter.options else {}
        for low_ink in (False, True):
            folder = into / f"export{'-low-ink' * low_ink}"
            chosen = {"to": target, "low_ink": low_ink, "settings": settings}
            try:
                _export(game, folder, chosen, project)
            except cardgen.CardgenError:  # and what not every component can
                for component in entry["components"]:
                    with suppress(cardgen.CardgenError):
                        alone = {**chosen, "components": (component["id"],)}
                        _export(game, folder / component["id"], alone, project)
    write_report(cardgen.load(game), ("pdf",), project=project, output=into / "report")
    (into / "pieces.pdf").write_bytes(pieces(game))


def _build(game: str, folder: Path, options: dict[str, Any], project: Any) -> None:
    import cardgen

    cardgen.build(cardgen.BuildOptions(game=game, output=folder, **options), project=project)


def _export(game: str, folder: Path, options: dict[str, Any], project: Any) -> None:
    import cardgen

    cardgen.export_to(cardgen.ExportOptions(game=game, output=folder, **options), project=project)


def pieces(game: str) -> bytes:
    """The PDF behind PNG files: every side, a page each."""
    import cardgen
    from cardgen.commands.production import stages as production
    from cardgen.core.geometry import Rect
    from cardgen.pdf.objects import View, write_views

    loaded = cardgen.load(game)
    art = production.draw_all(loaded, cardgen.render(loaded))
    return write_views(
        art, [View(key, Rect(0, 0, face.size.width, face.size.height)) for key, face in art.faces.items()]
    )


def write_common(into: Path) -> None:
    """The calibration pages."""

    for paper in PAPERS:
        for landscape in (False, True):
            for duplex in ("long-edge", "short-edge"):
                folder = into / f"{paper}{'-landscape' * landscape}-{duplex}"
                calibrate(paper=paper, duplex=duplex, landscape=landscape, output=folder)  # type: ignore[arg-type]


def judged(path: Path) -> Judged:
    """One file by all."""
    verdict = judge(path.read_bytes())
    faults = {"grammar": list(verdict.faults)}
    for name, reader in (*READERS.items(), ("text", text_differences)):
        faults[name] = reader(path)
    return Judged(path, verdict.streams, verdict.operators, faults)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--into", type=Path, help="leave the files here")
    parser.add_argument(
        "--only", type=Path, metavar="FOLDER", help="judge the PDFs of a folder, write none"
    )
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for name, reader in READERS.items():
        try:
            reader(Path(__file__))
        except AbsentError as error:
            print(f"{name}: {error} is not installed", file=sys.stderr)
            return 2
    with tempfile.TemporaryDirectory(prefix="cardgen-validity-") as temporary:
        into: Path = options.only or options.into or Path(temporary)
        if options.only is None:
            for game in options.games or [entry["game"] for entry in list_games()]:
                write(game, into / game)
            write_common(into / "calibration")
        return report(into, sorted(into.rglob("*.pdf")), options.jobs)


def report(into: Path, paths: list[Path], jobs: int) -> int:
    """The table, and under it what is at fault."""
    with ProcessPoolExecutor(jobs) as pool:
        found = list(pool.map(judged, paths))
    groups: dict[str, list[Judged]] = {}
    for each in found:
        groups.setdefault(str(each.path.relative_to(into)).split("/")[0], []).append(each)
    wide = max(map(len, [*groups, "all"]))
    print(
        f"{'':<{wide}} {'files':>6} {'streams':>8} {'operators':>10}", *(f"{name:>11}" for name in COLUMNS)
    )
    for name, group in [*groups.items(), ("all", found)]:
        at_fault = [sum(bool(each.faults[column]) for each in group) for column in COLUMNS]
        print(
            f"{name:<{wide}} {len(group):>6} {sum(each.streams for each in group):>8}"
            f" {sum(each.operators for each in group):>10,}",
            *(f"{count:>11}" for count in at_fault),
        )
    print("(columns after the operators: files that the one named there finds fault with)")
    said = Counter(
        (column, text) for each in found for column in COLUMNS for text in each.faults[column][:3]
    )
    for (column, text), count in said.most_common(40):
        print(f"{count:>5} × {column}: {text[:200]}")
    for each in [each for each in found if any(each.faults.values())][:40]:
        print(f"at fault: {each.path.relative_to(into)}")
    return 1 if said else 0


if __name__ == "__main__":
    raise SystemExit(main())
