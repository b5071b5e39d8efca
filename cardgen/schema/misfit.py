"""What is wrong with a value by a schema, as plain values: the misfits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that does not fit a schema.

    `keyword` is the schema keyword that it breaks and `wanted` that keyword's value ("false" and False
    for the schema `false`). `path` leads from the checked value to it. `forms` holds the misfits of each
    form of an `anyOf` or `oneOf` that fits none, and nothing where it fits several. `of_key` says that
    `value` is a key of the mapping at `path`. `names` are the keys that `additionalProperties` or
    `unevaluatedProperties` refuses.
    """

    keyword: str
    wanted: Any
    value: Any
    schema: dict[str, Any]
    path: tuple[str | int, ...]
    forms: tuple[tuple[Misfit, ...], ...] = ()
    of_key: bool = False
    names: tuple[str, ...] = ()

    @property
    def types(self) -> list[str]:
        """The types that a misfit of `type` asks for."""
        return [self.wanted] if isinstance(self.wanted, str) else list(self.wanted)
