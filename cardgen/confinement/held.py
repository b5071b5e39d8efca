"""What a confined process was found unable to do, and whether this very process is one."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.confinement.limits import Limits


@dataclass(frozen=True, slots=True)
class Held:
    """What was tried and failed, as it should: reaching the network or a service of this machine by
    its socket, writing and reading files elsewhere, starting a process, taking more than the limits.
    `network_by` and `files_by` name the means, such as "seccomp" and "landlock 7", or are empty."""

    network: bool
    services: bool
    writing: bool
    reading: bool
    processes: bool
    memory: bool
    seconds: bool
    network_by: str = ""
    files_by: str = ""

    @property
    def strict(self) -> bool:
        """Whether nothing can get out: over the network, to services, into files elsewhere."""
        return self.network and self.services and self.writing

    def line(self, limits: Limits) -> str:
        """What was held, in one line, and what was not."""
        files = "files" if self.reading else "writing of files"
        rows = (
            (self.network, "network", f"no network ({self.network_by})"),
            (self.services, "local sockets", ""),
            (self.writing, "writing of files", f"{files} ({self.files_by})"),
            (self.reading, "reading of files", ""),
            (self.processes, "processes", "one process"),
            (self.memory, "memory", f"{limits.memory_shown} memory"),
            (self.seconds, "processor time", f"{limits.seconds} s processor time"),
        )
        parts = [said for held, _, said in rows if held and said]
        lacking = [name for held, name, _ in rows if not held]
        line = "sandboxed: " + (", ".join(parts) or "a process of its own")
        return f"{line}; not held here: {', '.join(lacking)}" if lacking else line


_CONFINED: list[bool] = []
"""Nobody but `child` fills it, and nothing empties it."""


def is_confined() -> bool:
    return bool(_CONFINED)


def now_confined() -> None:
    _CONFINED.append(True)
