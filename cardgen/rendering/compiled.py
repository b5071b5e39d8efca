"""Compiled templates kept in the user's cache, as Python keeps compiled modules.

One entry per template, in the place of the one before. It counts only if the template is the one that it
was made of. Like a `.pyc` file it is run as it stands, so it is as
safe as the cache folder is.
"""

from __future__ import annotations

import marshal
from types import CodeType

from cardgen.storage.cache import Cache

Mentions = tuple[frozenset[str], tuple[str | None, ...]]
"""Variables that a template mentions, and the templates that it includes (None: can't be told)."""


class CompiledTemplate:
    """The kept code of one template. `kind` tells the ways of compiling it apart."""

    def __init__(self, kind: str, path: str, source: str) -> None:
        self._cache = Cache("templates")
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
