"""Documents, help, findings and docstrings are in the plain words of the guide that can be counted."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import cardgen
from tests.for_each import for_each

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "docs/made")]

import command_pages  # noqa: E402
import prose  # noqa: E402

SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ROOT.glob("cardgen/**/*.py"))
}
OTHER_SPELLINGS = {
    "cardgen/art/named_labels.py": {"centre"},  # accepted in names of objects
    "cardgen/text/font_files.py": {"licence"},  # a key
}
NAMES = re.compile(r"^[\w.:*%$-]+(?: [\w.:*%$-]+)*\s*$")
"""A list of keywords, such as the attributes of SVG, which is no sentence."""
PUBLIC = re.compile(r'^(?:class|def) (\w+)[^"]*?:\n    """([^"]+)', re.MULTILINE)


@for_each("path", prose.pages(), ids=lambda path: path.stem)
def test_document_is_plain(path: Path) -> None:
    found = prose.figures(path.read_text(encoding="utf-8"))
    assert found.replaced == frozenset()
    assert found.mean < 17
    assert found.long_share < 0.12


def test_documents_together_have_short_sentences() -> None:
    found = prose.total(prose.figures(path.read_text(encoding="utf-8")) for path in prose.pages())
    assert found.mean < 12
    assert found.long_share < 0.03


def test_texts_for_people_use_plain_words() -> None:
    wrong = {
        name: words - OTHER_SPELLINGS.get(name, set())
        for name, source in SOURCES.items()
        for text in prose.texts(source)
        if (words := prose.replaced(text))
    }
    assert {name: words for name, words in wrong.items() if words} == {}


def test_texts_for_people_have_short_sentences() -> None:
    long = [
        (name, text)
        for name, source in SOURCES.items()
        for text in prose.texts(source)
        if not NAMES.match(text)
        if any(len(words) > prose.LONG for words in prose.sentences(text))
    ]
    assert long == []


def test_option_help_is_a_short_verb_phrase() -> None:
    for name, parser in command_pages.parsers().items():
        for action in parser._actions:
            if action.help in (None, "==SUPPRESS=="):
                continue
            help_text = str(action.help).replace("%(default)s", "x")
            place = f"{name} {action.option_strings or action.dest}: {help_text}"
            assert len(help_text.split()) <= prose.OPTION_WORDS, place
            assert prose.first_word(help_text) not in {*prose.VAGUE, "the", "a", "an"}, place
            assert help_text[0].islower(), place
            assert not prose.replaced(help_text), place


def test_public_docstrings_begin_with_an_action_or_a_thing() -> None:
    begun = {
        match[1]: prose.first_word(match[2])
        for source in SOURCES.values()
        for match in PUBLIC.finditer(source)
        if match[1] in {*cardgen.__all__, *cardgen.SECOND_ROW}
    }
    assert len(begun) > 25
    assert {name: word for name, word in begun.items() if word in prose.VAGUE} == {}


def test_docstrings_are_plain() -> None:
    every = [(name, text) for name, source in SOURCES.items() for text in prose.docstrings(source)]
    assert len(every) > 1000
    assert [each for each in every if prose.first_word(each[1]) in prose.VAGUE] == []
    assert [each for each in every if prose.replaced(each[1])] == []


# ---------------------------------------------------------------- the script itself


def test_long_sentences_are_counted_and_code_is_not() -> None:
    found = prose.figures(
        "# A title\n\nOne two three. Then " + "word " * 26 + "\n\n```sh\nmend the colour\n```\n"
    )
    assert (found.words, found.sentences, found.long) == (30, 2, 1)
    assert found.replaced == frozenset()
    assert prose.figures("They mend the colour.").replaced == {"mend", "colour"}


def test_docstrings_and_texts_are_told_apart() -> None:
    source = '"""A module."""\nX = 1\n"""A value."""\n'
    source += 'def f():\n    """Return."""\n    error(f"no {x} " "here")\n'
    assert list(prose.docstrings(source)) == ["A module.", "Return."]
    assert list(prose.texts(source)) == ["no C here"]


def test_a_folder_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "more").mkdir()
    for name in ("one.md", "more/two.md", "three.txt"):
        (tmp_path / name).write_text("One two three.\n", encoding="utf-8")
    assert prose.main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["two.md", "one.md", "2 files"]
    assert lines[-1] == "2 files: 6 words, 3.0 a sentence, 0.0% long"


@for_each(("words", "code"), [(["--help"], 0), (["nowhere.md"], 2)])
def test_the_command_explains_itself(
    words: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        prose.main(words)
    assert end.value.code == code
    assert "usage: " in "".join(capsys.readouterr())
