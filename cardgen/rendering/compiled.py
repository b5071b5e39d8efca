"""Compiled templates kept in the user's cache, as Python keeps compiled modules.

One entry per template, in the place of the one before. It counts only if the template, Python, Jinja2
and our own code are those that it was made with. Like a `.pyc` file it is run as it stands, so it is as
safe as the cache folder is.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
from functools import cache
from pathlib import Path
from types import CodeType

import jinja2

from cardgen.storage.cache import Cache

Mentions = tuple[frozenset[str], tuple[str | None, ...]]
"""Variables that a template mentions, and the templates that it includes (None: can't be told)."""


class CompiledTemplate:
    """The kept code of one template. `kind` tells the ways of compiling it apart."""

    def __init__(self, kind: str, path: str, source: str) -> None:
        self._cache = Cache("templates", _identity())
        self._key = f"{kind}\0{path}"
        self._source = source

    def read(self) -> tuple[CodeType, Mentions] | None:
        """The code and what the template mentions; None if there is none or it is out of date."""
        content = self._cache.get(self._key, made_of=self._source)
        if content is None:
            return None
        code, mentions = marshal.loads(content)
        return code, mentions

    def write(self, code: CodeType, mentions: Mentions) -> None:
        """Keep the code."""
        self._cache.put(self._key, marshal.dumps((code, mentions)), made_of=self._source)


@cache
def _identity() -> str:
    """What compiled code depends on besides the template: our own code and Jinja2's."""
    state = hashlib.blake2b(importlib.util.MAGIC_NUMBER, digest_size=16)
    state.update(jinja2.__version__.encode())
    package = Path(__file__).parent.parent
    for room in ("rendering", "sandbox", "svg"):
        for path in sorted((package / room).glob("*.py")):
            state.update(path.read_bytes())
    return state.hexdigest()
