"""The filters of Jinja2 that take lists, and all that there are: eager, counted, and for data alone.

What Jinja2 gives as a generator is a list here, so that there is nothing half done to be looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from jinja2 import Undefined

from cardgen.sandbox.budget import NUMBERS, TEXTS
from cardgen.sandbox.kinds import Group
from cardgen.sandbox.operators import KEYS
from cardgen.sandbox.problems import ForbiddenError, WrongValueError, kind_of, must_be_there, shown
from cardgen.sandbox.scalar_filters import ScalarFilters
from cardgen.sandbox.texts import whole
from cardgen.sandbox.watched import MAPPINGS

if TYPE_CHECKING:
    from cardgen.sandbox.sandbox import Sandbox

Getter = Callable[[Any], Any]


def folded(value: Any) -> Any:
    """Text without regard to capitals; anything else as it is."""
    return value.lower() if isinstance(value, str) else value


def unordered(keys: Iterable[Any]) -> WrongValueError:
    """What to say of values that Python can't put in order."""
    names = " and ".join(sorted({kind_of(key) for key in keys}))
    return WrongValueError(f"{names} can't be put in order")


class Filters(ScalarFilters):
    """All filters of a sandbox. Each takes the value before the bar first."""

    # ---- help

    def walked(self, value: Any) -> Sequence[Any]:
        """The members of a list, the keys of a mapping, the characters of a text, each charged."""
        members = self._sandbox.members(value)
        self._budget.step(1 + len(members))
        return members

    def getter(self, attribute: Any, default: Any = None, fold: bool = False) -> Getter:
        """Reads an attribute such as `part.deep.0`, through the sandbox's own gate."""
        getitem = self._sandbox.getitem
        if attribute is None:
            return folded if fold else lambda item: item
        if type(attribute) in TEXTS:
            if len(attribute) > 200:
                raise WrongValueError("the name of an attribute is longer than 200 characters")
            path = [int(part) if part.isdecimal() else part for part in str(attribute).split(".")]
        elif type(attribute) is int:
            path = [attribute]
        else:
            must_be_there(attribute)
            raise WrongValueError(f"the name of an attribute is text, not {kind_of(attribute)}")

        def get(item: Any) -> Any:
            for part in path:
                item = getitem(item, part)
                if default is not None and isinstance(item, Undefined):
                    item = default
            return folded(item) if fold else item

        return get

    def ordered(self, keys: Sequence[Any], reverse: bool = False) -> list[int]:
        """The places of the keys in their order; equal ones as they stood."""
        count = len(keys)
        kinds = set(map(type, keys))
        if not kinds <= NUMBERS and not kinds <= TEXTS:
            for key in keys:
                if not isinstance(key, Undefined):
                    self._budget.weigh(key)
        elif kinds <= TEXTS:
            self._budget.step(sum(map(len, keys)) // 100)
        self._budget.step(count * max(1, count.bit_length()) // 10)
        try:
            return sorted(range(count), key=keys.__getitem__, reverse=bool(reverse))
        except TypeError:
            raise unordered(keys) from None

    def hashable(self, value: Any) -> Any:
        if type(value) in KEYS:
            return value
        if isinstance(value, (tuple, Undefined)):
            self._budget.weigh(value)
            return value
        raise WrongValueError(f"text and numbers can be told apart here, not {kind_of(value)}")

    # ---- lists

    def sum_(self, value: Any, attribute: Any = None, start: Any = 0) -> Any:
        members = self.walked(value)
        if attribute is not None:
            members = list(map(self.getter(attribute), members))
        return self.total(members, start)

    def total(self, members: Sequence[Any], start: Any = 0) -> Any:
        """The sum of numbers, or of lists."""
        if type(start) in NUMBERS and NUMBERS.issuperset(map(type, members)):
            return sum(members, start)
        add, total = self._sandbox.add, start
        for member in members:
            total = add(total, member)
        return total

    def join(self, value: Any, d: Any = "", attribute: Any = None) -> str:
        get = self.getter(attribute)
        parts: list[Any] = []
        for item in self.walked(value):
            if parts:
                parts.append(d)
            parts.append(get(item))
        self._budget.items(len(parts))
        return self._sandbox.joined(parts)

    def batch(self, value: Any, linecount: Any, fill_with: Any = None) -> list[list[Any]]:
        items, count = list(self.walked(value)), whole(linecount)
        if count < 1:
            raise WrongValueError("a batch has at least one item")
        rows = [items[start : start + count] for start in range(0, len(items), count)]
        if rows and fill_with is not None:
            self._budget.items(count)
            rows[-1] += [fill_with] * (count - len(rows[-1]))
        return rows

    def length(self, value: Any) -> int:
        if type(value) in MAPPINGS or isinstance(value, (list, tuple, str, range, Undefined)):
            return len(value)
        raise WrongValueError(f"{kind_of(value)} has no length")

    @staticmethod
    def default(value: Any, default_value: Any = "", boolean: Any = False) -> Any:
        if isinstance(value, Undefined) or (boolean and not value):
            return default_value
        return value

    def dictsort(
        self, value: Any, case_sensitive: Any = False, by: Any = "key", reverse: Any = False
    ) -> list[Any]:
        if by not in ("key", "value"):
            raise WrongValueError("dictsort goes by 'key' or 'value'")
        pairs = self.items(value)
        keys = [pair[by == "value"] for pair in pairs]
        order = self.ordered(keys if case_sensitive else list(map(folded, keys)), reverse)
        return [pairs[place] for place in order]

    def first(self, value: Any) -> Any:
        members = self._sandbox.members(value)
        return next(iter(members)) if len(members) else self._none("first")

    def last(self, value: Any) -> Any:
        members = self._sandbox.members(value)
        return next(reversed(members)) if len(members) else self._none("last")

    def _none(self, which: str) -> Any:
        return self._sandbox.undefined(f"there is no {which} item: the list is empty")

    def groupby(
        self, value: Any, attribute: Any, default: Any = None, case_sensitive: Any = False
    ) -> list[Group]:
        items = self.walked(value)
        get = self.getter(attribute, default)
        keys = list(map(get, items))
        marks = keys if case_sensitive else list(map(folded, keys))
        order = self.ordered(marks)
        groups = []
        for mark, places in groupby(order, marks.__getitem__):
            found = list(places)
            groups.append(Group(mark if case_sensitive else keys[found[0]], [items[i] for i in found]))
        return groups

    def items(self, value: Any) -> list[tuple[Any, Any]]:
        if isinstance(value, Undefined):
            return []
        if type(value) not in MAPPINGS:
            raise WrongValueError(f"a mapping is needed here, not {kind_of(value)}")
        self._budget.items(len(value))
        return list(value.items())

    def list_(self, value: Any) -> list[Any]:
        members = self._sandbox.members(value)
        self._budget.items(len(members))
        return list(members)

    def max_(self, value: Any, case_sensitive: Any = False, attribute: Any = None) -> Any:
        return self._extreme(max, value, case_sensitive, attribute)

    def min_(self, value: Any, case_sensitive: Any = False, attribute: Any = None) -> Any:
        return self._extreme(min, value, case_sensitive, attribute)

    def _extreme(self, best: Any, value: Any, case_sensitive: Any, attribute: Any) -> Any:
        items = self.walked(value)
        if not len(items):
            return self._none("greatest or least")
        get = self.getter(attribute, fold=not case_sensitive)
        keys = list(map(get, items))
        self.comparable(keys)
        try:
            return items[best(range(len(keys)), key=keys.__getitem__)]
        except TypeError:
            raise unordered(keys) from None

    def comparable(self, keys: Sequence[Any]) -> None:
        """Charge for comparing each with the next."""
        for key in keys:
            kind = type(key)
            if kind in TEXTS:
                if len(key) >= 100:
                    self._budget.text(len(key))
            elif kind not in NUMBERS and not isinstance(key, Undefined):
                self._budget.weigh(key)

    def reverse(self, value: Any) -> Any:
        if type(value) in TEXTS:
            self._budget.text(len(value))
            return value[::-1]
        return list(reversed(self.list_(value)))

    def sort(
        self, value: Any, reverse: Any = False, case_sensitive: Any = False, attribute: Any = None
    ) -> list[Any]:
        items = self.walked(value)
        names = attribute.split(",") if isinstance(attribute, str) else [attribute]
        getters = [self.getter(name, fold=not case_sensitive) for name in names]
        keys: list[Any]
        if len(getters) == 1:
            keys = list(map(getters[0], items))
        else:
            keys = [[get(item) for get in getters] for item in items]
        return [items[place] for place in self.ordered(keys, reverse)]

    def unique(self, value: Any, case_sensitive: Any = False, attribute: Any = None) -> list[Any]:
        get = self.getter(attribute, fold=not case_sensitive)
        seen: set[Any] = set()
        kept = []
        for item in self.walked(value):
            key = self.hashable(get(item))
            if key not in seen:
                seen.add(key)
                kept.append(item)
        return kept

    # ---- filters and tests by name

    def map_(self, value: Any, *given: Any, **named: Any) -> list[Any]:
        if not given and "attribute" in named:
            get = self.getter(named.pop("attribute"), named.pop("default", None))
            if named:
                raise WrongValueError("map takes an attribute and a default, or a filter")
            return [get(item) for item in self.walked(value)]
        if not given:
            raise WrongValueError("map needs the name of a filter, or attribute=")
        use, rest = self._named(self._sandbox.filters, given[0], "filter"), given[1:]
        return [use(item, *rest, **named) for item in self.walked(value)]

    def select(self, value: Any, *given: Any, **named: Any) -> list[Any]:
        holds = self._holding(given, named)
        return [item for item in self.walked(value) if holds(item)]

    def reject(self, value: Any, *given: Any, **named: Any) -> list[Any]:
        holds = self._holding(given, named)
        return [item for item in self.walked(value) if not holds(item)]

    def selectattr(self, value: Any, attribute: Any, *given: Any, **named: Any) -> list[Any]:
        get, holds = self.getter(attribute), self._holding(given, named)
        return [item for item in self.walked(value) if holds(get(item))]

    def rejectattr(self, value: Any, attribute: Any, *given: Any, **named: Any) -> list[Any]:
        get, holds = self.getter(attribute), self._holding(given, named)
        return [item for item in self.walked(value) if not holds(get(item))]

    def _holding(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> Callable[[Any], bool]:
        if not given:
            return bool
        test, rest = self._named(self._sandbox.tests, given[0], "test"), given[1:]
        return lambda item: bool(test(item, *rest, **named))

    @staticmethod
    def _named(table: Mapping[str, Any], name: Any, what: str) -> Callable[..., Any]:
        found: Callable[..., Any] | None = table.get(name) if type(name) in TEXTS else None
        if found is None:
            raise ForbiddenError(f"there is no {what} named {shown(name)}")
        return found


_SHADOWING = frozenset(("abs", "float", "format", "int", "list", "map", "max", "min", "round", "sum"))

NAMES: Mapping[str, str] = {
    "d": "default",
    "count": "length",
    "e": "escape",
    **{
        name: f"{name}_" if name in _SHADOWING else name
        for name in """
        abs batch capitalize default dictsort escape first float forceescape format groupby int items join
        last length list lower map max min reject rejectattr replace reverse round safe select selectattr
        sort string sum title trim truncate unique upper wordcount
        """.split()  # noqa: SIM905 (a list of quoted words is harder to read)
    },
}
"""The filters there are: their names in templates, and their methods in `Filters`."""


def chosen(sandbox: Sandbox, names: Iterable[str]) -> dict[str, Callable[..., Any]]:
    """The filters of these names."""
    filters = Filters(sandbox)
    return {name: getattr(filters, NAMES[name]) for name in sorted(names)}
