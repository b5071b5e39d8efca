"""What the command line makes of words, and of what the library gives: options, lines and exit codes.

The library is stood in for, so that nothing is read, drawn or written; `test_cli.py` has the real one.
"""

from __future__ import annotations

import argparse
import errno
import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cardgen
from cardgen.cli import arguments, main
from cardgen.cli.editing import SHELLS
from cardgen.commands.build.export import export_options, options_of
from cardgen.commands.check.check import Checked, CheckOptions
from cardgen.commands.data.spreadsheets import TABLE_FORMATS
from cardgen.core.findings import CardgenError, Finding, Location, Severity, UsageError
from cardgen.core.progress import ProgressBar, counted, tell, told_to
from tests.for_each import for_each
from tests.wording import Wording

PLACE = Location("data/t/c.yaml", 3)
WRONG = Finding(Severity.ERROR, "a/b", "it is wrong", PLACE, "mend it")
MILD = Finding(Severity.WARNING, "a/c", "it is odd", PLACE)
NOTED = Finding(Severity.NOTE, "a/d", "it is so", PLACE)

Call = Callable[..., tuple[int, str, str]]
Stand = Callable[..., list[tuple[tuple[Any, ...], dict[str, Any]]]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def run(*words: str) -> tuple[int, str, str]:
        try:
            code = main(words)
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch) -> Stand:
    """Has a function of the library give this, or raise it; returns what it is called with."""

    def put(name: str, *given: Any) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        answers = list(given)

        def function(*args: Any, **named: Any) -> Any:
            calls.append((args, named))
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            if isinstance(answer, BaseException):
                raise answer
            return answer

        monkeypatch.setattr(f"cardgen.{name}", function)
        return calls

    return put


