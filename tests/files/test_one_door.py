"""Inputs are opened and folders listed in one place, read from the code itself.

What else opens or lists something is in the table below, with the reason why it is no input of a project. A
new way in is a failing test, and so is an entry that is not needed any more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.sources import nodes

PACKAGE = Path(__file__).resolve().parents[2] / "cardgen"

METHODS = frozenset("open read_text read_bytes glob rglob iterdir memmap fromfile from_file".split())
"""Names of methods that open a file or list a folder, whatever they are methods of."""
MODULES = frozenset("os io shutil tempfile glob fileinput mmap".split())
"""Modules whose functions may do so; `os` has many that don't."""
HARMLESS = frozenset(
    "access chmod close cpu_count dup dup2 fsdecode fsencode fspath fstat fsync getpid read replace stat "
    "umask link rename strerror urandom BufferedReader BytesIO RawIOBase StringIO TemporaryDirectory which "
    "get_terminal_size".split()
)
BARE = frozenset("open TTFont".split())

OWN_DATA = "cardgen's own files, as installed"
INSTALLED = "packages of this Python, as installed"
OUTPUT = "what this very export has written a moment before"
NO_FILE = "no file: it is in memory, or a method of ours that goes through the door"

ELSEWHERE: dict[str, str] = {
    "core/budget.py: open": "/proc/self/statm, a line of the kernel's",
    "core/budget.py: os._exit": "no file: how a command over its budget ends",
    "core/budget.py: os.sysconf": "no file: the bytes of a page of memory",
    "core/budget.py: os.times": "no file: processor time",
    "commands/check/ahead.py: os._exit": "no file: how that process ends",
    "commands/check/ahead.py: os.fork": NO_FILE,
    "commands/check/ahead.py: os.kill": NO_FILE,
    "commands/check/ahead.py: os.open": "the null device, for what that process prints",
    "commands/check/ahead.py: os.pidfd_open": NO_FILE,
    "commands/check/ahead.py: os.sched_getaffinity": NO_FILE,
    "commands/check/ahead.py: os.waitpid": NO_FILE,
    "commands/production/turns.py: os.register_at_fork": NO_FILE,
    "files/plugins.py: os.listdir": INSTALLED,
    "files/plugins.py: os.walk": INSTALLED,
    "files/project.py: cls.open": NO_FILE,
    "commands/production/trust.py: os.geteuid": "no file: who runs the command",
    "cli/arguments.py: open": OWN_DATA,
    "cli/saying.py: os.open": "the null device, for output that nobody reads any more",
    "pdf/forms.py: pikepdf.open": NO_FILE,
    "pdf/forms.py: value.read_bytes": NO_FILE,
    "pdf/typst_pages.py: Image.open": NO_FILE,
    "pdf/typst_child.py: os._exit": "no file: how that process ends",
    "rules/reports.py: pikepdf.open": NO_FILE,
    "rules/reports.py: thing.FontFile2.read_bytes": NO_FILE,
    "pdf/ink_conversion.py: Image.open": NO_FILE,
    "pdf/ink_conversion.py: holder.read_bytes": NO_FILE,
    "pdf/ink_conversion.py: part.read_bytes": NO_FILE,
    "pdf/pdfx.py: pdf.Root.Metadata.read_bytes": NO_FILE,
    "pdf/pdfx.py: pikepdf.open": NO_FILE,
    "pdf/file_facts.py: packet.read_bytes": NO_FILE,
    "pdf/file_facts.py: pikepdf.open": NO_FILE,
    "pdf/file_facts.py: profile.read_bytes": NO_FILE,
    "pdf/painted.py: stream.read_bytes": NO_FILE,
    "pdf/ink_conversion.py: pikepdf.open": NO_FILE,
    "svg/raster_files.py: Image.open": NO_FILE,
    "svg/raster_files.py: os.open": "the null device, for what a library says on the terminal",
    "files/workbooks.py: self._zip.open": NO_FILE,
    "art/laying_out.py: self._splitter.open": NO_FILE,
    "art/laying_out.py: splitter.open": NO_FILE,
    "art/splitting.py: self.open": NO_FILE,
    "exports/kit.py: made(file.name).read_bytes": OUTPUT,
    "cli/printing.py: os._exit": "no file: how that process ends",
    "workbench/server/serving.py: Path(tempfile.gettempdir()).glob": "folders of workbenches that are gone",
    "workbench/server/serving.py: os.geteuid": NO_FILE,
    "workbench/server/serving.py: os.kill": NO_FILE,
    "workbench/server/serving.py: shutil.rmtree": "our own folders of workbenches that are gone",
    "workbench/server/serving.py: tempfile.gettempdir": NO_FILE,
    "workbench/studio.py: Path('/proc/self/statm').read_text": "what the system says of this process",
    "workbench/studio.py: os._exit": "no file: how that process ends",
    "workbench/studio.py: os.fdopen": "a pipe to the process that draws",
    "workbench/studio.py: os.fork": NO_FILE,
    "workbench/studio.py: os.kill": NO_FILE,
    "workbench/studio.py: os.open": "the null device, for what that process prints",
    "workbench/studio.py: os.pipe": NO_FILE,
    "workbench/studio.py: os.setpgid": NO_FILE,
    "workbench/studio.py: os.waitpid": NO_FILE,
    "workbench/studio.py: os.write": "a pipe from the process that draws",
    "exports/cells.py: made(file.name).read_bytes": OUTPUT,
    "text/font_files.py: TTFont": "bytes at hand",
    "text/line_ends.py: pyphen.LANGUAGES[name].read_bytes": "the library's own patterns",
    "commands/check/looks.py: ArtStore.open": NO_FILE,
    "commands/production/stages.py: ArtStore.open": NO_FILE,
    "workbench/server/child.py: os._exit": "no file: how that process ends",
    "workbench/server/child.py: os.fdopen": "its own standard output",
    "workbench/server/child.py: os.nice": "no file: how urgent that process is",
    "workbench/server/serving.py: webbrowser.open": "no file: an address",
    "workbench/studio.py: ArtStore.open": NO_FILE,
    "commands/data/new.py: folder.iterdir": "whether a new project's folder is empty: one name at most",
    "commands/data/starters.py: path.read_bytes": INSTALLED,
    "commands/data/starters.py: root.rglob": INSTALLED,
    "commands/data/starters.py: starters_root().glob": OWN_DATA,
}

