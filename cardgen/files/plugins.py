"""Plug-ins: installed packages whose entry points add names to cardgen's registries.

An entry point in a group such as `cardgen.exporters` gives a name and the object that a package has for it.
Entry points are read only when a name isn't one of cardgen's own. A plug-in's code is imported only when
its name is used, and runs `guarded`: its errors become findings that name its package.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, wraps
from importlib import import_module
from pathlib import Path
from types import FunctionType, TracebackType
from typing import Any, NoReturn

from cardgen.core.findings import CardgenError, Finding, Location, Severity, UsageError, did_you_mean
from cardgen.core.records import dataclass
from cardgen.files.reading import BUNDLED, ReadingError, read_file

KINDS: Mapping[str, str] = {
    "exporters": "export target",
    "rule_kinds": "rule kind",
    "filters": "filter",
    "table_formats": "table format",
    "starters": "starter",
}
"""The words for each kind of plug-in. Its entry points are in the group `cardgen.KIND`."""
VARIABLE = "CARDGEN_PLUGINS"
"""If this environment variable is set, only plug-ins of the packages that it lists are loaded."""

_GROUP = "cardgen."
_INSTALLED = (".dist-info", ".egg-info")


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point: its kind, a key of KINDS; the name that games and commands use; `value`, a module or
    `module:object`; the package that has it, and the package's version."""

    kind: str
    name: str
    value: str
    package: str
    version: str

    def __str__(self) -> str:
        return f"the {KINDS[self.kind]} '{self.name}' of {self.source}"

    @property
    def source(self) -> str:
        """Return the package with its version: `corner-shop 1.2`."""
        return f"{self.package} {self.version}".rstrip()

    @property
    def top(self) -> str:
        """Return the module or package that contains its code."""
        return re.split("[.:]", self.value, maxsplit=1)[0].strip()


def normal(package: str) -> str:
    """Return a package's name as indexes compare it: `Corner_Shop` is `corner-shop`."""
    return re.sub(r"[-_.]+", "-", package).lower()


def allowed() -> frozenset[str] | None:
    """Return the normal names of the packages whose plug-ins may be loaded; None for all."""
    stated = os.environ.get(VARIABLE)
    if stated is None:
        return None
    return frozenset(normal(each.strip()) for each in stated.split(",") if each.strip())


def named() -> list[str]:
    """Return the packages that were named, whose plug-ins are loaded in the sandbox too."""
    return sorted(allowed() or ())


def choose(stated: str) -> None:
    """Load only plug-ins of these packages, separated by commas, here and in other processes. Raises
    UsageError for a package that isn't installed or has no plug-ins."""
    os.environ[VARIABLE] = stated
    known = {each.package for each in installed()}
    for name in sorted((allowed() or frozenset()) - known):
        meant = did_you_mean(name, known)
        hint = f"{meant} list all: cardgen doctor" if meant else "list all: cardgen doctor"
        raise UsageError(f"there is no plug-in package '{name}'", hint, "usage/plugins")


def installed() -> tuple[Plugin, ...]:
    """Return the plug-ins of all packages on the search path, allowed or not, by kind, name and package."""
    return _installed(tuple(sys.path))


@lru_cache(maxsize=8)
def _installed(path: tuple[str, ...]) -> tuple[Plugin, ...]:
    found: list[Plugin] = []
    seen: set[str] = set()
    for folder in path:
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            package = normal(name.partition("-")[0].removesuffix(".egg"))
            if name.endswith(_INSTALLED) and package not in seen:
                seen.add(package)  # Python imports the first of several
                found += _entry_points(Path(folder or ".", name))
    kinds = list(KINDS)
    return tuple(sorted(found, key=lambda each: (kinds.index(each.kind), each.name, each.package)))


def _entry_points(folder: Path) -> Iterator[Plugin]:
    """Yield the plug-ins of an installed package. Reading its files directly takes a hundredth of the time
    of `importlib.metadata`."""
    try:
        listed = read_file(folder / "entry_points.txt", BUNDLED, str(folder), None)
    except ReadingError:
        return
    if b"[cardgen." not in listed:
        return
    package, version = [*folder.stem.removesuffix(".egg").split("-"), ""][:2]
    kind = ""
    for line in map(str.strip, listed.decode("utf-8", "replace").splitlines()):
        if line.startswith("["):
            kind = line.strip("[] ").removeprefix(_GROUP)
        elif "=" in line and kind in KINDS and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield Plugin(kind, name.strip(), value.partition("[")[0].strip(), normal(package), version)


def usable() -> list[Plugin]:
    """Return the installed plug-ins that may be loaded."""
    chosen = allowed()
    if chosen is not None and not chosen:
        return []
    return [each for each in installed() if chosen is None or each.package in chosen]


def names(kind: str) -> list[str]:
    """Return the names of the plug-ins of a kind that may be loaded."""
    return list(dict.fromkeys(each.name for each in usable() if each.kind == kind))


