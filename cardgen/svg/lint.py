"""SVG that would print wrongly, said before anything is drawn.

What is refused here is what the painter does not draw as a browser does, and what has no business in
print. The lists are by element, by attribute or property, and by value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from cardgen.core.findings import Problem, Severity, nearest
from cardgen.svg.outlines import ASPECT, TransformBoundError, parse_transform, transform_of
from cardgen.svg.style import Recent, StyleSheet, parse_color, read_style, unread, url_targets
from cardgen.svg.tree import (
    FARTHEST,
    FOREIGN,
    MOST_DASH_LIST,
    MOST_PROBLEMS,
    NEAREST,
    NUMBER,
    Node,
    is_unseen,
    names,
    number,
    numbers,
    short,
    too_far,
)

DRAWN = names("circle ellipse g image line path polygon polyline rect svg text textPath tspan use")
DEFINITIONS = names(
    "clipPath defs desc filter linearGradient marker mask metadata pattern radialGradient stop style "
    "symbol title"
)
_KNOWN = DRAWN | DEFINITIONS
_IGNORED_PREFIXES = frozenset(("cc", "cg", "dc", "inkscape", "rdf", "sodipodi", FOREIGN))
"""Inkscape's private elements, and our own; none of them are drawn."""

_VOCABULARY = json.loads(Path(__file__).with_name("vocabulary.json").read_text(encoding="utf-8"))
"""What is refused, with messages and hints; the words of keyword properties; the names of attributes."""
_REFUSED_ELEMENTS = _VOCABULARY["refused_elements"]
_REFUSED_ATTRIBUTES = _VOCABULARY["refused_attributes"]
_REFUSED_VALUES = _VOCABULARY["refused_values"]
WORDS = {name: names(words) for name, words in _VOCABULARY["words"].items()}
_ATTRIBUTES = names(" ".join(_VOCABULARY["attributes"]))
_ANIMATION = frozenset(["animate", "animateColor", "animateMotion", "animateTransform", "set"])

_UNREAD = frozenset(("style", "class", "id"))
_WITHOUT_EFFECT = frozenset(("svg/unset", "text/unset"))
_MOST_WITHOUT_EFFECT = 20
_HARMLESS = frozenset(("none", "normal", "auto", "0", "0.0", ""))

_COLOURS = frozenset(("fill", "stroke", "stop-color", "color"))
_COLOUR_WORDS = names("none transparent currentcolor inherit context-fill context-stroke")
_LENGTHS = names(
    "cx cy font-size height inline-size letter-spacing r rx ry shape-margin shape-padding "
    "stroke-dashoffset stroke-width width word-spacing x x1 x2 y y1 y2 dx dy fr fx fy markerWidth "
    "markerHeight refX refY"
)
_NOT_CLIPPING = names("clipPath g image svg text tspan")
_SHARES = names("opacity fill-opacity stroke-opacity stop-opacity offset stroke-miterlimit")
_READ = frozenset(("stroke-dasharray", "orient", "viewBox", "preserveAspectRatio"))
_PAINTS = frozenset(("fill", "stroke"))
_REFERRED = {"mask": "mask", "filter": "filter"}
_POINTING = _PAINTS | {"clip-path", "filter", "marker-start", "marker-mid", "marker-end", "mask"}

_HREFS = frozenset(("href", "xlink:href"))
_SHORT = 64
_CLEAN: Recent[tuple[str, str, str], bool] = Recent(5_000)
"""Short values that nothing is wrong with, by the names of the element and the attribute: `_value` reads
nothing else, unless the value names an element."""
_FLAT = 1e-12
_SERVED = frozenset(("gradientTransform", "patternTransform"))
_TRANSFORMS = frozenset(("transform", "transform-origin"))

_LENGTH = re.compile(rf"({NUMBER})(?:px|%|em)?")
_UNIT = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))\s*(mm|cm|in|pt|pc|q|rem|ex|ch|vw|vh)", re.I)
_PATH = re.compile(r"\s*(?:[Mm][MmLlHhVvCcSsQqTtAaZz0-9eE+\-.,\s]*)?")
_NUMBERS = re.compile(rf"{NUMBER}[\s,]*")
_URL = re.compile(r"""url\((["']?)#([^\s"'()]+)\1\)(?:\s+(\S.*))?""", re.S)


