"""cardgen: tabletop games from YAML to print.

The stages, each a function from one finished value to the next:

    import cardgen

    game = cardgen.load("night-market")                          # data/ -> Game
    findings = cardgen.check(game)                       # Game -> list[Finding]
    art = cardgen.render(game)                           # Game -> Rendering
    sheet = cardgen.impose(game, art, sheet="poker")     # Rendering -> ImposedSheet
    cardgen.export(game, art, sheet, "poker.pdf")        # ImposedSheet -> a PDF

`cardgen.build` runs all of them and keeps track of what is up to date. Bad input raises
`CardgenError`, whose `findings` say what is wrong and where.

Everything is imported on first use, so that `import cardgen` itself costs next to nothing.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cardgen.findings import CardgenError, Finding, Findings, Location, Severity, UsageError

if TYPE_CHECKING:
    from cardgen.building import BuildOptions, BuildResult, OutputFile, build
    from cardgen.calibration import calibrate, store_calibration
    from cardgen.card_reference import card_reference, reference_problem, write_reference
    from cardgen.confinement import is_confined
    from cardgen.confining import confinement_line, run_confined
    from cardgen.decks import deck_figures, load_deck
    from cardgen.exports import ExportOptions, ExportResult, export_options, export_to, exporters
    from cardgen.health import doctor
    from cardgen.judging import Examination, check, examine, explain_rule, judge, make_report, write_report
    from cardgen.listing import list_game, list_games
    from cardgen.model.artwork import Artwork, Rendering
    from cardgen.model.decks import DeckEntry, DeckList
    from cardgen.model.game import Card, Component, Game
    from cardgen.model.sheets import ImposedSheet
    from cardgen.pipeline import export, impose, load, proof, render
    from cardgen.project import Project
    from cardgen.reporting import report_findings
    from cardgen.scaffolding import new_project
    from cardgen.spreading import processes
    from cardgen.terminal import shown, shown_json

__version__ = "0.1.0"

_HOMES = {
    "Artwork": "cardgen.model.artwork",
    "BuildOptions": "cardgen.building",
    "BuildResult": "cardgen.building",
    "Card": "cardgen.model.game",
    "Component": "cardgen.model.game",
    "DeckEntry": "cardgen.model.decks",
    "DeckList": "cardgen.model.decks",
    "Examination": "cardgen.judging",
    "ExportOptions": "cardgen.exports",
    "ExportResult": "cardgen.exports",
    "Game": "cardgen.model.game",
    "ImposedSheet": "cardgen.model.sheets",
    "OutputFile": "cardgen.building",
    "Project": "cardgen.project",
    "Rendering": "cardgen.model.artwork",
    "build": "cardgen.building",
    "calibrate": "cardgen.calibration",
    "card_reference": "cardgen.card_reference",
    "check": "cardgen.judging",
    "confinement_line": "cardgen.confining",
    "deck_figures": "cardgen.decks",
    "doctor": "cardgen.health",
    "examine": "cardgen.judging",
    "explain_rule": "cardgen.judging",
    "export": "cardgen.pipeline",
    "export_options": "cardgen.exports",
    "export_to": "cardgen.exports",
    "exporters": "cardgen.exports",
    "impose": "cardgen.pipeline",
    "is_confined": "cardgen.confinement",
    "judge": "cardgen.judging",
    "list_game": "cardgen.listing",
    "list_games": "cardgen.listing",
    "load": "cardgen.pipeline",
    "load_deck": "cardgen.decks",
    "make_report": "cardgen.judging",
    "new_project": "cardgen.scaffolding",
    "processes": "cardgen.spreading",
    "proof": "cardgen.pipeline",
    "reference_problem": "cardgen.card_reference",
    "render": "cardgen.pipeline",
    "report_findings": "cardgen.reporting",
    "run_confined": "cardgen.confining",
    "shown": "cardgen.terminal",
    "shown_json": "cardgen.terminal",
    "store_calibration": "cardgen.calibration",
    "write_reference": "cardgen.card_reference",
    "write_report": "cardgen.judging",
}

__all__ = [
    "Artwork",
    "BuildOptions",
    "BuildResult",
    "Card",
    "CardgenError",
    "Component",
    "DeckEntry",
    "DeckList",
    "Examination",
    "ExportOptions",
    "ExportResult",
    "Finding",
    "Findings",
    "Game",
    "ImposedSheet",
    "Location",
    "OutputFile",
    "Project",
    "Rendering",
    "Severity",
    "UsageError",
    "__version__",
    "build",
    "calibrate",
    "card_reference",
    "check",
    "confinement_line",
    "deck_figures",
    "doctor",
    "examine",
    "explain_rule",
    "export",
    "export_options",
    "export_to",
    "exporters",
    "impose",
    "is_confined",
    "judge",
    "list_game",
    "list_games",
    "load",
    "load_deck",
    "make_report",
    "new_project",
    "processes",
    "proof",
    "reference_problem",
    "render",
    "report_findings",
    "run_confined",
    "shown",
    "shown_json",
    "store_calibration",
    "write_reference",
    "write_report",
]


# ReportLab looks for a file of modifications in the user's home, and fails where that is no folder, as
# with the HOME=/dev/null of many services. It does not look for a module that is there already.
if not os.path.isdir(os.path.expanduser("~")):
    sys.modules.setdefault("reportlab_mods", ModuleType("reportlab_mods"))


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cardgen' has no attribute '{name}'")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value
