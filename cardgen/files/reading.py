"""Reading the files of a project, which a stranger may have made.

Every input file is read by `read_file`, on a disk or in memory (`files/memory.py`). It returns the bytes of
a regular file within the project, up to the size limit of its kind, and a finding for anything else: a
folder, a pipe, a device, a link that leads out or nowhere, a file that is too large or changes during the
read. Only regular files are opened, and no read waits.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.findings import CardgenError, Finding, Location, Severity
from cardgen.files.memory import Name, entry, is_in_memory

PACKAGE = Path(__file__).resolve().parent.parent
"""The folder of cardgen's code and of the files that come with it."""
KB, MB = 1024, 1024 * 1024
BLOCK = MB


class Kind(NamedTuple):
    """A kind of files: their name in words, the most bytes that one may have, and the fix for a larger
    one."""

    names: str
    most: int
    hint: str


YAML = Kind("YAML files", 8 * MB, "split it into several files")
TABLE = Kind("tables", 16 * MB, "split it into several files; a thousand cards need 1 MB")
SCHEMA = Kind("schemas", 8 * MB, "split it into several files")
SERVICE = Kind("print services", 256 * KB, "shorten it; a hundred products need 30 kB")
DECK_LIST = Kind("deck lists", 1 * MB, "shorten it; a thousand cards need 30 kB")
MARKDOWN = Kind("rulebooks", 2 * MB, "split it into several books")
TEXTS = Kind("translations", 32 * MB, "shorten it; a thousand cards need 1 MB")
TEMPLATE = Kind("templates", 4 * MB, "move large drawings into picture files")
ICON = Kind("icons", 4 * MB, "simplify its paths")
PICTURE = Kind("pictures", 64 * MB, "save it at 600 dpi or less")
RASTERS = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".heic", ".heif", ".gif", ".bmp", ".tif", ".tiff")
"""Endings of pictures of pixels."""
FONT = Kind("fonts", 32 * MB, "reduce it to the characters that the game needs")
REFERENCE = Kind("card references", 32 * MB, "delete it and create it again")
COLOR_PROFILE = Kind("color profiles", 16 * MB, "use a press profile, which has a few MB at most")
PROFILE = Kind("printer profiles", 64 * KB, "delete it and measure again")
LIST = Kind("lists of outputs", 64 * MB, "delete it")
SAVE = Kind("saves", 256 * MB, "shorten it; a table of a thousand cards needs 3 MB")
OUTPUT = Kind("outputs", 1024 * MB, "delete it")
PDF = Kind("PDF files", 512 * MB, "split it into several files")
BUNDLED = Kind("files of cardgen", 16 * MB, "install cardgen again")
INPUTS = (
    YAML,
    TABLE,
    SCHEMA,
    SERVICE,
    DECK_LIST,
    MARKDOWN,
    TEXTS,
    TEMPLATE,
    ICON,
    PICTURE,
    FONT,
    REFERENCE,
    PROFILE,
)
"""Sizes are several times those of a large game, and small enough for memory."""

COPY_HINT = "copy the file into the project; links must lead to files in it"

_OPENING = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a file that has since become a pipe must not block
    | getattr(
        os, "O_NOFOLLOW", 0
    )  # the path is resolved; a file that has since become a link is not followed
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


class ReadingError(CardgenError):
    """The refusal to read a file or folder. Has one finding, at the file.

    `reason` is the message without its subject ("is a folder, not a file"), for callers with a subject of
    their own.
    """

    def __init__(
        self, code: str, shown: str, reason: str, hint: str | None = None, what: str = "file"
    ) -> None:
        super().__init__(Finding(Severity.ERROR, code, f"the {what} {reason}", Location(shown), hint))
        self.code, self.reason, self.hint = code, reason, hint


def read_file(path: Name, kind: Kind, shown: str, within: Sequence[Name] | None) -> bytes:
    """Return the content of a file.

    One of the folders `within` must contain the file once all links are followed; None for a file that the
    user named and that may be anywhere. `shown` is its name in findings.

    Raises ReadingError: file/missing, file/link (to nowhere or to itself), file/outside, file/kind (no
    regular file), file/size, file/changed (while it was read) or file/unreadable.
    """
    return b"".join(read_blocks(path, kind, shown, within))


def read_bundled(room: str, name: str) -> bytes:
    """Read a file that comes with cardgen, from the folder of one of its rooms.

    It belongs to no project, so it may be wherever cardgen is installed. Raises ReadingError.
    """
    return read_file(PACKAGE / room / name, BUNDLED, name, None)


