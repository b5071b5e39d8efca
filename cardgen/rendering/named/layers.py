"""Objects that are there on a condition, or several times."""

from __future__ import annotations

import re
from typing import NamedTuple

from cardgen.rendering.named.expressions import Expression, expression
from cardgen.rendering.named.fields import filled
from cardgen.rendering.named.labels import Said
from cardgen.rendering.named.markup import Element
from cardgen.rendering.named.work import Work
from cardgen.svg.numbers import number, numbers
from cardgen.units import decimal

_WHAT = {
    "if": "the condition",
    "each": "what it is repeated for",
    "fill": "the colour of its fill",
    "stroke": "the colour of its line",
}
_CODES = {
    "if": "template/if",
    "each": "template/each",
    "fill": "template/color",
    "stroke": "template/color",
}
_MOST_COLUMNS = 1_000
_GAP = 1.2
"""How far apart repeated objects are, in their width, where nothing says so."""
_SHARES = {"start": 0.0, "left": 0.0, "middle": 0.5, "center": 0.5, "centre": 0.5, "end": 1.0, "right": 1.0}
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*none\s*(?=;|$)")


class _Steps(NamedTuple):
    across: float
    down: float
    columns: int
    share: float


def show_if(work: Work, element: Element, said: Said, *, item: bool) -> None:
    """Show an object only on its condition, whether or not it is hidden in the drawing."""
    condition = _read(work, said, item=item)
    if condition is not None:
        work.wrap(element, f"{{% if {condition.source} %}}", "{% endif %}")
        reveal(work, element)


def reveal(work: Work, element: Element) -> None:
    """Show what the drawing program hides while others are drawn."""
    for name, hidden in (("display", "none"), ("visibility", "hidden")):
        attribute = element.attrs.get(name)
        if attribute is not None and attribute.value.strip() == hidden:
            work.edits.replace(attribute.start, attribute.end, "")
    style = element.attrs.get("style")
    if style is not None and (found := _DISPLAY.search(style.raw)) is not None:
        start = style.end - 1 - len(style.raw)
        work.edits.replace(start + found.start(), start + found.end(), "")


def paint(work: Work, element: Element, said: Said, *, item: bool) -> None:
    """Paint an object in the colour that an expression comes to, if it comes to one."""
    read = _read(work, said, item=item)
    if read is None:
        return
    color = f"({read.source})"
    if said.kind == "fill":
        work.paints[element] = color
    shown = f"{{% if {color} %}};{said.kind}:{{{{ {color} }}}}{{% endif %}}"
    style = element.attrs.get("style")
    if style is not None:
        work.edits.before(style.end - 1, shown)
    else:
        own = work.added.setdefault(element, [])
        own.append(shown)


def repeat(work: Work, element: Element, said: Said, *, item: bool) -> bool:
    """Draw an object once for each item of a list, or as often as a number says, along a line."""
    listed = _read(work, said, item=item)
    if listed is None:
        return False
    steps = _steps(work, element, said)
    if steps is None:
        return False
    value = f"({listed.source})"
    loop = f"{{% for item in (range({value}|int) if {value} is number else {value}) %}}"
    across, down = (
        _shift(step, place, count, steps.share)
        for step, place, count in (
            (steps.across, "loop.index0", "loop.length")
            if not steps.columns
            else (
                steps.across,
                f"loop.index0 % {steps.columns}",
                f"([loop.length - loop.index0 // {steps.columns} * {steps.columns}, {steps.columns}]|min)",
            ),
            (steps.down, "loop.index0", "1" if not steps.across else "loop.length")
            if not steps.columns
            else (steps.down, f"loop.index0 // {steps.columns}", "1"),
        )
    )
    group = f'<g transform="translate({{{{ {across} }}}} {{{{ {down} }}}})">'
    work.wrap(element, f"{{% if {filled(value)} %}}{loop}{group}", "</g>{% endfor %}{% endif %}")
    return True


def _shift(step: float, place: str, count: str, share: float) -> str:
    """How far an item is moved; by their first, middle or last, all stand where the drawn one does."""
    if not step:
        return "0"
    moved = f"({place}) * {decimal(step, 4)}"
    return moved if not share or count == "1" else f"{moved} - ({count} - 1) * {decimal(step * share, 4)}"


def _steps(work: Work, element: Element, named: Said) -> _Steps | None:
    """How the copies of an object stand, by its attributes or its name, or else its width."""
    options = _options(work, named)
    if options is None:
        return None
    said = element.get("cg:step") or options.get("step")
    align = (element.get("cg:align") or options.get("align", "start")).strip()
    columns = number((element.get("cg:columns") or options.get("columns", "0")).strip())
    if align not in _SHARES:
        hint = "it is start, middle or end"
        at = element.attrs.get("cg:align", named.said)
        work.wrong("template/each", f"the copies are to stand '{align}'", hint, at)
        return None
    if columns is None or not 0 <= columns <= _MOST_COLUMNS or columns != int(columns):
        at = element.attrs.get("cg:columns", named.said)
        work.wrong("template/each", "the number of columns is no whole number", 'such as "4"', at)
        return None
    box = work.looks.box(element)
    if said is None:
        if box is None:
            message = "how far apart its copies stand can't be told from the drawing"
            hint = 'say it, in its units: cg:step="5", or cg:step="0 5" for a column'
            work.wrong("template/each", message, hint, element)
            return None
        return _Steps(box.width * _GAP, box.height * _GAP if columns else 0.0, int(columns), _SHARES[align])
    found = numbers(said)
    if not 1 <= len(found) <= 2 or said.strip(" ,.-+0123456789"):
        hint = 'it is how far apart the copies stand, such as cg:step="5", or "0 5" for a column'
        at = element.attrs.get("cg:step", named.said)
        work.wrong("template/each", f"the step between the copies is '{said}'", hint, at)
        return None
    down = found[1] if len(found) == 2 else (found[0] if columns else 0.0)
    return _Steps(found[0], down, int(columns), _SHARES[align])


def _options(work: Work, named: Said) -> dict[str, str] | None:
    """What a name says of the copies: `each: stars; end; step 5; columns 4`."""
    found: dict[str, str] = {}
    for option in named.options:
        word, _, value = option.partition(" ")
        if word in _SHARES and not value:
            found["align"] = word
        elif word in ("step", "columns") and value:
            found[word] = value
        else:
            hint = "after a semicolon there may be start, middle or end; step 5; columns 4"
            work.wrong("template/each", f"'{option}' says nothing about copies", hint, named.said)
            return None
    return found


def _read(work: Work, said: Said, *, item: bool) -> Expression | None:
    """The expression of an object; None after a problem."""
    read = expression(said.text, work.fields, item=item)
    what = _WHAT[said.kind]
    if read.wrong is not None:
        hint = "write it as templates do, with the bare names of fields: cost > 3"
        message = f"{what}, '{said.text}', can't be read: {read.wrong}"
        work.wrong(_CODES[said.kind], message, hint, said.said)
        return None
    if read.unknown:
        hint = work.fields.near(read.unknown[0]) or "it names fields of the cards' schema"
        if said.kind != "each":
            hint += f" (a word stands in quotes: '{read.unknown[0]}')"
        message = f"{what} names '{read.unknown[0]}', which is no field"
        work.wrong("template/field", message, hint, said.said)
        return None
    work.reads |= read.reads
    return read
