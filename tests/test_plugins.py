"""Plug-ins: names that installed packages add, and what becomes of broken ones."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import cardgen
from cardgen.art.templates import render_error
from cardgen.art.templating import TemplateEnvironment
from cardgen.cli import arguments
from cardgen.commands.data.plugins import check_plugin
from cardgen.exports import delivery
from cardgen.exports.exporters import OPTIONS, RESERVED, find_exporter
from cardgen.files import cache, plugins
from cardgen.files.listing import ProjectFolders
from tests.for_each import for_each
from tests.plugged import forget, importable, package

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

SHOP = """
from cardgen.plugins import Exporter, Option, PlannedFile

def plan(job):
    return [PlannedFile.of_text("list.txt", f"{job.settings['paper']} {len(job.cards)}")]

EXPORTER = Exporter("lists", plan=plan, own=(Option("paper", "choose paper", "plain"),))
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder whose packages are installed."""
    folder = tmp_path / "site"
    folder.mkdir()
    with importable(folder):
        yield folder


def exporting(folder: Path, code: str, name: str = "shop", package_name: str = "corner-shop") -> None:
    module = package_name.replace("-", "_")
    package(folder, package_name, {"exporters": {name: f"{module}:EXPORTER"}}, "1.2", **{module: code})
    forget()


def test_a_plugin_s_target_exports_with_its_own_option(demo: Path, run: Run, site: Path) -> None:
    exporting(site, SHOP)
    code, out, err = run("export", "demo", "--to", "shop", "--paper", "linen")
    assert code == 0, err
    assert (demo / "output/demo/shop/list.txt").read_text(encoding="utf-8") == "linen 6"
    assert "1 file written" in out
    assert "0 files written, 1 up to date" in run("export", "demo", "--to", "shop", "--paper", "linen")[1]
    assert cardgen.exporters()["shop"].summary == "lists"


def test_other_commands_don_t_know_the_option(demo: Path, run: Run, site: Path) -> None:
    exporting(site, SHOP)
    code, _, err = run("export", "demo", "--to", "png", "--paper", "linen")
    assert code == 2
    assert "unrecognized arguments: --paper linen" in err


def test_help_lists_targets_and_a_target_s_options(run: Run, site: Path) -> None:
    exporting(site, SHOP)
    everything, one = run("export", "--help")[1], run("export", "--to", "shop", "--help")[1]
    assert "  shop            lists" in everything
    assert "--paper" in one
    assert "--max-texture" not in one


def test_new_code_of_a_plugin_writes_files_again(demo: Path, run: Run, site: Path) -> None:
    exporting(site, SHOP)
    assert run("export", "demo", "--to", "shop")[0] == 0
    (site / "corner_shop.py").write_text(SHOP.replace('f"', 'f"new '), encoding="utf-8")
    forget()
    assert run("export", "demo", "--to", "shop")[0] == 0
    assert (demo / "output/demo/shop/list.txt").read_text(encoding="utf-8") == "new plain 6"


def test_kept_results_and_exports_depend_on_a_plugin_s_code(site: Path) -> None:
    before = cache.our_environment(), cache.code_digest()
    exporting(site, SHOP)
    with_plugin = cache.our_environment(), cache.code_digest()
    (site / "corner_shop.py").write_text(SHOP + "# more\n", encoding="utf-8")
    forget()
    changed = cache.our_environment(), cache.code_digest()
    assert len({*before, *with_plugin, *changed}) == 6


OBJECT = "is no Exporter with a function `plan`: corner_shop:EXPORTER"
NO_OBJECT = "AttributeError: module 'corner_shop' has no attribute 'EXPORTER'"
BROKEN = {
    "no object": (
        "",
        "can't be imported: AttributeError: module 'corner_shop' has no attribute 'EXPORTER'",
        None,
    ),
    "failing import": ("\n1 / 0", "can't be imported: ZeroDivisionError: division by zero", 2),
    "leaving": ("raise SystemExit(3)", "can't be imported: SystemExit: 3", 1),
    "another object": ("EXPORTER = {}", OBJECT, None),
    "no plan": (SHOP.replace("plan=plan, ", ""), OBJECT, None),
    "two lines": (SHOP.replace('"lists"', '"li\\nsts"'), "has no summary of one line", None),
    "unknown option": (
        SHOP.replace("own=", "options=('dip',), own="),
        "has the option 'dip', which is not one of cardgen's; did you mean 'dpi'?",
        None,
    ),
    "our option": (
        SHOP.replace('"paper", "', '"dpi", "'),
        "defines --dpi, which is cardgen's: list it in `options`",
        None,
    ),
    "a general option": (
        SHOP.replace('"paper", "', '"to", "'),
        "defines --to, which is cardgen's: rename it",
        None,
    ),
    "failing plan": (
        SHOP.replace("len(job.cards)", "job.nothing"),
        "failed: AttributeError: 'types.SimpleNamespace' object has no attribute 'nothing'",
        5,
    ),
    "no list": (
        SHOP.replace("return [", "return 3 # ["),
        "failed: TypeError: 'int' object is not iterable",
        None,
    ),
    "other files": (
        SHOP.replace("return [", "return ['a.txt', "),
        "failed: AttributeError: 'str' object has no attribute 'write'",
        None,
    ),
}


@for_each("code, message, line", list(BROKEN.values()), list(BROKEN))
def test_a_broken_exporter_is_a_finding(code: str, message: str, line: int | None, tmp_path: Path) -> None:
    with importable(tmp_path):
        exporting(tmp_path, code)
        with pytest.raises(cardgen.CardgenError) as caught:
            find_exporter("shop").planned(SimpleNamespace(settings={"paper": ""}, cards=()))  # type: ignore[arg-type]
    (finding,) = caught.value.findings
    assert finding.code == "plugin/broken"
    assert finding.message == f"the export target 'shop' of corner-shop 1.2 {message}"
    assert finding.hint == "update the package, or remove it: pip uninstall corner-shop"
    place = finding.location
    assert (place.file, place.line) == (str(tmp_path / "corner_shop.py"), line) if place else line is None


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            SHOP.replace("return [", "return [PlannedFile('a', 'b', lambda out: 1 / 0), "),
            "ZeroDivisionError: division by zero",
        ),
        (
            SHOP.replace('"list.txt"', '"../x"'),
            "ValueError: '../x' is not a name inside the export's folder",
        ),
    ],
    ids=["writing", "names"],
)
def test_files_that_can_t_be_written_are_findings(
    demo: Path, run: Run, site: Path, code: str, message: str
) -> None:
    exporting(site, code)
    exit_code, _, err = run("export", "demo", "--to", "shop")
    assert exit_code == 1
    assert f"the export target 'shop' of corner-shop 1.2 failed: {message} [plugin/broken]" in err
    assert not list((demo / "output/demo").rglob("*.txt"))


def test_two_packages_with_one_name_are_a_finding(run: Run, site: Path) -> None:
    exporting(site, SHOP)
    exporting(site, SHOP, package_name="other-shop")
    code, _, err = run("export", "demo", "--to", "shop")
    assert code == 1
    assert (
        "the packages corner-shop 1.2 and other-shop 1.2 each have the export target 'shop' [plugin/name]"
        in err
    )
    assert run("export", "demo", "--to", "shop", "--plugins", "Other_Shop")[0] == 0


def test_our_own_names_come_first(demo: Path, run: Run, site: Path) -> None:
    exporting(site, SHOP, name="pcio")
    assert run("export", "demo", "--to", "pcio")[0] == 0
    assert (demo / "output/demo/pcio/demo.pcio").exists()


def test_plugins_can_be_chosen(run: Run, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exporting(site, SHOP)
    code, _, err = run("export", "demo", "--to", "shop", "--plugins", "")
    assert code == 1
    assert "the export target 'shop' of corner-shop 1.2 is not loaded here [plugin/off]" in err
    assert "add --plugins corner-shop" in err
    code, _, err = run("export", "demo", "--to", "shop", "--plugins", "cornershop")
    assert code == 2
    assert "there is no plug-in package 'cornershop' [usage/plugins]" in err
    monkeypatch.setenv(plugins.VARIABLE, "")
    assert "shop" not in cardgen.exporters()
    assert run("export", "demo", "--to", "shop", "--plugins=corner-shop")[0] == 0
    assert os.environ[plugins.VARIABLE] == ""


def test_a_sandboxed_command_loads_named_plugins_alone(demo: Path, run: Run, site: Path) -> None:
    exporting(site, SHOP)
    words = ("export", "demo", "--to", "shop", "--sandboxed")
    assert run(*words)[0] == 1
    assert run(*words, "--plugins", "corner-shop")[0] == 0
    assert (demo / "output/demo/shop/list.txt").exists()


def test_doctor_lists_plugins(run: Run, site: Path) -> None:
    exporting(site, SHOP)
    exporting(site, "", package_name="bad-shop", name="bad")
    exporting(site, SHOP, package_name="png-shop", name="png")
    code, out, _ = run("doctor")
    assert code == 1
    assert "ok  plug-in corner-shop: 1.2, export target 'shop'" in out
    assert (
        "NO  plug-in bad-shop: the export target 'bad' of bad-shop 1.2 can't be imported: AttributeError"
        in out
    )
    assert "NO  plug-in png-shop: the export target 'png' of png-shop 1.2 is never used" in out
    code, out, _ = run("doctor", "--plugins", "corner-shop")
    assert code == 0
    assert "ok  plug-in bad-shop: 1.2, export target 'bad', not loaded: see --plugins" in out


def test_exports_to_our_own_targets_read_no_entry_points(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("export", "demo", "--to", "pcio")[0] == 0  # its cache knows the installed packages
    forget()
    monkeypatch.setattr(plugins, "_entry_points", lambda folder: pytest.fail("read"))
    monkeypatch.setattr(cache, "code_digest", lambda: "same")
    monkeypatch.setattr(delivery, "code_digest", lambda: "same")
    assert run("export", "demo", "--to", "pcio")[0] == 0
    assert run("check", "demo")[0] == 0


def test_reserved_options_are_those_of_the_command() -> None:
    parser = arguments.parser_for(["export", "--to", "png"])
    given = vars(parser.parse_args(["export", "x", "--to", "png"]))
    general = {name.replace("_", "-") for name in given.keys() - {"command", "game", "finds_game"}}
    assert general - set(OPTIONS) | {"help"} == RESERVED


def test_the_first_package_on_the_path_is_used(tmp_path: Path, site: Path) -> None:
    exporting(site, SHOP)
    package(tmp_path / "first", "corner-shop", {}, "2.0")
    assert [each.version for each in plugins.installed() if each.package == "corner-shop"] == ["1.2"]
    with importable(tmp_path / "first"):
        assert not [each for each in plugins.installed() if each.package == "corner-shop"]


EXAMPLES = Path(__file__).resolve().parent.parent / "docs/examples/plugins"
RULE = """
  - id: short
    question: Can titles be shortened?
    kind: first-letters
    component: cards
    value: title
    letters: 1
