"""The press that a game says it is printed on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class StatedPress:
    """A press as game.yaml states it: a profile that comes with cardgen, by name, or an ICC file beside
    game.yaml, the most ink in per cent, all four together, and the standard of the files. None where it
    does not say."""

    profile: str | None = None
    ink_limit: int | None = None
    standard: Literal["x4", "x1a"] | None = None
