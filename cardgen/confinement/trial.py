"""Trying what a confined process must not be able to do. A confinement counts for what fails here."""

from __future__ import annotations

import contextlib
import mmap
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cardgen.confinement.limits import Limits

_HERE = ("127.0.0.1", 0)


@dataclass(frozen=True, slots=True)
class Outside:
    """What `laid_out` made for a trial: a folder that is not given to the confined process, with a
    file in it, and sockets that wait there: a local one's path, a TCP port and a UDP port of this
    machine. A socket that could not be made is empty, or 0."""

    folder: str
    local: str
    tcp: int
    udp: int

    @property
    def file(self) -> str:
        return os.path.join(self.folder, "file")


@contextlib.contextmanager
def laid_out(folder: Path) -> Iterator[Outside]:
    """Something outside to reach for, as long as the context lasts: `folder` is made."""
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
        # A path can be too long for a socket, and some systems have none.
        with contextlib.suppress(OSError, AttributeError):
            waiting = sockets.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            waiting.bind(str(folder / "socket"))
            waiting.listen()
            local = str(folder / "socket")
        yield Outside(str(folder), local, tcp, udp)


def no_network(outside: Outside) -> bool:
    """Whether neither TCP nor UDP gets anywhere."""

    def over_tcp() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as caller:
            if outside.tcp:
                caller.connect((_HERE[0], outside.tcp))

    def over_udp() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            if outside.udp:
                sender.connect((_HERE[0], outside.udp))
                # If nobody is there to get it, the first is sent all the same, and the second is not.
                sender.send(b"")
                sender.send(b"")

    return _fails(over_tcp) and _fails(over_udp)


def no_services(outside: Outside) -> bool:
    """Whether no other program on this machine is reached by a socket in the file system, behind
    which there may be a container engine or a keyring."""
    if not hasattr(socket, "AF_UNIX"):
        return False

    def calls() -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            if outside.local:
                caller.connect(outside.local)

    return _fails(calls)


def no_writing(outside: Outside) -> bool:
    """Whether no file outside can be changed, made, moved away or removed."""

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
    """Whether no file outside can be read and no folder listed."""
    return _fails(lambda: open(outside.file, "rb").close()) and _fails(lambda: os.listdir(outside.folder))


def no_processes() -> bool:
    """Whether no process can be started."""
    if sys.platform == "win32":
        return False

    def forks() -> None:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return _fails(forks)


def no_more_memory(limits: Limits) -> bool:
    """Whether so much memory is not to be had; none of it is touched."""
    if sys.platform == "win32":  # where it may be lacking for any reason
        return False
    return _fails(lambda: mmap.mmap(-1, limits.memory).close())


def no_more_time(limits: Limits) -> bool:
    """Whether the system will end this process after so many seconds of processor time."""
    if sys.platform == "win32":
        return False
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    return soft <= limits.seconds and hard != resource.RLIM_INFINITY


def _fails(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return True
    return False
