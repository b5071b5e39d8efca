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

from cardgen.findings import CardgenError, Finding, Findings, Location, Severity, UsageError, did_you_mean

if TYPE_CHECKING:
    from cardgen.budget import BUDGET_VARIABLE, Budget, held
    from cardgen.commands.build import BuildResult, OutputFile, build
    from cardgen.commands.calibrate import calibrate, store_calibration
    from cardgen.commands.catalogue import catalogue
    from cardgen.commands.check import (
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
    from cardgen.commands.choices import BuildOptions, PressOptions
    from cardgen.commands.deck_lists import deck_figures, load_deck, load_decks
    from cardgen.commands.difference_lines import difference_lines
    from cardgen.commands.difference_page import write_difference_page
    from cardgen.commands.differences import CardChange, Differences, differences
    from cardgen.commands.doctor import doctor
    from cardgen.commands.edit_lines import edit_lines
    from cardgen.commands.export import ExportOptions, ExportResult, export_options, export_to, exporters
    from cardgen.commands.font_add import AddedFont, AddedFonts, add_font, add_fonts, add_missing_fonts
    from cardgen.commands.list import list_game, list_games
    from cardgen.commands.naming import names
    from cardgen.commands.new import new_project
    from cardgen.commands.new_from import NewGame, new_from_table
    from cardgen.commands.preflight import unprinted
    from cardgen.commands.production import export, impose, load, render
    from cardgen.commands.proofs import proof
    from cardgen.commands.pull import Pulled, pull
    from cardgen.commands.reference import card_reference, reference_problem, write_reference
    from cardgen.commands.sandboxed import confinement_line, run_confined
    from cardgen.commands.schema_copies import refresh_project
    from cardgen.commands.schemas import SchemaChange, write_schemas
    from cardgen.commands.spreadsheets import (
        TABLE_FORMATS,
        BroughtBack,
        CardEdit,
        from_spreadsheet,
        to_spreadsheet,
    )
    from cardgen.commands.starters import Starter, list_starters
    from cardgen.commands.suggest import ChangeSet, SuggestedChange, Suggestions, suggest, suggestion_lines
    from cardgen.commands.translate import LanguageState, translate
    from cardgen.commands.trust import sandbox_of
    from cardgen.commands.watch import Rebuilt, watch
    from cardgen.commands.workers import processes
    from cardgen.confinement import is_confined
    from cardgen.explanations import Explanation, explained, families
    from cardgen.formats import report_findings, summary
    from cardgen.model.artwork import Artwork, Rendering
    from cardgen.model.deck_lists import DeckEntry, DeckList
    from cardgen.model.game import Card, Component, Game
    from cardgen.model.sheets import ImposedSheet
    from cardgen.preview.serving import PreviewOptions, serve
    from cardgen.progress import ProgressBar
    from cardgen.project import Project
    from cardgen.terminal import has_colours, shown, shown_json

__version__ = "0.1.0"

_HOMES = {
    "AddedFont": "cardgen.commands.font_add",
    "AddedFonts": "cardgen.commands.font_add",
    "Artwork": "cardgen.model.artwork",
    "BroughtBack": "cardgen.commands.spreadsheets",
    "BUDGET_VARIABLE": "cardgen.budget",
    "Budget": "cardgen.budget",
    "BuildOptions": "cardgen.commands.choices",
    "PressOptions": "cardgen.commands.choices",
    "BuildResult": "cardgen.commands.build",
    "Card": "cardgen.model.game",
    "CardChange": "cardgen.commands.differences",
    "CardEdit": "cardgen.commands.spreadsheets",
    "ChangeSet": "cardgen.commands.suggest",
    "CheckOptions": "cardgen.commands.check",
    "Checked": "cardgen.commands.check",
    "Component": "cardgen.model.game",
    "DeckEntry": "cardgen.model.deck_lists",
    "DeckList": "cardgen.model.deck_lists",
    "Differences": "cardgen.commands.differences",
    "Examination": "cardgen.commands.check",
    "Explanation": "cardgen.explanations",
    "ExportOptions": "cardgen.commands.export",
    "ExportResult": "cardgen.commands.export",
    "Game": "cardgen.model.game",
    "ImposedSheet": "cardgen.model.sheets",
    "LanguageState": "cardgen.commands.translate",
    "NewGame": "cardgen.commands.new_from",
    "OutputFile": "cardgen.commands.build",
    "PreviewOptions": "cardgen.preview.serving",
    "ProgressBar": "cardgen.progress",
    "Project": "cardgen.project",
    "Pulled": "cardgen.commands.pull",
    "Rebuilt": "cardgen.commands.watch",
    "Rendering": "cardgen.model.artwork",
    "SchemaChange": "cardgen.commands.schemas",
    "Starter": "cardgen.commands.starters",
    "SuggestedChange": "cardgen.commands.suggest",
    "Suggestions": "cardgen.commands.suggest",
    "TABLE_FORMATS": "cardgen.commands.spreadsheets",
    "add_font": "cardgen.commands.font_add",
    "add_fonts": "cardgen.commands.font_add",
    "add_missing_fonts": "cardgen.commands.font_add",
    "build": "cardgen.commands.build",
    "calibrate": "cardgen.commands.calibrate",
    "catalogue": "cardgen.commands.catalogue",
    "card_reference": "cardgen.commands.reference",
    "check": "cardgen.commands.check",
    "check_game": "cardgen.commands.check",
    "confinement_line": "cardgen.commands.sandboxed",
    "deck_figures": "cardgen.commands.deck_lists",
    "difference_lines": "cardgen.commands.difference_lines",
    "differences": "cardgen.commands.differences",
    "doctor": "cardgen.commands.doctor",
    "edit_lines": "cardgen.commands.edit_lines",
    "examine": "cardgen.commands.check",
    "explain_rule": "cardgen.commands.check",
    "explained": "cardgen.explanations",
    "export": "cardgen.commands.production",
    "export_options": "cardgen.commands.export",
    "export_to": "cardgen.commands.export",
    "exporters": "cardgen.commands.export",
    "families": "cardgen.explanations",
    "from_spreadsheet": "cardgen.commands.spreadsheets",
    "has_colours": "cardgen.terminal",
    "held": "cardgen.budget",
    "impose": "cardgen.commands.production",
    "is_confined": "cardgen.confinement",
    "judge": "cardgen.commands.check",
    "list_game": "cardgen.commands.list",
    "list_games": "cardgen.commands.list",
    "list_starters": "cardgen.commands.starters",
    "load": "cardgen.commands.production",
    "load_deck": "cardgen.commands.deck_lists",
    "load_decks": "cardgen.commands.deck_lists",
    "make_report": "cardgen.commands.check",
    "names": "cardgen.commands.naming",
    "new_from_table": "cardgen.commands.new_from",
    "new_project": "cardgen.commands.new",
    "processes": "cardgen.commands.workers",
    "proof": "cardgen.commands.proofs",
    "pull": "cardgen.commands.pull",
    "refresh_project": "cardgen.commands.schema_copies",
    "reference_problem": "cardgen.commands.reference",
    "render": "cardgen.commands.production",
    "report_findings": "cardgen.formats",
    "run_confined": "cardgen.commands.sandboxed",
    "sandbox_of": "cardgen.commands.trust",
    "serve": "cardgen.preview.serving",
    "shown": "cardgen.terminal",
    "shown_json": "cardgen.terminal",
    "store_calibration": "cardgen.commands.calibrate",
    "suggest": "cardgen.commands.suggest",
    "suggestion_lines": "cardgen.commands.suggest",
    "summary": "cardgen.formats",
    "to_spreadsheet": "cardgen.commands.spreadsheets",
    "translate": "cardgen.commands.translate",
    "unprinted": "cardgen.commands.preflight",
    "watch": "cardgen.commands.watch",
    "write_difference_page": "cardgen.commands.difference_page",
    "write_reference": "cardgen.commands.reference",
    "write_report": "cardgen.commands.check",
    "write_schemas": "cardgen.commands.schemas",
}

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
