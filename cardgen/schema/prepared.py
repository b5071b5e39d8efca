"""A schema made ready to use: check a value, say what is wrong with it, fill in defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from cardgen.findings import Location
from cardgen.schema.applicators import APPLICATORS
from cardgen.schema.assertions import ASSERTIONS
from cardgen.schema.defaults import filler
from cardgen.schema.marks import Path, Seek, seeker
from cardgen.schema.node import Evaluator
from cardgen.schema.reasons import Misfit, misfits_of
from cardgen.schema.steps import Steps


class PreparedSchema:
    """A self-contained schema, as `store` makes it.

    `name` is its file, for messages; `place` tells where a schema within it stands. All that looks at a
    value raises TooManyStepsError where that would take too long.
    """

    def __init__(
        self,
        schema: Any,
        name: str = "its schema",
        place: Callable[[Any], Location | None] = lambda schema: None,
    ) -> None:
        self.schema = schema
        self.name = name
        self.place = place

    def is_valid(self, value: Any) -> bool:
        """Whether a value fits."""
        return self._evaluator.root.fits(value, Steps(value))

    def misfits(self, value: Any) -> Iterator[Misfit]:
        """All that is wrong with a value, in the schema's order."""
        return misfits_of(self._evaluator.root, value, (), Steps(value))

    @cached_property
    def fill(self) -> Callable[[Any], None] | None:
        """Fills the schema's defaults into a value that fits; None where it has none."""
        fill = filler(self.schema, self._evaluator)
        return None if fill is None else lambda value: fill(value, Steps(value))

    def marked(self, value: Any) -> list[Path]:
        """The paths of the texts to be translated in a value that fits, each once."""
        if self._seek is None:
            return []
        return list(dict.fromkeys(self._seek(value, (), Steps(value))))

    def of_items(self, name: str) -> Any:
        """What the schema of a file says of the items of its list `name`; {} where it says nothing."""
        schema = self.schema
        for step in ("properties", name, "items"):
            schema = schema.get(step, {}) if isinstance(schema, dict) else {}
        return schema

    @cached_property
    def _seek(self) -> Seek | None:
        return seeker(self.schema, self._evaluator)

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self.schema, {**ASSERTIONS, **APPLICATORS})
