"""Mutations of SVG, as a tree of elements where it can be read as one (expressions are text then)."""

from __future__ import annotations

import copy
import re
from random import Random

from lxml import etree

from . import odd, words

SVG, CARDGEN = "http://www.w3.org/2000/svg", "urn:cardgen"
_ELEMENTS = """
    g rect circle ellipse line polyline polygon path text tspan textPath image use symbol defs svg
    marker pattern linearGradient radialGradient stop clipPath mask filter style switch
    foreignObject a title desc script animate set metadata
""".split()
_ATTRIBUTES = """
    id class style x y width height cx cy r rx ry x1 y1 x2 y2 d points transform viewBox
    preserveAspectRatio fill stroke stroke-width stroke-dasharray opacity fill-opacity fill-rule
    clip-path mask filter href offset stop-color gradientUnits gradientTransform patternUnits
    patternTransform spreadMethod marker-end markerUnits orient refX markerWidth font-family
    font-size font-weight font-style text-anchor text-align line-height letter-spacing
    word-spacing baseline-shift shape-inside shape-padding inline-size dx dy rotate color display
    visibility overflow xml:space lang onload
""".split()
_OURS = """
    fit min-size max-width valign hyphens paragraph-space item-space list-indent decor snap block icon
    level
""".split()
_VALUES = """
    none inherit currentColor url(#sky) url(#nothing) #ring 50% 100% 0 -1 1e9 1e-9 nan inf 1,2,3,4
    5mm 2em auto userSpaceOnUse objectBoundingBox middle end justify shrink true evenodd red
    #12345 #12345678 hsl(1,2%,3%) rgb(300,-1,5%) matrix(1,0,0,1,0) matrix(0,0,0,0,0,0) rotate(1e9)
    scale(0) scale(1e6) translate(a) translate(1)translate(2)skewX(90) M0,0 M0,0L1 m1e30,1e30z
    M0,0A0,0,0,2,1,5,5 M0,0C1,0,0,0,0
""".split()


def mutate_svg(text: str, random: Random) -> str:
    """An SVG document, or a template of one, with one to five changes."""
    what = random.random()
    if "{{" in text or "{%" in text:
        if what < 0.45:
            return words.mutate_expressions(text, random)
        if what < 0.55:
            return words.mutate_lines(text, random)
    elif what < 0.15:
        return words.mutate_lines(text, random)
    hidden = [match[0] for match in re.finditer(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", text, re.DOTALL)]
    readable = text
    for number, part in enumerate(hidden):
        readable = readable.replace(part, f"EXPRESSION{number}X", 1)
    try:
        root = etree.fromstring(readable.strip().encode("utf-8"))
    except (etree.XMLSyntaxError, ValueError):
        return words.mutate_lines(text, random)
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        elements = [each for each in root.iter() if isinstance(each.tag, str)]
        random.choice(_CHANGES)(random.choice(elements), elements, random)
    done = etree.tostring(root, encoding="unicode")
    for number, part in reversed(list(enumerate(hidden))):
        done = done.replace(f"EXPRESSION{number}X", part)
    return done


def _set(element: etree._Element, name: str, value: str) -> None:
    name = name.replace("xml:", "{http://www.w3.org/XML/1998/namespace}")
    try:
        element.set(name, value)
    except ValueError:  # a character that XML has not
        element.set(name, "")


def _attribute(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    names = list(element.attrib)
    if names and random.random() < 0.7:
        name = random.choice(names)
        old = element.get(name)
        new = words.mutate_words(old, random) if random.random() < 0.6 else _value(elements, random)
        _set(element, name, new)
    else:
        ours = random.random() < 0.2
        name = f"{{{CARDGEN}}}{random.choice(_OURS)}" if ours else random.choice(_ATTRIBUTES)
        _set(
            element,
            name,
            _value(elements, random),
        )


def _value(elements: list[etree._Element], random: Random) -> str:
    what = random.random()
    if what < 0.35:
        return random.choice(_VALUES)
    if what < 0.6:
        return odd.text(random)
    values = [value for each in elements for value in each.attrib.values()]
    ids = [f"#{each.get('id')}" for each in elements if each.get("id")]
    if ids and what < 0.75:
        return random.choice((random.choice(ids), f"url({random.choice(ids)})"))
    return random.choice(values) if values else ""


def _drop_attribute(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    if element.attrib:
        del element.attrib[random.choice(list(element.attrib))]


def _drop(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _double(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    parent = element.getparent()
    if parent is not None:
        for _ in range(random.choice((1, 2, 30))):
            parent.insert(parent.index(element), copy.deepcopy(element))


def _move(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    there = random.choice(elements)
    if element.getparent() is not None and element not in (there, *there.iterancestors()):
        there.insert(random.randrange(len(there) + 1), element)


def _rename(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    element.tag = f"{{{random.choice((SVG, SVG, SVG, CARDGEN))}}}{random.choice(_ELEMENTS)}"


def _nest(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    tag = f"{{{SVG}}}{random.choice(('g', 'g', 'svg', 'tspan', 'a', 'symbol', 'defs'))}"
    for _ in range(random.choice((1, 1, 3, 60))):
        parent = element.getparent()
        if parent is None:
            return
        outer = etree.Element(tag)
        parent.replace(element, outer)
        outer.append(element)


def _add(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    child = etree.SubElement(element, f"{{{SVG}}}{random.choice(_ELEMENTS)}")
    for _ in range(random.randrange(4)):
        _set(child, random.choice(_ATTRIBUTES), _value(elements, random))
    if random.random() < 0.3:
        _say(child, elements, random)


def _use(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    named = [each.get("id") for each in elements if each.get("id")]
    if not named:
        element.set("id", "sky")
        named = ["sky"]
    child = etree.SubElement(element, f"{{{SVG}}}use")
    child.set("href", f"#{random.choice(named)}")


def _say(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    try:
        element.text = words.mutate_words(element.text or "some words", random)
    except ValueError:
        element.text = "?"


def _rename_id(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    named = [each.get("id") for each in elements if each.get("id")]
    if named:
        _set(element, "id", random.choice((*named, odd.text(random))))


_CHANGES = (
    *(
        _attribute,
        _attribute,
        _attribute,
        _attribute,
        _drop_attribute,
        _drop,
        _double,
        _move,
        _rename,
        _nest,
    ),
    *(_add, _add, _use, _say, _rename_id),
)