def lint(top: Node, ids: Collection[str], sheet: StyleSheet) -> Iterator[Problem]:
    """Yield the problems of the element and all below it, MOST_PROBLEMS errors at most, and each
    property without effect once. `ids` are those that references may name."""
    count = 0
    without_effect: set[str] = set()
    stack = [top]
    while stack:
        node = stack.pop()
        # What is in a refused element is refused with it; what is for programs alone is not read.
        if node.children and node.name not in _REFUSED_ELEMENTS and not is_unseen(node.name):
            stack.extend([child for child in reversed(node.children) if isinstance(child, Node)])
        for code, message, hint in _node(node, ids, sheet):
            named = (node.href or "").removeprefix("#icon-") if code == "icon/unknown" else ""
            offset = node.start - top.start
            if code in _WITHOUT_EFFECT:
                # They are not counted, so that they hide no error.
                if message not in without_effect and len(without_effect) < _MOST_WITHOUT_EFFECT:
                    without_effect.add(message)
                    yield Problem(code, message, hint, Severity.WARNING, offset=offset)
                continue
            yield Problem(code, message, hint, offset=offset, named=named)
            count += 1
            if count == MOST_PROBLEMS:
                return


_Trouble = tuple[str, str, str | None]

_PARTS = names(
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
    "feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge "
    "feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTurbulence"
)
_REFUSED_PARTS = {
    "feImage": "put the image below the filtered artwork",
    "feTile": "fill a shape with a pattern",
    "feDisplacementMap": "save it as an image",
}
MOST_OCTAVES = 10
"""Of turbulence; each is half as strong as the one before, and shows in 8 bits up to the eighth."""
MOST_ORDER = 9
"""Rows and columns of a convolution."""

_FUNCTIONS = re.compile(
    r"(?:\s*(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)"
    r"\((?:[^()]|\([^()]*\))*\))+\s*"
)
_LONGEST = 300


def filter_functions(value: str) -> bool:
    """Return True if a `filter` uses CSS's own functions."""
    return len(value) < _LONGEST and _FUNCTIONS.fullmatch(value) is not None


def _part_trouble(node: Node) -> _Trouble | None:
    """Return the problem with an element whose name begins with `fe`."""
    if node.name in _PARTS:
        return None
    return (
        f"svg/{node.name.lower()}",
        f"the filter <{short(node.name)}> is not supported",
        _REFUSED_PARTS.get(node.name, "save it as an image"),
    )


def _work_troubles(node: Node) -> Iterator[_Trouble]:
    """Yield the limits that a part of a filter exceeds."""
    if node.name == "feTurbulence":
        yield from _at_most(node, "numOctaves", MOST_OCTAVES)
    elif node.name == "feConvolveMatrix":
        yield from _at_most(node, "order", MOST_ORDER)


def _at_most(node: Node, name: str, most: int) -> Iterator[_Trouble]:
    text = node.get(name, "1") or ""
    found = numbers(text)
    if not found or max(found) > most:
        yield ("svg/bounds", f"{name} can't be '{short(text)}'", f"write a number up to {most}")


def _node(node: Node, ids: Collection[str], sheet: StyleSheet) -> Iterator[_Trouble]:
    trouble = _element(node)
    if trouble is not None:
        yield trouble
        return
    if ":" in node.name:
        return
    values = node.attrs
    declared: Mapping[str, str] = {}
    if rest := read_style(values.get("style", ""))[1]:
        yield ("svg/style", f"'{short(rest)}' in a style can't be read", "write property: value; …")
    if sheet.rules or "style" in values:
        declared = sheet.declared(node)
        for name in _TRANSFORMS & declared.keys():
            hint = 'write it as an attribute: transform="rotate(…)"'
            yield ("svg/css-transform", f"{name} in a style is not supported", hint)
        values = values | {name: value for name, value in declared.items() if name not in _TRANSFORMS}
    for name, value in values.items():
        if name.startswith("cg:"):
            yield from _own(node, name, value)
        elif name not in _UNREAD and (":" not in name or name == "xlink:href"):
            alone = len(value) < _SHORT and name not in _HREFS and "url(" not in value
            if alone and _CLEAN.get((node.name, name, value)):
                continue
            found = list(_value(node, name, value.strip(), ids))
            if not found and (without := unread(node.name, name, value, declared=name in declared)):
                found = [without]
            if found:
                yield from found
            elif alone:
                _CLEAN.put((node.name, name, value), True)
    if node.name == "clipPath":
        yield from _clip_path(node)
    elif node.name in _PARTS:
        yield from _work_troubles(node)
    elif node.name == "use" and node.href is None:
        yield ("svg/reference", "<use> has no href", 'write href="#…"')


