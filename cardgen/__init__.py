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

Everything is imported on first use, so that `import cardgen` itself costs next to nothing. `__all__` lists
the names that stay the same. Those of `SECOND_ROW` can change with every version `Y` of `X.Y.Z`. Names that
are in neither are internal.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

from cardgen.core.findings import CardgenError, Finding, UsageError
from cardgen.core.findings import Location as Location
from cardgen.core.findings import Severity as Severity
from cardgen.core.lazy_names import getter, homes_of

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from cardgen.commands.build.build import build
    from cardgen.commands.build.card_files import render_card
    from cardgen.commands.build.export import ExportOptions as ExportOptions
    from cardgen.commands.build.export import ExportResult as ExportResult
    from cardgen.commands.build.export import export_to as export_to
    from cardgen.commands.build.export import exporters as exporters
    from cardgen.commands.build.proofs import proof as proof
    from cardgen.commands.check.check import check
    from cardgen.commands.check.check import judge as judge
    from cardgen.commands.check.check import make_report as make_report
    from cardgen.commands.compare.differences import differences as differences
    from cardgen.commands.data.new import new_project as new_project
    from cardgen.commands.data.spreadsheets import from_spreadsheet as from_spreadsheet
    from cardgen.commands.data.spreadsheets import to_spreadsheet as to_spreadsheet
    from cardgen.commands.data.table_decks import new_from_table as new_from_table
    from cardgen.commands.production.choices import BuildOptions
    from cardgen.commands.production.choices import BuildResult as BuildResult
    from cardgen.commands.production.choices import PressOptions as PressOptions
    from cardgen.commands.production.cluster import cluster
    from cardgen.commands.production.deck_lists import load_deck as load_deck
    from cardgen.commands.production.stages import export, impose, load, render
    from cardgen.core.artwork import Rendering as Rendering
    from cardgen.core.game import Card as Card
    from cardgen.core.game import Component as Component
    from cardgen.core.game import Game
    from cardgen.core.progress import Cancelled
    from cardgen.core.sheets import ImposedSheet as ImposedSheet
    from cardgen.files.project import Project


__version__ = "0.1.0"

_NAMES = {
    "commands.build.build": "build",
    "commands.build.card_files": "render_card",
    "commands.build.export": "ExportOptions ExportResult export_to exporters",
    "commands.build.proofs": "proof",
    "commands.check.check": "check judge make_report",
    "commands.compare.differences": "differences",
    "commands.data.new": "new_project",
    "commands.data.spreadsheets": "from_spreadsheet to_spreadsheet",
    "commands.data.table_decks": "new_from_table",
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
"""The names by the module that defines them, as type checkers read them above."""
_HOMES = homes_of(_NAMES)


# ReportLab looks for a file of modifications in the user's home, and fails where that is no folder, as
# with the HOME=/dev/null of many services. It does not look for a module that is there already.
if not os.path.isdir(os.path.expanduser("~")):
    sys.modules.setdefault("reportlab_mods", ModuleType("reportlab_mods"))


if not TYPE_CHECKING:  # type checkers read the imports above, so that they know wrong names
    __getattr__ = getter(__name__, _HOMES, globals())


__all__ = [
    "BuildOptions",
    "Cancelled",
    "CardgenError",
    "Finding",
    "Game",
    "Project",
    "UsageError",
    "__version__",
    "build",
    "check",
    "cluster",
    "export",
    "impose",
    "load",
    "render",
    "render_card",
]

SECOND_ROW = frozenset({*_HOMES, "Location", "Severity"} - {*__all__})
"""Names for which there is no promise: what single commands do, and the types of options and results."""
