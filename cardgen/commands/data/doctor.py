"""`cardgen doctor`: check cardgen's requirements, and print the command that installs missing ones."""

from __future__ import annotations

import ctypes.util
import shutil
import sys
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from cardgen.core.findings import CardgenError
from cardgen.core.records import dataclass
from cardgen.files import plugins

INSTALLERS = (
    ("apt-get", "sudo apt-get install {apt}"),
    ("dnf", "sudo dnf install {dnf}"),
    ("apk", "sudo apk add {apk}"),
    ("brew", "brew install {brew}"),
)
LIBRARIES = (
    # the loader's name, the usual files, the packages
    ("cairo", ("libcairo.so.2", "libcairo.2.dylib", "libcairo-2.dll"), ("libcairo2", "cairo")),
    ("freetype", ("libfreetype.so.6", "libfreetype.6.dylib", "freetype.dll"), ("libfreetype6", "freetype")),
)


@dataclass(frozen=True, slots=True)
class Check:
    """A checked item. `remedy` is a command to type, or a sentence, if `ok` is false."""

    name: str
    ok: bool
    detail: str
    remedy: str | None = None


def doctor() -> list[Check]:
    """Check Python, the system libraries, the Python packages, the bundled fonts and the plug-ins."""
    checks = [
        Check(
            "Python",
            sys.version_info >= (3, 11),
            ".".join(map(str, sys.version_info[:3])),
            "install Python 3.11 or later",
        )
    ]
    checks += [_library(*entry) for entry in LIBRARIES]
    checks += _packages()
    checks += [_fonts(), _budget(), _confinement()]
    checks += [_plugin(each) for each in plugins.installed()]
    return checks


def _plugin(plugin: plugins.Plugin) -> Check:
    """Check that a plug-in can be loaded and that its name is its own."""
    from cardgen.commands.data.plugins import check_plugin

    name, title = f"plug-in {plugin.package}", f"{plugins.KINDS[plugin.kind]} '{plugin.name}'"
    if plugin not in plugins.usable():
        return Check(name, True, f"{plugin.version}, {title}, not loaded: see --plugins")
    try:
        check_plugin(plugin)
    except CardgenError as error:
        return Check(name, False, str(error.findings[0]), error.findings[0].hint)
    return Check(name, True, f"{plugin.version}, {title}")


def _library(name: str, files: tuple[str, ...], packages: tuple[str, str]) -> Check:
    for candidate in (ctypes.util.find_library(name), *files):
        if candidate is None:
            continue
        try:
            ctypes.CDLL(candidate)
        except OSError:
            continue
        return Check(f"lib{name}", True, candidate)
    return Check(f"lib{name}", False, "not found", install_command(*packages))


def install_command(apt: str, other: str) -> str:
    """Return the command that installs a system package with this machine's package manager."""
    for program, command in INSTALLERS:
        if shutil.which(program):
            return command.format(apt=apt, dnf=other, apk=other, brew=other)
    return f"install {other} with your package manager"


def _packages() -> list[Check]:
    try:
        stated = metadata.requires("cardgen") or []
    except metadata.PackageNotFoundError:
        return [Check("cardgen", False, "not installed", "pip install cardgen")]
    needed = [Requirement(line) for line in sorted(stated)]
    tested = tested_versions()
    return [
        package(each, tested.get(canonicalize_name(each.name)))
        for each in needed
        if each.marker is None or each.marker.evaluate({"extra": ""})
    ]


def tested_versions() -> dict[str, str]:
    """Return the version of each package that the tests run with, by normalized name. It is empty if
    cardgen came without its lock."""
    from cardgen.files.project import bundled_root
    from cardgen.files.reading import SCHEMA, is_regular, read_file

    places = (bundled_root() / "constraints.txt", bundled_root() / ".ci" / "constraints.txt")
    lock = next((place for place in places if is_regular(place)), None)
    if lock is None:
        return {}
    text = read_file(lock, SCHEMA, lock.name, None).decode("utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    pins = [Requirement(line) for line in lines if line]
    return {
        canonicalize_name(pin.name): next(iter(pin.specifier)).version
        for pin in pins
        if pin.marker is None or pin.marker.evaluate()
    }


def package(requirement: Requirement, tested: str | None = None) -> Check:
    """Check that a Python package is installed in a version that its requirement allows. A version newer
    than the `tested` one is allowed and reported."""
    remedy = f"pip install '{requirement}'"
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return Check(requirement.name, False, "not installed", remedy)
    if not requirement.specifier.contains(version, prereleases=True):
        said = f"{version} is installed, {requirement.specifier} is needed"
        return Check(requirement.name, False, said, remedy)
    if tested is not None and Version(version) > Version(tested):
        return Check(requirement.name, True, f"{version}, newer than the tested {tested}")
    return Check(requirement.name, True, version)


def _fonts() -> Check:
    from cardgen.files.project import bundled_root

    folder = bundled_root() / "fonts"
    if (folder / "fonts.yaml").is_file():
        return Check("bundled fonts", True, str(folder))
    return Check("bundled fonts", False, f"not found in {folder}", "reinstall cardgen")


def _budget() -> Check:
    """Report the limits of a command here, and those that this system can't enforce. It never fails."""
    from cardgen.core.budget import Budget, size_shown, unheld

    budget = Budget.stated()
    held = {
        "time": f"{budget.time_shown} of processor time",
        "memory": f"{size_shown(budget.memory)} of memory",
        "files": f"{size_shown(budget.written)} of files",
    }
    missing = [f"{held.pop(kind)} (not enforced on this system)" for kind in unheld()]
    return Check("--budget", True, ", ".join((*held.values(), *missing)))


def _confinement() -> Check:
    """Report the limits that --sandboxed enforces here. Nothing else depends on it, so it never fails."""
    from cardgen.commands.production.sandboxed import confinement_line
    from cardgen.core.findings import UsageError

    try:
        return Check("--sandboxed", True, confinement_line().partition(": ")[2])
    except UsageError as error:
        return Check("--sandboxed", True, error.findings[0].message)
    except OSError as error:
        return Check("--sandboxed", True, f"nothing: {error.strerror or error}")
