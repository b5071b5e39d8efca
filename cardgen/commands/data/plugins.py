"""The registries that plug-ins add to: which names each has, and how its plug-ins are checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from cardgen.core.findings import CardgenError, Finding, Severity
from cardgen.core.records import dataclass
from cardgen.files import plugins
from cardgen.files.listing import ProjectFolders
from cardgen.files.plugins import Plugin, load_filter
from cardgen.files.project import bundled_root


@dataclass(frozen=True, slots=True)
class Registry:
    """A registry: the names of cardgen's own, and a function that loads a plug-in, or raises CardgenError
    plugin/broken."""

    names: Collection[str]
    load: Callable[[Plugin], object]


def _exporters() -> Registry:
    from cardgen.exports.exporters import EXPORTERS, exporter_of

    return Registry(EXPORTERS, exporter_of)


def _rule_kinds() -> Registry:
    from cardgen.game.rule_kinds import check_schema
    from cardgen.rules.kinds import kinds, load_kind

    def load(plugin: Plugin) -> object:
        check_schema(plugin)
        return load_kind(plugin)

    return Registry(kinds(), load)


_OF_A_GAME = ("effect", "effect_lines", "effect_text", "md", "plain", "yes_no")
"""Our filters that need a game."""


def _filters() -> Registry:
    from cardgen.art.templating import TemplateEnvironment
    from cardgen.rules.expressions import RuleSandbox

    paths = ProjectFolders((bundled_root(),))
    rules = RuleSandbox(lambda name: True).filters
    return Registry({*TemplateEnvironment(paths).filters, *rules, *_OF_A_GAME}, load_filter)


def _table_formats() -> Registry:
    from cardgen.files.table_formats import FORMATS

    def load(plugin: Plugin) -> object:
        if not re.fullmatch("[a-z0-9]+", plugin.name):
            plugins.broken(plugin, "has a name that is no ending of files in lower case, such as `jsonl`")
        return plugins.load_function(plugin)

    return Registry({"yaml", "yml", *(ending[1:] for ending in FORMATS)}, load)


def _starters() -> Registry:
    from cardgen.commands.data.starters import own_starters, plugin_starter

    return Registry(own_starters(), plugin_starter)


REGISTRIES: dict[str, Callable[[], Registry]] = {
    "exporters": _exporters,
    "rule_kinds": _rule_kinds,
    "filters": _filters,
    "table_formats": _table_formats,
    "starters": _starters,
}
"""The registry of each kind of plug-in."""


def check_plugin(plugin: Plugin) -> None:
    """Load a plug-in. Raises CardgenError plugin/broken, or plugin/name if its name is cardgen's or another
    package's."""
    registry = REGISTRIES[plugin.kind]()
    if plugin.name in registry.names:
        message = f"{plugin} is never used: the name is cardgen's own"
        raise CardgenError(
            Finding(Severity.ERROR, "plugin/name", message, None, "ask its author to rename it")
        )
    plugins.find(plugin.kind, plugin.name)
    registry.load(plugin)
