"""What was found wrong as a side was drawn, back to where it stands: an element of a template, or a file.

The side is gone through once more for that: elements that are alike share what they come to, and know no
places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cardgen.findings import Problem
from cardgen.model.artwork import Picture, leaves
from cardgen.rendering.icons import PREFIX, IconSet
from cardgen.rendering.splitting import Splitter

if TYPE_CHECKING:
    from cardgen.rendering.laying_out import Source
    from cardgen.rendering.reading_sides import ReadSide


def placed(
    splitter: Splitter, icons: IconSet, source: Source, found: Iterable[tuple[str, Problem]]
) -> tuple[Problem, ...]:
    """Problems of a side that was laid out, with their offsets in its source, or with their places. Each
    comes with the key of the picture that it is about, the id of an icon in a text, or nothing."""
    done: list[Problem] = []
    pictures: dict[str, Problem] = {}
    for name, problem in found:
        if name.startswith(PREFIX):
            done.append(replace(problem, place=icons.get(name.removeprefix(PREFIX)).place))
        elif name:
            pictures[name] = problem
        else:
            done.append(problem)
    measures = source.measures
    read = splitter.reader.read(source.svg, measures.size, measures.bleed, measures.safe)
    done += replace(read, problems=()).told(_of_elements(splitter, source, read, pictures))
    return tuple(done)


def _of_elements(
    splitter: Splitter, source: Source, read: ReadSide, pictures: Mapping[str, Problem]
) -> Iterator[Problem]:
    """What is wrong with pictures, at every element that is drawn by them; at its file where the element
    shows a drawing."""
    if read.document is None:
        return
    around, work = splitter.begin(read.document, source.measures, source.folder, source.groups)
    todo = [(read.document.root, around)]
    while todo:
        parent, around = todo.pop()
        for child in parent.elements():
            items = leaves(splitter.element(child, around, work).items)
            wrong = {item.key for item in items if isinstance(item, Picture)} & pictures.keys()
            if wrong and child.name == "g" and child.has_text:
                inner = splitter.opened(child, around, work).inner
                todo += [] if inner is None else [(child, inner)]
                continue
            place = work.pictures.shown_at(child)
            for key in sorted(wrong):
                yield replace(pictures[key], offset=child.start, place=place)
