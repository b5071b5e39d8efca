"""A schema made ready to use: check a value, say what is wrong with it, fill in defaults."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cardgen.loading.defaults import Fill, filler
from cardgen.loading.schema_check import Check, check_of
from cardgen.loading.schema_keywords import SUBSCHEMA, SUBSCHEMA_LISTS, SUBSCHEMA_MAPS
from cardgen.loading.schema_merge import known_keys
from cardgen.loading.schema_misfit import Misfit

if TYPE_CHECKING:
    from jsonschema.validators import Draft202012Validator


class PreparedSchema:
    """A self-contained schema; jsonschema judges by it."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema

    @cached_property
    def is_valid(self) -> Check:
        """Whether a value fits."""
        return check_of(self.schema)

    def misfits(self, value: Any) -> Iterator[Misfit]:
        """All that is wrong with a value, in jsonschema's order."""
        return Misfit.of(self._validator.iter_errors(value))

    @cached_property
    def fill(self) -> Fill | None:
        """Fills the schema's defaults into a value that fits; None where it has none."""
        return filler(self.schema)

    def keys_of_items(self, name: str) -> tuple[str, ...]:
        """The keys that the schema of a file names for the mappings in its list `name`."""
        schema = self.schema
        for step in ("properties", name, "items"):
            schema = schema.get(step) if isinstance(schema, dict) else None
        return tuple(known_keys(schema))

    @cached_property
    def _validator(self) -> Draft202012Validator:
        from jsonschema.validators import Draft202012Validator

        return Draft202012Validator(_without_false(self.schema))


def _without_false(schema: Any) -> Any:
    """The schema with `false` for keys and list places said as `{"not": {}}`, because jsonschema does
    not tell the path of a value that the schema `false` refuses."""
    if not isinstance(schema, dict):
        return schema
    result = dict(schema)
    for keyword, value in schema.items():
        if keyword in SUBSCHEMA:
            result[keyword] = _without_false(value)
        elif keyword in SUBSCHEMA_LISTS:
            result[keyword] = [_REFUSED if part is False else _without_false(part) for part in value]
        elif keyword in SUBSCHEMA_MAPS:
            parts = value.items()
            result[keyword] = {
                name: _REFUSED if part is False else _without_false(part) for name, part in parts
            }
    return result


_REFUSED: dict[str, Any] = {"not": {}}
