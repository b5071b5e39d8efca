"""The kinds of values that there are in templates and expressions, and what can be read of each.

This is the whole list. A value of a type that does not stand here can't be read from, called, printed or
compared; nothing that authors can name gives one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from jinja2 import Undefined
from jinja2.environment import TemplateModule
from jinja2.runtime import BlockReference, LoopContext, Macro, TemplateReference
from jinja2.utils import Namespace
from markupsafe import Markup

from cardgen.sandbox.texts import TEXT_METHODS
from cardgen.sandbox.watched import Watched


class Group(NamedTuple):
    """What `groupby` gives for each group."""

    grouper: Any
    list: list[Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: `data` are printed, compared and handed on as they are; `reads` are the names
    that give a value, `methods` those that give a function; `called` tells whether it can be called."""

    name: str
    data: bool = False
    reads: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    called: bool = False


@dataclass(slots=True, repr=False, eq=False)
class Function:
    """A function that authors may call, and do nothing else with."""

    name: str
    call: Callable[..., Any]

    def __repr__(self) -> str:
        return f"function {self.name}"


@dataclass(slots=True, repr=False, eq=False)
class Method:
    """A function of a value, such as `card.title.upper`: called with the value first."""

    name: str
    owner: Any
    call: Callable[..., Any]

    def __repr__(self) -> str:
        return f"function {self.name}"


LOOP_NUMBERS = frozenset(
    ("depth", "depth0", "first", "index", "index0", "last", "length", "revindex", "revindex0")
)

_TEXT = Kind("text", data=True, methods=TEXT_METHODS)
_NUMBER = Kind("number", data=True)
_LIST = Kind("list", data=True, methods=frozenset(("count", "index")))
_MAPPING = Kind("mapping", data=True, methods=frozenset(("get", "items", "keys", "values")))
_MISSING = Kind("missing", data=True)

KINDS: Mapping[type, Kind] = {
    str: _TEXT,
    Markup: _TEXT,
    int: _NUMBER,
    float: _NUMBER,
    bool: Kind("yes or no", data=True),
    type(None): Kind("empty", data=True),
    list: _LIST,
    tuple: _LIST,
    Group: Kind("group", data=True, reads=frozenset(("grouper", "list")), methods=_LIST.methods),
    range: Kind("range", data=True),
    dict: _MAPPING,
    Watched: _MAPPING,
    Undefined: _MISSING,
    Function: Kind("function", called=True),
    Method: Kind("method", called=True),
    Macro: Kind("macro", called=True),  # `caller` too
    LoopContext: Kind(
        "loop",
        reads=LOOP_NUMBERS | {"nextitem", "previtem"},
        methods=frozenset(("changed", "cycle")),
        called=True,
    ),
    Namespace: Kind("namespace"),  # reads whatever was set
    TemplateModule: Kind("imported template"),  # reads what it exports
    TemplateReference: Kind("self"),  # reads the template's blocks
    BlockReference: Kind("block", reads=frozenset(("super",)), called=True),
}
"""`varargs` is a list and `kwargs` a mapping. Subclasses of Undefined are kinds of a missing value."""

SCALARS = frozenset((str, Markup, int, float, bool))
"""What can be written out as it is."""
