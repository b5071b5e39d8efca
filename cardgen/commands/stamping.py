"""Commands that have nothing to do if nothing changed since they were last given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from cardgen.commands.garbage import collector_paused
from cardgen.findings import Finding, Location, Severity
from cardgen.storage.stamps import Fingerprint, Outputs, Stamp, at_rest

Result = TypeVar("Result")


def unless_done(
    stamp: Stamp,
    inputs: Callable[[], Fingerprint],
    make: Callable[[], tuple[Result, Outputs]],
    recall: Callable[[Any], Result],
) -> Result:
    """What `make` gives, a frozen value, with the files that it wrote; or, where the stamp says that inputs
    and outputs are as an earlier run left them, what `recall` makes of the value kept then."""
    found = inputs()
    known = stamp.read(found)
    if known is not None:
        return recall(known)
    read = at_rest(found, inputs)
    with collector_paused():
        result, outputs = make()
    stamp.write(read, outputs, asdict(result))  # type: ignore[call-overload]
    return result


def recalled(findings: Iterable[Mapping[str, Any]]) -> tuple[Finding, ...]:
    """Findings that a stamp holds: warnings are said again until they are mended."""
    return tuple(
        Finding(
            Severity(entry["severity"]),
            entry["code"],
            entry["message"],
            Location(**entry["location"]) if entry["location"] else None,
            entry["hint"],
        )
        for entry in findings
    )
