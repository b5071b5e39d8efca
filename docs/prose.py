"""Measure how plain the documents are: `python docs/prose.py [FILE…]`.

Prints for each file its words, the mean length of its sentences, the share of long ones, and every word
that the guide replaces. Code, tables and addresses don't count.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG = 25
"""Words: a longer sentence often needs a second reading."""
PLAIN = {
    "mend": "fix",
    "mends": "fixes",
    "anew": "again",
    "whatever": "any",
    "see-through": "transparent",
    "behold": "see",
    "thereof": "of it",
    "whence": "from where",
    "utilize": "use",
    "leverage": "use",
    "colour": "color",
    "colours": "colors",
    "centre": "center",
    "licence": "license",
    "millimetre": "millimeter",
    "millimetres": "millimeters",
    "flavour": "flavor",
    "behaviour": "behavior",
    "neighbour": "neighbor",
    "neighbours": "neighbors",
    "misspelt": "misspelled",
}
"""Words that documents don't use, and the plain American ones."""
_FENCE = re.compile(r"^(```+).*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^( {4}|\||#|!\[|<!--).*$", re.MULTILINE)
_CODE = re.compile(r"`[^`]*`|\{\{.*?\}\}|https?://\S+|“[^”]*”")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z*_C])|\n\n+|\n(?=[-*] |\d+\. )")
_WORD = re.compile(r"[\w’'-]+")


@dataclass(frozen=True)
class Figures:
    """The plainness of a text: `long` is the share of sentences over LONG words, 0 to 1."""

    words: int
    mean: float
    long: float
    replaced: tuple[str, ...]


def prose(text: str) -> str:
    """Return a document's sentences without code, tables, headings and addresses."""
    return _CODE.sub("C", _LINK.sub(r"\1", _BLOCK.sub("\n", _FENCE.sub("\n", text))))


def sentences(text: str) -> Iterator[list[str]]:
    """Yield the words of each sentence of a document."""
    for sentence in _END.split(prose(text)):
        if len(words := _WORD.findall(sentence)) > 2:
            yield words


def figures(text: str) -> Figures:
    """Measure a document."""
    lengths = [len(words) for words in sentences(text)] or [0]
    found = sorted({word.lower() for word in _WORD.findall(prose(text))} & set(PLAIN))
    long = sum(length > LONG for length in lengths) / len(lengths)
    return Figures(sum(lengths), sum(lengths) / len(lengths), long, tuple(found))


def pages() -> list[Path]:
    """Return the documents that people write, README first."""
    made = {"findings.md"}  # from the explanations, which are measured themselves
    explained = ROOT.glob("cardgen/core/explanations/*.md")
    return [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted(page for page in ROOT.glob("docs/*.md") if page.name not in made),
        *sorted(explained),
    ]


def main(words: list[str]) -> None:
    """Print the figures of the files, or of all documents."""
    for path in map(Path, words or map(str, pages())):
        found = figures(path.read_text(encoding="utf-8"))
        replaced = "".join(f"; write {PLAIN[word]!r}, not {word!r}" for word in found.replaced)
        measured = f"{found.words} words, {found.mean:.1f} a sentence, {found.long:.0%} long"
        sys.stdout.write(f"{path.name}: {measured}{replaced}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
