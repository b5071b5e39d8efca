"""Does a value fit a schema, yes or no: jsonschema's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Check = Callable[[Any], bool]
"""Whether a value of JSON's types fits."""


def check_of(schema: Any) -> Check:
    """The check of a self-contained schema. jsonschema is imported when the first value is checked."""
    check: Check | None = None

    def fits(value: Any) -> bool:
        nonlocal check
        if check is None:
            from jsonschema.validators import Draft202012Validator

            check = Draft202012Validator(schema).is_valid
        return check(value)

    return fits
