"""The exporters of `cardgen export GAME --to NAME` and their options, from `exporters.json`.

An exporter has a function `plan(job: ExportJob) -> list[PlannedFile]`, ours in a module that is imported
only when it is used. Print services are not in the table: each file of `data/services/` is one, and they
all use the exporter `SERVICE`. Other names may be those of plug-ins (`cardgen.exporters`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlsplit

from cardgen.core.findings import UsageError, did_you_mean
from cardgen.core.geometry import parse_length
from cardgen.core.records import dataclass, replace
from cardgen.core.services import Value
from cardgen.core.sheets import MAX_BLEED
from cardgen.files import plugins

if TYPE_CHECKING:
    from cardgen.exports.job import ExportJob, PlannedFile

_HINT = "set the address where you upload the files, such as https://example.com/games/fox"


def web_address(text: str) -> str:
    """Return an address that file names can be appended to: without its last slash, with letters outside
    ASCII percent-encoded. Raises UsageError for an invalid address."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port  # urlsplit checks the port only on access
    except ValueError:
        raise UsageError(f"--base-url '{text}' is not an address", _HINT, "usage/base-url") from None
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s\\]", text):
        message = f"--base-url '{text}' is not an address that begins with https://"
        raise UsageError(message, _HINT, "usage/base-url")
    if "?" in text or "#" in text:
        message = f"--base-url '{text}' can't have a ? or #: file names are appended to it"
        raise UsageError(message, _HINT, "usage/base-url")
    named = parts._replace(scheme=parts.scheme, path=quote(parts.path, safe="/%:@!$&'()*+,;=~"))
    return named.geturl().rstrip("/")


def local_address(path: PurePath) -> str:
    """Return the address of a local file, given by absolute path, for Tabletop Simulator: `file:///` and
    the unescaped path. It reads a space as a space, and `%20` as three letters (makers of its saves)."""
    text = path.as_posix()
    return f"file://{text}" if text.startswith("/") else f"file:///{text}"


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of some exporters, on the command line `--NAME` (a switch if `default` is a bool). `least`
    and `most` bound whole numbers; `choices` are the allowed texts. `form` is the required format of a
    text: a web address or a length."""

    name: str
    help: str
    default: Value = None
    metavar: str = "N"
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    form: Literal["address", "length"] | None = None

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the exporters that take this option."""
        takers = tuple(name for name, exporter in EXPORTERS.items() if self.name in exporter.options)
        return (*takers, "print services") if self.name in SERVICE.options else takers

    @property
    def argument(self) -> dict[str, Any]:
        """Return the arguments for argparse; the default is None."""
        if isinstance(self.default, bool):
            return {"action": "store_const", "const": True, "help": self.help}
        help = self.help if self.default is None else f"{self.help} (default: {self.default})"
        metavar = f"{{{','.join(self.choices)}}}" if self.choices else self.metavar
        return {"type": int if self.least is not None else str, "metavar": metavar, "help": help}


@dataclass(frozen=True, slots=True)
class Exporter:
    """An entry of the table, or the object of a plug-in: one sentence for the help, the module of ours or
    the function `plan`, the names of its options, and the inputs it needs: rulebooks as PDF, data for
    tables on screens (`job.tabletop`), sides with the items laid out on them, or the cards of deck lists
    (`job.database`). `own` are options that only this exporter has."""

    summary: str
    module: str = ""
    options: tuple[str, ...] = ()
    books: bool = False
    tabletop: bool = False
    items: bool = False
    database: bool = False
    lasting: tuple[str, ...] = ()
    """Folders of an export whose files later exports keep without `--prune`, since other files may refer
    to them."""
    plan: Callable[[ExportJob], list[PlannedFile]] | None = None
    own: tuple[Option, ...] = ()
    plugin: plugins.Plugin | None = None

    @property
    def all_options(self) -> dict[str, Option]:
        """Return its options by name."""
        return {name: OPTIONS[name] for name in self.options} | {each.name: each for each in self.own}

    def planned(self, job: ExportJob) -> list[PlannedFile]:
        """Return the files to write. Raises CardgenError for a plug-in that fails, now or when it writes
        them."""
        if self.plugin is None:
            files: list[PlannedFile] = import_module(self.module).plan(job)
            return files
        assert self.plan is not None
        with plugins.guarded(self.plugin):
            planned = self.plan(job)
            return [replace(file, write=plugins.guarding(self.plugin, file.write)) for file in planned]


