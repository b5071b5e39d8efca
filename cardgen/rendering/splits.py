"""What a side is split into, and with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cardgen.findings import Problem
from cardgen.geometry import Size
from cardgen.model.artwork import Item
from cardgen.rendering.marks import Mark
from cardgen.rendering.pictures import Pictures
from cardgen.rendering.printed_texts import PrintedText
from cardgen.rendering.text import Side
from cardgen.svg.style import StyleSheet
from cardgen.svg.tree import Document
from cardgen.svg.weighing import Weigher
from cardgen.svg.weights import NOTHING, Weight


@dataclass(frozen=True, slots=True)
class Split:
    """A side, or a part of one: its items and what is wrong. Offsets of problems count from the start of
    the part. `icons` are those that its text shows, `load` is what drawing it comes to, `flawed` are the
    problems of files that its pictures show, at their own lines."""

    items: tuple[Item, ...]
    problems: tuple[Problem, ...] = ()
    icons: frozenset[str] = frozenset()
    load: Weight = NOTHING
    flawed: frozenset[Problem] = frozenset()
    marks: tuple[Mark, ...] = ()
    """Where on the side the problems lie, told only of what is laid out to be looked at."""
    outlined: tuple[PrintedText, ...] = ()
    """Its texts that are drawn as outlines."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of a side that its elements are held to, in mm."""

    size: Size
    bleed: float
    safe: float


@dataclass(slots=True)
class SideInWork:
    """One side while it is split."""

    document: Document
    sheet: StyleSheet
    pictures: Pictures
    side: Side
    ids: frozenset[str]
    """What references may name: ids of the document, and icons."""
    weigher: Weigher
    groups: Mapping[str, float]
    """The sizes of its groups of texts, mm on the card."""
    groups_key: bytes
