"""Compiled templates kept in the user's cache, as Python keeps compiled modules.

One file per template, in the place of the one before. A file counts only if the template, Python, Jinja2
and our own code are those that it was made with. Like a `.pyc` file it is run as it stands, so it is as
safe as the cache folder is.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType

import jinja2

from cardgen.folders import cache_folder

Mentions = tuple[frozenset[str], tuple[str | None, ...]]
"""Variables that a template mentions, and the templates that it includes (None: can't be told)."""

_DIGEST = 16


class CompiledTemplate:
    """The kept code of one template. `kind` tells the ways of compiling it apart."""

    def __init__(self, kind: str, path: str, source: str) -> None:
        name = hashlib.blake2b(f"{kind}\0{path}".encode(), digest_size=12).hexdigest()
        self._path = cache_folder() / "templates" / f"{name}.code"
        self._made_from = hashlib.blake2b(
            f"{_identity()}\0{kind}\0{path}\0{source}".encode(), digest_size=_DIGEST
        ).digest()

    def read(self) -> tuple[CodeType, Mentions] | None:
        """The code and what the template mentions; None if there is none or it is out of date."""
        try:
            data = self._path.read_bytes()
        except OSError:
            return None
        content = data[2 * _DIGEST :]
        if data[: 2 * _DIGEST] != self._made_from + _check(content):
            return None
        code, mentions = marshal.loads(content)
        return code, mentions

    def write(self, code: CodeType, mentions: Mentions) -> None:
        """Keep the code. An unwritable cache is no error."""
        content = marshal.dumps((code, mentions))
        temporary = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(self._made_from + _check(content) + content)
            os.replace(temporary, self._path)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _check(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST).digest()


@cache
def _identity() -> str:
    """What compiled code depends on besides the template. Jinja2 works constants out in advance, with our
    filters."""
    state = hashlib.blake2b(importlib.util.MAGIC_NUMBER, digest_size=_DIGEST)
    state.update(jinja2.__version__.encode())
    here = Path(__file__).parent
    for path in (*sorted(here.glob("*.py")), here.parent / "units.py"):
        state.update(path.read_bytes())
    return state.hexdigest()
