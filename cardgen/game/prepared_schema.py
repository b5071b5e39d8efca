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
    from cardgen.game.schema import Evaluator, Mark, Misfit, Seen


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
        self._of_lists: dict[str, PreparedSchema] = {}
        self._seen: dict[tuple[str, str], Seen] = {}
        """The records of kept data that fit or have their defaults, by the file and the mode."""

    def of_list(self, name: str) -> PreparedSchema:
        """Return the schema of files whose list `name`, if there is one, has items that fit this one."""
        if name not in self._of_lists:
            schema = {"properties": {name: {"items": self.schema}}}
            self._of_lists[name] = PreparedSchema(schema, self.name, self.place)
        return self._of_lists[name]

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

    def accepts(self, value: Any, file: str, *, kept: bool = False) -> bool:
        """Return True if the data of a file fit, using results kept from before; also those of this process
        if the data are `kept`: then nobody changes records that fit, but for their defaults."""
        return next(self._marks(value, file, "fits", kept=kept), None) is None

    def fill(self, value: Any, file: str = "", *, kept: bool = False) -> None:
        """Add the schema's defaults to the data of a file, which fit."""
        steps = Steps(value)
        for path, default in self._marks(value, file, "default", kept=kept):
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

    def _marks(self, value: Any, file: str, mode: str, *, kept: bool = False) -> Iterator[Mark]:
        """Yield the marks or misfits that a judge of this mode finds in the data of a file.

        The marks of valid data and of their records are kept, so that unchanged data, and unchanged records
        in changed data, need not be checked again.
        """
        seen = self._seen.get((file, mode))
        now: Seen = {}
        if kept and seen is not None:
            # Reading the results on the disk would take longer than checking a few new records.
            yield from self._found(value, mode, {}, seen, now)
            self._seen[file, mode] = now
            return
        verdicts = _verdicts(cache_folder())
        place, whole = digest_of(self._digest, file, mode), digest_of(value)
        known = (verdicts.get_value(place) or {}) if file else {}
        if whole in known:
            yield from known[whole]
            return
        found = []
        for mark in self._found(value, mode, known, {}, now):
            found.append(mark)
            yield mark
        if file and (mode != "fits" or not found):
            verdicts.put_value(place, {**self._evaluator.used, whole: found})
        self._evaluator.forget()
        if kept:
            self._seen[file, mode] = now

    def _found(self, value: Any, mode: str, known: dict[str, Any], seen: Seen, now: Seen) -> Iterator[Mark]:
        """Yield the marks in a value, with those of its records from before; note its records."""
        evaluator = self._evaluator
        evaluator.records, evaluator.used, evaluator.seen, evaluator.seen_now = known, {}, seen, now
        return evaluator.marks(value, mode)

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
