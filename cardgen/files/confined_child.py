"""The confined process: it gives up its rights, tests that, and becomes the program."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import runpy
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cardgen.core.records import asdict, dataclass
from cardgen.files import kernel_rules
from cardgen.files.confinement_limits import Held, Limits, limit, now_confined

OUT_OF_MEMORY, NOT_HELD = 113, 114
"""Exit codes of this process for the parent, which no program of ours uses."""


def start(order: dict[str, Any]) -> None:
    """Confine this process by `order` (see confinement), then run its program, as Python itself does with
    `-m NAME` or `-c CODE`."""
    limits = Limits(**order["limits"])
    held = _confined(order, limits)
    now_confined()
    if order["program"] is None:
        json.dump(asdict(held), sys.stdout)
        return
    sys.stderr.write(held.line(limits) + "\n")
    sys.stderr.flush()
    if not held.is_enough:
        _end(NOT_HELD)
    # The order came by standard input; the program gets none.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    kind, text, *words = order["program"]
    try:
        if kind == "-m":
            sys.argv = [text, *words]
            runpy.run_module(text, run_name="__main__", alter_sys=True)
        else:
            sys.argv = [kind, *words]
            exec(compile(text, "<string>", "exec"), {"__name__": "__main__"})
    except MemoryError:
        _end(OUT_OF_MEMORY)


def _end(code: int) -> None:
    """End immediately: with no memory left, cleanup would fail."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(code)


def _confined(order: dict[str, Any], limits: Limits) -> Held:
    """Give up all rights that can be given up, and return them."""
    outside = Outside(**order["outside"])
    network_by = files_by = order["wrapped_by"]
    without = order["without"]
    filters = None
    if "seccomp" not in without and kernel_rules.supported():
        filters = kernel_rules.program(os.getpid())
    limit(limits)
    with contextlib.suppress(OSError):
        kernel_rules.die_with_parent(signal.SIGKILL)
    with contextlib.suppress(OSError):
        kernel_rules.no_new_privileges()
    with contextlib.suppress(OSError, KeyError):
        kernel_rules.give_up()
    # After this, no module can be found, and no file of ours.
    if "landlock" not in without and not files_by:
        with contextlib.suppress(OSError):
            files_by = f"landlock {kernel_rules.restrict(order['reads'], order['writes'])}"
    if filters is not None:
        with contextlib.suppress(OSError):
            kernel_rules.refuse_calls(filters)
            network_by = "seccomp"
    tried = {
        "network": no_network(outside),
        "local sockets": no_services(outside),
        "writing of files": no_writing(outside),
        "reading of files": no_reading(outside),
        "processes": no_processes(),
        "memory": no_more_memory(limits),
        "processor time": no_more_time(limits),
    }
    lacking = tuple(right for right, is_held in tried.items() if not is_held)
    return Held(lacking, network_by, files_by)


_HERE = ("127.0.0.1", 0)


@dataclass(frozen=True, slots=True)
class Outside:
    """The targets that `laid_out` made for a trial. `folder` is outside the confined process's and contains
    a file; listening sockets are a local one's path, a TCP port and a UDP port of this machine. A socket
    that could not be made is empty, or 0."""

    folder: str
    local: str
    tcp: int
    udp: int

    @property
    def file(self) -> str:
        return os.path.join(self.folder, "file")


@contextlib.contextmanager
def laid_out(folder: Path) -> Iterator[Outside]:
    """Make targets outside for the duration of the context: `folder` is created."""
    folder.mkdir()
    folder.joinpath("file").write_text("outside\n", encoding="ascii")
    with contextlib.ExitStack() as sockets:
        local, tcp, udp = "", 0, 0
        with contextlib.suppress(OSError):
            listener = sockets.enter_context(socket.create_server(_HERE))
            tcp = listener.getsockname()[1]
        with contextlib.suppress(OSError):
            receiver = sockets.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            receiver.bind(_HERE)
            udp = receiver.getsockname()[1]
        with contextlib.suppress(OSError):  # a path can be too long for a socket
            waiting = sockets.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            waiting.bind(str(folder / "socket"))
            waiting.listen()
            local = str(folder / "socket")
        yield Outside(str(folder), local, tcp, udp)


def no_network(outside: Outside) -> bool:
    """Return True if neither TCP nor UDP reaches anything."""

    def over_tcp() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as caller:
            if outside.tcp:
                caller.connect((_HERE[0], outside.tcp))

    def over_udp() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            if outside.udp:
                sender.connect((_HERE[0], outside.udp))
                # Without a receiver, the first is sent all the same, and the second is not.
                sender.send(b"")
                sender.send(b"")

    return _fails(over_tcp) and _fails(over_udp)


def no_services(outside: Outside) -> bool:
    """Return True if this process can't reach other programs by a socket in the file system, such as a
    container engine or a keyring."""

    def calls() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            if outside.local:
                caller.connect(outside.local)

    return _fails(calls)


def no_writing(outside: Outside) -> bool:
    """Return True if no file outside can be changed, made, moved or removed."""

    def changes() -> None:
        with open(outside.file, "r+b") as file:
            file.write(b"inside")

    def makes() -> None:
        handle, _ = tempfile.mkstemp(dir=outside.folder)
        os.close(handle)

    return (
        _fails(changes)
        and _fails(makes)
        and _fails(lambda: os.rename(outside.file, outside.file + "2"))
        and _fails(lambda: os.unlink(outside.file))
    )


def no_reading(outside: Outside) -> bool:
    """Return True if no file outside can be read and no folder listed."""
    return _fails(lambda: open(outside.file, "rb").close()) and _fails(lambda: os.listdir(outside.folder))


def no_processes() -> bool:
    """Return True if no process can be started."""

    def forks() -> None:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return _fails(forks)


def no_more_memory(limits: Limits) -> bool:
    """Return True if this much memory can't be allocated; none of it is touched."""
    return _fails(lambda: mmap.mmap(-1, limits.memory).close())


def no_more_time(limits: Limits) -> bool:
    """Return True if the system will end this process after that many seconds of processor time."""
    import resource  # Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    return soft <= limits.seconds and hard != resource.RLIM_INFINITY


def _fails(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False
