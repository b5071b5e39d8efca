"""Everything that can be reached from what an expression can name is of a kind that stands in the table."""

from __future__ import annotations

import inspect
import operator
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jinja2.exceptions import TemplateError, UndefinedError
from markupsafe import Markup

from cardgen.art.functions import Rng
from cardgen.expressions.budget import SandboxError
from cardgen.expressions.values import KINDS, Function, Method
from tests.expressions.worlds import Drawings, Prose, Rules, World
from tests.for_each import for_each
from tests.sampling import one_in

SAMPLES: tuple[tuple[Any, ...], ...] = (
    (),
    ("a",),
    (1,),
    (2.5,),
    ([1, 2],),
    ([{"x": 1}],),
    ({"a": 1},),
    ("#123456", "red"),
    (1, 2),
    (1, 2, 3),
    (1, 2, 3, 4),
    (1, 2, 3, 4, 5),
    ("cards", "title", "Bear"),
    ("a", 3, "IBM Plex Sans"),
    ("cards",),
    ([1, 2], 1),
    ([{"x": 1}], "x"),
    ([[1, 2], [3, 4]],),
    ("%s", "a"),
    ("key", 1, 2, 3),
)
"""What functions, filters and tests are called with."""

OPERANDS: tuple[Any, ...] = (-8, 0.5, True, "a", Markup("b"), [1], (1,), {"a": 1}, None, range(2))

EXPECTED = (SandboxError, TemplateError, TypeError, ValueError, ArithmeticError, LookupError)
"""What may come of a wrong call; the payload tests show that a designer reads none of it."""


class Walk:
    """The graph, breadth first; each type of value is looked into so many times by each way to it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sandbox = world.sandbox
        self.types: dict[type, str] = {}
        self._todo: deque[tuple[str, Any, int]] = deque()
        self._looked: dict[tuple[type, str], int] = {}

    def meet(self, way: str, value: Any, depth: int = 0) -> None:
        kind = type(value)
        self.types.setdefault(kind, way)
        assert kind in self.sandbox.kinds, f"{way} gives a {kind}, which is no kind of value"
        mark = (kind, way.rpartition(" ")[2])
        if depth < 6 and self._looked.get(mark, 0) < 3:
            self._looked[mark] = self._looked.get(mark, 0) + 1
            self._todo.append((way, value, depth + 1))

    def run(self) -> None:
        while self._todo:
            way, value, depth = self._todo.popleft()
            self.sandbox.budget.reset()
            for step, found in self._from(value):
                self.meet(f"{way} {step}", found, depth)

    def _from(self, value: Any) -> Iterator[tuple[str, Any]]:
        names = {*dir(type(value)), *dir(value), "x", "title", "n", "word", "b", "grouper"}
        if type(value) is Rng or type(value) in (Function, Method):
            names |= {"_state", "call", "owner", "name"}
        for name in sorted(names):
            yield from self._tried(f".{name}", self.sandbox.getattr, value, name)
            yield from self._tried(f"[{name}]", self.sandbox.getitem, value, name)
        for key in (0, -1, 1.5, True, None, (), value):
            yield from self._tried("[…]", self.sandbox.getitem, value, key)
        if isinstance(value, (list, tuple)):
            yield from (("member", member) for member in value[:5])
        if isinstance(value, Mapping):
            yield from (("value", member) for member in list(value.values())[:20])
        for other in OPERANDS:
            for use in self._operators():
                yield from self._tried("operator", use, value, other)
                yield from self._tried("operator", use, other, value)
        for given in SAMPLES:
            yield from self._tried("()", self.sandbox.invoke, value, *given)
        for name, use in (*self.sandbox.filters.items(), *self.sandbox.tests.items()):
            yield from self._tried(f"|{name}", use, value)

    def _operators(self) -> Iterator[Any]:
        """What operators are compiled to; `/` and `//` stay Python's own."""
        made = self.sandbox
        yield from (made.add, made.multiply, made.power, made.modulo, made.subtract)
        yield from (made.equal, made.less, made.within, operator.floordiv, operator.truediv)
        yield from (lambda left, right: made.joined((left, right)), lambda left, right: left or right)
        yield from (lambda left, right: made.sliced(left, right, None, None), lambda left, right: -left)

    def _tried(self, step: str, way: Any, *given: Any) -> Iterator[tuple[str, Any]]:
        try:
            yield step, way(*given)
        except EXPECTED:
            self.sandbox.budget.reset()
        except RecursionError:  # a macro or a block that calls itself
            pass


@pytest.fixture(params=one_in(3, ["rules", "prose", "drawings"]))
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    makers = {"drawings": lambda: Drawings(tmp_path), "prose": lambda: Prose(tmp_path), "rules": Rules}
    made: World = makers[request.param]()
    return made


def _given_by_templates(world: World) -> dict[str, Any]:
    """What Jinja2 itself hands to templates, caught by a function that is offered for it."""
    caught: dict[str, Any] = {}
    names = ("m", "ns", "kit", "self", "loop", "super", "caller", "varargs", "kwargs", "('x' if false)")

    def catch(place: int, value: Any) -> str:
        caught[names[place]] = value
        return ""

    world.sandbox.offer({"catch": catch})
    for name in names:
        outcome = world.evaluate(f"catch({len(caught)}, {name})")
        assert outcome.code == "", outcome
    del world.sandbox.globals["catch"]
    assert caught.keys() == set(names)
    return caught


def test_all_that_can_be_reached_is_of_a_listed_kind(world: World) -> None:
    walk = Walk(world)
    for name, value in world.names().items():
        walk.meet(name, value)
    if not isinstance(world, Rules):
        for name, value in _given_by_templates(world).items():
            walk.meet(name, value)
    for table in (world.sandbox.filters, world.sandbox.tests):
        for name, use in table.items():
            for given in SAMPLES:
                for step, found in walk._tried(f"|{name}", use, *given):
                    walk.meet(f"|{name} {step}", found)
    walk.run()
    assert len(walk.types) >= 9, walk.types


def test_no_type_and_no_plain_function_is_a_value(world: World) -> None:
    for name, value in world.names().items():
        assert not isinstance(value, type), name
        assert not callable(value), f"{name} could be called by Python itself"
        assert not inspect.isroutine(value), name


def test_the_table_has_no_type_of_ours_that_python_could_call() -> None:
    """A Function and a Method do nothing by themselves: a filter that is handed one can't call it."""
    assert not callable(Function("a", len))
    assert not callable(Method("a", "x", len))
    assert repr(Function("a", len)) == "function a"
    assert all(kind.name for kind in KINDS.values())


@for_each("name", ["card", "theme", "tables", "game", "components", "component"])
def test_what_is_handed_over_is_plain_data(tmp_path: Path, name: str) -> None:
    """Mappings, lists, text, numbers, yes and no, null: nothing that has methods to change it by."""

    def plain(value: Any) -> bool:
        if type(value) is dict:
            return all(type(key) is str for key in value) and all(map(plain, value.values()))
        if type(value) in (list, tuple):
            return all(map(plain, value))
        return value is None or type(value) in (str, int, float, bool)

    made = [world(tmp_path / world.__name__) for world in (Drawings, Prose)]
    found = [world.names()[name] for world in made if name in world.names()]
    assert found
    assert all(map(plain, found))


def test_missing_values_say_what_is_missing(world: World) -> None:
    with pytest.raises((UndefinedError, SandboxError)):
        world.sandbox.getattr(world.sandbox.undefined(name="x"), "__class__")