def _element(node: Node) -> _Trouble | None:
    name = node.name
    if name in _KNOWN:
        return None
    prefix, colon, _ = name.partition(":")
    if colon and prefix in _IGNORED_PREFIXES:
        return None
    if name.startswith("fe"):
        return _part_trouble(node)
    if name in _REFUSED_ELEMENTS:
        refused = _REFUSED_ELEMENTS[name]
        return (f"svg/{name.lower()}", refused["message"], refused.get("hint"))
    if name in _ANIMATION:
        return ("svg/animation", "animations are not supported", "remove it: print stands still")
    near = nearest(name.rpartition(":")[2], _KNOWN, 0.75)
    hint = f"did you mean <{near}>?" if near else "remove it, or draw it with other elements"
    return ("svg/element", f"<{short(name)}> is not a supported element", hint)


def _value(node: Node, name: str, value: str, ids: Collection[str]) -> Iterator[_Trouble]:
    if name in _REFUSED_ATTRIBUTES and not _HARMLESS.issuperset(value.split()):
        refused = _REFUSED_ATTRIBUTES[name]
        yield (f"svg/{name.lower()}", refused["message"], refused.get("hint"))
        return
    if name in _REFUSED_VALUES and value in _REFUSED_VALUES[name]["values"]:
        refused = _REFUSED_VALUES[name]
        yield (f"svg/{name.lower()}", refused["message"], refused["hint"])
    elif name in WORDS and not WORDS[name].issuperset(value.split()):
        hint = f"write one of: {', '.join(sorted(WORDS[name]))}"
        yield (f"svg/{name.lower()}", f"{name} can't be '{short(value)}'", hint)
    elif name == "mix-blend-mode" and node.name in ("text", "tspan", "svg"):
        yield (
            f"svg/{name}",
            f"{name} on <{node.name}> is not supported",
            "blend a shape or a group of shapes",
        )
    elif name.startswith("on") and name.islower() and len(name) > 4 and name != "one":
        yield ("svg/script", f"the script in '{short(name)}' is not supported", "remove it")
    if "var(" in value:
        yield (
            "svg/var",
            f"var() in '{short(name)}' is not supported",
            "use a template variable: {{ theme.ink }}",
        )
    elif name in _COLOURS:
        yield from _colour(value)
    elif name in _LENGTHS:
        yield from _length(node, name, value)
    elif name == "d" or name == "points":
        yield from _outline(name, value)
    elif name in ("transform", "transform-origin", "gradientTransform", "patternTransform"):
        try:
            origin = name == "transform-origin"
            matrix = transform_of({name: value}) if origin else parse_transform(value)
            if name in _SERVED and abs(matrix.a * matrix.d - matrix.b * matrix.c) < _FLAT:
                yield (
                    "svg/transform",
                    f"the {name} '{short(value)}' shrinks the artwork to nothing",
                    "make it larger",
                )
        except TransformBoundError as error:
            yield ("svg/bounds", str(error), "write one matrix(…) instead")
        except ValueError as error:
            yield ("svg/transform", str(error), "write numbers in mm and degrees, such as translate(2 3)")
    elif name in _SHARES or name in _READ:
        yield from _number(node, name, value)
    elif (near := meant(name)) is not None:
        yield (
            "svg/attribute",
            f"{short(name)} is not a supported attribute",
            f"did you mean {near}?",
        )
    yield from _references(node, name, value, ids)


def _own(node: Node, name: str, value: str) -> Iterator[_Trouble]:
    """Yield the problems of cardgen's own attributes that those who read them can't see."""
    elements = OWN.get(name)
    if elements is None:
        near = meant(name)
        hint = f"did you mean {near}?" if near else f"use one of: {', '.join(sorted(OWN))}"
        yield ("svg/attribute", f"{short(name)} is not a supported attribute", hint)
    elif elements and node.name not in elements:
        hint = f"use it on <{', '.join(elements)}>"
        yield ("svg/attribute", f"{name} has no effect on a <{short(node.name)}>", hint)
    elif value not in OWN_WORDS.get(name, (value,)):
        hint = f"write {' or '.join(sorted(OWN_WORDS[name]))}"
        yield ("svg/attribute", f"{name} can't be '{short(value)}'", hint)


def _outline(name: str, value: str) -> Iterator[_Trouble]:
    """Yield the problems of path data or points."""
    if name == "d" and not _PATH.fullmatch(value):
        odd = _odd(value, _PATH)
        yield ("svg/path", f"the path can't be read: '{odd}'", "check the path's d attribute")
    elif name == "points" and (odd := "".join(_NUMBERS.split(value)).strip()):
        yield (
            "svg/points",
            f"the points can't be read: '{short(odd)}'",
            "write pairs of numbers: 0,0 10,5",
        )
    elif far := too_far(value):
        what = "the path extends" if name == "d" else "the points extend"
        yield (
            "svg/number",
            f"{what} to {short(far)}, farther than {FARTHEST:,.0f}",
            "move it near the card",
        )


