"""Our dataclasses behave as the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from cardgen.core import records


def define(dataclass: Any, field: Any) -> dict[str, Any]:
    @dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: float
        y: float = 0.0
        tags: list[str] = field(default_factory=list)
        note: str = field(default="", compare=False, repr=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "y", self.y + 1)

    @dataclass(frozen=True, slots=True)
    class Named(Point):
        name: str = "n"
        point: Any = None

    @dataclass(slots=True)
    class Open:
        first: int
        made: dict[str, Any] = field(init=False, default_factory=dict)
        late: int = field(init=False)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Keyword:
        a: int = 1
        b: int

    @dataclass(frozen=True, slots=True, eq=False)
    class Same:
        a: int

    @dataclass
    class TroubleError(Exception):
        message: str
        line: int = 0

    @dataclass(frozen=True, slots=True)
    class Own:
        a: int

        def __init__(self, a: int) -> None:
            object.__setattr__(self, "a", a * 2)

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    return {each.__name__: each for each in (Point, Named, Open, Keyword, Same, TroubleError, Own)}


OURS = define(records.dataclass, records.field)
THEIRS = define(dataclasses.dataclass, dataclasses.field)
MADE: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("Point", lambda made: made(1.0)),
    ("Point", lambda made: made(1.0, 2.0, ["a"], note="b")),
    ("Named", lambda made: made(1.0, name="x", point=made(2.0))),
    ("Open", lambda made: made(3)),
    ("Keyword", lambda made: made(b=2)),
    ("Same", lambda made: made(1)),
    ("TroubleError", lambda made: made("no", line=3)),
    ("Own", lambda made: made(2)),
)


def outcome(do: Callable[[], Any]) -> Any:
    """Return a result as text that is the same for both kinds, or the kind of its error."""
    try:
        return repr(do())
    except Exception as error:
        return type(error), str(error).partition(" ")[0]


def behavior(kind: Any, make: Callable[[Any], Any], module: Any) -> list[Any]:
    value, other = make(kind), make(kind)
    first = module.fields(value)[0].name
    return [
        outcome(lambda: value),
        outcome(lambda: value == other),
        outcome(lambda: value != 1),
        outcome(lambda: hash(value) == hash(other)),
        outcome(lambda: setattr(value, first, getattr(value, first))),
        outcome(lambda: module.replace(value, **{first: 9})),
        outcome(lambda: module.asdict(value)),
        outcome(lambda: module.astuple(value)),
        outcome(lambda: [each.name for each in module.fields(kind)]),
        outcome(lambda: copy.copy(value)),
        outcome(lambda: copy.copy(value) == value),
        outcome(kind),
        outcome(lambda: kind(1, 2, 3, 4, 5, 6, 7)),
        outcome(lambda: inspect.signature(kind)),
        outcome(lambda: getattr(kind, "__slots__", None)),
        module.is_dataclass(kind),
    ]


def test_values_behave_as_those_of_the_standard_library() -> None:
    for name, make in MADE:
        expected = behavior(THEIRS[name], make, dataclasses)
        assert behavior(OURS[name], make, records) == expected, name
        assert behavior(OURS[name], make, dataclasses) == expected, name


@records.dataclass(frozen=True, slots=True)
class Kept:
    a: int
    b: tuple[int, ...] = ()


def test_a_frozen_value_is_pickled_and_refuses_changes() -> None:
    value = Kept(1, (2,))
    assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.a = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.a
