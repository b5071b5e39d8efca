"""Mutations of text: lines, words, and the tokens of expressions."""

from __future__ import annotations

import re
from random import Random

from . import odd

_EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_TOKEN = re.compile(r"\w+|\"[^\"]*\"|'[^']*'|\*\*|//|==|!=|<=|>=|\S")
_WORD = re.compile(r"\d+(?:\.\d+)?|\w+|[^\w\s]")

TOKENS: tuple[str, ...] = tuple(
    """
    abs batch capitalize count d default dictsort e escape first float forceescape groupby int items
    join last length list lower map max min reject rejectattr replace reverse round safe select
    selectattr sort string sum title trim truncate unique upper wordcount format attr tojson pprint
    urlize xmlattr filesizeformat random center indent wordwrap striptags slice md f pt mix lighten
    darken grey ink_on effect effect_lines effect_text card number copies side component game theme
    tables width height bleed safe trim low_ink icon rng noise text_width polar polygon star grid
    hexgrid hexcorners points path arc contrast lerp clamp sin cos sqrt ceil floor log exp range
    enumerate zip dict namespace cycler joiner lipsum loop self super caller varargs kwargs context
    true false
    none True None not and or is in if else elif for endfor endif set endset macro endmacro call
    endcall filter endfilter include import from as with without recursive block extends break
    continue raw defined undefined string number mapping iterable sequence callable sameas odd even
    divisibleby eq equalto __class__ __init__ __globals__ __mro__ __subclasses__ mro func_globals
    gi_frame index index0 cycle changed previtem nextitem depth length update append pop items keys
    values get split join format_map encode translate maketrans ljust zfill expandtabs to_bytes real
    numerator conjugate a b x attribute= start= reverse= ( ) [ ] { } | ~ . , : = == != < > <= >= + -
    * / // % ** 0 1 2 -1 1.5 99999 1e308 'a' '' "{0.a}" '%s' [] {} () [1,2] {'a':1} (1,) [::-1] [0]
    [-1] .x (x) () **{} *[]
    """.split()
)


def mutate_expressions(text: str, random: Random) -> str:
    """A template whose expressions have other tokens, or each other's."""
    spans = [match.span() for match in _EXPRESSION.finditer(text)]
    if not spans:
        return mutate_words(text, random)
    for _ in range(random.choice((1, 1, 2, 3))):
        start, end = random.choice(spans)
        inside = text[start + 2 : end - 2]
        if random.random() < 0.2:
            other, rest = random.choice(spans)
            inside = text[other + 2 : rest - 2]
        tokens = _spliced(_TOKEN.findall(inside), random)
        new = text[start : start + 2] + " " + " ".join(tokens) + " " + text[end - 2 : end]
        text = text[:start] + new + text[end:]
        spans = [match.span() for match in _EXPRESSION.finditer(text)]
        if not spans:
            break
    return text


def _spliced(tokens: list[str], random: Random) -> list[str]:
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(tokens) + 1)
        what = random.random()
        if what < 0.35:
            tokens.insert(at, random.choice(TOKENS))
        elif what < 0.6 and tokens:
            tokens[at % len(tokens)] = random.choice(TOKENS)
        elif what < 0.7 and tokens:
            del tokens[at % len(tokens)]
        elif what < 0.85:
            tokens[at:at] = ["|", random.choice(TOKENS)]
        elif tokens:
            start = random.randrange(len(tokens))
            tokens[at:at] = tokens[start : start + 4]
    return tokens


def mutate_words(text: str, random: Random) -> str:
    """One or two words of a text put differently, numbers with preference."""
    for _ in range(random.choice((1, 1, 2))):
        found = list(_WORD.finditer(text))
        if not found:
            return odd.text(random)
        numbers = [match for match in found if match[0][0].isdigit()]
        match = random.choice(numbers if numbers and random.random() < 0.6 else found)
        if match in numbers and random.random() < 0.8:
            new = str(odd.number(random, float(match[0]) if "." in match[0] else int(match[0][:300])))
        else:
            new = random.choice(
                ("", match[0] * 2, odd.text(random), random.choice(found)[0], match[0].upper())
            )
        text = text[: match.start()] + new + text[match.end() :]
    return text


def mutate_lines(text: str, random: Random) -> str:
    """Lines of a text left out, doubled, moved, cut or spoilt."""
    lines = text.split("\n")
    for _ in range(random.choice((1, 1, 2, 3))):
        at = random.randrange(len(lines))
        what = random.randrange(6)
        if what == 0 and len(lines) > 1:
            del lines[at]
        elif what == 1:
            lines[at:at] = [lines[at]] * random.choice((1, 2, 50))
        elif what == 2:
            lines.insert(random.randrange(len(lines)), lines.pop(at))
        elif what == 3:
            lines[at] = mutate_words(lines[at], random)
        elif what == 4:
            cut = random.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:cut] + odd.text(random) + lines[at][cut:]
        else:
            cut = random.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:cut]
    return "\n".join(lines)
