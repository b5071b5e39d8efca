"""Running a program confined: no network, few files, one process, limited resources."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from cardgen.core.budget import size_shown
from cardgen.core.findings import CardgenError, Finding, Severity, UsageError
from cardgen.core.records import asdict
from cardgen.files import kernel_rules
from cardgen.files.confined_child import NOT_HELD, OUT_OF_MEMORY, Outside, laid_out
from cardgen.files.confinement_limits import (
    MEMORY,
    SECONDS,
    Held,
    Limits,
    Places,
    python_files,
    system_files,
)

if TYPE_CHECKING:
    import subprocess


PASSED_ON = frozenset(
    (
        *("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "SOURCE_DATE_EPOCH"),
        *("TERM", "COLUMNS", "LINES", "NO_COLOR"),
        "LD_LIBRARY_PATH",
    )
)
"""Variables that programs need to find libraries, show text and know the time. Others are removed: build
servers keep secrets in variables."""

_PASSED_ON_BEGINNINGS = ("LC_", "CARDGEN_")
_PRIVATE_FOLDERS = {
    "TMPDIR": "temporary",
    "TEMP": "temporary",
    "TMP": "temporary",
    "CARDGEN_CACHE": "cache",
    "XDG_CACHE_HOME": "caches",
    "XDG_CONFIG_HOME": "settings",
}
_BOOTSTRAP = """\
import json, sys
order = json.load(sys.stdin)
sys.path[:] = order["path"]
from cardgen.files.confined_child import start
start(order)
"""
_ASKED_TO_STOP = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE")
_LOOK_S = 0.2
"""Seconds between two checks of the files that a program writes."""
_LEAST = 4096
"""Least bytes that a file counts for, so that the number of empty files is limited as well."""
_PATIENCE = 10.0
"""Seconds for a program to stop after it is asked to."""


def run(
    program: Sequence[str],
    places: Places,
    *,
    limits: Limits | None = None,
    variables: Mapping[str, str] | None = None,
    without: Sequence[str] = (),
) -> int:
    """Run Python with `program`, which is `-m NAME` or `-c CODE` and its arguments, confined to these
    places and limits, and return its exit code.

    Standard output and error are this process's, standard input is empty, the environment is PASSED_ON and
    `variables`, the search path of modules is ours without the current folder. Temporary files and caches
    are private and deleted with it. One line on standard error lists the active restrictions.

    Raises CardgenError if the program took more than its limits or crashed, UsageError if the system can't
    keep it from the network and from files elsewhere. `without` skips means, for tests: "seccomp",
    "landlock", "bubblewrap".
    """
    if sys.platform != "linux":
        raise _not_held()
    limits = limits or Limits.stated()
    with _prepared(places) as (private, outside, places):
        command, order = _command(program, places, limits, outside, without)
        quota = _Quota([*places.writes], limits.written)
        environment = {**_environment(private), **(variables or {})}
        ended = _wait(command, json.dumps(order), environment, quota)
    if ended == NOT_HELD:
        raise _not_held()
    problem = _problem(ended, limits, is_full=quota.is_reached)
    if problem is not None:
        raise CardgenError(problem)
    return ended if ended >= 0 else 128 - ended


def _not_held() -> UsageError:
    return UsageError(
        "--sandboxed: this system can't block a program's access to the network and other files",
        "use Linux 5.13 or later, or one with bubblewrap; if you trust the game, run it with --no-sandbox",
    )


def available(limits: Limits | None = None) -> Held:
    """Return the limits that would apply to a program run here. Raises UsageError if no program may run,
    OSError if none can be started."""
    import subprocess

    if sys.platform != "linux":
        raise _not_held()
    limits = limits or Limits.stated()
    reads = (*system_files(), *python_files([Path.cwd()]))  # files that Python itself needs
    with _prepared(Places(reads)) as (private, outside, places):
        command, order = _command(None, places, limits, outside, ())
        done = subprocess.run(
            command,
            env=_environment(private),
            input=json.dumps(order).encode("utf-8"),
            capture_output=True,
            check=False,
        )
    try:
        told = json.loads(done.stdout)
        return Held(tuple(told["lacking"]), told["network_by"], told["files_by"])
    except ValueError:
        what = f"a protected helper program ended unexpectedly (code {done.returncode})"
        raise OSError(f"{what}; run the command again") from None


@contextlib.contextmanager
def _prepared(places: Places) -> Iterator[tuple[Path, Outside, Places]]:
    """Make a private folder, targets outside, and the places with the private ones added."""
    with tempfile.TemporaryDirectory(prefix="cardgen-", ignore_cleanup_errors=True) as name:
        base = Path(name).resolve()
        private = base / "private"
        for folder in sorted({*_PRIVATE_FOLDERS.values()}):
            private.joinpath(folder).mkdir(parents=True)
        package = str(Path(__file__).resolve().parent.parent)
        with laid_out(base / "outside") as outside:
            reads, writes = (*places.reads, package), (*places.writes, str(private), os.devnull)
            yield private, outside, Places(reads, writes)


def _command(
    program: Sequence[str] | None,
    places: Places,
    limits: Limits,
    outside: Outside,
    without: Sequence[str],
) -> tuple[list[str], dict[str, Any]]:
    """Return the command line of the confined process, and the order for its input."""
    order: dict[str, Any] = {
        "program": None if program is None else list(program),
        "reads": places.reads,
        "writes": places.writes,
        "limits": asdict(limits),
        "outside": asdict(outside),
        "without": list(without),
        "wrapped_by": "",
        "path": _search_path(),
    }
    command = [sys.executable, "-I", "-B"]
    if sys.pycache_prefix:
        command += ["-X", f"pycache_prefix={sys.pycache_prefix}"]
    command += ["-c", _BOOTSTRAP]
    lacks_landlock = "landlock" in without or kernel_rules.version() == 0
    lacks_seccomp = "seccomp" in without or not kernel_rules.supported()
    if (lacks_landlock or lacks_seccomp) and "bubblewrap" not in without:
        wrapper = bubblewrap_program()
        if wrapper is not None:
            order["wrapped_by"] = "bubblewrap"
            return bubblewrap_wrapped(wrapper, command, places, os.getcwd()), order
    return command, order


def _search_path() -> list[str]:
    """Return the folders in which the confined process finds modules: the current ones, but never the
    current folder, which may contain a stranger's `json.py`, unless cardgen itself is in it."""
    ours, here = str(Path(__file__).resolve().parent.parent.parent), os.getcwd()
    entries = [os.path.realpath(entry) for entry in sys.path]
    return [*dict.fromkeys(entry for entry in entries if entry == ours or entry != here)]


