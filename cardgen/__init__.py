"""cardgen: tabletop games from YAML to print.

The stages, each a function from one finished value to the next:

    import cardgen

    game = cardgen.load("night-market")               # data/ -> Game
    findings = cardgen.check(game)                    # Game -> list[Finding]
    art = cardgen.render(game)                        # Game -> Rendering
    sheet = cardgen.impose(game, art, sheet="poker")  # Rendering -> ImposedSheet
    cardgen.export(game, art, sheet, "poker.pdf")     # ImposedSheet -> a PDF

`cardgen.build` runs all of them and keeps track of what is up to date. Bad input raises
`CardgenError`, whose `findings` say what is wrong and where.

Everything is imported on first use, so that `import cardgen` itself costs next to nothing. Names that
are not here are internal.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType

from cardgen.core.findings import CardgenError, Finding, Location, Severity, UsageError

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from typing import Any

    from cardgen.commands.build.build import build
    from cardgen.commands.build.card_files import render_card
    from cardgen.commands.build.export import ExportOptions, ExportResult, export_to, exporters
    from cardgen.commands.build.proofs import proof
    from cardgen.commands.check.check import check, judge, make_report
    from cardgen.commands.compare.differences import differences
    from cardgen.commands.data.new import new_from_table, new_project
    from cardgen.commands.data.spreadsheets import from_spreadsheet, to_spreadsheet
    from cardgen.commands.production.choices import BuildOptions, BuildResult, PressOptions
    from cardgen.commands.production.cluster import cluster
    from cardgen.commands.production.deck_lists import load_deck
    from cardgen.commands.production.stages import export, impose, load, render
    from cardgen.core.artwork import Rendering
    from cardgen.core.game import Card, Component, Game
    from cardgen.core.progress import Cancelled
    from cardgen.core.sheets import ImposedSheet
    from cardgen.files.project import Project


__version__ = "0.1.0"

_NAMES = {
    "commands.build.build": "build",
    "commands.build.card_files": "render_card",
    "commands.build.export": "ExportOptions ExportResult export_to exporters",
    "commands.build.proofs": "proof",
    "commands.check.check": "check judge make_report",
    "commands.compare.differences": "differences",
    "commands.data.new": "new_from_table new_project",
    "commands.data.spreadsheets": "from_spreadsheet to_spreadsheet",
    "commands.production.choices": "BuildOptions BuildResult PressOptions",
    "commands.production.cluster": "cluster",
    "commands.production.deck_lists": "load_deck",
    "commands.production.stages": "export impose load render",
    "core.artwork": "Rendering",
    "core.game": "Card Component Game",
    "core.progress": "Cancelled",
    "core.sheets": "ImposedSheet",
    "files.project": "Project",
}
"""The public names by the module that defines them, as type checkers read them above."""
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
    "BuildOptions",
    "BuildResult",
    "Cancelled",
    "Card",
    "CardgenError",
    "Component",
    "ExportOptions",
    "ExportResult",
    "Finding",
    "Game",
    "ImposedSheet",
    "Location",
    "PressOptions",
    "Project",
    "Rendering",
    "Severity",
    "UsageError",
    "__version__",
    "build",
    "check",
    "cluster",
    "differences",
    "export",
    "export_to",
    "exporters",
    "from_spreadsheet",
    "impose",
    "judge",
    "load",
    "load_deck",
    "make_report",
    "new_from_table",
    "new_project",
    "proof",
    "render",
    "render_card",
    "to_spreadsheet",
]