def read_bundled_yaml(room: str, name: str) -> Any:
    """Read the data in a YAML file that comes with cardgen, as `read_bundled` does."""
    import yaml

    return yaml.load(read_bundled(room, name), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def read_blocks(path: Name, kind: Kind, shown: str, within: Sequence[Name] | None) -> Iterator[bytes]:
    """Yield a file's content in pieces, as `read_file` does, to save memory."""
    if is_in_memory(path):
        content = entry(resolved(path, shown, within))
        check_kind(stat.S_IFREG if isinstance(content, bytes) else stat.S_IFDIR, shown)
        assert isinstance(content, bytes)
        _check_size(len(content), kind, shown)
        yield content
        return
    with _opened(path, kind, shown, within) as (handle, size):
        length = 0
        # One byte more than expected, to detect the end. A read may return less than requested.
        while length <= size and (block := os.read(handle, min(BLOCK, size + 1 - length))):
            length += len(block)
            yield block
        # Files of /proc have no size but content; designers use neither these nor devices.
        if length != size and length != os.fstat(handle).st_size:
            raise _changed(shown)


@contextmanager
def _opened(path: Name, kind: Kind, shown: str, within: Sequence[Name] | None) -> Iterator[tuple[int, int]]:
    """Open a file that is checked before and after: return its descriptor and its size."""
    real = resolved(path, shown, within)
    try:
        check_kind(os.stat(real, follow_symlinks=False).st_mode, shown)
        handle = os.open(real, _OPENING)
        try:
            found = os.fstat(handle)
            check_kind(found.st_mode, shown)
            _check_size(found.st_size, kind, shown)
            yield handle, found.st_size
        finally:
            os.close(handle)
    except OSError as error:
        raise _changed(shown) if error.errno == errno.ELOOP else _refusal(real, shown, error) from None


def _check_size(size: int, kind: Kind, shown: str) -> None:
    if size > kind.most:
        reason = f"has {size:,} bytes, more than the {in_words(kind.most)} allowed for {kind.names}"
        raise ReadingError("file/size", shown, reason, kind.hint)


def _changed(shown: str) -> ReadingError:
    return ReadingError("file/changed", shown, "changes while it is read", "save the file, then try again")


def resolved(path: Name, shown: str, within: Sequence[Name] | None, what: str = "file") -> str:
    """Return the path without links. Raises ReadingError for one that leads nowhere or out of the folders
    `within`."""
    try:
        try:
            real = _without_links(path)
        except OSError as error:
            # For a link out of the project, report only that, not if its target exists.
            real = os.path.realpath(path)
            if within is None or is_inside(real, within):
                raise _refusal(path, shown, error, what) from None
    except ValueError:
        reason = "has an invalid file name"
        raise ReadingError("file/unreadable", shown, reason, None, what) from None
    if within is None or is_inside(real, within):
        return real
    raise ReadingError("file/outside", shown, f"leads out of the project, to {real}", COPY_HINT, what)


def _without_links(path: Name) -> str:
    """Return the path of an existing file or folder without links; in memory there are none. Raises
    OSError, ValueError."""
    if not is_in_memory(path):
        return os.path.realpath(path, strict=True)
    if entry(path) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    return os.path.normpath(path)


def is_inside(real: str, folders: Sequence[Name]) -> bool:
    """Return True if a path without links is in one of the folders, or is one of them."""
    return any(_starts(real, os.fspath(folder)) for folder in folders) or any(
        _starts(real, os.path.realpath(folder)) for folder in folders
    )


def _starts(path: str, folder: str) -> bool:
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def leads_through(path: Name, folder: Name) -> bool:
    """Return True if a path passes through a folder, wherever it then leads."""
    real = os.path.realpath(folder)
    at = os.path.abspath(path)
    while not is_inside(os.path.realpath(at), [real]):
        if (above := os.path.dirname(at)) == at:
            return False
        at = above
    return True


def is_there(path: Name) -> bool:
    """Return True if something has that name: a file, a folder, a link to anywhere."""
    if is_in_memory(path):
        return entry(path) is not None
    return os.path.lexists(path)  # also False for invalid names


def is_regular(path: Name) -> bool:
    """Return True if there is a regular file, links followed."""
    if is_in_memory(path):
        return isinstance(entry(path), bytes)
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_folder(path: Name) -> bool:
    """Return True if there is a folder, links followed."""
    return isinstance(entry(path), dict) if is_in_memory(path) else os.path.isdir(path)


def check_kind(mode: int, shown: str) -> None:
    """Raise ReadingError for anything but a regular file; `mode` is from `os.stat`."""
    if not stat.S_ISREG(mode):
        names = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
        name = names.get(stat.S_IFMT(mode), "a device")
        raise ReadingError("file/kind", shown, f"is {name}, not a file", "replace it with a file")


def _refusal(path: Name, shown: str, error: OSError, what: str = "file") -> ReadingError:
    if error.errno == errno.ELOOP:
        return ReadingError("file/link", shown, "is a link to itself", "delete it", what)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        if os.path.islink(path):
            hint = "replace it with a file, or delete it"
            return ReadingError("file/link", shown, "is a link to a missing file", hint, what)
        return ReadingError("file/missing", shown, "does not exist", None, what)
    reason = f"cannot be read: {error.strerror or 'unknown reason'}"
    return ReadingError("file/unreadable", shown, reason, None, what)


def in_words(size: int) -> str:
    """Return a limit in bytes for a message."""
    return f"{size // MB} MB" if size >= MB else f"{size // KB} kB"