# ---------------------------------------------------------------- how a command ends


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("there is no x", "try y"), 2, "there is no x [usage]\n  hint: try y\n"),
        (CardgenError(WRONG), 1, "data/t/c.yaml:3: it is wrong [a/b]\n  hint: mend it\n"),
        (KeyboardInterrupt(), 130, "stopped\n"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "data/x\n.yaml"),
            1,
            "data/x\\n.yaml: can't be used: No such file or directory [system/file]\n"
            "  hint: check that it exists and can be read, then run this again\n",
        ),
    ],
)
def test_errors_are_said_without_a_traceback(
    error: BaseException, code: int, said: str, call: Call, stand: Stand
) -> None:
    stand("commands.data.list.list_games", error)
    assert call("list")[::2] == (code, said)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), ""),
        (OSError(errno.ENOSPC, "No space left on device"), "could not be written: No space left on device"),
    ],
    ids=["reader went away", "full disk"],
)
def test_output_that_nobody_takes_is_not_tried_again(
    error: OSError, words: str, stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand("commands.data.list.list_games", error)
    said = io.StringIO()
    monkeypatch.setattr(sys, "stderr", said)
    with (tmp_path / "out").open("w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["list"]) == 1
        out.write("what was left to say")
    assert (tmp_path / "out").read_bytes() == b""
    assert words in said.getvalue()


def test_a_confined_command_runs_in_a_process_of_its_own(call: Call, stand: Stand) -> None:
    listed = stand("commands.data.list.list_games", [])
    confined = stand("commands.production.sandboxed.run_confined", 7)
    stand("files.confinement_limits.is_confined", False, False, True)
    assert call("list", "--sandboxed")[0] == 7
    assert call("list", "--sandboxed=strict")[0] == 7
    assert [words for (words, _, _), _ in confined] == [
        ["list", "--sandboxed"],
        ["list", "--sandboxed=strict"],
    ]
    assert listed == []
    assert call("list", "--sandboxed")[0] == 0, "there, it is the command itself"
    assert len(listed) == 1


# ---------------------------------------------------------------- commands


def test_export_says_what_it_wrote(call: Call, stand: Stand) -> None:
    files = [
        SimpleNamespace(shown=f"output/f{n}.png", bytes=size) for n, size in enumerate((1234, 2_500_000))
    ]
    result = SimpleNamespace(
        findings=(MILD,), changed=files, removed=["output/old.png"], files=[*files, None], seconds=1.5
    )
    calls = stand("export_to", result)
    code, out, err = call("export", "t", "--to", "png", "--component", "a", "--dpi", "99", "--low-ink")
    assert code == 0
    assert out.splitlines() == [
        "output/f0.png  1.2 kB",
        "output/f1.png  2.50 MB",
        "output/old.png  removed",
        "2 files written, 1 up to date, 1.50 s",
        "contrast and rules are not checked here: run cardgen check t",
    ]
    assert "warning: it is odd" in err
    ((wish,), _) = calls[0]
    assert wish == cardgen.ExportOptions(
        game="t", to="png", components=("a",), low_ink=True, settings={"dpi": 99}
    )
    assert call("export", "t", "--to", "png", "--quiet", "--output", "x")[1] == ""
    assert calls[1][0][0].output == Path("x")


def game_of(*decks: Any) -> SimpleNamespace:
    return SimpleNamespace(decks=decks)


def checked(*findings: Finding, **more: tuple[str, ...]) -> Any:
    return Checked(findings, **more)


@pytest.mark.parametrize(
    ("findings", "words", "code"),
    [
        ((), (), 0),
        ((MILD, NOTED), (), 0),
        ((MILD, NOTED), ("--fail-on", "warning"), 1),
        ((WRONG,), (), 1),
    ],
)
def test_a_check_fails_by_what_it_is_told_to(
    findings: tuple[Finding, ...], words: tuple[str, ...], code: int, call: Call, stand: Stand
) -> None:
    stand("commands.check.check.check_game", checked(*findings))
    ended, out, _ = call("check", "t", *words)
    assert ended == code
    assert out.count("\n") >= len(findings)
    assert findings or out == "no findings\n"


def test_games_are_checked_one_by_one_and_said_together(call: Call, stand: Stand) -> None:
    asked = stand("commands.check.check.check_game", checked(WRONG), checked(MILD))
    code, out, _ = call("check", "t", "u", "--rule", "r")
    assert code == 1
    assert out.splitlines() == [
        "data/t/c.yaml:3: it is wrong [a/b]",
        "  hint: mend it",
        "data/t/c.yaml:3: warning: it is odd [a/c]",
        "",
        "1 error, 1 warning in 1 file",
    ]
    assert [args for args, _ in asked] == [(CheckOptions(game, ("r",)),) for game in ("t", "u")]
    call("check", "t", "--language", "de", "--language", "source")
    assert [args[0].language for args, _ in asked[2:]] == ["de", None]
    assert not any(args[0].languages for args, _ in asked[2:])


def test_decks_are_judged_and_measured(call: Call, stand: Stand) -> None:
    asked = stand(
        "commands.check.check.check_game", checked(WRONG, figures=("figures of one", "figures of two"))
    )
    words = ("check", "t", "--deck", "one.txt", "--deck", "two.txt")
    code, out, _ = call(*words)
    assert code == 1
    assert out.startswith("figures of one\nfigures of two\n")
    assert "it is wrong" in out
    assert asked[0][0] == (CheckOptions("t", decks=("one.txt", "two.txt")),)
    assert "figures" not in call(*words, "--format", "json")[1]
    assert call("check", "t", "u", "--deck", "one.txt")[0] == 2
    stand("commands.check.check.check_game", UsageError("there is no deck list"))
    assert call("check", "t", "--deck", "no.txt")[::2] == (2, "there is no deck list [usage]\n")


def test_a_rule_is_explained_before_it_fails(call: Call, stand: Stand) -> None:
    stand("load", game_of())
    asked = stand("commands.check.check.explain_rule", ("in words", [MILD]))
    assert call("check", "t", "--explain", "r") == (0, "in words\n", "")
    assert call("check", "t", "--explain", "r", "--fail-on", "warning")[0] == 1
    assert asked[0][0][1] == "r"


def test_a_report_is_printed_or_written(
    call: Call, stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stand("load", game_of())
    stand("make_report", '{"é": 1}\n'.encode())
    written = stand("commands.check.check.write_report", [tmp_path / "t.html", tmp_path / "t.pdf"])
    assert call("report", "t", "--format", "json")[:2] == (0, '{"é": 1}\n')
    code, out, _ = call("report", "t")
    assert (code, out) == (0, "t.html\nt.pdf\n")
    assert call("report", "t", "--format", "pdf", "--output", "x")[0] == 0
    assert [(args[1], named["output"]) for args, named in written] == [
        (("html", "pdf"), None),
        (("pdf",), Path("x")),
    ]
    assert call("report", "t", "--cross", "cost, type")[0] == 0
    assert written[-1][1]["cross"] == [("cost", "type")]
    code, _, err = call("report", "t", "--cross", "cost")
    assert (code, "two fields" in err) == (2, True)


def test_a_list_in_words_and_as_json(call: Call, stand: Stand) -> None:
    component = {"id": "cards", "kind": "card", "trim_mm": [63.5, 88.9], "unique": 6, "copies": 9}
    entry = {
        "game": "t",
        "title": "Tiny\n",
        "version": "1.0",
        "components": [component, {**component, "id": "mixed", "trim_mm": None}],
        "sheets": [{"name": "poker", "components": ["cards", "mixed"]}],
        "decks": [{"id": "first", "title": "First", "unique": 2, "copies": 4}],
    }
    stand(
        "commands.data.list.list_games",
        [entry, {**entry, "game": "u", "components": [], "sheets": [], "decks": []}],
    )
    code, out, _ = call("list")
    assert code == 0
    assert out.splitlines() == [
        "t  Tiny\\n, version 1.0",
        "  cards            card   63.5×88.9 mm       6 distinct, 9 in all",
        "  mixed            card   several sizes      6 distinct, 9 in all",
        "  --sheet poker        cards, mixed",
        "  --deck first         First: 2 distinct, 4 in all",
        "u  Tiny\\n, version 1.0",
    ]
    stand("load", game_of())
    stand("commands.data.list.list_game", entry)
    assert json.loads(call("list", "t", "--format", "json")[1]) == entry


def test_a_reference_is_written_or_compared(call: Call, stand: Stand) -> None:
    stand("load", game_of())
    stand("commands.data.reference.write_reference", Path("data/t/GAME_CARDS.md"))
    stand("commands.data.reference.reference_problem", None, "data/u/GAME_CARDS.md is out of date")
    assert call("reference", "t") == (0, "data/t/GAME_CARDS.md\n", "")
    assert call("reference", "t", "u", "--check") == (
        1,
        "t: the card reference is up to date\n",
        "data/u/GAME_CARDS.md is out of date; run: cardgen reference u\n",
    )
    assert call("reference", "t", "u", "--output", "x")[0] == 2


def test_a_proof_a_project_and_a_test_page_say_where_they_are(call: Call, stand: Stand) -> None:
    proofs = stand("proof", [Path("x-face.png"), Path("x-back.png")])
    assert call("proof", "t", "x", "--dpi", "99", "--bleed")[1] == "x-face.png\nx-back.png\n"
    assert (proofs[0][0], proofs[0][1]["dpi"], proofs[0][1]["bleed"]) == (("t", "x"), 99, True)
    stand("new_project", Path("somewhere/night-market"))
    assert call("new", "night-market")[1].splitlines()[1] == "  cd night-market && cardgen build"
    pages = stand("commands.build.proofs.calibrate", Path("calibration.pdf"))
    assert call("calibrate", "--paper", "a4")[1].startswith("calibration.pdf\nPrint it on both sides")
    assert pages[0][1]["paper"] == "a4"
    kept = stand("commands.build.proofs.store_calibration", Path("inky.toml"))
    words = ("calibrate", "--printer", "inky", "--read", "1", "2", "-3", "4.5")
    assert call(*words)[1] == "stored: inky.toml\n"
    stated = {"margin": None, "rotation": None, "paper": "letter", "landscape": False}
    assert kept[0] == (("inky", (1.0, 2.0, -3.0, 4.5)), stated)
    assert call("calibrate", "--read", "1", "2", "3", "4")[0] == 2


def test_a_machine_that_lacks_something_is_told_what_to_type(call: Call, stand: Stand) -> None:
    fit = SimpleNamespace(ok=True, name="Python", detail="3.11", remedy=None)
    unfit = SimpleNamespace(ok=False, name="libcairo", detail="not found", remedy="brew install cairo")
    stand("commands.data.doctor.doctor", [fit], [fit, unfit])
    assert call("doctor")[:2] == (0, "ok  Python: 3.11\n")
    assert call("doctor")[:2] == (
        1,
        "ok  Python: 3.11\nNO  libcairo: not found\n     brew install cairo\n",
    )


# ---------------------------------------------------------------- progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(text: str) -> str:
    """What a terminal shows in the end of what was written to its one line."""
    shown = ""
    for written in text.split("\r"):
        shown = written + shown[len(written) :]
    return shown.rstrip()


@pytest.mark.parametrize(
    ("stream", "quiet", "term"),
    [(io.StringIO(), False, "xterm"), (Terminal(), True, "xterm"), (Terminal(), False, "dumb")],
)
def test_progress_without_a_terminal_is_a_line_every_few_seconds(
    stream: io.StringIO, quiet: bool, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = type(stream)()
    seconds = iter((0.0, 0.5, 2.0, 3.0, 8.0))
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("time.monotonic", lambda: next(seconds))
    monkeypatch.setenv("TERM", term)
    monkeypatch.delenv("CARDGEN_PROGRESS")
    bar = ProgressBar(quiet)
    for done in (10, 20, 3000, 4000):
        bar("drawing", done, 20_000)
    assert stream.getvalue() == ("" if quiet else "drawing 20/20,000 …\ndrawing 4,000/20,000 …\n")


@pytest.mark.parametrize(
    ("stream", "quiet", "term"),
    [(io.StringIO(), False, "xterm"), (Terminal(), True, "xterm"), (Terminal(), False, "dumb")],
)
def test_progress_can_be_silenced(
    stream: io.StringIO, quiet: bool, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("CARDGEN_PROGRESS", "off")
    with ProgressBar(quiet) as progress:
        for step, done in (("drawing", 0), ("drawing", 3), ("writing", 1)):
            progress(step, done, 3)
    assert stream.getvalue() == ""


def test_progress_is_a_line_on_a_terminal_and_gone_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("CARDGEN_PROGRESS")
    with ProgressBar() as progress:
        tell("reading")
        assert screen(stream.getvalue()) == "reading …"
        for _ in counted("drawing", "abcd"):
            pass
        progress("writing", 1, 2)
        assert screen(stream.getvalue()) == f"writing  {'█' * 12}{'░' * 12}  1/2"
        progress("a\x1b[31m" + "long " * 90, 1, 2)
        assert len(screen(stream.getvalue())) <= 79
        assert "\x1b" not in stream.getvalue()
    assert screen(stream.getvalue()) == ""
    assert "drawing  " in stream.getvalue()
    before = stream.getvalue()
    tell("writing", 2, 2)
    assert stream.getvalue() == before


def test_who_listens_within_is_told() -> None:
    outer: list[str] = []
    inner: list[str] = []
    with told_to(lambda *said: outer.append(said[0])):
        tell("a")
        with told_to(lambda *said: inner.append(said[0])), told_to(None):
            tell("b")
        tell("c")
    tell("d")
    assert (outer, inner) == (["a", "c"], ["b"])


def test_the_library_has_no_other_names(wording: Wording) -> None:
    with pytest.raises(AttributeError) as caught:
        _ = cardgen.nosuch
    wording(caught.value)


def test_the_help_of_export_names_its_targets_letter_by_letter(call: Call, stand: Stand) -> None:
    summaries = {"png": "pictures", "mine": "100% %(prog)s\n"}
    stand("exporters", {name: SimpleNamespace(summary=text) for name, text in summaries.items()})
    code, out, _ = call("export", "--help")
    assert code == 0
    assert "\n  png             pictures\n  mine            100% %(prog)s\\n\n" in out
    code, out, _ = call("export", "--to", "other", "--help")
    assert (code, "pictures" in out) == (0, True), "an unknown target gets the help of all"


@for_each(
    ("target", "words"),
    [(name, ("--to", name, "--help")) for name in cardgen.exporters()] + [("png", ("-h", "--to=png"))],
)
def test_export_help_with_a_target_lists_only_its_options(
    target: str, words: tuple[str, ...], call: Call
) -> None:
    code, out, _ = call("export", "demo", *words)
    assert code == 0
    listed = re.findall(r"^  --([\w-]+)", out, re.MULTILINE)
    assert set(listed) & set(export_options()) == set(options_of(target))
    assert cardgen.exporters()[target].summary in out
    assert set(listed) >= {"to", "quiet", "project"}


def test_export_help_without_a_target_lists_every_option_once(call: Call) -> None:
    _, out, _ = call("export", "--help")
    listed = re.findall(r"^  --([\w-]+)", out, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) >= set(export_options())


def test_export_help_of_a_hostile_target_is_literal(call: Call, stand: Stand) -> None:
    stand("exporters", {"mine": SimpleNamespace(summary="5% %(prog)s \x1b[1m", options=("dpi",))})
    code, out, _ = call("export", "--to", "mine", "--help")
    assert (code, "5% %(prog)s" in out, "\x1b" in out) == (0, True, False)


# ---------------------------------------------------------------- help


def documented() -> list[Any]:
    """Return every option and argument of every command as a pytest parameter."""
    parser = arguments._parser(frozenset(arguments.COMMANDS))
    (commands,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return [
        pytest.param(action, id=f"{name}-{action.dest}")
        for name, command in commands.choices.items()
        for action in command._actions
        if action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction)
    ]


@for_each("action", documented())
def test_option_help_is_short_with_its_default_last(action: argparse.Action) -> None:
    assert action.help
    assert len(action.help.split()) <= 12
    assert re.fullmatch(r"[a-z][^()]*(\(default: [^()]+\)|\([^()]*\)[^()]*)?", action.help)
    assert (action.help + "%(prog)s") % {"prog": "", "default": ""} == action.help
    if isinstance(action.default, str | int) and action.default:
        assert f"(default: {action.default}" in action.help


def test_every_command_has_one_group_and_a_function() -> None:
    assert list(arguments.GROUPS) == ["make", "look", "check", "ship"]
    assert sum(map(len, arguments.GROUPS.values())) == len(arguments.COMMANDS)
    assert all(map(arguments.function_of, arguments.COMMANDS))


@for_each(
    ("name", "example"),
    [(name, example) for group in arguments.GROUPS.values() for name, (example, _) in group.items()],
)
def test_every_example_parses_and_fits_a_terminal(name: str, example: str, call: Call) -> None:
    assert arguments.parse(example.split()).command == name
    _, out, _ = call("--help")
    (line,) = (line for line in out.splitlines() if line.startswith(f"  cardgen {example}  "))
    assert len(line) <= 80
    assert line.endswith(f"  {arguments.COMMANDS[name]}")
    assert f"example: cardgen {example}\n" in call(name, "--help")[1]


def test_the_help_ends_with_documentation_that_exists(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def last() -> Path:
        arguments._parser.cache_clear()
        return Path(call("--help")[1].splitlines()[-1].removeprefix("documentation: "))

    assert last().is_file()
    readme = tmp_path / f"cardgen-{cardgen.__version__}.dist-info/METADATA"
    readme.parent.mkdir()
    readme.write_text("", encoding="utf-8")
    monkeypatch.setattr(cardgen, "__file__", str(tmp_path / "cardgen/__init__.py"))
    assert last() == readme
    monkeypatch.undo()
    arguments._parser.cache_clear()


# ---------------------------------------------------------------- changes


def test_diff_says_what_changed(call: Call, stand: Stand, tmp_path: Path) -> None:
    found = SimpleNamespace(
        findings=(WRONG,), old_findings=(MILD,), is_same=False, plain=lambda: {"version": 1}
    )
    game = object()
    loaded = stand("load", game)
    asked = stand("differences", found)
    stand("commands.compare.differences.difference_lines", ["one", "two"])
    written = stand("commands.compare.page.write_difference_page", None)
    words = ("diff", "t", "--project", str(tmp_path), "--component", "a", "--language", "de")
    code, out, err = call(*words)
    assert (code, out) == (0, "one\ntwo\n")
    assert "it is wrong" in err
    assert "it is odd" in err
    assert loaded[0][1]["language"] == "de"
    assert loaded[0][1]["partial"] is True
    (of, project, since), more = asked[0]
    assert (of, project.root, since, more["components"]) == (game, tmp_path, "HEAD", ["a"])
    assert written == []
    code, out, err = call(*words, "--format", "json", "--since", "v1", "--html", "x.html", "--exit-code")
    assert (code, err) == (1, "")
    assert [each["message"] for each in json.loads(out)["findings"]] == ["it is wrong", "it is odd"]
    assert asked[1][0][2] == "v1"
    assert written[0][0] == (found, Path("x.html"))
    found.is_same = True
    assert call(*words, "--exit-code")[0] == 0


@for_each(
    ("old", "new"),
    [
        (("report", "t", "--against", "v1", "--color=rgb"), {"since": "v1", "inks": "rgb"}),
        (("build", "t", "--changed-since=v1", "--color", "cmyk"), {"since": "v1", "inks": "cmyk"}),
        (("font", "add", "x.ttf", "--licence", "OFL-1.1"), {"license": "OFL-1.1"}),
    ],
)
def test_old_names_of_options_still_work_and_are_reported(
    old: tuple[str, ...], new: dict[str, str], call: Call
) -> None:
    words, renamed = arguments.with_new_names(old)
    given = vars(arguments.parse(words))
    assert {name: given[name] for name in new} == new
    said = call(*old)[2]
    assert said.count("[usage/renamed]") == len(renamed) == len(new)


def test_options_offer_what_the_library_knows() -> None:
    for to in TABLE_FORMATS:
        assert arguments.parse(["table", "t", "--to", to]).to == to
    for shell in SHELLS:
        assert arguments.parse(["completion", shell]).shell == shell


def test_help_of_a_service_lists_only_its_options(call: Call) -> None:
    (images, pdfs) = (call("export", "--to", name, "--help")[1] for name in ("mpc", "printshop"))
    assert "--stock" in images
    assert "--inks" not in images
    assert "--inks" in pdfs
    assert "--stock" not in pdfs


def test_watch_says_a_line_a_build(call: Call, stand: Stand, tmp_path: Path) -> None:
    file = SimpleNamespace(pages=3)
    fine = SimpleNamespace(files=[file, file], up_to_date=False)
    nothing = SimpleNamespace(files=[], up_to_date=False)
    steps = [
        SimpleNamespace(result=fine, findings=(MILD,), seconds=1.234),
        SimpleNamespace(result=None, findings=(WRONG, MILD), seconds=0.05),
        SimpleNamespace(result=None, findings=(WRONG, MILD), seconds=0.05),
        SimpleNamespace(result=nothing, findings=(), seconds=0.1),
    ]
    words = ("watch", "t", "--project", str(tmp_path), "--sheet", "s", "--since", "v1")
    asked = stand("commands.build.watch.watch", steps)
    code, out, err = call(*words)
    assert code == 0
    assert out.splitlines() == [
        "t: 2 files, 6 pages, 1.23 s",
        "t: not built, 0.05 s; waiting for the next save",
        "t: not built, 0.05 s; waiting for the next save",
        "t: no card has changed since then, so nothing is written, 0.10 s",
    ]
    assert err.count("it is odd") == 1, "what stays as it is is said once"
    assert err.count("it is wrong") == 2, "but for errors"
    assert (asked[0][0][0].sheets, asked[0][0][0].since) == (("s",), "v1")
    assert "files" not in call(*words, "--quiet")[1]