def _environment(private: Path) -> dict[str, str]:
    """Return the variables of the confined process."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in PASSED_ON or name.startswith(_PASSED_ON_BEGINNINGS)
    }
    folders = {name: str(private / folder) for name, folder in _PRIVATE_FOLDERS.items()}
    # A numeric library starts a thread per processor, and each reserves memory.
    return {**kept, **folders, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class _Quota:
    """A limit of bytes added to all files of some folders, watched from outside: no system limits the sum
    for a process."""

    def __init__(self, folders: Sequence[str], most: int) -> None:
        self._folders = [folder for folder in folders if os.path.isdir(folder)]
        self._most = most
        self._before = self._sum(sys.maxsize)
        self.is_reached = False

    @contextlib.contextmanager
    def watching(self, process: subprocess.Popen[bytes]) -> Iterator[None]:
        """Kill a process once it has written more."""
        over = threading.Event()

        def look() -> None:
            took = 0.0
            while not over.wait(max(_LOOK_S, 4 * took)):
                start = time.monotonic()
                if self._sum(self._before + self._most) > self._before + self._most:
                    self.is_reached = True
                    process.kill()
                    return
                took = time.monotonic() - start

        watcher = threading.Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()

    def _sum(self, most: int) -> int:
        """Return the bytes on the disk, up to a little more than `most`."""
        total, todo = 0, list(self._folders)
        while todo and total <= most:
            with contextlib.suppress(OSError), os.scandir(todo.pop()) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        found = entry.stat(follow_symlinks=False)
                        if entry.is_dir(follow_symlinks=False):
                            todo.append(entry.path)
                        # Names take space as well.
                        total += max(_LEAST, found.st_blocks * 512)
                    if total > most:
                        break
        return total


def _wait(command: Sequence[str], order: str, environment: Mapping[str, str], quota: _Quota) -> int:
    """Run a command to its end; a negative number is the signal that ended it. If this process is asked to
    stop, so is the command."""
    import subprocess

    with _told_to_stop(), subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as process:
        try:
            with quota.watching(process):
                process.communicate(order.encode("utf-8"))
                code = process.wait()
        except KeyboardInterrupt:
            # A terminal has interrupted the child as well.
            try:
                code = process.wait(_PATIENCE)
            except (KeyboardInterrupt, subprocess.TimeoutExpired):
                process.kill()
                raise KeyboardInterrupt from None
        except BaseException:
            process.kill()
            raise
    # bubblewrap reports a signal as shells do.
    return 128 - code if code > 128 and code != 128 + signal.SIGINT else code


@contextlib.contextmanager
def _told_to_stop() -> Iterator[None]:
    """Make SIGTERM and SIGHUP exceptions, so that private folders are removed and the program is ended."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before: dict[int, Any] = {}
    for number in (int(signal.SIGTERM), int(signal.SIGHUP)):
        # Only the main thread can, and handlers set by others are kept.
        with contextlib.suppress(ValueError):
            if signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _problem(ended: int, limits: Limits, *, is_full: bool = False) -> Finding | None:
    """Return the finding for a program that did not end by itself."""
    trusted = "run it with --no-sandbox if you trust it, or set the environment variable "
    name = signal.Signals(-ended).name if ended < 0 else ""
    if is_full:
        code, message = "space", f"the game wrote more than {size_shown(limits.written)} of files"
        hint = "delete them, run it with --no-sandbox if you trust it, or allow more: --budget files=4GB"
    elif ended == OUT_OF_MEMORY:
        code, message = "memory", f"the game needed more than {limits.memory_shown} of memory"
        hint = f"{trusted}{MEMORY}=4 (in GB)"
    elif name == "SIGXCPU":
        code, message = "time", f"the game needed more than {limits.seconds} s of processor time"
        hint = f"{trusted}{SECONDS}={2 * limits.seconds}"
    elif name == "SIGKILL":
        code, message = "memory", "the system stopped it, probably because memory ran out"
        hint = "close other programs and try again"
    elif name and name not in _ASKED_TO_STOP:
        code, message = "crash", f"cardgen crashed while it read the game's files ({name})"
        hint = "remove the newest pictures and fonts one by one: one may be damaged or malicious"
    else:
        return None
    return Finding(Severity.ERROR, f"sandboxed/{code}", message, None, hint)


