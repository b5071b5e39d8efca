"""A game's effect keywords, their wordings, and effects as plain structure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

from cardgen.core.findings import Problem, did_you_mean
from cardgen.core.game import Language, Parameter, Phrase, Piece, Punctuation, Wording
from cardgen.core.records import replace
from cardgen.files.cache import Cache, digest_of
from cardgen.game.schema_file import listed, shown

_TOKEN = re.compile(r"\*\*|\{([a-z][a-z0-9_]*)(?::([^|{}]+)\|([^|{}]+))?\}")
_MINUS = "−-"
MANY = 6
"""Digits of a number in an effect; more are a slip."""


class WordingError(ValueError):
    """A wording that can't be read; the text is a sentence without full stop."""


def read_wording(source: str, *, prose: bool = False) -> Wording:
    """Return the pieces of a wording; stars in prose are text. Raises WordingError."""
    pieces: list[Piece] = []
    strong, at = False, 0
    for token in _TOKEN.finditer(source):
        if prose and token.group() == "**":
            continue
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
        raise WordingError("** appears an odd number of times")
    texts = [text for piece in pieces for text in (piece.text, *(piece.forms or ()))]
    if any(sign in text for text in texts for sign in ("{}" if prose else "{}*")):
        raise WordingError("{, } and * are only allowed in {name}, {name:one|many} and **keyword**")
    plain = "".join(piece.text or "x" for piece in pieces)
    if not plain or plain != " ".join(plain.split()):
        raise WordingError("words must be separated by one space, with none at either end")
    return tuple(pieces)


def filled(
    phrase: Phrase, values: Mapping[str, Any], punctuation: Punctuation
) -> Iterator[tuple[str, bool]]:
    """Yield the printed wording with these values, as texts, each with True if it is strong."""
    for piece in phrase.wording:
        yield _text(piece, phrase.parameters, values, punctuation), piece.strong


def written(phrase: Phrase, values: Mapping[str, Any]) -> str:
    """Return the first short form with these values, as data are written."""
    plain = {
        name: replace(each, words={}) for name, each in phrase.parameters.items() if each.type != "word"
    }
    return "".join(
        str(values[piece.parameter])
        if piece.parameter and piece.parameter not in plain and not piece.forms
        else _text(piece, plain, values, Punctuation())
        for piece in phrase.shorts[0]
    )


def _text(
    piece: Piece, parameters: Mapping[str, Parameter], values: Mapping[str, Any], punctuation: Punctuation
) -> str:
    if piece.parameter is None:
        return piece.text
    value = values[piece.parameter]
    if piece.forms is not None:
        return piece.forms[0] if abs(value) == 1 else piece.forms[1]
    parameter = parameters[piece.parameter]
    if parameter.type == "word" or str(value) in parameter.words:
        return parameter.words[str(value)]
    sign = punctuation.minus if value < 0 else "+" if parameter.type == "change" else ""
    return f"{sign}{abs(value)}"


def literals(wording: Wording) -> list[str]:
    """Return the words of a wording that don't depend on its values, in lower case."""
    return " ".join(piece.text for piece in wording).casefold().split()


def recognise(phrase: Phrase, text: str) -> Mapping[str, Any] | None:
    """Return the values with which the text is this phrase, in print or in short, in any case; None if it
    is not. The bounds of numbers aren't checked."""
    for wording in _written(phrase):
        found = _pattern(wording, _names(phrase)).fullmatch(text)
        if found is not None:
            return {
                name: word_of(parameter, found[name])
                if parameter.type == "word"
                else number_of(found[name])
                for name, parameter in phrase.parameters.items()
            }
    return None


def _written(phrase: Phrase) -> tuple[Wording, ...]:
    """Return the forms in which data may be written."""
    return phrase.shorts if phrase.prose else (*phrase.shorts, phrase.wording)


