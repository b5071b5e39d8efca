"""Reuse the results of macros that read the same values.

A compiled macro is a Python function: it reads its arguments, the cells of names around it, and the
variables of the template that `Generator` lists for it. If each of these is plain data, another macro or an
imported template, its output depends on nothing else, unless it reads something that is watched.
"""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Mapping, Sequence
from math import copysign
from types import CodeType
from typing import Any, NamedTuple, Protocol

from jinja2.environment import TemplateModule
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup

from cardgen.core.records import dataclass
from cardgen.expressions.budget import Watched
from cardgen.expressions.values import Function

MOST_CHARACTERS = 20_000_000
"""Most characters of all stored results."""

MOST_VALUES = 50_000
"""Most different lists, mappings and macros with a key."""

_LARGE = 8
"""Least members of a list or mapping that is recognized as the same object."""

_LEAST_STEPS = 40
"""The least steps of a stored result. Cheaper ones are computed again in the same time."""

_LEAST_KEPT = 1_000
"""The least steps of a result that is kept for other processes."""

_MOST_CHEAP = 20
"""The number of cheaper runs after which a macro is always run."""

_MOST_MEMBERS = 2_000
"""Most values of one argument that are compared, including those in nested lists."""

_CONSTANT = frozenset(
    ("environment", "undefined", "concat", "cond_expr_undefined", "missing", "context", "resolve")
)
"""Names in compiled code that are the same for every run or (`resolve`) listed separately."""

_NUMBERED = frozenset((dict, list, tuple, Macro, TemplateModule, Watched))
"""Kinds of values whose token has a number."""

Token = tuple[object, ...]


class _UnknownError(Exception):
    """The error of a value that can't be compared with that of another run: a random generator, a
    namespace."""


@dataclass(frozen=True, slots=True)
class Result:
    """The output of a run, its steps and call levels."""

    text: str
    steps: int
    depth: int


class Watch(NamedTuple):
    """The state of a sandbox before a macro ran."""

    left: int
    notes: int
    deepest: int


class Store(Protocol):
    """Values by digest, kept for other processes."""

    def get_value(self, key: str) -> Any | None:
        """Return the value under a digest; None if it is missing."""

    def put_value(self, key: str, value: Any) -> None:
        """Keep a value."""


class Meter(Protocol):
    """A sandbox that counts the cost of its macros."""

    kept: Store | None
    """Where results are kept for other processes, those with the same files of fonts and templates."""

    def watch(self) -> Watch:
        """Begin to watch a macro that is about to run."""

    def watched(self, watch: Watch, text: str) -> Result | None:
        """Return the result of a macro that ran since; None if it can't be reused."""

    def repeat(self, result: Result) -> bool:
        """Charge for a result what it took; False if that is too much."""