_MADE = ("/proc/", "/dev/")
"""Folders of the system that bubblewrap creates again."""


def bubblewrap_program() -> str | None:
    """Return bubblewrap's file; None if it is missing or the system blocks it."""
    import subprocess

    file = shutil.which("bwrap")
    if file is None:
        return None
    attempt = [file, "--unshare-all", "--ro-bind", "/", "/", sys.executable, "-I", "-S", "-c", ""]
    done = subprocess.run(attempt, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return file if done.returncode == 0 else None


def bubblewrap_wrapped(program: str, command: Sequence[str], places: Places, folder: str) -> list[str]:
    """Return the command line that runs a Python command in `folder` with these places alone.

    Everything is bound at its real path, and the links on the way to it are made again.
    """
    words = [program, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    words += ["--proc", "/proc", "--dev", "/dev"]
    reads, links = _followed([*places.reads, *_interpreter()])
    writes, more = _followed(places.writes)
    for path in reads:
        words += ["--ro-bind-try", path, path]
    for path in writes:
        words += ["--bind", path, path]
    for link, target in {**links, **more}.items():
        if not any(Path(link).is_relative_to(path) for path in (*reads, *writes)):
            words += ["--symlink", target, link]
    # The current folder is the base of paths, and need not be readable.
    return [*words, "--dir", folder, "--chdir", folder, "--", *command]


def _interpreter() -> list[str]:
    """Return the files that the system needs to start Python."""
    places = [sys.executable, str(Path(sys.prefix) / "pyvenv.cfg")]
    return [place for place in places if os.path.exists(place)]


def _followed(paths: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Return the real places of paths, the outer before the inner, without the system's own folders, which
    are made; and the links that led there, each with its target."""
    found: set[str] = set()
    links: dict[str, str] = {}
    for path in paths:
        if path.startswith(_MADE):
            continue
        here, ahead = "/", [part for part in path.split("/") if part]
        while ahead:
            part = ahead.pop(0)
            there = os.path.dirname(here) if part == ".." else os.path.join(here, part)
            if not os.path.islink(there):
                here = there
                continue
            links[there] = os.readlink(there)
            here = "/" if links[there].startswith("/") else here
            ahead = [part for part in links[there].split("/") if part not in ("", ".")] + ahead
        found.add(here)
    return sorted(found), links