def readings(phrase: Phrase, text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yield readings as `recognise` does, but with anything or nothing in place of values: each way to read
    the text as this phrase, with the number of matched letters of the wording."""
    for wording in _written(phrase):
        size = sum(map(len, literals(wording)))
        for numbers, words in ((True, False), (False, True), (False, False)) if size else ():
            found = _loose_pattern(wording, _names(phrase), numbers, words).fullmatch(text)
            if found is not None:
                yield size, {name: (found[name] or "").strip() for name in found.re.groupindex}


def number_of(text: str) -> int | None:
    """Return the number in a text such as 2, +2 or -1, with either minus sign; None for another text."""
    if re.fullmatch(rf"[+{_MINUS}]?[0-9]{{1,{MANY}}}", text) is None:
        return None
    return int(text.replace("−", "-"))


def word_of(parameter: Parameter, text: str) -> str | None:
    """Return the word of data for a text, the word itself or its print; None if there is none."""
    folded = " ".join(text.split()).casefold()
    for word, printed in parameter.words.items():
        if folded in (word.casefold(), printed.casefold()):
            return word
    return None


Names = tuple[tuple[str, str, tuple[str, ...]], ...]


def _names(phrase: Phrase) -> Names:
    """Return a phrase's parameters as a key for remembered patterns."""
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
    """Return the wording with anything, or nothing, in place of values; with `numbers` (`words`) only a
    number (a word of the parameter's), or nothing, in place of those."""
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


MAX_TEXT = 300
"""Most characters of a paragraph written as text."""
_NEAR = 0.7
"""Similarity from which a word counts as a misspelled one of a phrase."""


def read_effect(
    language: Language, value: Any, component: str | None = None
) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return the structure of an effect, and its problems (then the structure is unusable).

    `component` is the id of the card's component, for keywords that only some may use.
    """
    reader = _Reader(language, component)
    if not isinstance(value, list) or not value:
        reader.problem((), "shape", _no_paragraphs("the effect", value), _LIST_HINT)
        return [], reader.problems
    return reader.paragraphs(value, ()), reader.problems


_LIST_HINT = "write each paragraph on its own line after '- '"


def _no_paragraphs(what: str, value: Any) -> str:
    return f"{what} is empty" if value == [] else f"{what} must be a list of paragraphs, not {shown(value)}"


class _Reader:
    def __init__(self, language: Language, component: str | None) -> None:
        self._language = language
        self._component = component
        self.problems: list[Problem] = []

    def problem(self, path: Path, code: str, message: str, hint: str | None = None) -> None:
        self.problems.append(Problem(f"effect/{code}", message, hint, path=path))

    # -- paragraphs ------------------------------------------------------------------------------

    def paragraphs(self, values: list[Any], path: Path) -> list[dict[str, Any]]:
        return [self._paragraph(value, (*path, index)) for index, value in enumerate(values)]

    def _paragraph(self, value: Any, path: Path) -> dict[str, Any]:
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, dict):
            if "choose" in value:
                return self._choice(value, path)
            if "if" in value or "then" in value:
                return self._conditional(value, path)
            if "do" in value:
                return self._long(value, path, "keywords")
        hint = "write an action as a text, or lines with the key do, choose, or if and then"
        self.problem(path, "shape", f"{shown(value)} is not a paragraph", hint)
        return {}

    def _text(self, text: str, path: Path) -> dict[str, Any]:
        """Read a paragraph written as text: an action, or a choice of two."""
        signs = self._language.punctuation
        if re.match(rf"{re.escape(signs.condition)}\s", text.strip(), re.IGNORECASE):
            hint = "write if: … and then: […] below it"
            self.problem(path, "shape", "a condition can't be written as text", hint)
            return {}
        options = _split(text, signs.either)
        if len(options) == 1:
            actions = _split(text, signs.both)
            if len(actions) == 1:
                return self._phrase_text(actions[0], path, "keywords")
            message = f"'{signs.both}' only joins the actions of an option"
            self.problem(path, "shape", message, "write two paragraphs")
            return {}
        if not self._two(options, path):
            return {}
        return {"choose": [self._option(option, path) for option in options]}

    def _option(self, value: Any, path: Path) -> list[dict[str, Any]]:
        """Read one option of a choice: a list of actions, or a single one."""
        if isinstance(value, str):
            return [
                self._phrase_text(part, path, "keywords")
                for part in _split(value, self._language.punctuation.both)
            ]
        if isinstance(value, list) and value:
            return [self._step(item, (*path, index)) for index, item in enumerate(value)]
        return [self._step(value, path)]

    def _step(self, value: Any, path: Path) -> dict[str, Any]:
        if isinstance(value, str):
            signs = self._language.punctuation
            if len(_split(value, signs.either)) + len(_split(value, signs.both)) > 2:
                self.problem(
                    path, "shape", f"{shown(value)} is more than one action", "write one per entry"
                )
                return {}
            return self._phrase_text(value, path, "keywords")
        if isinstance(value, dict) and "do" in value:
            return self._long(value, path, "keywords")
        self.problem(path, "shape", f"{shown(value)} is not an action", "write only actions in an option")
        return {}

    def _choice(self, value: dict[str, Any], path: Path) -> dict[str, Any]:
        self._keys(value, ("choose",), path)
        options, here = value["choose"], (*path, "choose")
        if not isinstance(options, list):
            self.problem(here, "choice", f"choose is {shown(options)}, not a list of two options")
            return {}
        if not self._two(options, here):
            return {}
        return {"choose": [self._option(option, (*here, index)) for index, option in enumerate(options)]}

    def _two(self, options: list[Any], path: Path) -> bool:
        if len(options) == 2:
            return True
        hint = "split it into two paragraphs, or remove one" if len(options) > 2 else "write the other one"
        self.problem(
            path, "choice", f"a choice must have two options, but this one has {len(options)}", hint
        )
        return False

    def _conditional(self, value: dict[str, Any], path: Path) -> dict[str, Any]:
        self._keys(value, ("if", "then"), path)
        for key, other in (("if", "then"), ("then", "if")):
            if key not in value:
                self.problem(path, "condition", f"'{key}' is missing next to '{other}'")
        test = self._test(value["if"], (*path, "if")) if "if" in value else {}
        then, here = value.get("then", []), (*path, "then")
        if isinstance(then, str):
            then = [then]
        if "then" in value and (not isinstance(then, list) or not then):
            self.problem(here, "condition", _no_paragraphs("'then'", then), _LIST_HINT)
            then = []
        return {"if": test, "then": self.paragraphs(then, here)}

    def _test(self, value: Any, path: Path) -> dict[str, Any]:
        if isinstance(value, str):
            return self._phrase_text(value, path, "conditions")
        if isinstance(value, dict) and "test" in value:
            return self._long(value, path, "conditions")
        self.problem(path, "condition", f"{shown(value)} is not a condition", "write a text, or {test: …}")
        return {}

    # -- phrases ---------------------------------------------------------------------------------

    def _phrases(self, kind: str) -> Mapping[str, Phrase]:
        return self._language.keywords if kind == "keywords" else self._language.conditions

    def _phrase_text(self, text: str, path: Path, kind: str) -> dict[str, Any]:
        text = " ".join(text.split())
        if not text or len(text) > MAX_TEXT:
            self.problem(path, "shape", f"a paragraph must have 1 to {MAX_TEXT} characters")
            return {}
        for phrase in self._phrases(kind).values():
            values = recognise(phrase, text)
            if values is not None:
                return self._made(phrase, dict(values), path, kind, None)
        self._explain(text, path, kind)
        return {}

    def _explain(self, text: str, path: Path, kind: str) -> None:
        """Report why a text is not a phrase: a missing or wrong parameter of one, or unknown words."""
        best: tuple[int, int, list[Problem]] | None = None
        for phrase in self._phrases(kind).values():
            for size, values in readings(phrase, text):
                slips = self._slips(phrase, values, path)
                if slips and (best is None or (-size, len(slips)) < best[:2]):
                    best = -size, len(slips), slips
        if best is not None:
            self.problems.extend(best[2])
            return
        noun = "keyword" if kind == "keywords" else "condition"
        near = self._nearest(text, kind)
        hint = f"did you mean {_sample(near)}?" if near is not None else meant(text, self._phrases(kind))
        self.problem(path, noun, f"{shown(text)} is not a {noun} of the game", hint)

    def _slips(self, phrase: Phrase, values: Mapping[str, str], path: Path) -> list[Problem]:
        """Return the problems of a text that is read as this phrase."""
        slips = _Reader(self._language, self._component)
        for name, parameter in phrase.parameters.items():
            text, what = values.get(name, ""), f"{name} of '{phrase.id}'"
            if not text:
                slips._missing(phrase, parameter, path)
            elif parameter.type == "word":
                if word_of(parameter, text) is None:
                    slips._wrong_word(phrase, parameter, text, path)
            elif (number := number_of(text)) is None:
                slips.problem(
                    path, "value", f"{what} is '{text}', not a number", f"write {_sample(phrase)}"
                )
            elif parameter.type == "change" and text[0] not in "+-−":
                slips.problem(path, "value", f"{what} has no sign", f"write +{number}, or -{number}")
            elif parameter.type == "number" and text[0] in "+-−":
                slips.problem(path, "value", f"{what} has a sign", f"write {abs(number)}")
        return slips.problems

    def _nearest(self, text: str, kind: str) -> Phrase | None:
        """Return the phrase with the most similar words."""
        words = [word for word in text.casefold().split() if number_of(word) is None]
        best, nearest = _NEAR, None
        for phrase in self._phrases(kind).values():
            for wording in _written(phrase):
                for own in literals(wording):
                    for word in words:
                        likeness = difflib.SequenceMatcher(None, word, own).ratio()
                        if len(own) > 2 and likeness > best:
                            best, nearest = likeness, phrase
        return nearest

    def _long(self, value: dict[str, Any], path: Path, kind: str) -> dict[str, Any]:
        key = RESERVED[kind]
        noun = "keyword" if kind == "keywords" else "condition"
        name = value[key]
        phrase = self._phrases(kind).get(name) if isinstance(name, str) else None
        if phrase is None:
            hint = meant(str(name), self._phrases(kind))
            self.problem((*path, key), noun, f"{shown(name)} is not a {noun} of the game", hint)
            return {}
        self._keys(value, (key, *phrase.parameters), path)
        values = {}
        for parameter in phrase.parameters.values():
            if parameter.name not in value:
                self._missing(phrase, parameter, path)
            else:
                values[parameter.name] = self._given(phrase, parameter, value[parameter.name], path)
        return self._made(phrase, values, path, kind, value)

    def _given(self, phrase: Phrase, parameter: Parameter, value: Any, path: Path) -> Any:
        """Return a value of the long form as the structure has it."""
        here = (*path, parameter.name)
        if parameter.type == "word":
            word = word_of(parameter, value) if isinstance(value, str) else None
            if word is None:
                self._wrong_word(phrase, parameter, value, here)
            return word
        number = number_of(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int):
            message = f"{parameter.name} of '{phrase.id}' is {shown(value)}, not a whole number"
            self.problem(here, "value", message)
            return None
        return number

    def _made(
        self, phrase: Phrase, values: dict[str, Any], path: Path, kind: str, long: dict[str, Any] | None
    ) -> dict[str, Any]:
        """Return the structure of a phrase, after checks of its numbers' bounds and its own place."""
        for name, value in values.items():
            here = (*path, name) if long is not None else path
            if isinstance(value, int):
                self._bounds(phrase, phrase.parameters[name], value, here)
        if phrase.only and self._component is not None and self._component not in phrase.only:
            message = f"'{phrase.id}' can't be used on cards of {self._component}"
            self.problem(path, "place", message, f"use it on {', '.join(phrase.only)}")
        return {RESERVED[kind]: phrase.id, **values}

    def _bounds(self, phrase: Phrase, parameter: Parameter, value: int, path: Path) -> None:
        unit = f" {parameter.unit}" if parameter.unit else ""
        what = f"{parameter.name} of '{phrase.id}'"
        if parameter.type == "change" and value == 0:
            self.problem(path, "value", f"{what} is 0, which changes nothing")
        elif parameter.least is not None and value < parameter.least:
            self.problem(path, "value", f"{what} is {value}, below the minimum of {parameter.least}{unit}")
        elif parameter.most is not None and value > parameter.most:
            self.problem(path, "value", f"{what} is {value}, above the maximum of {parameter.most}{unit}")

    def _missing(self, phrase: Phrase, parameter: Parameter, path: Path) -> None:
        message = f"'{phrase.id}' has no {parameter.name}"
        self.problem(path, "parameter", message, f"write {_sample(phrase)}")

    def _wrong_word(self, phrase: Phrase, parameter: Parameter, value: Any, path: Path) -> None:
        message = f"{parameter.name} of '{phrase.id}' can't be {shown(value)}"
        known = (word for pair in parameter.words.items() for word in pair)
        self.problem(path, "value", message, meant(str(value), known))

    def _keys(self, value: dict[str, Any], known: tuple[str, ...], path: Path) -> None:
        for key in value:
            if key not in known:
                self.problem((*path, key), "key", f"'{key}' is not supported here", meant(key, known))


def _split(text: str, word: str) -> list[str]:
    """Return the text cut at a separate word."""
    parts = re.split(rf"(?<!\S){re.escape(word)}(?!\S)", text, flags=re.IGNORECASE)
    return [part.strip() for part in parts]


def _sample(phrase: Phrase) -> str:
    """Return the written form of a phrase, its parameters by name."""
    wording = phrase.shorts[0] if phrase.shorts else phrase.wording
    pieces = (
        piece.text or (piece.forms[1] if piece.forms else f"{{{piece.parameter}}}") for piece in wording
    )
    return f"“{''.join(pieces)}”"


Path = tuple[str | int, ...]


def meant(word: str, known: Iterable[str]) -> str:
    """Return a hint for an unknown word: the nearest known one, else all of them."""
    names = sorted(set(known))
    return did_you_mean(word, names) or f"use one of: {listed(names)}"


RESERVED = {"keywords": "do", "conditions": "test"}
"""The keys of the phrase itself, which no parameter may have as names."""
_SENTENCES = {"end": "."}
"""The signs of prose that differ from those of lines."""
SAMPLES = 60
"""Most texts of a phrase that are tried on the others."""

Report = Callable[[Path, str, str | None], None]


def read_language(data: Mapping[str, Any], *, prose: bool = False) -> tuple[Language, list[Problem]]:
    """Return the language of a table that fits its schema, and its problems (code
    `keywords/…`). Effects in `prose` are printed as sentences of Markdown."""
    problems: list[Problem] = []
    language = Language(
        _phrases(data, "keywords", prose, problems),
        _phrases(data, "conditions", prose, problems),
        Punctuation(**{**(_SENTENCES if prose else {}), **data.get("punctuation", {})}),
    )
    stored, place = Cache("keywords"), digest_of(data, prose)
    if not problems and stored.get(place) is None:  # to compare all phrases takes long
        problems.extend(_clashes(language))
        if not problems:
            stored.put(place, b"none clash")
            stored.save()
    return language, problems


def _phrases(data: Mapping[str, Any], kind: str, prose: bool, problems: list[Problem]) -> dict[str, Phrase]:
    phrases = {}
    for id, entry in data.get(kind, {}).items():
        found = _Entry(data, kind, id, entry, prose, problems).phrase()
        if found is not None:
            phrases[id] = found
    return phrases


class _Entry:
    """One keyword or condition of the table."""

    def __init__(
        self,
        data: Mapping[str, Any],
        kind: str,
        id: str,
        entry: Mapping[str, Any],
        prose: bool,
        problems: list[Problem],
    ) -> None:
        self._prose = prose
        self._words: Mapping[str, Mapping[str, str]] = data.get("words", {})
        self._punctuation = Punctuation(**data.get("punctuation", {}))
        self._kind, self._id, self._entry = kind, id, entry
        self._problems = problems
        self._failed = False

    def phrase(self) -> Phrase | None:
        """Return the phrase, or None after problems."""
        parameters = {
            name: parameter
            for name, given in self._entry.get("parameters", {}).items()
            if (parameter := self._parameter(name, given)) is not None
        }
        wording = self._wording(("print",), self._entry["print"], parameters, prose=self._prose)
        if self._prose and "short" not in self._entry:  # the id and its parameters, as print is not read
            own = " ".join([self._id.replace("-", " "), *(f"{{{name}}}" for name in parameters)])
            self._entry = {**self._entry, "short": [own]}
        shorts = [
            self._wording(("short", index), source, parameters)
            for index, source in enumerate(self._entry.get("short", ()))
        ]
        bare = self._entry.get("bare", False)
        if bare:
            self._bare()
        if self._failed or wording is None:
            return None
        return Phrase(
            self._id,
            self._entry.get("title", self._id),
            wording,
            tuple(short for short in shorts if short is not None),
            parameters,
            self._entry.get("icon", ""),
            tuple(self._entry.get("only", ())),
            bare,
            self._prose,
        )

    def _bare(self) -> None:
        """Report the reasons why a bare condition would be ambiguous."""
        signs = self._punctuation
        if self._kind != "conditions":
            self._problem(
                ("bare",), "an action can't have the key 'bare'", "remove it: it is for conditions"
            )
        elif signs.then.endswith(signs.end):
            message = f"a bare condition that ends with '{signs.then}' looks like an action"
            self._problem(("bare",), message, "choose another 'end' under punctuation")
        elif self._entry["print"].casefold().split()[0] == signs.condition.casefold():
            hint = f"choose another first word: other conditions begin with '{signs.condition}'"
            self._problem(("print",), "the wording begins like another condition", hint)

    def _problem(self, path: Path, message: str, hint: str | None = None) -> None:
        self._failed = True
        self._problems.append(
            Problem("keywords/wording", message, hint, path=(self._kind, self._id, *path))
        )

    def _parameter(self, name: str, given: Mapping[str, Any]) -> Parameter | None:
        path: Path = ("parameters", name)
        if name == RESERVED[self._kind]:
            self._problem(path, f"a parameter can't be called '{name}'", "choose another name")
            return None
        kind = given["type"]
        words: Mapping[str, str] = {}
        if kind == "word" or "of" in given:
            found = self._list(name, given)
            if found is None:
                return None
            words = found
        if kind != "word":
            least = given.get("min", None if kind == "change" else 0)
            most = given.get("max")
            if least is not None and most is not None and least > most:
                self._problem((*path, "min"), f"the minimum {least} is above the maximum {most}")
            return Parameter(name, kind, least, most, given.get("unit", ""), words)
        return Parameter(name, kind, words=words)

    def _list(self, name: str, given: Mapping[str, Any]) -> dict[str, str] | None:
        """Return the list of words of a parameter; None after a problem."""
        path: Path = ("parameters", name)
        list_name = given.get("of", name)
        if list_name not in self._words:
            place = (*path, "of") if "of" in given else path
            hint = meant(list_name, self._words) if self._words else "write the lists under words:"
            self._problem(place, f"there is no list of words '{list_name}'", hint)
            return None
        words = {word: printed or word for word, printed in self._words[list_name].items()}
        for word, printed in words.items() if given["type"] == "word" and not self._prose else ():
            self._joiners(path, printed, f"the word '{word}'")
        return words

    def _wording(
        self, path: Path, source: str, parameters: Mapping[str, Parameter], *, prose: bool = False
    ) -> Wording | None:
        try:
            wording = read_wording(source, prose=prose)
        except WordingError as error:
            self._problem(path, str(error))
            return None
        named = {piece.parameter for piece in wording if piece.parameter and piece.forms is None}
        for piece in wording:
            if piece.parameter is not None and piece.parameter not in parameters:
                if piece.parameter not in self._entry.get("parameters", {}):
                    hint = "declare it under parameters:"
                    if parameters:
                        hint = meant(piece.parameter, parameters)
                    self._problem(path, f"there is no parameter '{piece.parameter}'", hint)
            elif piece.forms and piece.parameter and parameters[piece.parameter].type == "word":
                self._problem(path, f"'{piece.parameter}' is a word and has no plural")
        for name in sorted(set(parameters) - named):
            self._problem(path, f"the parameter '{name}' is not in the wording", f"write {{{name}}}")
        for piece in () if prose else wording:
            self._joiners(path, " ".join([piece.text, *(piece.forms or ())]), "the wording")
        return wording

    def _joiners(self, path: Path, text: str, what: str) -> None:
        """Report words of a keyword that join phrases. A condition has its own line."""
        if self._kind != "keywords":
            return
        words = text.casefold().split()
        for word in (self._punctuation.either, self._punctuation.both):
            if word.casefold() in words:
                self._problem(path, f"{what} contains '{word}', which joins phrases", "use another word")
        if words and words[0] == self._punctuation.condition.casefold() and path[0] != "parameters":
            self._problem(path, f"{what} begins like a condition", "use another word")


def _clashes(language: Language) -> Iterator[Problem]:
    """Yield texts of one phrase that another would read differently."""
    for kind, phrases in (("keywords", language.keywords), ("conditions", language.conditions)):
        for phrase in phrases.values():
            for values, text in _samples(phrase, language.punctuation):
                if recognise(phrase, text) != values:
                    message = f"“{text}” can't be read back: its words run together"
                    yield Problem("keywords/ambiguous", message, path=(kind, phrase.id, "print"))
                    break
                others = (each for each in phrases.values() if each is not phrase)
                other = next((each for each in others if recognise(each, text) is not None), None)
                if other is not None:
                    message = f"“{text}” could be '{phrase.id}' and '{other.id}'"
                    hint = "word one of them differently"
                    yield Problem("keywords/ambiguous", message, hint, path=(kind, phrase.id, "print"))
                    break


def _samples(phrase: Phrase, punctuation: Punctuation) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield printed texts of a phrase: every word, small and large numbers."""
    choices = [_some(parameter) for parameter in phrase.parameters.values()]
    for number, combination in enumerate(product(*choices)):
        if number >= SAMPLES:
            return
        values = dict(zip(phrase.parameters, combination, strict=True))
        if phrase.prose:
            yield values, written(phrase, values)
        else:
            yield values, "".join(text for text, _ in filled(phrase, values, punctuation))


def _some(parameter: Parameter) -> list[Any]:
    if parameter.type == "word":
        return list(parameter.words)
    least, most = parameter.least, parameter.most
    numbers = {1, 2, -1 if least is None else least, 10 ** (MANY - 1) if most is None else most}
    inside = [
        number
        for number in sorted(numbers)
        if (least is None or number >= least) and (most is None or number <= most)
    ]
    return [number for number in inside if number or parameter.type == "number"] or [1]