"""


def example(name: str, site: Path, **changed: str) -> Path:
    """Install an example of the documents, with changes of its code; return the file of it."""
    about = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (source,) = (EXAMPLES / name).glob("*.py")
    text = source.read_text(encoding="utf-8")
    for old, new in changed.items():
        assert old in text
        text = text.replace(old, new)
    points = {kind.removeprefix("cardgen."): named for kind, named in about["entry-points"].items()}
    package(site, about["name"], points, about["version"], **{source.stem: text})
    forget()
    return site / source.name


def with_rule(demo: Path, rule: str = RULE) -> int:
    """Add a rule to the demo's, and return its line."""
    path = demo / "data/demo/rules.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + rule, encoding="utf-8")
    return text.count("\n") + 2


def test_a_plugin_s_rule_kind_judges(demo: Path, run: Run, site: Path, edit: Edit) -> None:
    example("first-letters", site)
    with_rule(demo)
    assert run("check", "demo", "--rule", "short")[0] == 0
    edit("data/demo/cards.yaml", "title: Old Oak", "title: Ear of Corn")
    code, out, _ = run("check", "demo", "--rule", "short")
    assert code == 1
    assert "data/demo/cards.yaml:43:12: cards[5].title: " in out
    assert "'Ear of Corn' and 'Early Bird' both begin with 'E' [rule/short]" in out


