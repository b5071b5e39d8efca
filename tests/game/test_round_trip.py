"""What is printed reads back as what was printed, in any language."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.game import Language, Parameter
from cardgen.game.effect_language import read_effect
from cardgen.game.effects import effect_line, effect_text, parse_effect, print_effect
from tests.for_each import for_each

from .languages import LANGUAGES, effects

Sample = tuple[str, list[dict[str, Any]]]
# Each phrase is tried by itself below; what these add is how phrases stand beside and within each other,
# of which there are few kinds.
SAMPLES = st.one_of(*(st.tuples(st.just(name), effects(language)) for name, language in LANGUAGES.items()))


def values(parameter: Parameter) -> list[Any]:
    """Those at which a wording may change: every word; of numbers the bounds, and 1 and its like."""
    if parameter.type == "word":
        return sorted(parameter.words)
    least = parameter.least if parameter.least is not None else -9999
    most = parameter.most if parameter.most is not None else 9999
    tried = {least, most, *range(max(least, -2), min(most, 2) + 1)}
    return sorted(tried - {0} if parameter.type == "change" else tried)


def first_of(language: Language) -> dict[str, Any]:
    phrase = next(iter(language.keywords.values()))
    return {"do": phrase.id, **{name: values(each)[0] for name, each in phrase.parameters.items()}}


def alone(language: Language) -> Iterator[list[dict[str, Any]]]:
    """Every phrase of a language in an effect by itself, with each choice of such values."""
    first = first_of(language)
    for key, phrases in (("do", language.keywords), ("test", language.conditions)):
        for phrase in phrases.values():
            for chosen in product(*map(values, phrase.parameters.values())):
                said = {key: phrase.id, **dict(zip(phrase.parameters, chosen))}
                yield [said] if key == "do" else [{"if": said, "then": [first]}]


@for_each("name", LANGUAGES)
def test_every_phrase_reads_back(name: str) -> None:
    found = 0
    for effect in alone(LANGUAGES[name]):
        text = effect_text(LANGUAGES[name], effect)
        assert parse_effect(LANGUAGES[name], text) == (effect, []), text
        found += 1
    assert found >= len(LANGUAGES[name].keywords) + len(LANGUAGES[name].conditions)


@given(SAMPLES)
def test_printed_text_reads_back(sample: Sample) -> None:
    name, effect = sample
    text = effect_text(LANGUAGES[name], effect)
    assert parse_effect(LANGUAGES[name], text) == (effect, [])


@given(SAMPLES, SAMPLES)
def test_one_line_says_what_stands_under_what(one: Sample, other: Sample) -> None:
    """With the brackets taken apart again, the lines and their indentation are back."""
    for name, effect in (one, other):
        line = effect_line(LANGUAGES[name], effect)
        for printed in print_effect(LANGUAGES[name], effect):
            opened = line.startswith("(")
            line = line.removeprefix("(")
            assert line.startswith(printed.text)
            assert not opened or printed.indent
            line = line.removeprefix(printed.text).lstrip(")").lstrip()
        assert not line
    (name, effect), (again, another) = one, other
    if name == again and effect != another:
        assert effect_line(LANGUAGES[name], effect) != effect_line(LANGUAGES[name], another)


@given(SAMPLES)
def test_the_long_form_reads_as_itself(sample: Sample) -> None:
    name, effect = sample
    before = copy.deepcopy(effect)
    assert read_effect(LANGUAGES[name], effect) == (before, [])
    assert effect == before


def condition(language: Language, paragraph: dict[str, Any]) -> str:
    """The words of a paragraph's condition."""
    text = print_effect(language, [{"if": paragraph["if"], "then": []}])[0].text
    signs = language.punctuation
    return text.removeprefix(f"{signs.condition} ").removesuffix(signs.then)


def written(language: Language, effect: list[dict[str, Any]]) -> list[Any]:
    """The effect as a designer may write it: printed words in place of the long form."""
    result: list[Any] = []
    for paragraph in effect:
        if "if" in paragraph:
            then = written(language, paragraph["then"])
            result.append({"if": condition(language, paragraph), "then": then})
        else:
            line = print_effect(language, [paragraph])[0].text
            result.append(line.removesuffix(language.punctuation.end))
    return result


@given(SAMPLES, st.booleans())
def test_printed_words_serve_as_data(sample: Sample, upper: bool) -> None:
    name, effect = sample
    texts = written(LANGUAGES[name], effect)
    if upper:
        texts = [text.upper() if isinstance(text, str) and "ß" not in text else text for text in texts]
    assert read_effect(LANGUAGES[name], texts) == (effect, [])


def depths(paragraphs: list[dict[str, Any]], depth: int = 0) -> list[tuple[int, str]]:
    """How deep each paragraph stands, and its kind."""
    found = []
    for paragraph in paragraphs:
        kind = "conditional" if "if" in paragraph else "choice" if "choose" in paragraph else "plain"
        found.append((depth, kind))
        found.extend(depths(paragraph.get("then", []), depth + 1))
    return found


@given(SAMPLES)
def test_lines_know_their_depth_and_end(sample: Sample) -> None:
    name, effect = sample
    lines, signs = print_effect(LANGUAGES[name], effect), LANGUAGES[name].punctuation
    assert [(line.indent, line.kind) for line in lines] == depths(effect)
    for line in lines:
        assert line.text.endswith(signs.then if line.kind == "conditional" else signs.end)
        assert [part.role for part in line.parts].count("or") == (line.kind == "choice")


@given(SAMPLES, st.lists(st.integers(0, 400), max_size=3), st.text(max_size=3))
def test_a_changed_text_is_read_as_it_stands_or_refused(
    sample: Sample, places: list[int], put: str
) -> None:
    name, effect = sample
    text = effect_text(LANGUAGES[name], effect)
    for place in places:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + 1 :]
    found, problems = parse_effect(LANGUAGES[name], text)
    if problems:
        assert found == []
        lines = text.split("\n")
        assert all(0 <= problem.path[0] < len(lines) for problem in problems)  # type: ignore[operator]
    else:
        assert effect_text(LANGUAGES[name], found) == text


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(sorted({word for made in LANGUAGES.values() for word in made.keywords}))
)
KEYS = st.sampled_from(["do", "choose", "if", "then", "test", "amount", "count", "crop", "x"])
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
)


@given(st.sampled_from(sorted(LANGUAGES)), ANYTHING)
def test_any_data_is_read_or_refused(name: str, value: Any) -> None:
    effect, problems = read_effect(LANGUAGES[name], value)
    if not problems:
        assert parse_effect(LANGUAGES[name], effect_text(LANGUAGES[name], effect)) == (effect, [])
