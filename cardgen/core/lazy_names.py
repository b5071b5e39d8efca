"""Names of a module that are imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def homes_of(names: Mapping[str, str]) -> dict[str, str]:
    """Return the module that defines each name, from names separated by spaces by their module."""
    return {name: module for module, each in names.items() for name in each.split()}


def getter(module: str, homes: Mapping[str, str], known: dict[str, object]) -> Callable[[str], object]:
    """Return the `__getattr__` of a module, whose globals are `known`. It imports a name from its home in
    cardgen and keeps it. Define it only `if not TYPE_CHECKING`, so that type checkers see wrong names."""

    def get(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        value = known[name] = getattr(import_module(f"cardgen.{home}"), name)
        return value

    return get