def _number(node: Node, name: str, value: str) -> Iterator[_Trouble]:
    """Yield the problems of values that drawing reads as numbers, apart from lengths."""
    if value == "inherit" or value in (_HARMLESS if name in _READ else ("",)):
        return
    if name in _SHARES:
        share = number(value.removesuffix("%"))
        if share is None or abs(share) > FARTHEST:
            yield ("svg/number", f"{name} is '{short(value)}', not a number", "write a number such as 0.5")
    elif name == "stroke-dasharray":
        yield from _dashes(value)
    elif name == "orient":
        if value not in ("auto", "auto-start-reverse") and number(value) is None:
            hint = "write auto, or an angle such as 45"
            yield ("svg/number", f"orient is '{short(value)}', not an angle", hint)
    elif name == "viewBox":
        found = numbers(value)
        if any(abs(each) > FARTHEST for each in found) or any(0 < each < NEAREST for each in found[2:4]):
            yield (
                "svg/number",
                f"the viewBox is '{short(value)}', a size that can't be drawn",
                "make it larger",
            )
        elif node.name in ("pattern", "marker") and (len(found) != 4 or min(found[2:]) <= 0):
            hint = "write its left, top, width and height"
            yield ("svg/viewbox", f"the viewBox can't be '{short(value)}'", hint)
    elif name == "preserveAspectRatio" and not ASPECT.fullmatch(value):
        hint = "write something like xMidYMid meet"
        yield ("svg/aspect", f"preserveAspectRatio can't be '{short(value)}'", hint)


def _dashes(value: str) -> Iterator[_Trouble]:
    dashes = value.replace(",", " ").split(None, MOST_DASH_LIST)
    if len(dashes) > MOST_DASH_LIST:
        yield (
            "svg/bounds",
            f"stroke-dasharray has more than {MOST_DASH_LIST} dashes",
            "write fewer dashes",
        )
        return
    for dash in dashes:
        match = _LENGTH.fullmatch(dash) if len(dash) < 64 else None
        if match is None or not 0 <= float(match[1]) <= FARTHEST:
            yield (
                "svg/number",
                f"stroke-dasharray has '{short(dash)}', not a length",
                "write lengths in mm, such as 2 1",
            )
            return


def _colour(value: str) -> Iterator[_Trouble]:
    if value.lower() in _COLOUR_WORDS or value.startswith("url(") or parse_color(value) is not None:
        return
    hint = "write #rrggbb, rgb(r, g, b), hsl(hue, 50%, 50%) or a name such as navy"
    yield ("svg/color", f"'{short(value)}' is not a supported color", hint)


def _length(node: Node, name: str, value: str) -> Iterator[_Trouble]:
    unit = _UNIT.fullmatch(value) if len(value) < 64 else None
    if unit is not None and node.name != "svg":
        figure, kind = unit.groups()
        hint = "write a bare number; one unit is one millimeter"
        if kind == "pt":
            hint = f"write {{{{ {figure}|pt }}}}, which turns points into mm"
        elif kind in ("in", "cm"):
            hint = f"write {float(figure) * (25.4 if kind == 'in' else 10):g}; one unit is one millimeter"
        yield ("svg/unit", f"{name} has the unit {kind}, which would not print at that size", hint)
    elif value in _HARMLESS or value == "inherit" or unit is not None:
        return
    elif node.name in ("text", "tspan") and name in ("x", "y", "dx", "dy", "font-size"):
        return  # text.py reads these, lists and all
    elif len(value) > 64 or not (match := _LENGTH.fullmatch(value)) or abs(float(match[1])) > FARTHEST:
        yield ("svg/number", f"{name} is '{short(value)}', not a number", None)


def _odd(value: str, pattern: re.Pattern[str]) -> str:
    """Return the first stretch of `value` that the pattern does not take."""
    match = pattern.match(value)
    position = match.end() if match else 0
    return value[position : position + 16]


