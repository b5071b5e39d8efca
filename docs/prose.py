"""Measure how plain the project's words are: `python docs/prose.py [PATH…]`.

For each Markdown file it prints the words, the mean length of a sentence, the share of long sentences,
and each word that the guide replaces. Code, tables and addresses don't count. A folder stands for all
Markdown files in it, so the documents of another project can be measured for comparison.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
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
"""Words that the project doesn't use, and the plain American ones."""
VAGUE = frozenset({"what", "whether", "how", "where", "why", "who", "that", "whichever"})
"""Words that don't begin a docstring."""
OPTION_WORDS = 12
"""The most words of an option's help."""
_FENCE = re.compile(r"^(```+).*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^( {4}|\||#|!\[|<!--).*$", re.MULTILINE)
_CODE = re.compile(r"`[^`]*`|\{\{.*?\}\}|https?://\S+|“[^”]*”")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)[.!?][*_”)]*\s+|:[*_”)]*\s+(?=[A-Z*_“(])|\n\n+|\n(?=[-*] |\d+\. )"
)
_WORD = re.compile(r"[\w’'-]+")
_TRIPLE = re.compile(r'"""(.*?)"""', re.DOTALL)
_OPENS = re.compile(r":[ ]*(#.*)?\n$")
_STRINGS = re.compile(r'(?:[rf]?"(?:[^"\\\n]|\\.)*"\s*)+')
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


@dataclass(frozen=True)
class Figures:
    """The plainness of some texts."""

    words: int
    sentences: int
    long: int
    """Sentences of more than LONG words."""
    replaced: frozenset[str]
    """Words of PLAIN."""

    @property
    def mean(self) -> float:
        """Return the words of a sentence on average."""
        return self.words / max(1, self.sentences)

    @property
    def long_share(self) -> float:
        """Return the share of long sentences, 0 to 1."""
        return self.long / max(1, self.sentences)

    def __str__(self) -> str:
        replaced = "".join(f"; write {PLAIN[word]!r}, not {word!r}" for word in sorted(self.replaced))
        return f"{self.words} words, {self.mean:.1f} a sentence, {self.long_share:.1%} long{replaced}"


def prose(text: str) -> str:
    """Return a document's sentences without code, tables, headings and addresses."""
    return _CODE.sub("C", _LINK.sub(r"\1", _BLOCK.sub("\n", _FENCE.sub("\n", text))))


def sentences(text: str) -> Iterator[list[str]]:
    """Yield the words of each sentence of a document."""
    for sentence in _END.split(prose(text)):
        if len(words := _WORD.findall(sentence)) > 2:
            yield words


def replaced(text: str) -> frozenset[str]:
    """Return the words of a text that the guide replaces."""
    return frozenset(word.lower() for word in _WORD.findall(prose(text))) & PLAIN.keys()


def figures(text: str) -> Figures:
    """Measure a document."""
    lengths = [len(words) for words in sentences(text)]
    long = sum(length > LONG for length in lengths)
    return Figures(sum(lengths), len(lengths), long, replaced(text))


def total(measured: Iterable[Figures]) -> Figures:
    """Add up what was measured."""
    each = list(measured)
    return Figures(
        sum(one.words for one in each),
        sum(one.sentences for one in each),
        sum(one.long for one in each),
        frozenset().union(*(one.replaced for one in each)),
    )


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


# ---------------------------------------------------------------- words in the code


def docstrings(source: str) -> Iterator[str]:
    """Yield the docstrings of a module and of what it defines. (A parser would take seconds for all.)"""
    for match in _TRIPLE.finditer(source):
        before = source[max(0, match.start() - 200) : match.start()].rstrip(" r")
        if not before.strip() or _OPENS.search(before):
            yield match[1]


def texts(source: str) -> Iterator[str]:
    """Yield a module's texts for people: its strings of several words, with `C` for each value in them."""
    for match in _STRINGS.finditer(_TRIPLE.sub("", source)):
        text = "".join(_STRING.findall(match[0]))
        if " " in text:
            yield re.sub(r"\{[^{}]*\}", "C", text)


def first_word(text: str) -> str:
    """Return the first word in lower case."""
    match = _WORD.search(text)
    return match[0].lower() if match else ""


# ---------------------------------------------------------------- the command


def files(paths: Sequence[str]) -> list[Path]:
    """Return the Markdown files that are named, or that the named folders contain."""
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.rglob("*.md")) if path.is_dir() else [path]
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures of each file and of all together."""
    parser = argparse.ArgumentParser(description="Measure how plain Markdown files are.")
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="measure this file or folder (default: the documentation)"
    )
    parser.add_argument("--total", action="store_true", help="print only the total")
    options = parser.parse_args(words)
    found = files(options.paths) or ([] if options.paths else pages())
    if missing := [str(path) for path in found if not path.is_file()]:
        parser.error(f"no such file: {', '.join(missing)}")
    if not found:
        parser.error("no Markdown files there")
    measured = {path: figures(path.read_text(encoding="utf-8")) for path in found}
    if not options.total:
        sys.stdout.writelines(f"{path.name}: {one}\n" for path, one in measured.items())
    sys.stdout.write(f"{len(found)} files: {total(measured.values())}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