def _check_length(text: str) -> None:
    """Raise UsageError unless the value is a length from 0 to 25 mm."""
    try:
        good = 0 <= parse_length(text) <= MAX_BLEED
    except ValueError as error:
        raise UsageError(f"--bleed-width: {error}", "write a length such as 3mm or 0.125in") from None
    if not good:
        raise UsageError(f"--bleed-width {text} is not between 0mm and {MAX_BLEED:g}mm")


_TABLE = json.loads(Path(__file__).with_name("exporters.json").read_text(encoding="utf-8"))


def _traits(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


OPTIONS = {name: Option(name, **_traits(entry)) for name, entry in _TABLE["options"].items()}
EXPORTERS = {name: Exporter(**_traits(entry)) for name, entry in _TABLE["exporters"].items()}
SERVICE = Exporter(**_traits(_TABLE["service"]))
"""The exporter of every print service."""


RESERVED = frozenset(
    (
        *("budget", "component", "help", "language", "low-ink", "no-sandbox", "output", "players"),
        *("plugins", "project", "quiet", "sandboxed", "to"),
    )
)
"""Options of `cardgen export` that aren't an exporter's."""
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def plugged(name: str) -> Exporter | None:
    """Return the exporter of a plug-in; None if none has that name. Raises CardgenError for a plug-in that
    can't be used."""
    found = plugins.find("exporters", name)
    return None if found is None else exporter_of(found)


def exporter_of(plugin: plugins.Plugin) -> Exporter:
    """Return the exporter of a plug-in. Raises CardgenError plugin/broken."""
    exporter = plugins.load(plugin)
    if not isinstance(exporter, Exporter) or not callable(exporter.plan):
        plugins.broken(plugin, f"is no Exporter with a function `plan`: {plugin.value}")
    if not isinstance(exporter.summary, str) or not exporter.summary.isprintable():
        plugins.broken(plugin, "has no summary of one line")
    for name in exporter.options:
        if name not in OPTIONS:
            near = did_you_mean(name, OPTIONS) or "define it in `own`"
            plugins.broken(plugin, f"has the option '{name}', which is not one of cardgen's; {near}")
    for option in exporter.own:
        if not isinstance(option, Option) or not _NAME.fullmatch(option.name):
            plugins.broken(
                plugin, f"has an own option that is no Option with a name such as `paper`: {option}"
            )
        if option.name in OPTIONS or option.name in RESERVED:
            what = "list it in `options`" if option.name in OPTIONS else "rename it"
            plugins.broken(plugin, f"defines --{option.name}, which is cardgen's: {what}")
    return replace(exporter, plugin=plugin)


def find_exporter(name: str, services: Collection[str] = ()) -> Exporter:
    """Return the exporter with that name, which may be one of the print `services` of a project, or else a
    plug-in's. Raises UsageError, with the nearest name, if there is none or a service uses a name that is
    already taken; CardgenError for a plug-in that can't be used."""
    if name in EXPORTERS and name in services:
        message = f"the print service '{name}' has the name of another exporter"
        raise UsageError(message, f"rename data/services/{name}.yaml", "usage/exporter")
    if name in services:
        return SERVICE
    if name not in EXPORTERS:
        if (found := plugged(name)) is not None:
            return found
        known = sorted({*EXPORTERS, *services, *plugins.names("exporters")})
        near = did_you_mean(name, known)
        hint = f"{near} list all:" if near else f"use one of: {', '.join(known)}; list all:"
        hint += " cardgen export --help"
        raise UsageError(f"unknown target '{name}'", hint, "usage/exporter")
    return EXPORTERS[name]


def settle(name: str, chosen: Mapping[str, Value], services: Collection[str] = ()) -> dict[str, Value]:
    """Return all settings of the exporter `name`, by the names of its options, those `chosen` over the
    defaults. Raises UsageError for an option that it does not have and for a value out of bounds."""
    options = find_exporter(name, services).all_options
    settings: dict[str, Value] = {key: option.default for key, option in options.items()}
    for key, value in chosen.items():
        if key not in settings:
            hint = f"remove it; list its options: cardgen export --to {name} --help"
            raise UsageError(f"--to {name} doesn't accept --{key}", hint)
        _check(options[key], value)
        settings[key] = value
    return settings


def _check(option: Option, value: Value) -> None:
    least, most = option.least, option.most
    if least is not None and most is not None and isinstance(value, int) and not least <= value <= most:
        raise UsageError(f"--{option.name} {value} is not between {least} and {most}")
    if option.choices and value not in option.choices:
        raise UsageError(f"--{option.name} {value} is not one of {', '.join(option.choices)}")
    if option.form == "address" and isinstance(value, str):
        web_address(value)
    if option.form == "length" and isinstance(value, str):
        _check_length(value)