class MacroResults:
    """Results of the macros of one kind of sandbox."""

    def __init__(self) -> None:
        self._results: dict[Token, Result] = {}
        self._characters = 0
        self._numbers: dict[Token, int] = {}
        self._digests: list[bytes | Token] = []
        """Of each number: what it stands for, or the digest of that."""
        self._known: dict[int, tuple[object, Token]] = {}
        """Containers by their `id`, kept so that no other object gets the same one."""
        self._cheap: dict[object, int] = {}
        self._small: set[object] = set()
        """Macros with results that are not worth keeping for other processes."""

    def call(self, sandbox: Meter, macro: Macro, given: Sequence[Any], named: Mapping[str, Any]) -> str:
        """Return the output of a macro, charged as a run."""
        run: Callable[..., str] = macro
        code = macro._func.__code__
        if self._cheap.get(code, 0) > _MOST_CHEAP:
            return run(*given, **named)
        key = self._key(macro, given, named)
        if key is None:
            return run(*given, **named)
        found = self._results.get(key)
        kept = sandbox.kept if found is None and code not in self._small else None
        if kept is not None and (value := kept.get_value(self._digest_of(key))) is not None:
            text, steps, depth, is_markup = value
            found = Result(Markup(text) if is_markup else text, steps, depth)
            self._store(key, found)
        if found is not None and sandbox.repeat(found):
            return found.text
        watch = sandbox.watch()
        text = run(*given, **named)
        result = sandbox.watched(watch, text)
        if result is None:
            return text
        if result.steps < _LEAST_STEPS:
            self._cheap[code] = self._cheap.get(code, 0) + 1
        else:
            self._store(key, result)
        if result.steps < _LEAST_KEPT:
            self._small.add(code)
        elif kept is not None:
            is_markup = isinstance(result.text, Markup)
            kept.put_value(self._digest_of(key), [result.text, result.steps, result.depth, is_markup])
        return text

    def _store(self, key: Token, result: Result) -> None:
        self._characters += len(result.text)
        self._results[key] = result
        while self._characters > MOST_CHARACTERS:
            oldest = next(iter(self._results))
            self._characters -= len(self._results.pop(oldest).text)

    # ---- comparing values

    def _key(self, macro: Macro, given: Sequence[Any], named: Mapping[str, Any]) -> Token | None:
        if len(self._numbers) > MOST_VALUES or len(self._known) > MOST_VALUES:
            self.__init__()  # type: ignore[misc]
        try:
            values = tuple(self._outer(value, ()) for value in given)
            return (
                self._macro(macro, ()),
                values,
                tuple((name, self._outer(named[name], ())) for name in sorted(named)),
            )
        except _UnknownError:
            return None

    def _token(self, value: Any) -> Token:
        kind = type(value)
        if kind is str or kind is int or kind is bool or kind is Markup or value is None:
            return kind, value
        if kind is float:
            return kind, value, copysign(1, value)
        if kind is dict or kind is list or kind is tuple:
            return self._container(value, [_MOST_MEMBERS])
        return self._key_of_code(value, ())

    def _key_of_code(self, value: Any, outer: tuple[object, ...]) -> Token:
        kind = type(value)
        if kind is Macro:
            return kind, self._macro(value, outer)
        if kind is Function:
            return kind, value.name
        if kind is TemplateModule:
            exported = vars(value)
            names = [name for name in exported if not name.startswith("_")]
            content = tuple((name, self._outer(exported[name], outer)) for name in names)
            return kind, self._number((kind, *content))
        if value is missing:
            return (missing,)
        raise _UnknownError

    def _outer(self, value: Any, outer: tuple[object, ...]) -> Token:
        kind = type(value)
        if kind is Macro or kind is TemplateModule:
            return self._key_of_code(value, outer)
        if kind is Watched:  # a run that reads what is noted isn't stored
            members = [*dict.keys(value), *dict.values(value)]
            return kind, self._number((kind, *map(self._token, members)))
        return self._token(value)

    def _container(self, value: Any, left: list[int]) -> Token:
        kind = type(value)
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        left[0] -= len(value)
        if left[0] < 0:
            raise _UnknownError
        members = [*value, *value.values()] if kind is dict else value
        content = tuple(
            self._container(each, left) if type(each) in (dict, list, tuple) else self._token(each)
            for each in members
        )
        token = kind, self._number((kind, *content))
        if len(value) >= _LARGE:
            self._known[id(value)] = value, token
        return token

    def _macro(self, macro: Macro, outer: tuple[object, ...]) -> int:
        """Return the number of a macro: of its code and of all that it reads besides its arguments. It may
        read itself, or one of the `outer` macros, which read it."""
        function = macro._func
        if function in outer:  # by identity: macros of different templates may have equal code
            return -1 - outer.index(function)
        names = macro.reads  # type: ignore[attr-defined]
        if names is None:
            raise _UnknownError
        within = (*outer, function)
        code = function.__code__
        cells = dict(zip(code.co_freevars, function.__closure__ or ()))
        content: list[object] = [code]
        for name in code.co_freevars:
            if name.startswith("l_"):
                try:
                    content.append(self._outer(cells[name].cell_contents, within))
                except ValueError:  # not yet set
                    raise _UnknownError from None
            elif name not in _CONSTANT and not name.startswith("t_"):
                raise _UnknownError
        if names:
            resolve = cells["resolve"].cell_contents
            content += [self._outer(resolve(name), within) for name in names]
        return self._number(tuple(content))

    def _number(self, content: Token) -> int:
        number = self._numbers.setdefault(content, len(self._numbers))
        if number == len(self._digests):
            self._digests.append(content)
        return number

    # ---- naming values for other processes

    def _digest_of(self, key: Token) -> str:
        """Return a digest of a run's key that is the same in every process."""
        macro, *values = key
        return hashlib.blake2b(
            self._said(macro) + marshal.dumps(self._spelled(tuple(values)), 0), digest_size=16
        ).hexdigest()

    def _said(self, number: Any) -> bytes:
        """Return the digest of what a number stands for; one within itself stands for its place."""
        if number < 0:
            return b"%d" % number
        known = self._digests[number]
        if not isinstance(known, bytes):
            spelled = marshal.dumps(tuple(map(self._spelled, known)), 0)
            known = self._digests[number] = hashlib.blake2b(spelled, digest_size=16).digest()
        return known

    def _spelled(self, value: Any) -> Any:
        kind = type(value)
        if kind is tuple:
            if len(value) == 2 and value[0] in _NUMBERED:
                return value[0].__name__, self._said(value[1])
            return tuple(map(self._spelled, value))
        if kind is type:
            return value.__name__
        if kind is CodeType:
            return marshal.dumps(value, 0)
        return "missing" if value is missing else str(value) if kind is Markup else value
