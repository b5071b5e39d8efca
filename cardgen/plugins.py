"""The names that plug-ins import: `from cardgen.plugins import Exporter, PlannedFile`.

See docs/plugins.md. Each name is loaded on first use.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from typing import Any

    from cardgen.exports.exporters import Exporter, Option
    from cardgen.exports.job import ExportJob, Piece, PlannedFile, side_picture
    from cardgen.rules.case import BrokenRuleError, Case, Traits, grouped

_NAMES = {
    "exports.exporters": "Exporter Option",
    "exports.job": "ExportJob Piece PlannedFile side_picture",
    "rules.case": "BrokenRuleError Case Traits grouped",
}
"""The names by the module that defines them, as type checkers read them above."""
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'cardgen.plugins' has no attribute '{name}'")
    value = getattr(import_module(f"cardgen.{home}"), name)
    globals()[name] = value
    return value


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
