"""Every kind of finding is explained, and nothing else is."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from cardgen.core.explanations import FAMILIES, OWN, Family, explained, explanations, families
from cardgen.core.findings import Findings, UsageError
from cardgen.files.yaml import parse_yaml
from tests.core.codes import stated
from tests.for_each import for_each
from tests.wording import Wording

DOCS = Path(__file__).resolve().parents[2] / "docs"
Run = Callable[..., tuple[int, str, str]]
LANGUAGES = {"```yaml", "```json", "```bash", "```text", "```svg", "```markdown", "```csv", "```"}


def test_every_code_of_the_source_is_explained() -> None:
    known = explanations()
    lacking = {code: place for code, place in stated().items() if code not in known}
    assert lacking == {}, "write a section in cardgen/core/explanations/, then: python docs/findings.py"


def test_no_code_is_explained_that_is_gone() -> None:
    assert set(explanations()) - stated().keys() == {OWN, "usage"}


def test_each_is_explained_once() -> None:
    counts = Counter(code for family in families() for part in family.sections for code in part.codes)
    assert [code for code, number in counts.items() if number > 1] == []
    assert {path.stem for path in (DOCS.parent / "cardgen/core/explanations").glob("*.md")} == set(FAMILIES)


@for_each("family", families(), ids=lambda family: family.name)
def test_each_section_says_what_it_is_and_helps(family: Family) -> None:
    for section in family.sections:
        meaning, _, fix = section.text.rpartition("**Fix:**")
        sentence, fence, example = meaning.strip().partition("\n\n```")
        if fence:
            assert f"```{example.splitlines()[0]}" in LANGUAGES, section
            assert len(example.splitlines()) > 2, section
            assert example.endswith("\n```"), f"an example in a fence: {section}"
        assert len(sentence.split()) >= 5, section
        assert len(fix.split()) >= 3, section
        assert len(section.first_sentence) <= 200, section
        assert max(map(len, section.text.splitlines())) <= 160, section


def examples(family: str) -> list[tuple[str, str]]:
    """The examples in YAML of a family, each with the first code that it is of."""
    (found,) = (each for each in families() if each.name == family)
    pairs = (
        (part.codes[0], re.search(r"```yaml\n(.*?)```", part.text, re.DOTALL)) for part in found.sections
    )
    return [(code, match[1]) for code, match in pairs if match is not None]


@for_each(("code", "text"), examples("yaml"))
def test_an_example_of_yaml_makes_what_it_is_for(code: str, text: str) -> None:
    findings = Findings()
    parse_yaml(text, "a.yaml", findings)
    assert {each.code for each in findings} == (set() if code == "yaml/edit" else {code})


@for_each("family", sorted(set(FAMILIES) - {"yaml"}))
def test_other_examples_are_yaml(family: str) -> None:
    for code, text in examples(family):
        findings = Findings()
        parse_yaml(text, "a.yaml", findings)
        assert list(findings) == [], code


def page() -> ModuleType:
    spec = importlib.util.spec_from_file_location("findings_page", DOCS / "findings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date() -> None:
    assert page().document() == (DOCS / "findings.md").read_text("utf-8"), "run: python docs/findings.py"


def test_a_code_is_found_as_findings_show_it() -> None:
    (section,) = explained("schema/enum")
    assert section.codes == ("schema/enum",)
    assert explained("[schema/enum]") == explained(" Schema/Enum ") == (section,)
    assert explained("rule/deck-size") == explained(OWN)
    assert {code.partition("/")[0] for part in explained("schema") for code in part.codes} == {"schema"}


@for_each(
    "word",
    [
        "schema/enumm",
        "shema/enum",
        "shema",
        "qqqqqqqqq",
    ],
)
def test_another_word_is_misuse(word: str, wording: Wording) -> None:
    with pytest.raises(UsageError) as raised:
        explained(word)
    wording(raised.value.findings[0])


def test_the_command(run: Run) -> None:
    code, out, err = run("explain", "yaml/tab")
    assert (code, err) == (0, "")
    assert out.startswith("yaml/tab\n\nA tab character indents a line")
    assert "    cards:\n    <tab>- id: fox\n" in out
    assert "\nFix: replace tabs" in out
    assert "```" not in out
    code, out, _ = run("explain")
    assert code == 0
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    assert listed == list(explanations())
    assert run("explain", "yaml/tabb")[::2] == (
        2,
        "no finding has the code 'yaml/tabb' [usage]\n  hint: did you mean 'yaml/tab'?\n",
    )
