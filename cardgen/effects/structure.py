"""Effects as designers write them, to plain structure. Everything wrong comes back as a problem.

    - +2 money                                a short form of the keyword table
    - draw 2 office or +1 money               a choice; longer ones as choose: [[…, …], […]]
    - {do: draw, count: 2, deck: office}      the long form of an action
    - if: manager+                            a condition, or {test: level, level: manager}
      then: [+1 money, escape 1]

What comes out is the long form throughout, at the same places in lists, so that `then[1]` of the
result stands at `then[1]` of the file. Reading it again changes nothing.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

from cardgen.effects.keywords import RESERVED
from cardgen.effects.problems import Path, meant, shown
from cardgen.effects.wordings import literals, number_of, readings, recognise, word_of
from cardgen.findings import Problem
from cardgen.model.effects import Language, Parameter, Phrase

MAX_TEXT = 300
"""Most characters of a paragraph written as text."""
_NEAR = 0.7
"""Likeness from which a word is taken for a misspelt one of a phrase."""


def read_effect(
    language: Language, value: Any, component: str | None = None
) -> tuple[list[dict[str, Any]], list[Problem]]:
    """The structure of an effect, and what is wrong with it (then the structure is of no use).

    `component` is the id of the component whose card this is, for keywords that only some may use.
    """
    reader = _Reader(language, component)
    if not isinstance(value, list) or not value:
        reader.problem((), "shape", f"an effect is a list of paragraphs, this is {shown(value)}")
        return [], reader.problems
    return reader.paragraphs(value, ()), reader.problems


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
        hint = "write an action such as a text or {do: …}, choose: [[…], […]], or if: … with then: […]"
        self.problem(path, "shape", f"{shown(value)} is no paragraph", hint)
        return {}

    def _text(self, text: str, path: Path) -> dict[str, Any]:
        """A paragraph written as text: an action, or a choice of two."""
        signs = self._language.punctuation
        if re.match(rf"{re.escape(signs.condition)}\s", text.strip(), re.IGNORECASE):
            hint = "write if: … and below it then: […]"
            self.problem(path, "shape", "a condition is not written as text", hint)
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
        """One option of a choice: a list of actions, or one alone."""
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
                self.problem(path, "shape", f"{shown(value)} is more than one action", "write one an entry")
                return {}
            return self._phrase_text(value, path, "keywords")
        if isinstance(value, dict) and "do" in value:
            return self._long(value, path, "keywords")
        self.problem(path, "shape", f"{shown(value)} is no action", "an option holds actions, nothing else")
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
        hint = "make two paragraphs of it, or leave one out" if len(options) > 2 else "write the other one"
        self.problem(path, "choice", f"a choice has two options, this one has {len(options)}", hint)
        return False

    def _conditional(self, value: dict[str, Any], path: Path) -> dict[str, Any]:
        self._keys(value, ("if", "then"), path)
        for key, other in (("if", "then"), ("then", "if")):
            if key not in value:
                self.problem(path, "condition", f"'{key}' is missing beside '{other}'")
        test = self._test(value["if"], (*path, "if")) if "if" in value else {}
        then, here = value.get("then", []), (*path, "then")
        if isinstance(then, str):
            then = [then]
        if "then" in value and (not isinstance(then, list) or not then):
            self.problem(here, "condition", f"then is {shown(value['then'])}, not a list of paragraphs")
            then = []
        return {"if": test, "then": self.paragraphs(then, here)}

    def _test(self, value: Any, path: Path) -> dict[str, Any]:
        if isinstance(value, str):
            return self._phrase_text(value, path, "conditions")
        if isinstance(value, dict) and "test" in value:
            return self._long(value, path, "conditions")
        self.problem(path, "condition", f"{shown(value)} is no condition", "write a text, or {test: …}")
        return {}

    # -- phrases ---------------------------------------------------------------------------------

    def _phrases(self, kind: str) -> Mapping[str, Phrase]:
        return self._language.keywords if kind == "keywords" else self._language.conditions

    def _phrase_text(self, text: str, path: Path, kind: str) -> dict[str, Any]:
        text = " ".join(text.split())
        if not text or len(text) > MAX_TEXT:
            self.problem(path, "shape", f"a paragraph has 1 to {MAX_TEXT} characters")
            return {}
        for phrase in self._phrases(kind).values():
            values = recognise(phrase, text)
            if values is not None:
                return self._made(phrase, dict(values), path, kind, None)
        self._explain(text, path, kind)
        return {}

    def _explain(self, text: str, path: Path, kind: str) -> None:
        """Say why a text is no phrase: a missing or wrong parameter of one, or unknown words."""
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
        self.problem(path, noun, f"{shown(text)} is no {noun} of the game", hint)

    def _slips(self, phrase: Phrase, values: Mapping[str, str], path: Path) -> list[Problem]:
        """What is missing or wrong in a text that is read as this phrase."""
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
        """The phrase whose words the text comes nearest to."""
        words = [word for word in text.casefold().split() if number_of(word) is None]
        best, nearest = _NEAR, None
        for phrase in self._phrases(kind).values():
            for wording in (*phrase.shorts, phrase.wording):
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
            self.problem((*path, key), noun, f"{shown(name)} is no {noun} of the game", hint)
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
        """A value of the long form, as the structure keeps it."""
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
        """The structure of a phrase, its numbers held to their bounds and itself to its place."""
        for name, value in values.items():
            here = (*path, name) if long is not None else path
            if isinstance(value, int):
                self._bounds(phrase, phrase.parameters[name], value, here)
        if phrase.only and self._component is not None and self._component not in phrase.only:
            message = f"'{phrase.id}' has no place on cards of {self._component}"
            self.problem(path, "place", message, f"it is for {', '.join(phrase.only)}")
        return {RESERVED[kind]: phrase.id, **values}

    def _bounds(self, phrase: Phrase, parameter: Parameter, value: int, path: Path) -> None:
        unit = f" {parameter.unit}" if parameter.unit else ""
        what = f"{parameter.name} of '{phrase.id}'"
        if parameter.type == "change" and value == 0:
            self.problem(path, "value", f"{what} is 0, which changes nothing")
        elif parameter.least is not None and value < parameter.least:
            self.problem(path, "value", f"{what} is {value}, at least {parameter.least}{unit} is needed")
        elif parameter.most is not None and value > parameter.most:
            self.problem(path, "value", f"{what} is {value}, at most {parameter.most}{unit} is possible")

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
                self.problem((*path, key), "key", f"'{key}' has no meaning here", meant(key, known))


def _split(text: str, word: str) -> list[str]:
    """The text cut at a word that stands alone."""
    parts = re.split(rf"(?<!\S){re.escape(word)}(?!\S)", text, flags=re.IGNORECASE)
    return [part.strip() for part in parts]


def _sample(phrase: Phrase) -> str:
    """How a phrase is written, its parameters by name."""
    wording = phrase.shorts[0] if phrase.shorts else phrase.wording
    pieces = (
        piece.text or (piece.forms[1] if piece.forms else f"{{{piece.parameter}}}") for piece in wording
    )
    return f"“{''.join(pieces)}”"
