"""Dataclasses that are cheap to define: a class compiles a method when it is first called.

The standard library compiles all of them, for each class of each module that a command imports. Type
checkers read its definitions; its functions take these classes too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from operator import attrgetter

TYPE_CHECKING = False  # without the module `typing`, which takes long to import
if TYPE_CHECKING:
    from dataclasses import asdict as asdict
    from dataclasses import astuple as astuple
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import is_dataclass as is_dataclass
    from dataclasses import replace as replace
    from typing import Any

_FIELDS = "__dataclass_fields__"
"""The attribute with a class's fields by name, which the standard library uses too."""
_MISSING: Any = type("_Missing", (), {"__repr__": lambda self: "<factory>"})()


_order = attrgetter("kw_only")


class _Field:
    """A field of a class, with the arguments of `dataclasses.field`."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name", "repr", "type")
    name: str
    type: str
    kw_only: bool

    def __init__(
        self,
        default: Any = _MISSING,
        *,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare = init, repr, compare

    @property
    def _field_type(self) -> Any:
        """Return the mark of the standard library for a field that is no ClassVar."""
        from dataclasses import _FIELD  # type: ignore[attr-defined]

        return _FIELD


class _Signature:
    """The signature of a class, which `inspect` asks for."""

    def __get__(self, instance: object, cls: Any) -> Any:
        from inspect import Parameter, Signature

        found = []
        for each in sorted(_fields(cls), key=_order):
            if not each.init:
                continue
            kind = Parameter.KEYWORD_ONLY if each.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            is_required = each.default is each.default_factory
            default = Parameter.empty if is_required else each.default
            found.append(Parameter(each.name, kind, default=default, annotation=each.type))
        return Signature(found, return_annotation=None)


_SIGNATURE = _Signature()


def _dataclass(cls: Any = None, /, **options: bool) -> Any:
    return partial(_define, **options) if cls is None else _define(cls, **options)


def _define(
    cls: Any,
    *,
    eq: bool = True,
    repr: bool = True,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
) -> Any:
    """Return the class with its fields, and with those methods that it doesn't define itself."""
    namespace = dict(cls.__dict__)
    named: dict[str, _Field] = {}
    for base in reversed(cls.__mro__[1:]):
        named |= base.__dict__.get(_FIELDS, {})
    inherited = frozenset(named)
    for name, stated in cls.__annotations__.items():
        default = namespace.get(name, _MISSING)
        each = default if isinstance(default, _Field) else _Field(default)
        each.name, each.type, each.kw_only = name, stated, kw_only
        named[name] = each
        if slots or each is default:
            namespace.pop(name, None)
    for name in ("__dict__", "__weakref__"):
        namespace.pop(name, None)
    if slots:
        namespace["__slots__"] = tuple(name for name in cls.__annotations__ if name not in inherited)

    def late(name: str, write: Callable[[Any], tuple[str, dict[str, Any]]]) -> Any:
        """Return a method that replaces itself by a compiled one."""

        def method(self: Any, *values: Any, **options: Any) -> Any:
            source, names = write(found)
            exec(source, names)
            names[name].__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(found, name, names[name])
            return names[name](self, *values, **options)

        return method

    shared: dict[str, Any] = _FROZEN if frozen else {}
    if repr:
        shared = {**shared, "__repr__": _repr}
    if "__init__" not in namespace:
        write = partial(_init, frozen=frozen)
        namespace |= {"__init__": late("__init__", write), "__signature__": _SIGNATURE}
    if eq and "__eq__" not in namespace:
        namespace["__eq__"] = late("__eq__", _eq)
        if namespace.get("__hash__") is None:
            namespace["__hash__"] = late("__hash__", _hash) if frozen else None
    own = {_FIELDS: named, "__qualname__": cls.__qualname__}
    found = type(cls)(cls.__name__, cls.__bases__, {**shared, **namespace, **own})
    return found


def _init(cls: Any, *, frozen: bool) -> tuple[str, dict[str, Any]]:
    parameters, lines = ["self"], []
    names: dict[str, Any] = {"_MISSING": _MISSING}
    for each in sorted(_fields(cls), key=_order):
        name = value = each.name
        default = ""
        if each.default_factory is not _MISSING:
            names[f"_make_{name}"] = each.default_factory
            value = f"_make_{name}()"
            if each.init:
                default, value = "=_MISSING", f"{value} if {name} is _MISSING else {name}"
        elif each.default is not _MISSING:
            names[f"_default_{name}"] = each.default
            default = f"=_default_{name}"
            value = name if each.init else f"_default_{name}"
        elif not each.init:
            continue
        if each.init:
            if each.kw_only and "*" not in parameters:
                parameters.append("*")
            parameters.append(f"{name}{default}")
        if frozen:
            names[f"_set_{name}"] = getattr(cls, name).__set__
            lines.append(f"_set_{name}(self, {value})")
        else:
            lines.append(f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "\n ".join(lines or ["pass"])
    return f"def __init__({', '.join(parameters)}):\n {body}", names


def _eq(cls: Any) -> tuple[str, dict[str, Any]]:
    test = f"if other.__class__ is self.__class__: return {_compared(cls)} == {_compared(cls, 'other')}"
    return f"def __eq__(self, other):\n {test}\n return NotImplemented", {}


def _hash(cls: Any) -> tuple[str, dict[str, Any]]:
    return f"def __hash__(self):\n return hash({_compared(cls)})", {}


def _compared(cls: Any, name: str = "self") -> str:
    compared = [each.name for each in _fields(cls) if each.compare]
    return f"({''.join(f'{name}.{each}, ' for each in compared)})"


def _repr(self: Any) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in _fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(self: Any, name: str, value: Any = None) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to or delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in _fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for each, value in zip(_fields(self), state):
        object.__setattr__(self, each.name, value)


_FROZEN = {
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__getstate__": _getstate,
    "__setstate__": _setstate,
}


def _fields(value: Any) -> tuple[_Field, ...]:
    return tuple(getattr(value, _FIELDS).values())


def _is_dataclass(value: Any) -> bool:
    return hasattr(value, _FIELDS)


def _replace(value: Any, /, **changes: Any) -> Any:
    for each in _fields(value):
        if each.init and each.name not in changes:
            changes[each.name] = getattr(value, each.name)
    return type(value)(**changes)


def _plain(value: Any, make: Callable[[Iterable[tuple[str, Any]]], Any]) -> Any:
    kind = type(value)
    if hasattr(kind, _FIELDS):
        return make([(each.name, _plain(getattr(value, each.name), make)) for each in _fields(value)])
    if isinstance(value, dict):
        return kind((_plain(key, make), _plain(each, make)) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        plain = [_plain(each, make) for each in value]
        return kind(*plain) if hasattr(kind, "_fields") else kind(plain)
    return value


def _astuple(value: Any) -> tuple[Any, ...]:
    return _plain(value, lambda pairs: tuple(each for _, each in pairs))  # type: ignore[no-any-return]


if not TYPE_CHECKING:
    dataclass, field, fields, is_dataclass = _dataclass, _Field, _fields, _is_dataclass
    replace, asdict, astuple = _replace, partial(_plain, make=dict), _astuple
