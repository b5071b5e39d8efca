"""The names that plug-ins import: `from cardgen.plugins import Exporter, PlannedFile`.

See docs/plugins.md. Each name is loaded on first use.
"""

from __future__ import annotations

from cardgen.core.lazy_names import getter, homes_of

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from cardgen.exports.exporters import Exporter, Option
    from cardgen.exports.job import ExportJob, Piece, PlannedFile, side_picture
    from cardgen.rules.case import BrokenRuleError, Case, Traits, grouped

_NAMES = {
    "exports.exporters": "Exporter Option",
    "exports.job": "ExportJob Piece PlannedFile side_picture",
    "rules.case": "BrokenRuleError Case Traits grouped",
}
"""The names by the module that defines them, as type checkers read them above."""
_HOMES = homes_of(_NAMES)

if not TYPE_CHECKING:  # type checkers read the imports above, so that they know wrong names
    __getattr__ = getter(__name__, _HOMES, globals())


__all__ = [
    "BrokenRuleError",
    "Case",
    "ExportJob",
    "Exporter",
    "Option",
    "Piece",
    "PlannedFile",
    "Traits",
    "grouped",
    "side_picture",
]
