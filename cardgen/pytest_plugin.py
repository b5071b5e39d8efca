"""The rules of a game as tests: `pytest --cardgen GAME`, or `cardgen_games = GAME` in pytest's settings.

Every rule is one test, `data/GAME/rules.yaml::RULE`; a rule for decks is one for each of the game's own
deck lists, `RULE (DECK)`. A rule that fails, cannot be decided or can't be checked fails its test, with
the findings as its text; one whose severity is milder than error only warns. A game that cannot be
loaded is one failing test. Nothing happens unless a game is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cardgen.core.findings import Finding
    from cardgen.rules.results import RuleResult


_LOADING = "loads"
"""The name of the test that stands for a game that cannot be loaded."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cardgen", "rules of tabletop games")
    group.addoption(
        "--cardgen", action="append", default=[], metavar="GAME", help="test the rules of this game"
    )
    folder = "the project folder (default: pytest's root folder)"
    group.addoption("--cardgen-project", metavar="DIR", help=folder)
    parser.addini("cardgen_games", "games whose rules every whole run tests", type="args", default=[])
    parser.addini("cardgen_project", folder)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The rules' file of a game that is asked for, where its path is given or lies below it."""
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    for game in _asked(parent.config):
        if file_path == _project(parent.config) / "data" / game / file_path.name:
            rules = RulesFile.from_parent(parent, path=file_path, game=game)
            return rules if rules.is_rules() else None
    return None


@pytest.hookimpl(tryfirst=True)  # before -k and -m choose
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the games that no path led to. Those of the settings are left out where paths are given."""
    there = {item.rules.game for item in items if isinstance(item, RuleItem)}
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS
    games = _asked(config) if whole else config.getoption("--cardgen")
    for game in dict.fromkeys(games):
        if game not in there:
            path = _project(config) / "data" / game / "rules.yaml"
            rules = RulesFile.from_parent(session, path=path, game=game, nodeid=f"data/{game}/rules.yaml")
            items.extend(rules.collect())


def _asked(config: pytest.Config) -> list[str]:
    games: list[str] = [*config.getoption("--cardgen"), *config.getini("cardgen_games")]
    return list(dict.fromkeys(games))


def _project(config: pytest.Config) -> Path:
    chosen = config.getoption("--cardgen-project")
    if chosen:
        return Path(os.path.realpath(Path(config.invocation_params.dir, chosen)))
    return Path(os.path.realpath(Path(config.rootpath, config.getini("cardgen_project") or ".")))


class RuleError(Exception):
    """A rule does not hold. Its text is the findings."""


class RulesFile(pytest.File):
    """The rules of one game, judged when they are collected."""

    def __init__(self, *, game: str, **given: Any) -> None:
        super().__init__(**given)
        self.game = game

    def is_rules(self) -> bool:
        """Tell whether game.yaml names this file as its rules, or its name does if the game cannot load."""
        import cardgen

        try:
            loaded = cardgen.load(self.game, project=cardgen.Project.open(_project(self.config)))
        except cardgen.CardgenError:
            return self.path.name == "rules.yaml"
        return loaded.rules == f"data/{self.game}/{self.path.name}"

    def collect(self) -> Iterator[RuleItem]:
        import cardgen

        try:
            game = cardgen.load(self.game, project=cardgen.Project.open(_project(self.config)))
            results = cardgen.judge(game)
        except cardgen.UsageError as error:
            raise pytest.UsageError(_words(error.findings)) from None
        except cardgen.CardgenError as error:
            yield RuleItem.from_parent(self, name=_LOADING, findings=error.findings, question="")
            return
        for result in results:
            yield RuleItem.of(self, result, game.locator.locate(result.rule.file, result.rule.path).line)


class RuleItem(pytest.Item):
    """One rule as a test."""

    def __init__(
        self, *, findings: Iterable[Finding], question: str, line: int | None = None, **given: Any
    ) -> None:
        super().__init__(**given)
        self.findings, self.question, self.line = tuple(findings), question, line

    @classmethod
    def of(cls, parent: RulesFile, result: RuleResult, line: int | None) -> RuleItem:
        from cardgen.core.terminal import shown

        rule = result.rule
        item: RuleItem = cls.from_parent(
            parent,
            name=shown(rule.name),
            findings=result.findings,
            question=shown(rule.question.strip()),
            line=line,
        )
        return item

    @property
    def rules(self) -> RulesFile:
        assert isinstance(self.parent, RulesFile)
        return self.parent

    def runtest(self) -> None:
        import cardgen

        if any(finding.severity is cardgen.Severity.ERROR for finding in self.findings):
            raise RuleError(_words(self.findings))
        for finding in self.findings:
            self.warn(pytest.PytestWarning(_words([finding])))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, RuleError):
            return f"{self.question}\n\n{excinfo.value}".lstrip()
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        line = None if self.line is None else self.line - 1
        return self.path, line, f"{self.rules.game}: {self.name}"


def _words(findings: Iterable[Finding]) -> str:
    from cardgen.core.formats import report_findings

    return report_findings(tuple(findings), "text")
