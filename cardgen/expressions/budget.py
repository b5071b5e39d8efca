"""Limit and watch the execution of code, and report its problems as findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from itertools import chain
from types import FunctionType
from typing import Any, NoReturn

from jinja2 import Undefined
from jinja2.runtime import BlockReference, Macro
from markupsafe import Markup

from cardgen.core.records import dataclass

MAX_DEPTH = 100
"""Deepest nesting of lists and mappings for a comparison or a conversion to text. Data files nest at most
64 deep."""

_CHARACTERS_PER_STEP = 100
_ITEMS_PER_STEP = 10
_SOUGHT_PER_STEP = 5_000
"""Comparisons of single characters that one step pays for in a search for text within text."""

NUMBERS = frozenset((int, float, bool))
ATOMS = NUMBERS | {type(None)}
TEXTS = frozenset((str, Markup))
LISTS = frozenset((list, tuple))
"""The types of values, grouped by their operations."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits for one use of a sandbox. `subject` and `whole` complete the sentence "SUBJECT takes more
    than 250,000 steps WHOLE"."""

    steps: int
    characters: int
    """Of any text that code builds."""
    items: int
    """Of any list that code builds."""
    bits: int
    """Of any whole number that `*` and `**` compute."""
    subject: str
    whole: str


class Budget:
    """The remaining steps of a sandbox. Call `reset` before each use."""

    __slots__ = ("_given", "bounds", "left")

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.reset()

    def reset(self, most: int | None = None) -> None:
        """Restore all steps, or with `most` if that is fewer."""
        self._given = self.bounds.steps if most is None else max(0, min(most, self.bounds.steps))
        self.left = self._given

    @property
    def taken(self) -> int:
        """Return the steps used since the last reset."""
        return self._given - self.left

    def step(self, cost: int = 1) -> None:
        self.left -= cost
        if self.left < 0:
            bounds = self.bounds
            raise BudgetError(f"{bounds.subject} takes more than {bounds.steps:,} steps {bounds.whole}")

    def text(self, length: int) -> None:
        """Charge for reading, or making, a text of `length` characters."""
        if length > self.bounds.characters:
            most = self.bounds.characters
            raise BudgetError(f"{self.bounds.subject} produces text of more than {most:,} characters")
        if length >= _CHARACTERS_PER_STEP:
            self.step(length // _CHARACTERS_PER_STEP)

    def items(self, count: int) -> None:
        """Charge for reading, or making, a list of `count` items."""
        if count > self.bounds.items:
            most = self.bounds.items
            raise BudgetError(f"{self.bounds.subject} produces a list of more than {most:,} items")
        if count >= _ITEMS_PER_STEP:
            self.step(count // _ITEMS_PER_STEP)

    def search(self, text: str, part: object, *, backwards: bool = False) -> None:
        """Charge for searching `text` for `part`. Python searches forwards in linear time, unless `part` is
        short; backwards it may compare each character of one with each of the other."""
        length = len(text)
        if length >= _CHARACTERS_PER_STEP:
            self.text(length)
            sought = len(part) if isinstance(part, str) else 1
            self.step(length * (sought if backwards else min(sought, 100)) // _SOUGHT_PER_STEP)

    def counted(self, items: Iterable[Any], cost: int) -> Iterator[Any]:
        """Yield the same items, charging for each when it is requested."""
        for item in items:
            self.left -= cost
            if self.left < 0:
                self.step(0)
            yield item

    def weigh(self, value: Any) -> None:
        """Charge for visiting a value with all its content, as often as it occurs in it: the cost of
        comparing it, hashing it or writing it out. Lists may contain the same list many times.

        Raises ForbiddenError for anything in it that is not data.
        """
        if type(value) in LISTS and len(value) < _ITEMS_PER_STEP and ATOMS.issuperset(map(type, value)):
            self.step()  # a point
            return
        pending: list[tuple[Any, int]] = [((value,), 0)]
        while pending:
            container, depth = pending.pop()
            if depth > MAX_DEPTH:
                raise BudgetError(f"{self.bounds.subject} nests values more than {MAX_DEPTH} deep")
            self.step(1 + len(container) // 4)
            for member in (
                chain(container, container.values()) if type(container) in MAPPINGS else container
            ):
                kind = type(member)
                if kind in TEXTS:
                    if len(member) >= _CHARACTERS_PER_STEP:
                        self.step(len(member) // _CHARACTERS_PER_STEP)
                elif kind in ATOMS:
                    pass
                elif kind in MAPPINGS or isinstance(member, (list, tuple)):
                    pending.append((member, depth + 1))
                elif kind is range:
                    self.step(len(member) // _ITEMS_PER_STEP)
                elif not isinstance(member, Undefined):
                    raise ForbiddenError(f"only data can be compared or printed, not {kind_of(member)}")

    def concat(self, parts: Iterable[str]) -> str:
        """Join the output of a macro or a block."""
        pieces: Sequence[str] = parts if isinstance(parts, list) else list(parts)
        self.text(sum(map(len, pieces)))
        return "".join(pieces)


Note = Callable[[Any], None]
"""A function called with a requested key, or with WHOLE."""


class _Whole:
    """The type of WHOLE."""

    def __repr__(self) -> str:
        return "WHOLE"


WHOLE = _Whole()
"""The note of a read that isn't of single keys."""


class Watched(dict[Any, Any]):
    """A mapping that notes each requested key, present or absent, and WHOLE if it is iterated, counted,
    compared, copied or written out.

    Authors see no difference from other mappings. Its content can't be changed, and values inside its
    values are not watched.
    """

    __slots__ = ("_note",)

    def __init__(self, content: Iterable[tuple[Any, Any]] | dict[Any, Any], note: Note) -> None:
        super().__init__(content)
        self._note = note

    def but(self, **changed: Any) -> Watched:
        """Return a copy with other values at some keys, watched in the same way. Nothing is noted."""
        result = Watched((), self._note)
        dict.update(result, dict.items(self))
        dict.update(result, changed)
        return result

    def names(self) -> list[Any]:
        """Return the keys without a note, for callers that record them otherwise."""
        return list(dict.keys(self))

    # -- single keys

    def __getitem__(self, key: Any) -> Any:
        self._note(key)
        return dict.__getitem__(self, key)

    def __contains__(self, key: object) -> bool:
        self._note(key)
        return dict.__contains__(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        self._note(key)
        return dict.get(self, key, default)

    # -- all of it

    def __iter__(self) -> Iterator[Any]:
        self._note(WHOLE)
        return dict.__iter__(self)

    def __reversed__(self) -> Iterator[Any]:
        self._note(WHOLE)
        return dict.__reversed__(self)

    def __len__(self) -> int:
        self._note(WHOLE)
        return dict.__len__(self)

    def __eq__(self, other: object) -> bool:
        self._note(WHOLE)
        if isinstance(other, Watched):
            other._note(WHOLE)
        return dict.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        self._note(WHOLE)
        return dict.__repr__(self)

    def __or__(self, other: Any) -> Any:
        return self.copy() | other

    def __ror__(self, other: Any) -> Any:
        return other | self.copy()

    def keys(self) -> Any:
        self._note(WHOLE)
        return dict.keys(self)

    def values(self) -> Any:
        self._note(WHOLE)
        return dict.values(self)

    def items(self) -> Any:
        self._note(WHOLE)
        return dict.items(self)

    def copy(self) -> dict[Any, Any]:
        self._note(WHOLE)
        return dict(dict.items(self))

    # -- changes, which are refused

    def _unchanged(self, *given: Any, **named: Any) -> NoReturn:
        raise TypeError("a watched mapping can't be changed")

    __setitem__ = __delitem__ = __ior__ = _unchanged
    setdefault = update = pop = popitem = clear = _unchanged


MAPPINGS = frozenset((dict, Watched))
"""The types of mappings that authors may use."""


class SandboxError(Exception):
    """An operation that a template or an expression may not or can't do. The text is one sentence for the
    designer, without a full stop."""


class ForbiddenError(SandboxError):
    """Use of a value of an unlisted type: only data can be read, printed and called."""


class WrongValueError(SandboxError, ValueError):
    """A value that a function, filter or operator can't work with."""


class BudgetError(SandboxError):
    """Use beyond a counted limit."""


_KINDS = {
    "str": "text",
    "Markup": "text",
    "int": "a number",
    "float": "a number",
    "bool": "yes or no",
    "complex": "a number",
    "NoneType": "an empty value (null)",
    "list": "a list",
    "tuple": "a list",
    "Group": "a list",
    "range": "a list",
    "dict": "a mapping",
    "Watched": "a mapping",
    "Absent": "a missing field",
    "MissingValue": "a missing value",
    "Undefined": "a missing value",
    "Function": "a function",
    "Method": "a function",
    "Macro": "a macro",
    "LoopContext": "a loop",
    "Namespace": "a namespace",
    "TemplateModule": "an imported template",
    "TemplateReference": "the blocks of a template",
    "BlockReference": "a block",
    "Rng": "an rng",
}


def kind_of(value: object) -> str:
    """Return the kind of a value, for a message: "text", "a number", "a macro"."""
    return _KINDS.get(type(value).__name__, "a value")


def go_by(table: Mapping[str, Callable[..., Any]]) -> Mapping[str, Callable[..., Any]]:
    """Return the table, its functions renamed to their keys, since Python's errors use their names."""
    for name, function in table.items():
        plain = getattr(function, "__func__", function)
        named = isinstance(plain, FunctionType) and plain.__name__ != "<lambda>"
        if named and name.isidentifier() and plain.__qualname__ not in table:
            plain.__qualname__ = name
    return table


def must_be_there(value: object) -> None:
    """Raise a missing value's own error."""
    if isinstance(value, Undefined):
        str(value)


def shown(value: object) -> str:
    """Return a value for a sentence: short text and numbers themselves, otherwise the kind of value."""
    if isinstance(value, str):
        text = str(value)
        return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}…'"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) or (isinstance(value, int) and value.bit_length() <= 200):
        return str(value)
    return kind_of(value)


_SIDES = frozenset(("left", "right"))
_WRONG_ARGUMENTS = "got the wrong number or names of values"
_TOO_LARGE = "a number is too large or is not a number"
_SAYINGS = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (
            r"unsupported operand type\(s\) for (?P<sign>\S+?):? '(?P<left>\w+)' and '(?P<right>\w+)'",
            "`{sign}` doesn't work with {left} and {right}",
        ),
        (
            r"'(?P<sign>\S+)' not supported between instances of '(?P<left>\w+)' and '(?P<right>\w+)'",
            "`{sign}` doesn't work with {left} and {right}",
        ),
        (r"bad operand type for unary (?P<sign>\S+): '(?P<left>\w+)'", "`{sign}` doesn't work with {left}"),
        (r"must be real number, not (?P<left>\w+)", "a number is needed here, not {left}"),
        (
            r"'(?P<left>\w+)' object cannot be interpreted as an integer",
            "a whole number is needed here, not {left}",
        ),
        (
            r"cannot unpack non-iterable (?P<left>\w+) object",
            "several values are needed here, not {left}",
        ),
        (
            r"not enough values to unpack \(expected (?P<wanted>\d+), got (?P<given>\d+)\)",
            "{wanted} values are needed here, but there are only {given}",
        ),
        (
            r"too many values to unpack \(expected (?P<wanted>\d+)",
            "only {wanted} values are expected here, but there are more",
        ),
        (
            r"(?:\w+\.)*_*(?P<name>[^\W_]\w*?)_*\(\) (?:takes|got|missing|expected|argument)\b",
            f"{{name}} {_WRONG_ARGUMENTS}",
        ),
        (
            r"(?P<name>\w+) expected (?:at least |at most )?\d+ argument",
            f"{{name}} {_WRONG_ARGUMENTS}",
        ),
        (r"macro '(?P<name>[^']*)' ", f"the macro '{{name}}' {_WRONG_ARGUMENTS}"),
        (
            r"(?:could not convert string to|invalid literal for) .*: (?P<text>'[^']{0,60}')\Z",
            "{text} is not a number",
        ),
        (r"The loop must have the 'recursive' marker", "only a recursive loop can be called"),
        (r"Exceeds the limit", "a number has too many digits"),
        (r"(?:int|integer|cannot convert float).*(?:too large|infinity|NaN)", _TOO_LARGE),
    )
)
"""Messages of Python and their plain form; `left` and `right` are names of types."""


def in_words(error: BaseException) -> str:
    """Return the problem as one sentence without a full stop and without Python's terms.

    The sandbox's own errors have their sentence; of others, only known messages are translated.
    """
    if isinstance(error, SandboxError):
        return str(error)
    text = str(error)
    if isinstance(error, TypeError | ValueError | ArithmeticError):
        for pattern, said in _SAYINGS:
            if match := pattern.match(text):
                words = match.groupdict()
                kinds = {side: _KINDS.get(words[side], "another value") for side in words.keys() & _SIDES}
                return said.format_map(words | kinds)
    if isinstance(error, ZeroDivisionError):
        return "division by zero"
    if isinstance(error, OverflowError):
        return _TOO_LARGE
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it needs too much memory"
    if isinstance(error, ArithmeticError | ValueError):
        return "this can't be calculated with these values; check each of them"
    if isinstance(error, TypeError):
        return "values of these kinds can't be used together here"
    return "this can't be calculated; check its names and values"


def call_error(
    error: TypeError | ValueError,
    name: str,
    function: Callable[..., Any],
    given: Sequence[Any],
    named: Mapping[str, Any],
    skipped: int = 0,
) -> Exception:
    """Return the error of a call. An error from Python is replaced by one with the name of the function and
    its parameters after the `skipped` ones."""
    if isinstance(error, SandboxError):
        return error
    try:
        parameters = signature(function)
    except ValueError:
        parameters = None
    if parameters is not None:
        try:
            parameters.bind(*given, **named)
        except TypeError:
            wanted = ", ".join(map(_parameter, list(parameters.parameters.values())[skipped:]))
            return WrongValueError(f"{name} {_WRONG_ARGUMENTS}; write {name}({wanted})")
    if str(error) == "math domain error":
        return WrongValueError(f"{name}({', '.join(map(shown, given[skipped:]))}) can't be calculated")
    return error


def macro_error(error: TypeError, macro: Macro | BlockReference) -> Exception:
    """Return the error of a call. If the macro itself refuses its arguments, it names them."""
    name = macro.name
    if isinstance(macro, Macro) and str(error).startswith(f"macro {name!r} "):
        wanted = ", ".join(macro.arguments)
        return WrongValueError(f"the macro '{name}' {_WRONG_ARGUMENTS}; write {name}({wanted})")
    return error


def _parameter(parameter: Parameter) -> str:
    if parameter.kind is Parameter.VAR_POSITIONAL:
        return "…"
    is_plain = parameter.default is Parameter.empty or not isinstance(parameter.default, str | int | float)
    return parameter.name if is_plain else f"{parameter.name}={shown(parameter.default)}"
