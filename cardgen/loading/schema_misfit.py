"""jsonschema's errors as plain typed values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that does not fit a schema.

    `keyword` is the schema keyword that it breaks and `wanted` that keyword's value ("false" for the
    schema `false`). `path` leads from the checked value to it. `context` holds the misfits of all
    branches of an `anyOf` or `oneOf`; `branch` is the number of the branch that a misfit belongs to.
    `of_key` says that `value` is a key of the mapping at `path`. `said` is jsonschema's own message.
    """

    keyword: str
    wanted: Any
    value: Any
    schema: dict[str, Any]
    path: tuple[str | int, ...]
    branch: int = 0
    context: tuple[Misfit, ...] = ()
    of_key: bool = False
    said: str = ""

    @property
    def types(self) -> list[str]:
        """The types that a misfit of `type` asks for."""
        return [self.wanted] if isinstance(self.wanted, str) else list(self.wanted)

    @classmethod
    def of(cls, errors: Iterable[ValidationError]) -> Iterator[Misfit]:
        """jsonschema's errors, converted."""
        for error in errors:
            steps = error.relative_schema_path
            yield cls(
                keyword="false" if error.schema is False else str(error.validator),
                wanted=error.validator_value,
                value=error.instance,
                schema=dict(error.schema) if isinstance(error.schema, dict) else {},
                path=tuple(error.relative_path),
                branch=int(steps[0]) if steps and isinstance(steps[0], int) else 0,
                context=tuple(cls.of(error.context or ())),
                of_key=_checks_key(list(steps)),
                said=error.message,
            )


def _checks_key(steps: list[str | int]) -> bool:
    """Whether a path within a schema leads through the keyword `propertyNames`."""
    return any(
        step == "propertyNames"
        and (index == 0 or steps[index - 1] not in ("properties", "patternProperties"))
        for index, step in enumerate(steps)
    )