def find(kind: str, name: str) -> Plugin | None:
    """Return the plug-in of that kind and name; None if no package has one. Raises CardgenError
    plugin/name if several packages have it, plugin/off if it may not be loaded."""
    all_named = [each for each in installed() if each.kind == kind and each.name == name]
    may_be_loaded = usable() if all_named else []
    loaded = [each for each in all_named if each in may_be_loaded]
    if len(loaded) > 1:
        message = f"the packages {_listed(loaded)} each have the {KINDS[kind]} '{name}'"
        hint = f"remove all but one: pip uninstall {loaded[-1].package}"
        raise CardgenError(Finding(Severity.ERROR, "plugin/name", message, None, hint))
    if all_named and not loaded:
        message = f"{all_named[0]} is not loaded here"
        hint = f"if you trust the package, add --plugins {all_named[0].package}"
        raise CardgenError(Finding(Severity.ERROR, "plugin/off", message, None, hint))
    return loaded[0] if loaded else None


def _listed(found: list[Plugin]) -> str:
    return " and ".join(each.source for each in found)


@lru_cache(maxsize=256)
def load(plugin: Plugin) -> Any:
    """Return the object that an entry point names. Raises CardgenError plugin/broken."""
    with guarded(plugin, "can't be imported"):
        module, _, attributes = plugin.value.partition(":")
        found: Any = import_module(module.strip())
        for name in filter(None, attributes.strip().split(".")):
            found = getattr(found, name)
        return found


@contextmanager
def guarded(plugin: Plugin, problem: str = "failed", *passing: type[BaseException]) -> Iterator[None]:
    """Run a plug-in's code: each of its exceptions becomes CardgenError plugin/broken, except findings that
    it raises itself, and those in `passing`."""
    from cardgen.core.progress import Cancelled

    own: tuple[type[BaseException], ...] = (CardgenError, Cancelled, MemoryError, *passing)
    try:
        yield
    except own:
        raise
    except (Exception, SystemExit) as error:
        words = f"{type(error).__name__}: {error}".rstrip(": ")
        broken(plugin, f"{problem}: {words}", _place(plugin, error.__traceback__))


def broken(plugin: Plugin, problem: str, place: Location | None = None) -> NoReturn:
    """Raise CardgenError plugin/broken: the plug-in's name, and the problem as the rest of a sentence."""
    hint = f"update the package, or remove it: pip uninstall {plugin.package}"
    message = f"{plugin} {' '.join(problem.split())}"
    raise CardgenError(Finding(Severity.ERROR, "plugin/broken", message, place, hint))


def _place(plugin: Plugin, trace: TracebackType | None) -> Location | None:
    """Return the innermost line of the plug-in's own code where an exception was raised."""
    own = set(code_files(plugin.top))
    found = None
    while trace is not None:
        file = os.path.realpath(trace.tb_frame.f_code.co_filename)
        if file in own:
            found = Location(file, trace.tb_lineno)
        trace = trace.tb_next
    return found


def code_files(top: str) -> list[str]:
    """Return the files of a module or package, sorted, without importing it; none if it isn't there."""
    from importlib.util import find_spec  # takes 5 ms, which commands without plug-ins need not wait for

    try:
        spec = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return []
    if spec is None:
        return []
    found = [] if spec.origin in (None, "namespace", "built-in", "frozen") else [str(spec.origin)]
    for folder in spec.submodule_search_locations or ():
        for inside, folders, files in os.walk(folder):
            folders[:] = [each for each in folders if each != "__pycache__"]
            found += [os.path.join(inside, each) for each in files if not each.endswith(".pyc")]
    return sorted({os.path.realpath(each) for each in found})


def guarding(
    plugin: Plugin, function: Callable[..., Any], *passing: type[BaseException]
) -> Callable[..., Any]:
    """Return a function of a plug-in that runs `guarded`."""

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        with guarded(plugin, "failed", *passing):
            return function(*given, **named)

    return call


def filter_of(name: str) -> Callable[..., Any] | None:
    """Return the function of a plug-in's filter; None if there is none. Its ValueError passes, all else
    that it raises is CardgenError plugin/broken."""
    plugin = find("filters", name)
    if plugin is None:
        return None
    function = load_filter(plugin)

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        return plain_data(function(*given, **named))

    return guarding(plugin, call, ValueError)


_MOST_DEPTH = 64


def plain_data(value: Any, depth: int = 0) -> Any:
    """Return a value as text, numbers, lists and mappings of exactly these types. Raises TypeError."""
    if depth > _MOST_DEPTH:
        raise TypeError(f"it returns values nested more than {_MOST_DEPTH} deep")
    if value is None or isinstance(value, bool):
        return value
    for kind in (int, float, str):
        if isinstance(value, kind):
            return kind.__str__(value) if kind is str else kind(value)
    if isinstance(value, (list, tuple)):
        return [plain_data(member, depth + 1) for member in value]
    if isinstance(value, Mapping) and all(isinstance(key, (str, int, float)) for key in value):
        return {plain_data(key): plain_data(member, depth + 1) for key, member in value.items()}
    raise TypeError(f"it returns a {type(value).__name__}, which is no data")


def load_filter(plugin: Plugin) -> Callable[..., Any]:
    """Return the function of a filter. Raises CardgenError plugin/broken."""
    if not plugin.name.isidentifier() or plugin.name.startswith("_"):
        broken(plugin, "has a name that isn't letters, digits and _, such as `roman`")
    return load_function(plugin)


def load_function(plugin: Plugin) -> Callable[..., Any]:
    """Return the function that an entry point names. Raises CardgenError plugin/broken."""
    function = load(plugin)
    if not isinstance(function, FunctionType):
        broken(plugin, f"is no function: {plugin.value}")
    return function
