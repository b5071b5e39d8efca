"""What a confined process was found unable to do."""

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
        parts = []
        if self.network:
            parts.append(f"no network ({self.network_by})")
        if self.writing:
            files = "files" if self.reading else "writing of files"
            parts.append(f"{files} ({self.files_by})")
        if self.processes:
            parts.append("one process")
        if self.memory:
            parts.append(f"{limits.memory_shown} memory")
        if self.seconds:
            parts.append(f"{limits.seconds} s processor time")
        names = {
            "network": self.network,
            "local sockets": self.services,
            "writing of files": self.writing,
            "reading of files": self.reading,
            "processes": self.processes,
            "memory": self.memory,
            "processor time": self.seconds,
        }
        lacking = [name for name, held in names.items() if not held]
        line = "sandboxed: " + (", ".join(parts) or "a process of its own")
        return f"{line}; not held here: {', '.join(lacking)}" if lacking else line
