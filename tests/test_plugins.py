"""Plug-ins: names that installed packages add, and what becomes of broken ones."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
import yaml

import cardgen
from cardgen.art.templates import render_error
from cardgen.art.templating import TemplateEnvironment
from cardgen.cli import arguments
from cardgen.commands.data.plugins import REGISTRIES, check_plugin
from cardgen.commands.data.starters import list_starters
from cardgen.commands.production.editor_files import older_copies, refresh_project
from cardgen.core.findings import Findings
from cardgen.exports import delivery
from cardgen.exports.exporters import OPTIONS, RESERVED, find_exporter
from cardgen.files import cache, plugins
from cardgen.files.listing import ProjectFolders
from cardgen.files.project import starters_root
from cardgen.files.table_formats import parted
from cardgen.files.table_reading import read_table, sheet_names
from tests.for_each import for_each
from tests.plugged import example, forget, importable, package

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


RULE = """
  - id: short
    question: Can titles be shortened?
    kind: first-letters
    component: cards
    value: title
    letters: 1
"""


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


def test_a_rule_kind_is_in_the_schema_for_editors_and_explained(
    tmp_path: Path, run: Run, site: Path
) -> None:
    rules = "schemas/rules.schema.json"
    plain = cardgen.new_project("before", tmp_path) / rules
    example("first-letters", site)
    folder = cardgen.new_project("after", tmp_path)
    schema = json.loads((folder / rules).read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator({"$ref": "#/$defs/rule", "$defs": schema["$defs"]})
    (rule,) = yaml.safe_load(RULE)
    assert not list(check.iter_errors(rule))
    assert list(check.iter_errors({**rule, "letters": 0}))
    assert "first-letters" not in json.loads(plain.read_text(encoding="utf-8"))["$defs"]
    for copied in (plain, folder / rules):
        assert not older_copies(cardgen.Project.open(copied.parents[1]).paths)
    assert refresh_project(cardgen.Project.open(plain.parents[1])) == [rules]
    assert plain.read_bytes() == (folder / rules).read_bytes()
    assert run("explain", "first-letters")[1].startswith("The first letters of each card are its own")
    assert "right number" in run("explain", "count")[1]
    assert run("explain", "second-letters")[0] == 2


def test_broken_kinds_leave_other_rules_alone(demo: Path, run: Run, site: Path) -> None:
    example("first-letters", site, **{"first: dict[str, str] = {}": "first = 1 / 0"})
    with_rule(demo)
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "the rule kind 'first-letters' of cardgen-first-letters 1.0 failed: ZeroDivisionError" in out
    assert "first_letters.py:32" in out
    assert out.count("[plugin/broken]") == 1
    assert out.count("[rule/") == 0


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


@pytest.mark.long
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


LINES = """
import json

def read(raw):
    cards = [json.loads(line) for line in raw.decode().splitlines()]
    heads = list(dict.fromkeys(key for card in cards for key in card))
    return [heads, *([card.get(head) for head in heads] for card in cards)]
"""


def in_lines(demo: Path, site: Path, code: str = LINES) -> Path:
    """Keep the demo's cards in a file of JSON lines, which a plug-in reads; return it."""
    package(site, "json-lines", {"table_formats": {"jsonl": "json_lines:read"}}, json_lines=code)
    forget()
    data = demo / "data/demo"
    cards = yaml.safe_load((data / "cards.yaml").read_text(encoding="utf-8"))["cards"]
    file = data / "cards.jsonl"
    file.write_text("".join(json.dumps(card) + "\n" for card in cards), encoding="utf-8")
    manifest = data / "game.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("data: cards.yaml", "data: cards.jsonl"), encoding="utf-8")
    return file


def test_a_plugin_s_table_format_is_read(demo: Path, run: Run, site: Path) -> None:
    file = in_lines(demo, site)
    assert run("check", "demo") == (0, "no findings\n", "")
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    assert [card.id for card in game.component("cards").cards][:2] == ["early-bird", "night-owl"]
    file.write_text(file.read_text(encoding="utf-8").replace('"leaf"', '"lead"', 1), encoding="utf-8")
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "data/demo/cards.jsonl:cards!C4: suit: 'lead' is not one of sun, moon, leaf" in out


def test_a_table_format_s_mistakes_are_findings(demo: Path, run: Run, site: Path) -> None:
    file = in_lines(demo, site)
    file.write_text("{", encoding="utf-8")
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "data/demo/cards.jsonl: the file can't be read: Expecting property name" in out
    assert "[tables/damaged]" in out


@for_each(
    "old, new, message",
    [
        ("import json", "import jsonx", "can't be imported: ModuleNotFoundError"),
        ("card.get(head)", "{head}", "failed: TypeError: it returns a set, which is no data"),
        ("card.get(head)", "[head]", "failed: TypeError: a cell is a list"),
        ("def read(raw):", "read = 3\ndef reads(raw):", "is no function: json_lines:read"),
        ("[heads, *(", "[heads[0] - 1, *(", "failed: TypeError: unsupported operand"),
        (
            "def read(raw):",
            "def read(raw):\n    return 7",
            "failed: TypeError: 'int' object is not iterable",
        ),
    ],
)
def test_a_broken_table_format_is_a_finding(old: str, new: str, message: str, tmp_path: Path) -> None:
    code = LINES.replace(old, new)
    with importable(tmp_path):
        package(tmp_path, "json-lines", {"table_formats": {"jsonl": "json_lines:read"}}, json_lines=code)
        forget()
        with pytest.raises(cardgen.CardgenError) as caught:
            read_table(b'{"a": 1}', "x.jsonl", None, Findings())
    assert f"the table format 'jsonl' of json-lines 1.0 {message}" in str(caught.value)


