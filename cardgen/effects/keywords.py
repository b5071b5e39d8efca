"""The keyword table of a game, from the mapping in its data file to a Language.

The file's shape is the business of `schemas/keywords.schema.json`; here stands what a schema can't
say: that wordings and parameters fit each other, and that no text could be read in two ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

from cardgen.effects.problems import Path, meant
from cardgen.effects.wordings import MANY, WordingError, filled, read_wording, recognise
from cardgen.findings import Problem
from cardgen.model.effects import Language, Parameter, Phrase, Punctuation, Wording

RESERVED = {"keywords": "do", "conditions": "test"}
"""The keys that name the phrase itself, so that no parameter can have their names."""
SAMPLES = 60
"""Most texts of a phrase that are tried on the others."""

Report = Callable[[Path, str, str | None], None]


def read_language(data: Mapping[str, Any]) -> tuple[Language, list[Problem]]:
    """The language of a table that fits its schema, and what is wrong with it (code `keywords/…`)."""
    problems: list[Problem] = []
    language = Language(
        _phrases(data, "keywords", problems),
        _phrases(data, "conditions", problems),
        Punctuation(**data.get("punctuation", {})),
    )
    if not problems:
        problems.extend(_clashes(language))
    return language, problems


def _phrases(data: Mapping[str, Any], kind: str, problems: list[Problem]) -> dict[str, Phrase]:
    phrases = {}
    for id, entry in data.get(kind, {}).items():
        found = _Entry(data, kind, id, entry, problems).phrase()
        if found is not None:
            phrases[id] = found
    return phrases


class _Entry:
    """One keyword or condition of the table."""

    def __init__(
        self, data: Mapping[str, Any], kind: str, id: str, entry: Mapping[str, Any], problems: list[Problem]
    ) -> None:
        self._words: Mapping[str, Mapping[str, str]] = data.get("words", {})
        self._punctuation = Punctuation(**data.get("punctuation", {}))
        self._kind, self._id, self._entry = kind, id, entry
        self._problems = problems
        self._failed = False

    def phrase(self) -> Phrase | None:
        """The phrase, or None after problems."""
        parameters = {
            name: parameter
            for name, given in self._entry.get("parameters", {}).items()
            if (parameter := self._parameter(name, given)) is not None
        }
        wording = self._wording(("print",), self._entry["print"], parameters)
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
        )

    def _bare(self) -> None:
        """Report what keeps a line without the word of conditions from being told apart."""
        signs = self._punctuation
        if self._kind != "conditions":
            hint = "an action has no word before it; take the key away"
            self._problem(("bare",), "only a condition can be bare", hint)
        elif signs.then.endswith(signs.end):
            message = f"a line that ends with {signs.then} would be an action as well"
            self._problem(("bare",), message, "let punctuation end paragraphs with another sign")
        elif self._entry["print"].casefold().split()[0] == signs.condition.casefold():
            hint = f"'{signs.condition}' is printed before conditions that are not bare"
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
        if kind != "word":
            least = given.get("min", None if kind == "change" else 0)
            most = given.get("max")
            if least is not None and most is not None and least > most:
                self._problem((*path, "min"), f"the minimum {least} is above the maximum {most}")
            return Parameter(name, kind, least, most, given.get("unit", ""))
        list_name = given.get("of", name)
        if list_name not in self._words:
            place = (*path, "of") if "of" in given else path
            hint = meant(list_name, self._words) if self._words else "write the lists under words:"
            self._problem(place, f"there is no list of words '{list_name}'", hint)
            return None
        words = {word: printed or word for word, printed in self._words[list_name].items()}
        for word, printed in words.items():
            self._joiners(("parameters", name), printed, f"the word '{word}'")
        return Parameter(name, kind, words=words)

    def _wording(self, path: Path, source: str, parameters: Mapping[str, Parameter]) -> Wording | None:
        try:
            wording = read_wording(source)
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
        for piece in wording:
            self._joiners(path, " ".join([piece.text, *(piece.forms or ())]), "the wording")
        return wording

    def _joiners(self, path: Path, text: str, what: str) -> None:
        """Report words of a keyword that join phrases. A condition has a line to itself."""
        if self._kind != "keywords":
            return
        words = text.casefold().split()
        for word in (self._punctuation.either, self._punctuation.both):
            if word.casefold() in words:
                self._problem(path, f"{what} holds '{word}', which joins phrases", "use another word")
        if words and words[0] == self._punctuation.condition.casefold() and path[0] != "parameters":
            self._problem(path, f"{what} begins like a condition", "use another word")


def _clashes(language: Language) -> Iterator[Problem]:
    """Texts of one phrase that another would read differently."""
    for kind, phrases in (("keywords", language.keywords), ("conditions", language.conditions)):
        for phrase in phrases.values():
            for values, text in _samples(phrase, language.punctuation):
                if recognise(phrase, text) != values:
                    message = f"“{text}” can't be read back: its words run into each other"
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
    """Printed texts of a phrase: every word, small and large numbers."""
    choices = [_some(parameter) for parameter in phrase.parameters.values()]
    for number, combination in enumerate(product(*choices)):
        if number >= SAMPLES:
            return
        values = dict(zip(phrase.parameters, combination, strict=True))
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