def test_a_plugin_s_schema_checks_its_keys(demo: Path, run: Run, site: Path) -> None:
    example("first-letters", site)
    line = with_rule(demo, RULE.replace("letters: 1", "letters: 0\n    lettres: 2"))
    code, out, _ = run("check", "demo")
    assert code == 1
    assert (
        f"data/demo/rules.yaml:{line + 5}:14: rules[6].letters: 0 is below the minimum 1 [schema/minimum]"
        in out
    )
    assert f"data/demo/rules.yaml:{line + 6}:5: rules[6].lettres: " in out


def test_kept_verdicts_depend_on_a_plugin_s_code(demo: Path, run: Run, site: Path) -> None:
    file = example("first-letters", site)
    with_rule(demo)
    assert run("check", "demo", "--rule", "short")[0] == 0
    text = file.read_text(encoding="utf-8").replace("if other is not text", "if True")
    file.write_text(text, encoding="utf-8")
    forget()
    assert run("check", "demo", "--rule", "short")[0] == 1


def test_a_missing_kind_is_a_finding(demo: Path, run: Run, site: Path) -> None:
    line = with_rule(demo)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert f"data/demo/rules.yaml:{line + 2}:11: rules[6].kind: 'first-letters' is not one of" in out
    example("first-letters", site)
    code, out, _ = run("check", "demo", "--plugins", "")
    assert code == 1
    assert f"data/demo/rules.yaml:{line + 2}:11: rules[6].kind: the rule kind 'first-letters' of" in out
    assert "[plugin/off]" in out
    assert "is not one of" not in out


