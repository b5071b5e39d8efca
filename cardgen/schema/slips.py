"""Misspelt keys, and data as they were meant: what is wrong no more then only followed from the slips."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cardgen.findings import Finding


@dataclass(frozen=True, slots=True)
class Slip:
    """A key of the mapping at `path` that is likely to be a known one misspelt; `finding` says so."""

    path: tuple[str | int, ...]
    name: str
    meant: str
    finding: Finding


def as_meant(data: Any, slips: Iterable[Slip]) -> Any:
    """A copy of the data with the keys that were meant, where no other stands there already."""
    made = copy.deepcopy(data)
    for slip in sorted(slips, key=lambda slip: len(slip.path), reverse=True):  # the inner ones first
        mapping = made
        for key in slip.path:
            mapping = mapping[key]
        if slip.name in mapping and slip.meant not in mapping:  # an alias is there several times
            mapping[slip.meant] = mapping.pop(slip.name)
    return made