DOOR = (
    *("files/reading.py", "files/writing.py", "files/cache.py", "files/trees.py", "files/listing.py"),
    *("files/changes.py", "files/confine", "files/kernel_rules.py"),
)
"""The modules that open files for all others."""


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Module and call of everything that is called in the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE).as_posix()
        # Confining opens nothing of a project: what it tries is whether the system refuses it.
        if not relative.startswith(("_bundled/", "scaffold/", "starters/", *DOOR)):
            yield from ((relative, node) for node in nodes(path) if isinstance(node, ast.Call))


@cache
def reaching(module: str) -> set[str]:
    """The functions of `WITHIN` that a module imports."""
    return {
        alias.name
        for node in nodes(PACKAGE / module)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cardgen.files")
        for alias in node.names
        if alias.name in WITHIN
    }


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def opens(node: ast.Call) -> bool:
    function = node.func
    if isinstance(function, ast.Attribute):
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        if function.attr not in METHODS:
            return owner in MODULES and function.attr not in HARMLESS
        # Opening a project goes through the door; what lies beside a module is cardgen's own.
        said = ast.unparse(function).removeprefix("cardgen.")
        return said != "Project.open" and not said.startswith(("Path(__file__)", "(Path(__file__)"))
    return called(node) in BARE


def test_files_are_opened_and_folders_listed_in_one_place() -> None:
    found = {f"{module}: {ast.unparse(node.func)}" for module, node in calls() if opens(node)}
    assert found - set(ELSEWHERE) == set(), "read it through cardgen.files, or say here why not"
    assert set(ELSEWHERE) - found == set(), "these are gone: take them out of the table"