@for_each(
    "old, new, message",
    {
        "docstring": ('"""The first', 'X = """The first', "is no module with a docstring"),
        "judge": ("def judge(", "def judged(", "has no function judge(case)"),
        "schema": ("SCHEMA = {", "SCHEMA = 3, {", "has no JSON Schema of its keys in SCHEMA"),
        "type": ('"integer"', '"integers"', "has no JSON Schema of its keys in SCHEMA"),
        "reference": (
            "#/$defs/selection",
            "#/$defs/selections",
            "has a SCHEMA that can't be used: '#/$defs/selections' points to nothing",
        ),
        "traits": ("TRAITS = Traits(", "TRAITS = dict(", "has TRAITS that are no Traits(…)"),
        "import": ("import BrokenRuleError", "import BrokenError", "can't be imported: ImportError"),
    }.values(),
)
def test_a_broken_rule_kind_is_a_finding(old: str, new: str, message: str, tmp_path: Path) -> None:
    with importable(tmp_path):
        example("first-letters", tmp_path, **{old: new})
        (plugin,) = (each for each in plugins.installed() if each.name == "first-letters")
        with pytest.raises(cardgen.CardgenError) as caught:
            check_plugin(plugin)
    (finding,) = caught.value.findings
    assert finding.code == "plugin/broken"
    start = "the rule kind 'first-letters' of cardgen-first-letters 1.0 "
    assert finding.message.startswith(start + message)


def test_broken_kinds_leave_other_rules_alone(demo: Path, run: Run, site: Path) -> None:
    example("first-letters", site, **{"first: dict[str, str] = {}": "first = 1 / 0"})
    with_rule(demo)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "[rule/short]" in out
    assert "the rule can't be checked: " in out
    assert "the rule kind 'first-letters' of cardgen-first-letters 1.0 failed: ZeroDivisionError" in out
    assert "first_letters.py:32" in out
    assert out.count("[rule/") == 1


def test_a_schema_that_can_t_be_used_is_one_finding(demo: Path, run: Run, site: Path) -> None:
    example("first-letters", site, **{"#/$defs/selection": "#/$defs/selections"})
    with_rule(demo)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "[plugin/broken]" in out
    assert out.count("[schema/") == 0
    assert out.count("[rule/") == 0


