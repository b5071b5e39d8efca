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

from cardgen.core.findings import (
    CardgenError,
    Finding,
    Findings,
    Location,
    Severity,
    UsageError,
    did_you_mean,
)

if TYPE_CHECKING:
    from cardgen.commands.build.build import BuildResult, OutputFile, build
    from cardgen.commands.build.export import (
        ExportOptions,
        ExportResult,
        export_options,
        export_to,
        exporters,
        options_of,
    )
    from cardgen.commands.build.proofs import calibrate, proof, store_calibration
    from cardgen.commands.build.watch import Rebuilt, watch
    from cardgen.commands.check.check import (
        Checked,
        CheckOptions,
        Examination,
        check,
        check_game,
        examine,
        explain_rule,
        judge,
        make_report,
        write_report,
    )
    from cardgen.commands.check.preflight import unprinted
    from cardgen.commands.check.suggest import (
        ChangeSet,
        SuggestedChange,
        Suggestions,
        suggest,
        suggestion_lines,
    )
    from cardgen.commands.compare.differences import CardChange, Differences, differences
    from cardgen.commands.compare.lines import difference_lines
    from cardgen.commands.compare.page import write_difference_page
    from cardgen.commands.data.doctor import doctor
    from cardgen.commands.data.fonts import AddedFont, AddedFonts, add_font, add_fonts, add_missing_fonts
    from cardgen.commands.data.list import catalogue, list_game, list_games
    from cardgen.commands.data.naming import names
    from cardgen.commands.data.new import Starter, list_starters, new_project
    from cardgen.commands.data.new_from import NewGame, new_from_table
    from cardgen.commands.data.pull import Pulled, pull
    from cardgen.commands.data.reference import card_reference, reference_problem, write_reference
    from cardgen.commands.data.schemas import SchemaChange, write_schemas
    from cardgen.commands.data.spreadsheets import (
        TABLE_FORMATS,
        BroughtBack,
        CardEdit,
        edit_lines,
        from_spreadsheet,
        to_spreadsheet,
    )
    from cardgen.commands.data.translate import LanguageState, translate
    from cardgen.commands.production.choices import BuildOptions, PressOptions
    from cardgen.commands.production.deck_lists import deck_figures, load_deck, load_decks
    from cardgen.commands.production.editor_files import refresh_project
    from cardgen.commands.production.sandboxed import confinement_line, run_confined
    from cardgen.commands.production.stages import export, impose, load, render
    from cardgen.commands.production.trust import sandbox_of
    from cardgen.commands.production.workers import processes
    from cardgen.core.artwork import Artwork, Rendering
    from cardgen.core.budget import BUDGET_VARIABLE, Budget, held
    from cardgen.core.explanations import Explanation, explained, families
    from cardgen.core.formats import report_findings, summary
    from cardgen.core.game import Card, Component, DeckEntry, DeckList, Game
    from cardgen.core.progress import ProgressBar
    from cardgen.core.sheets import ImposedSheet
    from cardgen.core.terminal import has_colours, shown, shown_json
    from cardgen.files.confinement_limits import is_confined
    from cardgen.files.project import Project
    from cardgen.workbench.server.serving import PreviewOptions, serve


__version__ = "0.1.0"