def test_the_door_itself_opens_in_one_line() -> None:
    opened = [
        f"{path.name}: {ast.unparse(node.func)}"
        for path in sorted(PACKAGE / name for name in DOOR if name.endswith(".py") and "rules" not in name)
        for node in nodes(path)
        if isinstance(node, ast.Call) and opens(node)
    ]
    inputs = [each for each in opened if each.startswith(("reading", "listing"))]
    assert inputs == ["listing.py: os.scandir", "listing.py: os.scandir", "reading.py: os.open"]
    others = {each.partition(":")[0] for each in opened if each not in inputs}
    expected = {"cache.py", "changes.py", "trees.py", "writing.py"}
    assert others == expected, "outputs, our own code, the cache, its trees, and locks"


def test_no_function_that_opens_goes_by_another_name() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module in MODULES:
                assert {each.name for each in node.names} <= HARMLESS, path
            if isinstance(node, ast.Import):
                assert all(each.asname is None for each in node.names if each.name in MODULES), path


WITHIN = {"read_file": 4, "read_blocks": 4, "walk": 3, "names_in": 3, "load_yaml": 99, "read_text": 99}
"""Functions that reach files, and which argument says where these must lie (99: none but a named one)."""


def test_everyone_says_where_a_file_must_lie() -> None:
    silent = []
    for module, node in calls():
        name = called(node)
        if name not in reaching(module):
            continue
        named = any(keyword.arg == "within" for keyword in node.keywords)
        if name in ("load_yaml", "read_text") and isinstance(node.func, ast.Name) and not named:
            silent.append(f"{module}:{node.lineno} {name}")
        if (
            name in WITHIN
            and isinstance(node.func, ast.Name)
            and not named
            and len(node.args) < WITHIN[name]
        ):
            silent.append(f"{module}:{node.lineno} {name}")
    assert silent == []


ANYWHERE: dict[str, str] = {
    "files/plugins.py: read_file(folder / 'entry_points.txt', BUNDLED, str(folder), None)": INSTALLED,
    "commands/check/pdf_files.py: read_file(path, PDF, name, None)": "the PDF that the user names",
    "commands/data/doctor.py: read_file(lock, SCHEMA, lock.name, None)": "comes with cardgen",
    "commands/build/export.py: read_file(changes.folder / 'table.json', SAVE, 'table.json', None)": "ours",
    "exports/tts_saves.py: names_in(saves, saves.as_posix(), None, '.json')": "the user's saves",
    "exports/tts_saves.py: read_file(path, SAVE, shown, None)": "a save of the user's",
    "commands/data/table_decks.py: read_file(path, TABLE, file, None)": "the table that the user names",
    "commands/data/table_decks.py: names_in(folder, source, None)": "the user's folder of tables",
    "commands/data/table_decks.py: read_file(path, TABLE, str(path), None)": "a table of that folder",
    "commands/production/deck_lists.py: names_in(path.parent, str(path.parent), None)": "beside a list",
    "commands/data/fonts.py: read_file(path, FONT, path.name, None)": "a font that the user names",
    "commands/data/fonts.py: walk(folder, folder.name, None, most=_MOST_FILES)": "where fonts are",
    "commands/data/fonts.py: read_file(drawing, TEMPLATE, drawing.name, None)": "the user's drawing",
    "pdf/images.py: read_file(path, PICTURE, path, None)": "found in the project by rendering",
    "exports/delivery.py: read_file(changes.folder / NAME, LIST, NAME, None)": "our own list of outputs",
    "exports/delivery.py: read_blocks(source, OUTPUT, source.name, None)": "our own output",
    "exports/delivery.py: read_file(path, LIST, path.name, None)": "our own list of outputs",
    "exports/manifest.py: read_file(path, LIST, path.name, None)": "our own list of outputs",
    "exports/svg.py: read_file(href, PICTURE, href, None)": "found in the project by rendering",
    "game/facts.py: names_in(folder, str(folder), None, '.toml')": "the user's own settings",
    "game/facts.py: read_file(path, PROFILE, path.as_posix(), None)": "the user's own settings",
    "rules/charts.py: read_file(path, FONT, path.name, None)": "the bundled fonts",
}
"""Calls that let a file lie anywhere, and why they may."""


def test_files_that_may_lie_anywhere_are_few() -> None:
    found = {
        f"{module}: {ast.unparse(node)}"
        for module, node in calls()
        if called(node) in WITHIN
        and any(isinstance(value, ast.Constant) and value.value is None for value in node.args[2:4])
    }
    assert found == set(ANYWHERE)