def _references(node: Node, name: str, value: str, ids: Collection[str]) -> Iterator[_Trouble]:
    if name in ("href", "xlink:href"):
        if node.name == "image":
            return
        targets: Iterable[str] = [value]
    elif "url(" in value:
        targets = () if name in _PAINTS and _has_fallback(value) else url_targets(value)
        if name in _POINTING and all(target.startswith("#") for target in url_targets(value)):
            yield from _pointing(name, value)
    elif name == "filter" and filter_functions(value):
        return
    elif name == "clip-path" and value not in _HARMLESS:
        yield (
            "svg/clip-path",
            "CSS shapes in clip-path are not supported here",
            "refer to a <clipPath>: url(#…)",
        )
        return
    elif name in _POINTING and name not in _PAINTS and value not in _HARMLESS and value != "inherit":
        yield (
            "svg/reference",
            f"{name} can't be '{short(value)}'",
            f"refer to a <{_REFERRED.get(name, 'marker')}>: url(#…)",
        )
        return
    else:
        return
    for target in targets:
        if not target.startswith("#"):
            yield (
                "svg/external",
                f"'{short(target)}' is outside the drawing, which is not supported",
                None,
            )
        elif target[1:] not in ids:
            near = nearest(target[1:], ids)
            hint = "check the id; it must be in the same drawing"
            if near:
                hint = f"did you mean '#{near}'?"
            if target.startswith("#icon-"):
                hint = hint.replace("#icon-", "")
                yield ("icon/unknown", f"there is no icon '{short(target[6:])}'", hint)
            else:
                yield ("svg/reference", f"no element in the drawing has the id '{short(target[1:])}'", hint)


def _has_fallback(paint: str) -> bool:
    match = _URL.fullmatch(paint)
    return match is not None and match[3] is not None and "url(" not in match[3]


def _pointing(name: str, value: str) -> Iterator[_Trouble]:
    """Yield the problems of how a property names an element: as url(#id), a paint with another paint
    after it."""
    match = _URL.fullmatch(value)
    rest = match[3] if match is not None else None
    if match is None or (rest is not None and name not in _PAINTS):
        yield ("svg/reference", f"{name} can't be '{short(value)}'", "write url(#id), without spaces")
    elif rest is not None:
        yield from _colour(rest)


def _clip_path(node: Node) -> Iterator[_Trouble]:
    for child in node.elements():
        if child.name in _NOT_CLIPPING:
            yield (
                "svg/clip-path",
                f"<{child.name}> in a clip path is not supported",
                "put shapes (rect, circle, path, …) directly into the clipPath",
            )


TEXT, SPAN, ANY = names("text"), names("tspan"), frozenset[str]()
OWN = {
    **dict.fromkeys(
        names("cg:fit cg:group cg:last-line cg:min-size cg:spaces cg:steps cg:max-width"), TEXT
    ),
    **dict.fromkeys(names("cg:valign cg:hyphens cg:decor"), TEXT),
    **dict.fromkeys(names("cg:paragraph-space cg:item-space cg:list-indent"), TEXT),
    **dict.fromkeys(names("cg:block cg:bullet cg:level cg:icon cg:sample cg:typed"), SPAN),
    **dict.fromkeys(names("cg:at cg:snap"), ANY),
    **dict.fromkeys(names("cg:align cg:as cg:columns cg:each cg:field"), ANY),
    **dict.fromkeys(names("cg:fill cg:if cg:step cg:stroke"), ANY),
}
"""cardgen's own attributes, and the elements that they are for."""
OWN_WORDS = {"cg:decor": names("true false")}
"""The allowed values of attributes that are not checked by reading them."""

_LEAST, _MOST = 3, 40
"""Characters of a name that is looked at: shorter ones are near to too many."""


def meant(name: str) -> str | None:
    """Return the name that one was meant to be which is not a name itself: one that begins alike and
    differs by a letter, by two changed about, or by capitals; one of cardgen's own without its `cg:`.
    None for any other."""
    prefix, colon, bare = name.rpartition(":")
    if name in _ATTRIBUTES or name in OWN or prefix not in ("", "cg") or len(bare) > _MOST:
        return None
    if not colon and (len(bare) < _LEAST or f"cg:{bare}" in OWN):
        return f"cg:{bare}" if f"cg:{bare}" in OWN else None
    near = _NEAR_OWN if prefix == "cg" else _NEAR
    found = (near[key] for key in _keys(bare.casefold()) if key in near)
    return next((other for other in found if other.rpartition(":")[2][0] == bare[0].lower()), None)


def _keys(word: str) -> Iterator[str]:
    """Yield the word, and it without each of its letters: words that share one differ by a letter or
    two."""
    yield word
    for index in range(len(word)):
        yield word[:index] + word[index + 1 :]


_NEAR_OWN = {key: name for name in sorted(OWN) for key in _keys(name[3:])}
_NEAR = _NEAR_OWN | {
    key: name for name in sorted(_ATTRIBUTES) if len(name) > _LEAST for key in _keys(name.casefold())
}