_NAMES = {
    "commands.build.build": "build BuildResult OutputFile",
    "commands.build.export": "export_options export_to exporters ExportOptions ExportResult options_of",
    "commands.build.proofs": "calibrate proof store_calibration",
    "commands.build.watch": "Rebuilt watch",
    "commands.check.check": (
        "check check_game Checked CheckOptions Examination "
        "examine explain_rule judge make_report write_report"
    ),
    "commands.check.preflight": "unprinted",
    "commands.check.suggest": "ChangeSet suggest SuggestedChange suggestion_lines Suggestions",
    "commands.compare.differences": "CardChange Differences differences",
    "commands.compare.lines": "difference_lines",
    "commands.compare.page": "write_difference_page",
    "commands.data.doctor": "doctor",
    "commands.data.fonts": "add_font add_fonts add_missing_fonts AddedFont AddedFonts",
    "commands.data.list": "catalogue list_game list_games",
    "commands.data.naming": "names",
    "commands.data.new": "list_starters new_project Starter",
    "commands.data.new_from": "new_from_table NewGame",
    "commands.data.pull": "pull Pulled",
    "commands.data.reference": "card_reference reference_problem write_reference",
    "commands.data.schemas": "SchemaChange write_schemas",
    "commands.data.spreadsheets": (
        "BroughtBack CardEdit edit_lines from_spreadsheet TABLE_FORMATS to_spreadsheet"
    ),
    "commands.data.translate": "LanguageState translate",
    "commands.production.choices": "BuildOptions PressOptions",
    "commands.production.deck_lists": "deck_figures load_deck load_decks",
    "commands.production.editor_files": "refresh_project",
    "commands.production.sandboxed": "confinement_line run_confined",
    "commands.production.stages": "export impose load render",
    "commands.production.trust": "sandbox_of",
    "commands.production.workers": "processes",
    "core.artwork": "Artwork Rendering",
    "core.budget": "Budget BUDGET_VARIABLE held",
    "core.explanations": "explained Explanation families",
    "core.formats": "report_findings summary",
    "core.game": "Card Component DeckEntry DeckList Game",
    "core.progress": "ProgressBar",
    "core.sheets": "ImposedSheet",
    "core.terminal": "has_colours shown shown_json",
    "files.confinement_limits": "is_confined",
    "files.project": "Project",
    "workbench.server.serving": "PreviewOptions serve",
}
"""The public names by the module that defines them."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


# ReportLab looks for a file of modifications in the user's home, and fails where that is no folder, as
# with the HOME=/dev/null of many services. It does not look for a module that is there already.
if not os.path.isdir(os.path.expanduser("~")):
    sys.modules.setdefault("reportlab_mods", ModuleType("reportlab_mods"))


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cardgen' has no attribute '{name}'")
    value = getattr(import_module(f"cardgen.{home}"), name)
    globals()[name] = value
    return value


__all__ = [
    "BUDGET_VARIABLE",
    "TABLE_FORMATS",
    "AddedFont",
    "AddedFonts",
    "Artwork",
    "BroughtBack",
    "Budget",
    "BuildOptions",
    "BuildResult",
    "Card",
    "CardChange",
    "CardEdit",
    "CardgenError",
    "ChangeSet",
    "CheckOptions",
    "Checked",
    "Component",
    "DeckEntry",
    "DeckList",
    "Differences",
    "Examination",
    "Explanation",
    "ExportOptions",
    "ExportResult",
    "Finding",
    "Findings",
    "Game",
    "ImposedSheet",
    "LanguageState",
    "Location",
    "NewGame",
    "OutputFile",
    "PressOptions",
    "PreviewOptions",
    "ProgressBar",
    "Project",
    "Pulled",
    "Rebuilt",
    "Rendering",
    "SchemaChange",
    "Severity",
    "Starter",
    "SuggestedChange",
    "Suggestions",
    "UsageError",
    "__version__",
    "add_font",
    "add_fonts",
    "add_missing_fonts",
    "build",
    "calibrate",
    "card_reference",
    "catalogue",
    "check",
    "check_game",
    "confinement_line",
    "deck_figures",
    "did_you_mean",
    "difference_lines",
    "differences",
    "doctor",
    "edit_lines",
    "examine",
    "explain_rule",
    "explained",
    "export",
    "export_options",
    "export_to",
    "exporters",
    "families",
    "from_spreadsheet",
    "has_colours",
    "held",
    "impose",
    "is_confined",
    "judge",
    "list_game",
    "list_games",
    "list_starters",
    "load",
    "load_deck",
    "load_decks",
    "make_report",
    "names",
    "new_from_table",
    "new_project",
    "options_of",
    "processes",
    "proof",
    "pull",
    "reference_problem",
    "refresh_project",
    "render",
    "report_findings",
    "run_confined",
    "sandbox_of",
    "serve",
    "shown",
    "shown_json",
    "store_calibration",
    "suggest",
    "suggestion_lines",
    "summary",
    "to_spreadsheet",
    "translate",
    "unprinted",
    "watch",
    "write_difference_page",
    "write_reference",
    "write_report",
    "write_schemas",
]
