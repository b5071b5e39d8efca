"""The event parser behind the YAML reader: libyaml where PyYAML has it, else PyYAML's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

if TYPE_CHECKING:
    from collections.abc import Callable


class EventSource(Protocol):
    """A stream of YAML events; raises yaml.YAMLError where the text is not YAML."""

    def get_event(self) -> Any: ...

    def dispose(self) -> None: ...


class PureParser(Reader, Scanner, Parser):
    """PyYAML's parser in Python, for installations without libyaml. Same events, 20 times slower."""

    def __init__(self, stream: str) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)


def _fastest() -> Callable[[str], EventSource]:
    if yaml.__with_libyaml__:
        from yaml import cyaml

        parser: Callable[[str], EventSource] = cyaml.CParser  # type: ignore[attr-defined]
        return parser
    return PureParser


open_events: Callable[[str], EventSource] = _fastest()
"""Opens the events of a text."""
