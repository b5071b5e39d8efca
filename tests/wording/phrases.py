"""Count the phrases of the product that tests repeat: `python -m tests.wording.phrases [-v]`.

A phrase is a string of a test, of three words or more, that is part of a string in `cardgen/`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.sources import nodes

ROOT = Path(__file__).resolve().parents[2]
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def strings(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the strings of a module, other than docstrings, with their lines."""
    docstrings = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value, node.lineno


def phrases() -> dict[str, list[str]]:
    """Return each repeated phrase with the places, `FILE:LINE`, that repeat it."""
    modules = (path for path in (ROOT / "cardgen").rglob("*.py") if "_bundled" not in path.parts)
    product = "\n\0\n".join(text for path in modules for text, _ in strings(path))
    found = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for text, line in strings(path):
            phrase = text.strip()
            if min(len(_WORD.findall(phrase)), len(phrase.split())) >= 3 and phrase in product:
                found[phrase].append(f"{path.relative_to(ROOT).as_posix()}:{line}")
    return found


if __name__ == "__main__":
    found = phrases()
    files = {place.partition(":")[0] for places in found.values() for place in places}
    if "-v" in sys.argv:
        sys.stdout.writelines(f"{phrase!r}: {', '.join(places)}\n" for phrase, places in found.items())
    occurrences = sum(map(len, found.values()))
    sys.stdout.write(f"{len(found)} phrases, {occurrences} times in {len(files)} files\n")
