"""A self-contained schema, and a record of the values that fit it."""

from __future__ import annotations

import atexit
import copy
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from cardgen.core.findings import Location
from cardgen.files.cache import Cache, digest_of
from cardgen.files.writing import cache_folder
from cardgen.game.json_values import Path, Steps, size

if TYPE_CHECKING:
    from cardgen.game.schema import Evaluator, Mark, Misfit


class PreparedSchema:
    """A self-contained schema, as `SchemaStore` makes it.

    `name` is its file, for messages; `place` returns the place of a schema within it. Methods that check
    a value raise TooManyStepsError if that would take too long.
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

    def of_list(self, name: str) -> PreparedSchema:
        """Return the schema of files whose list `name`, if there is one, has items that fit this one."""
        return PreparedSchema({"properties": {name: {"items": self.schema}}}, self.name, self.place)

    def of_items(self, name: str) -> Any:
        """Return the schema of the items of a file's list `name`; {} if there is none."""
        schema = self.schema
        for step in ("properties", name, "items"):
            schema = schema.get(step, {}) if isinstance(schema, dict) else {}
        return schema

    def is_valid(self, value: Any) -> bool:
        """Return True if a value fits."""
        return self._evaluator.fits(value)

    def misfits(self, value: Any) -> Iterator[Misfit]:
        """Yield all misfits of a value, in the schema's order."""
        return self._evaluator.misfits(value)

    def accepts(self, value: Any, file: str) -> bool:
        """Return True if the data of a file fit, using results kept from before."""
        return next(self._marks(value, file, "fits"), None) is None

    def fill(self, value: Any, file: str = "") -> None:
        """Add the schema's defaults to the data of a file, which fit."""
        steps = Steps(value)
        for path, default in self._marks(value, file, "default"):
            item = value
            for step in path[:-1]:
                item = item[step]
            if path[-1] not in item:
                steps.take(size(default), item, self.schema)
                item[path[-1]] = copy.deepcopy(default)

    def marked(self, value: Any, file: str = "") -> list[Path]:
        """Return the paths of the texts to be translated in the data of a file, which fit, each once."""
        return list(dict.fromkeys(tuple(path) for path, _ in self._marks(value, file, "translate")))

    def sets(self, value: Any, file: str = "") -> set[Path]:
        """Return the paths of the lists of distinct entries in the data of a file, which fit."""
        return {tuple(path) for path, _ in self._marks(value, file, "uniqueItems")}

    def _marks(self, value: Any, file: str, mode: str) -> Iterator[Mark]:
        """Yield the marks or misfits that a judge of this mode finds in the data of a file.

        The marks of valid data and of their records are kept, so that unchanged data, and unchanged records
        in changed data, need not be checked again.
        """
        verdicts = _verdicts(cache_folder())
        place, whole = digest_of(self._digest, file, mode), digest_of(value)
        kept = (verdicts.get_value(place) or {}) if file else {}
        if whole in kept:
            yield from kept[whole]
            return
        evaluator, found = self._evaluator, []
        evaluator.records, evaluator.used = kept, {}
        for mark in evaluator.marks(value, mode):
            found.append(mark)
            yield mark
        if file and (mode != "fits" or not found):
            verdicts.put_value(place, {**evaluator.used, whole: found})
        evaluator.records, evaluator.used = {}, {}

    @cached_property
    def _digest(self) -> str:
        return digest_of(self.schema)

    @cached_property
    def _evaluator(self) -> Evaluator:
        from cardgen.game.schema import Evaluator  # jsonschema is slow, and most files are known

        return Evaluator(self.schema)


@lru_cache(maxsize=8)
def _verdicts(folder: FilePath | None) -> Cache:
    verdicts = Cache("verdicts")
    atexit.register(verdicts.save)
    return verdicts
