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

_HOMES = {
    "AddedFont": "cardgen.commands.data.fonts",
    "AddedFonts": "cardgen.commands.data.fonts",
    "Artwork": "cardgen.core.artwork",
    "BroughtBack": "cardgen.commands.data.spreadsheets",
    "BUDGET_VARIABLE": "cardgen.core.budget",
    "Budget": "cardgen.core.budget",
    "BuildOptions": "cardgen.commands.production.choices",
    "PressOptions": "cardgen.commands.production.choices",
    "BuildResult": "cardgen.commands.build.build",
    "Card": "cardgen.core.game",
    "CardChange": "cardgen.commands.compare.differences",
    "CardEdit": "cardgen.commands.data.spreadsheets",
    "ChangeSet": "cardgen.commands.check.suggest",
    "CheckOptions": "cardgen.commands.check.check",
    "Checked": "cardgen.commands.check.check",
    "Component": "cardgen.core.game",
    "DeckEntry": "cardgen.core.game",
    "DeckList": "cardgen.core.game",
    "Differences": "cardgen.commands.compare.differences",
    "Examination": "cardgen.commands.check.check",
    "Explanation": "cardgen.core.explanations",
    "ExportOptions": "cardgen.commands.build.export",
    "ExportResult": "cardgen.commands.build.export",
    "Game": "cardgen.core.game",
    "ImposedSheet": "cardgen.core.sheets",
    "LanguageState": "cardgen.commands.data.translate",
    "NewGame": "cardgen.commands.data.new_from",
    "OutputFile": "cardgen.commands.build.build",
    "PreviewOptions": "cardgen.workbench.server.serving",
    "ProgressBar": "cardgen.core.progress",
    "Project": "cardgen.files.project",
    "Pulled": "cardgen.commands.data.pull",
    "Rebuilt": "cardgen.commands.build.watch",
    "Rendering": "cardgen.core.artwork",
    "SchemaChange": "cardgen.commands.data.schemas",
    "Starter": "cardgen.commands.data.new",
    "SuggestedChange": "cardgen.commands.check.suggest",
    "Suggestions": "cardgen.commands.check.suggest",
    "TABLE_FORMATS": "cardgen.commands.data.spreadsheets",
    "add_font": "cardgen.commands.data.fonts",
    "add_fonts": "cardgen.commands.data.fonts",
    "add_missing_fonts": "cardgen.commands.data.fonts",
    "build": "cardgen.commands.build.build",
    "calibrate": "cardgen.commands.build.proofs",
    "catalogue": "cardgen.commands.data.list",
    "card_reference": "cardgen.commands.data.reference",
    "check": "cardgen.commands.check.check",
    "check_game": "cardgen.commands.check.check",
    "confinement_line": "cardgen.commands.production.sandboxed",
    "deck_figures": "cardgen.commands.production.deck_lists",
    "difference_lines": "cardgen.commands.compare.lines",
    "differences": "cardgen.commands.compare.differences",
    "doctor": "cardgen.commands.data.doctor",
    "edit_lines": "cardgen.commands.data.spreadsheets",
    "examine": "cardgen.commands.check.check",
    "explain_rule": "cardgen.commands.check.check",
    "explained": "cardgen.core.explanations",
    "export": "cardgen.commands.production.stages",
    "export_options": "cardgen.commands.build.export",
    "export_to": "cardgen.commands.build.export",
    "exporters": "cardgen.commands.build.export",
    "families": "cardgen.core.explanations",
    "from_spreadsheet": "cardgen.commands.data.spreadsheets",
    "has_colours": "cardgen.core.terminal",
    "held": "cardgen.core.budget",
    "impose": "cardgen.commands.production.stages",
    "is_confined": "cardgen.files.confinement_limits",
    "judge": "cardgen.commands.check.check",
    "list_game": "cardgen.commands.data.list",
    "list_games": "cardgen.commands.data.list",
    "list_starters": "cardgen.commands.data.new",
    "load": "cardgen.commands.production.stages",
    "load_deck": "cardgen.commands.production.deck_lists",
    "load_decks": "cardgen.commands.production.deck_lists",
    "make_report": "cardgen.commands.check.check",
    "names": "cardgen.commands.data.naming",
    "options_of": "cardgen.commands.build.export",
    "new_from_table": "cardgen.commands.data.new_from",
    "new_project": "cardgen.commands.data.new",
    "processes": "cardgen.commands.production.workers",
    "proof": "cardgen.commands.build.proofs",
    "pull": "cardgen.commands.data.pull",
    "refresh_project": "cardgen.commands.production.editor_files",
    "reference_problem": "cardgen.commands.data.reference",
    "render": "cardgen.commands.production.stages",
    "report_findings": "cardgen.core.formats",
    "run_confined": "cardgen.commands.production.sandboxed",
    "sandbox_of": "cardgen.commands.production.trust",
    "serve": "cardgen.workbench.server.serving",
    "shown": "cardgen.core.terminal",
    "shown_json": "cardgen.core.terminal",
    "store_calibration": "cardgen.commands.build.proofs",
    "suggest": "cardgen.commands.check.suggest",
    "suggestion_lines": "cardgen.commands.check.suggest",
    "summary": "cardgen.core.formats",
    "to_spreadsheet": "cardgen.commands.data.spreadsheets",
    "translate": "cardgen.commands.data.translate",
    "unprinted": "cardgen.commands.check.preflight",
    "watch": "cardgen.commands.build.watch",
    "write_difference_page": "cardgen.commands.compare.page",
    "write_reference": "cardgen.commands.data.reference",
    "write_report": "cardgen.commands.check.check",
    "write_schemas": "cardgen.commands.data.schemas",
}


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
