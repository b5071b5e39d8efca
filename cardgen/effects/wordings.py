"""Wordings: `**Draw** {count} {deck} {count:card|cards}` taken apart, printed, and recognised.

Two asterisks set what stands between them in the type of keywords; `{name}` is a parameter's value,
`{name:one|many}` the form that its number asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from cardgen.model.effects import Parameter, Phrase, Piece, Punctuation, Wording

_TOKEN = re.compile(r"\*\*|\{([a-z][a-z0-9_]*)(?::([^|{}]+)\|([^|{}]+))?\}")
_MINUS = "−-"
MANY = 6
"""Digits of a number in an effect; more are a slip of the keyboard."""


class WordingError(ValueError):
    """A wording that can't be read; the text is a sentence without full stop."""


def read_wording(source: str) -> Wording:
    """The pieces of a wording. Raises WordingError."""
    pieces: list[Piece] = []
    strong, at = False, 0
    for token in _TOKEN.finditer(source):
        if token.start() > at:
            pieces.append(Piece(source[at : token.start()], strong=strong))
        at = token.end()
        if token.group() == "**":
            strong = not strong
        else:
            forms = (token[2], token[3]) if token[2] is not None else None
            pieces.append(Piece(parameter=token[1], forms=forms, strong=strong))
    if at < len(source):
        pieces.append(Piece(source[at:], strong=strong))
    if strong:
        raise WordingError("** stands an odd number of times")
    texts = [text for piece in pieces for text in (piece.text, *(piece.forms or ()))]
    if any(sign in text for text in texts for sign in "{}*"):
        raise WordingError("{, } and * only stand in {name}, {name:one|many} and **keyword**")
    plain = "".join(piece.text or "x" for piece in pieces)
    if not plain or plain != " ".join(plain.split()):
        raise WordingError("words stand one space apart, with none at either end")
    return tuple(pieces)


def filled(
    phrase: Phrase, values: Mapping[str, Any], punctuation: Punctuation
) -> Iterator[tuple[str, bool]]:
    """The printed wording with these values, as texts, each with whether it is strong."""
    for piece in phrase.wording:
        yield _text(piece, phrase.parameters, values, punctuation), piece.strong


def _text(
    piece: Piece, parameters: Mapping[str, Parameter], values: Mapping[str, Any], punctuation: Punctuation
) -> str:
    if piece.parameter is None:
        return piece.text
    value = values[piece.parameter]
    if piece.forms is not None:
        return piece.forms[0] if abs(value) == 1 else piece.forms[1]
    parameter = parameters[piece.parameter]
    if parameter.type == "word":
        return parameter.words[value]
    sign = punctuation.minus if value < 0 else "+" if parameter.type == "change" else ""
    return f"{sign}{abs(value)}"


def literals(wording: Wording) -> list[str]:
    """The words of a wording that are the same whatever its values, small."""
    return " ".join(piece.text for piece in wording).casefold().split()


def recognise(phrase: Phrase, text: str) -> Mapping[str, Any] | None:
    """The values with which the text is this phrase, in print or in short, letters of either case;
    None if it is not. Numbers are not held to their bounds here."""
    for wording in (*phrase.shorts, phrase.wording):
        found = _pattern(wording, _names(phrase)).fullmatch(text)
        if found is not None:
            return {
                name: word_of(parameter, found[name])
                if parameter.type == "word"
                else number_of(found[name])
                for name, parameter in phrase.parameters.items()
            }
    return None


def readings(phrase: Phrase, text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """As `recognise`, but for whatever stands in place of values, nothing included: each way to read
    the text as this phrase, with how many letters of the wording there were."""
    for wording in (*phrase.shorts, phrase.wording):
        size = sum(map(len, literals(wording)))
        for numbers, words in ((True, False), (False, True), (False, False)) if size else ():
            found = _loose_pattern(wording, _names(phrase), numbers, words).fullmatch(text)
            if found is not None:
                yield size, {name: (found[name] or "").strip() for name in found.re.groupindex}


def number_of(text: str) -> int | None:
    """The number that a text such as 2, +2 or -1 is, with either minus sign; None for another text."""
    if re.fullmatch(rf"[+{_MINUS}]?[0-9]{{1,{MANY}}}", text) is None:
        return None
    return int(text.replace("−", "-"))


def word_of(parameter: Parameter, text: str) -> str | None:
    """The word of data that a text stands for, itself or its print; None if it is none of them."""
    folded = " ".join(text.split()).casefold()
    for word, printed in parameter.words.items():
        if folded in (word.casefold(), printed.casefold()):
            return word
    return None


Names = tuple[tuple[str, str, tuple[str, ...]], ...]


def _names(phrase: Phrase) -> Names:
    """A phrase's parameters in a form that patterns can be remembered by."""
    return tuple(
        (name, parameter.type, tuple(word for pair in parameter.words.items() for word in pair))
        for name, parameter in phrase.parameters.items()
    )


@lru_cache(maxsize=1024)
def _pattern(wording: Wording, names: Names) -> re.Pattern[str]:
    kinds = {name: (type, words) for name, type, words in names}
    seen: set[str] = set()
    source = ""
    for piece in wording:
        if piece.parameter is None:
            source += _literal(piece.text)
        elif piece.forms is not None:
            source += f"(?:{'|'.join(_literal(form) for form in piece.forms)})"
        elif piece.parameter in seen:
            source += f"(?P={piece.parameter})"
        else:
            seen.add(piece.parameter)
            type, words = kinds[piece.parameter]
            source += f"(?P<{piece.parameter}>{_values(type, words)})"
    return re.compile(source, re.IGNORECASE)


def _values(type: str, words: tuple[str, ...]) -> str:
    if type == "word":
        return "|".join(_literal(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))
    return rf"[+{_MINUS}][0-9]{{1,{MANY}}}" if type == "change" else rf"[0-9]{{1,{MANY}}}"


@lru_cache(maxsize=4096)
def _loose_pattern(wording: Wording, names: Names, numbers: bool, words: bool) -> re.Pattern[str]:
    """The wording with anything, or nothing, in place of values; with `numbers` (`words`) only a number
    (a word of the parameter's), or nothing, in place of those."""
    kinds = {name: (type, known) for name, type, known in names}
    source = ""
    seen: set[str] = set()
    for piece in wording:
        if piece.parameter is None:
            source += r"\s*".join(re.escape(word) for word in ["", *piece.text.split(), ""])
        elif piece.forms is not None:
            source += f"(?:{'|'.join(_literal(form) for form in piece.forms)})?"
        elif piece.parameter not in seen:
            seen.add(piece.parameter)
            type, known = kinds[piece.parameter]
            value = ".*?"
            if type == "word" and words:
                value = f"(?:{_values(type, known)})?"
            elif type != "word" and numbers:
                value = rf"[+{_MINUS}]?[0-9]*"
            source += f"(?P<{piece.parameter}>{value})"
    return re.compile(rf"{source}\s*", re.IGNORECASE)


def _literal(text: str) -> str:
    return r"\s+".join(re.escape(part) for part in text.split(" "))