def test_tables_of_a_plugin_may_have_sheets(tmp_path: Path) -> None:
    code = "def read(raw):\n    return {'One': [['a'], [1]], 'Two': [['b'], [True], [None], [0.5]]}\n"
    with importable(tmp_path):
        package(tmp_path, "sheets", {"table_formats": {"twos": "sheets:read"}}, sheets=code)
        forget()
        assert parted("x.twos#Two") == ("x.twos", "Two")
        findings = Findings()
        assert sheet_names(b"", "x.twos", findings) == ["One", "Two"]
        table = read_table(b"", "x.twos", "Two", findings)
        assert table is not None
        assert [row.cells for row in table.rows] == [(True,), (0.5,)]
        assert str(table.place(table.rows[1])) == "x.twos:Two!A4"
        assert not findings.items
        assert read_table(b"", "x.twos", "Three", findings) is None
    assert [each.code for each in findings] == ["tables/sheet"]


def test_unknown_formats_are_findings(demo: Path, run: Run, site: Path) -> None:
    in_lines(demo, site)
    forget()
    code, out, _ = run("check", "demo", "--plugins", "")
    assert code == 1
    assert "game.yaml:21:11: components.cards.data: the table format 'jsonl' of" in out
    assert "[plugin/off]" in out
    (site / "json_lines-1.0.dist-info" / "entry_points.txt").unlink()
    forget()
    code, out, _ = run("check", "demo")
    assert code == 1
    assert "components.cards.data: 'cards.jsonl' is not the name of a file such as cards.yaml" in out


STARTER = """
FILES = {
    "README.md": "# __TITLE__\\n\\nA deck in one file, for tests alone.\\n",
    "data/__NAME__/game.yaml": "id: __NAME__\\ntitle: __TITLE__\\n",
    "data/__NAME__/more/a.txt": "__NAME__",
}
"""


def test_a_plugin_s_starter_begins_a_project(run: Run, site: Path, tmp_path: Path) -> None:
    package(site, "my-starters", {"starters": {"mine": "my_starters:FILES"}}, my_starters=STARTER)
    forget()
    assert "mine           A deck in one file, for tests alone." in run("new", "--list")[1]
    folder = cardgen.new_project("two-foxes", tmp_path, template="mine")
    assert (folder / "data/two-foxes/game.yaml").read_text(
        encoding="utf-8"
    ) == "id: two-foxes\ntitle: Two Foxes\n"
    assert (folder / "data/two-foxes/more/a.txt").read_text(encoding="utf-8") == "two-foxes"
    with pytest.raises(cardgen.UsageError) as caught:
        cardgen.new_project("three", tmp_path, template="mines")
    assert caught.value.findings[0].hint == "did you mean 'mine'? list all: cardgen new --list"


def test_a_package_is_a_starter(site: Path, tmp_path: Path) -> None:
    package(site, "boxed", {"starters": {"boxed": "boxed_starter"}})
    shutil.copytree(starters_root() / "tokens", site / "boxed_starter")
    (site / "boxed_starter/__init__.py").write_text("", encoding="utf-8")
    forget()
    folder = cardgen.new_project("coins", tmp_path, template="boxed")
    assert not list(folder.rglob("*.py"))
    names = {path.relative_to(folder) for path in folder.rglob("*")}
    same = cardgen.new_project("coins", tmp_path / "ours", template="tokens")
    assert names == {path.relative_to(same) for path in same.rglob("*")}


@for_each(
    "old, new, message",
    [
        (
            "FILES = {",
            "FILES = 3, {",
            "is neither a package nor a mapping of texts by path: my_starters:FILES",
        ),
        ("data/__NAME__/more", "../more", "is neither a package nor a mapping of texts by path"),
        ("/game.yaml", "/games.yaml", "needs data/__NAME__/game.yaml, and README.md with a title"),
        ("\\n\\n", " ", "needs data/__NAME__/game.yaml, and README.md with a title"),
        ("FILES", "FILLS", "can't be imported: AttributeError"),
    ],
)
def test_a_broken_starter_is_a_finding(old: str, new: str, message: str, tmp_path: Path) -> None:
    with importable(tmp_path):
        code = STARTER.replace(old, new)
        package(tmp_path, "my-starters", {"starters": {"mine": "my_starters:FILES"}}, my_starters=code)
        forget()
        with pytest.raises(cardgen.CardgenError) as caught:
            cardgen.new_project("fox", tmp_path, template="mine")
        assert "mine" not in {starter.name for starter in list_starters()}
    assert f"the starter 'mine' of my-starters 1.0 {message}" in str(caught.value)
    assert not (tmp_path / "fox").exists()


def test_each_kind_of_plugin_has_a_registry() -> None:
    assert list(REGISTRIES) == list(plugins.KINDS)
    assert all(make().names for make in REGISTRIES.values())