@pytest.fixture
def wide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder without templates."""
    return tmp_path_factory.mktemp("wide")


def failure(root: Path, expression: str) -> str:
    """Return the message and the code of an expression that fails in a template."""
    environment = TemplateEnvironment(ProjectFolders((root,)))
    card = {"title": "Early Bird", "value": 4}
    try:
        environment.begin()
        environment.from_string(expression).render(card=card)
    except Exception as error:
        problem = render_error(error, "card.svg", environment.templates).problem
        return f"{problem.message} [{problem.code}]"
    return "no failure"


def printing(demo: Path, expression: str) -> None:
    """Print an expression on each card of the demo."""
    path = demo / "templates/demo/card.svg"
    text = path.read_text(encoding="utf-8")
    assert text.count("{{ card.title }}") == 1
    path.write_text(text.replace("{{ card.title }}", expression), encoding="utf-8")


def test_a_plugin_s_filter_prints(demo: Path, run: Run, site: Path) -> None:
    example("roman", site)
    printing(demo, "{{ card.value|roman }} {{ [4, 9]|map('roman', lower=true)|join(' ') }}")
    code, _, err = run("export", "demo", "--to", "svg", "--component", "cards")
    assert code == 0, err
    assert "III iv ix" in (demo / "output/demo/svg/cards/04-long-lunch-face.svg").read_text(
        encoding="utf-8"
    )


def test_a_plugin_s_filter_works_in_rules(demo: Path, run: Run, site: Path) -> None:
    example("roman", site)
    rule = "\n  - {id: r, question: Short?, kind: each, component: cards, holds: value|roman|length <= 2}\n"
    with_rule(demo, rule)
    code, out, _ = run("check", "demo", "--rule", "r")
    assert code == 1
    assert "Long Lunch" in out
    assert out.count("[rule/r]") == 1


def test_kept_sides_depend_on_a_filter_s_code(demo: Path, run: Run, site: Path) -> None:
    file = example("roman", site)
    printing(demo, "{{ card.value|roman }}")
    assert run("build", "demo")[0] == 0
    assert "up to date" in run("build", "demo")[1]
    file.write_text(file.read_text(encoding="utf-8").replace('"IV"', '"IIII"'), encoding="utf-8")
    forget()
    assert "up to date" not in run("build", "demo")[1]
    assert run("export", "demo", "--to", "svg")[0] == 0
    assert "IIII" in (demo / "output/demo/svg/cards/05-full-moon-face.svg").read_text(encoding="utf-8")


MISUSED = {
    "wrong value": (
        "{{ card.title|roman }}",
        "roman: 'Early Bird' is not a whole number from 1 to 3999 [template/value]",
    ),
    "wrong arguments": (
        "{{ card.value|roman(1, 2) }}",
        "roman got the wrong number or names of values; write roman(lower=false) [template/value]",
    ),
    "markup": ("{{ 'x'|e|roman }}", "roman needs plain text: use it before filters that make markup"),
    "function": (
        "{{ range|roman }}",
        "only data can be compared or printed, not a function [template/forbidden]",
    ),
    "missing": ("{{ card.nothing|roman }}", "there is no 'nothing' here"),
    "misspelled": ("{{ card.value|romann }}", "there is no filter named 'romann'"),
}


@for_each("expression, message", list(MISUSED.values()), list(MISUSED))
def test_misused_filters_are_findings_at_the_template(
    expression: str, message: str, tmp_path: Path, wide: Path
) -> None:
    with importable(tmp_path):
        example("roman", tmp_path)
        assert message in failure(wide, expression)


BROKEN_FILTERS = {
    "exception": ("1 / 0", "failed: ZeroDivisionError: division by zero"),
    "set": ("{1, 2}", "failed: TypeError: it returns a set, which is no data"),
    "keys": ("{(1, 2): 3}", "failed: TypeError: it returns a dict, which is no data"),
    "endless": ("(a := []).append(a) or a", "failed: TypeError: it returns values nested"),
    "long text": ("'x' * 3_000_000", "the template produces text of more than 2,000,000 characters"),
    "long list": ("[1] * 200_000", "the template produces a list of more than 100,000 items"),
    "large number": ("1 << 5000", "the template produces a number that is too large"),
}


@for_each("result, message", list(BROKEN_FILTERS.values()), list(BROKEN_FILTERS))
def test_broken_filters_are_findings_with_their_package(
    result: str, message: str, tmp_path: Path, wide: Path
) -> None:
    with importable(tmp_path):
        code = f"def odd(value):\n    return {result}\n"
        package(tmp_path, "odd-filters", {"filters": {"odd": "odd_filters:odd"}}, odd_filters=code)
        forget()
        found = failure(wide, "{{ card.value|odd }}")
    assert message in found
    assert message.startswith("failed") == ("the filter 'odd' of odd-filters 1.0 failed" in found)
    assert ("odd_filters.py:2: " in found) == ("ZeroDivision" in found)


def test_filters_that_aren_t_loaded_are_findings(demo: Path, run: Run, site: Path) -> None:
    example("roman", site)
    printing(demo, "{{ card.value|roman }}")
    assert run("build", "demo")[0] == 0
    forget()
    code, _, err = run("build", "demo", "--plugins", "")
    assert code == 1
    assert "card.svg" in err
    assert "card.svg:13: the filter 'roman' of cardgen-roman 1.0 is not loaded here (card" in err
    assert "[plugin/off]" in err


def test_a_filter_gets_copies(tmp_path: Path, wide: Path) -> None:
    code = "def spoil(value):\n    value['title'] = 'spoiled'\n    return ''\n"
    with importable(tmp_path):
        package(tmp_path, "spoiler", {"filters": {"spoil": "spoiler:spoil"}}, spoiler=code)
        forget()
        environment = TemplateEnvironment(ProjectFolders((wide,)))
        template = environment.from_string("{{ card|spoil }}{{ card.title }}")
        assert template.render(card={"title": "Fox", "list": [1]}) == "Fox"
