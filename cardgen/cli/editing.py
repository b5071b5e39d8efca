"""The commands that start, list and edit a project's files."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cardgen
from cardgen.cli.saying import FINDINGS, OK, as_plain, complain, exit_code, print_json, say, stand_in, told
from cardgen.core.findings import plural
from cardgen.core.progress import ProgressBar
from cardgen.core.records import replace

if TYPE_CHECKING:
    from cardgen.commands.data.fonts import AddedFont


def run_new(given: argparse.Namespace) -> int:
    """`cardgen new`: start a project with a small working game."""
    from cardgen.commands.data.new import local_paper
    from cardgen.commands.data.starters import list_starters

    if given.refresh:
        return _refresh_project(given)
    if given.list:
        for starter in list_starters():
            say(f"{starter.name:<14} {starter.about}")
        return OK
    if given.name is None:
        raise cardgen.UsageError(
            "a new project needs a name",
            "list the starters: cardgen new --list, or begin with a plain deck: cardgen new NAME",
        )
    if given.table is not None:
        return _new_from_table(given)
    for option in ("trim", "look", "by"):
        if (value := getattr(given, option)) is not None:
            hint = f"remove it, or give a table: cardgen new {given.name} --from FILE --{option} {value}"
            raise cardgen.UsageError(f"--{option} is for cards of a table", hint)
    paper = local_paper()
    folder = cardgen.new_project(
        given.name, Path(given.project or "."), template=given.template, paper=paper
    )
    say(f"{folder}: a new project; next:")
    say(f"  cd {folder.name} && cardgen build")
    _say_paper(paper)
    return OK


def _say_paper(paper: str | None) -> None:
    if paper is not None:
        say(f"it prints on {paper}, as usual where you are: change it in cardgen.yaml")


def run_add(given: argparse.Namespace) -> int:
    """`cardgen add`: add a component or a sheet to a game."""
    from cardgen.commands.data.add import add_component, add_sheet

    project = cardgen.Project.open(given.project)
    game = given.game or project.game_here()
    if given.kind == "sheet":
        _refuse(given, ("template", "size", "id", "from", "look"), "add sheet LAYOUT", "a sheet")
        if given.layout is None:
            hint = "name one of cardgen list --layouts: cardgen add sheet sleeves"
            raise cardgen.UsageError("a sheet needs a layout", hint)
        added = add_sheet(given.layout, game, project=project, components=given.component)
    else:
        _refuse(given, ("layout", "component"), f"add {given.kind}", "a component")
        added = add_component(
            given.kind,
            game,
            project=project,
            template=given.template,
            size=given.size,
            id=given.id,
            source=given.source,
            look=given.look,
        )
    complain(added.findings)
    for file in added.files:
        say(f"{project.seen_from_here(file)}: {'changed' if file.endswith('game.yaml') else 'new'}")
    for file in added.kept:
        say(f"{project.seen_from_here(file)}: kept, the game has its own")
    sheet = f" --sheet {added.sheet}" if added.sheet else ""
    say(f"next: cardgen build {game}{sheet}")
    return OK


def _refuse(given: argparse.Namespace, names: Sequence[str], command: str, what: str) -> None:
    """Refuse options that don't apply to an addition."""
    for name in names:
        if getattr(given, "source" if name == "from" else name):
            option = "a layout" if name == "layout" else f"--{name}"
            raise cardgen.UsageError(f"{what} doesn't accept {option}", f"remove it: cardgen {command}")


def _refresh_project(given: argparse.Namespace) -> int:
    from cardgen.commands.production.editor_files import refresh_project

    if given.name is not None:
        raise cardgen.UsageError(
            "--refresh updates this project and accepts no name", "omit the name: cardgen new --refresh"
        )
    project = cardgen.Project.open(given.project)
    written = refresh_project(project)
    for file in written:
        say(f"{project.seen_from_here(file)}: written")
    if not written:
        print("up to date")
    return OK


MOST_OFFERED = 6
"""Most templates of a deck that are offered."""


def _new_from_table(given: argparse.Namespace) -> int:
    from cardgen.commands.check.preflight import unprinted
    from cardgen.commands.data.new import local_paper

    if given.template is not None:
        raise cardgen.UsageError(
            "--from and --template are two ways to begin",
            f"choose one: cardgen new {given.name} --from {given.table}",
        )
    folder, paper = Path(given.project or "."), local_paper()
    new = cardgen.new_from_table(
        given.name, folder, given.table, trim=given.trim, look=given.look, by=given.by, paper=paper
    )
    say(f"{new.folder}: a new project, {plural(new.cards, 'card')} from {given.table}")
    for each in new.components:
        if len(new.components) > 1:
            say(f"{each.deck.id}: {plural(each.deck.copies, each.deck.kind)}")
        for what, headers in each.shown.items():
            say(f"  {what + ':':<17} {', '.join(headers)}")
        if each.left_out:
            say(f"  {'not on the card:':<17} {', '.join(each.left_out)}")
        group = each.deck.roles.group
        if given.by is None and group is not None and len(set(group.texts)) <= MOST_OFFERED:
            say(f"  for a template for each {group.header}, add --by {shlex.quote(group.header)}")
    if new.skipped:
        say(f"skipped: {', '.join(new.skipped)}")
    if new.pictures:
        say(f"  {plural(new.pictures, 'picture')} copied to {new.art}")
    if new.missing:
        missing = f"{plural(len(new.missing), 'picture')} not found, such as {new.missing[0]}"
        say(f"  {missing}: drawn scenes are in {new.art}")
    project = cardgen.Project.open(new.folder)
    stand_in(lambda: project)
    options = cardgen.BuildOptions(given.name, keep_going=True)
    result = cardgen.build(options if paper is None else replace(options, paper=paper), project=project)
    complain((*new.findings, *result.findings, *unprinted(given.name, project=project)))
    for file in result.files:
        say(f"{file.shown}: {plural(file.pages, 'page')} to print")
    if any(finding.severity is cardgen.Severity.ERROR for finding in result.findings):
        say("cards with errors are hatched boxes there: fix the errors above in the table, then build")
    where = "a text editor" if new.data.endswith(".json") else "your spreadsheet program"
    say(f"edit {new.folder / new.data} in {where}; next:")
    say(f"  cd {new.folder.name} && cardgen check")
    _say_paper(paper)
    return exit_code(result.findings, "error")


def run_list(given: argparse.Namespace) -> int:
    """`cardgen list`: list games, sheets, sizes, icons and more."""
    from cardgen.commands.data.list import list_game, list_games

    project = cardgen.Project.open(given.project)
    if given.kind:
        return _catalogue(given, project)
    if given.language and not given.game:
        raise cardgen.UsageError(
            "--language needs a game", f"name the game: cardgen list GAME --language {given.language}"
        )
    if given.game:
        entry = list_game(given.game, project=project, language=given.language)
        entries = [entry]
        content: Any = entry
    else:
        content = entries = list_games(project)
    if given.format == "json":
        print_json(content)
        return OK
    for entry in entries:
        say(f"{entry['game']}  {entry['title']}, version {entry['version']}")
        for component in entry["components"]:
            trim = component["trim_mm"]
            size = f"{trim[0]:g}×{trim[1]:g} mm" if trim else "several sizes"
            say(
                f"  {component['id']:<16} {component['kind']:<6} {size:<18} "
                f"{component['unique']} distinct, {component['copies']} in all"
            )
        for sheet in entry["sheets"]:
            say(f"  --sheet {sheet['name']:<12} {', '.join(sheet['components'])}")
        for state in entry.get("languages", ()):
            say(f"  --language {state['language']:<9} {_language_in_words(state)}")
        for deck in entry.get("decks", ()):
            say(
                f"  --deck {deck['id']:<13} {deck['title']}: {deck['unique']} distinct, "
                f"{deck['copies']} in all"
            )
    return OK


def _language_in_words(state: Any) -> str:
    from cardgen.commands.data.translate import LanguageState

    return LanguageState.in_words(state)


def _catalogue(given: argparse.Namespace, project: cardgen.Project) -> int:
    from cardgen.commands.data.list import catalogue

    if given.game and given.kind not in ("icons", "rules"):
        raise cardgen.UsageError(
            f"--{given.kind} are the same for all games", f"omit the game: cardgen list --{given.kind}"
        )
    if given.language:
        raise cardgen.UsageError(
            f"--{given.kind} are the same in all languages",
            f"remove --language: cardgen list --{given.kind}",
        )
    entries = catalogue(given.kind, project, given.game)
    if given.format == "json":
        print_json(entries)
        return OK
    rows = []
    for entry in entries:
        cells = [entry["name"], *_CELLS[given.kind](entry["details"]), entry["title"]]
        rows.append([*cells, project.seen_from_here(entry["file"]) if entry["own"] else ""])
    for line in _aligned(rows):
        say(line)
    return OK


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines with aligned columns, without empty columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths) if width).rstrip() for row in rows
    ]


def _size_cell(details: Any) -> list[str]:
    width, height = details["size_mm"]
    return [f"{width:g}×{height:g} mm"]


def _layout_cells(details: Any) -> list[str]:
    grid = details["grid"]
    return ["×".join(map(str, grid)) if isinstance(grid, list) else grid, details["duplex"]]


_CELLS: dict[str, Callable[[Any], list[str]]] = {
    "sizes": _size_cell,
    "papers": _size_cell,
    "layouts": _layout_cells,
    "icons": lambda details: [details["game"] or "all games"],
    "rules": lambda details: [details["game"], details["kind"]],
    "fonts": lambda details: [", ".join([*details["styles"], *details["generic"]]), details["licence"]],
    "services": lambda details: [details["address"] or ""],
    "starters": lambda details: [],
}
"""The cells of an entry between its name and its title."""


def run_table(given: argparse.Namespace) -> int:
    """`cardgen table`: edit cards in a spreadsheet and read them back."""
    from cardgen.commands.data.spreadsheets import edit_lines

    project = cardgen.Project.open(given.project)
    if given.to is not None:
        if given.dry_run or given.format != "text":
            hint = f"remove them, or read a file: cardgen table {given.game} --from FILE"
            raise cardgen.UsageError("--dry-run and --format are for --from", hint)
        output = given.output
        for place in cardgen.to_spreadsheet(
            given.game,
            given.to,
            project=project,
            output=output,
            components=given.component,
            replace=given.replace,
        ):
            say(str(place))
        return OK
    if given.output or given.replace:
        hint = f"remove them, or write a file: cardgen table {given.game} --to xlsx"
        raise cardgen.UsageError("--output and --replace are for --to", hint)
    back = cardgen.from_spreadsheet(
        given.game,
        Path(given.source),
        project=project,
        components=given.component,
        write=not given.dry_run,
    )
    complain(back.findings)
    if given.format == "json":
        print_json({"edits": [edit.plain() for edit in back.edits], "files": list(back.files)})
        return OK
    for line in edit_lines(back.edits):
        say(line)
    if not back.edits:
        say("nothing has changed")
    elif given.dry_run:
        say("nothing was written (--dry-run)")
    else:
        say(f"{plural(len(back.files), 'file')} written")
    return OK


def run_pull(given: argparse.Namespace) -> int:
    """`cardgen pull`: download a game's published spreadsheets."""
    from cardgen.commands.data.pull import pull

    project = cardgen.Project.open(given.project)
    pulled = pull(given.game, project=project, write=not given.dry_run)
    for each in pulled:
        place = project.show(project.root / each.file)
        rows = plural(each.rows, "row")
        if each.is_changed:
            say(f"{place}: {'new' if each.is_new else 'changed'}, {rows}")
            for line in each.lines:
                say(f"  {line}")
        elif not each.findings:
            say(f"{place}: as it was, {rows}")
        else:
            say(f"{place}: left as it was")
    if given.dry_run and any(each.is_changed for each in pulled):
        say("nothing was written (--dry-run)")
    findings = [finding for each in pulled for finding in each.findings]
    complain(findings)
    return FINDINGS if any(each.findings and not each.is_changed for each in pulled) else OK


def run_schema(given: argparse.Namespace) -> int:
    """`cardgen schema`: write schemas that match the card data."""
    from cardgen.commands.data.schemas import write_schemas

    project = cardgen.Project.open(given.project)
    changes = write_schemas(given.game, project=project, write=not given.dry_run)
    for change in changes:
        place = project.show(project.root / change.file)
        say(f"{place}: {'new' if change.is_new else 'added' if change.added else 'as it should be'}")
        for line in change.added:
            say(f"  + {line}")
        for line in change.unsure:
            say(f"  ? {line}")
    if given.dry_run and any(change.is_changed for change in changes):
        say("nothing was written (--dry-run)")
    return OK


def run_translate(given: argparse.Namespace) -> int:
    """`cardgen translate`: write or update a game's texts for translators."""
    from cardgen.commands.data.translate import LanguageState, translate

    project = cardgen.Project.open(given.project)
    check = given.check
    with ProgressBar():
        states = translate(given.game, given.language, project=project, write=not check, measure=check)
    if given.format == "json":
        print_json([{**state.plain(), "findings": as_plain(state.findings)} for state in states])
    elif not states:
        say(f"{given.game} states no languages: in game.yaml, languages: {{de: {{}}}}")
    for state in states if given.format == "text" else ():
        wrote = "" if check else "written, " if state.changed else "up to date, "
        say(f"{state.file}: {wrote}{LanguageState.in_words(state.plain())}")
        if state.findings:
            print(told(state.findings, sys.stdout))
    return FINDINGS if check and not all(state.is_whole for state in states) else OK


def run_font(given: argparse.Namespace) -> int:
    """`cardgen font`: add fonts to the project."""
    from cardgen.commands.data.fonts import add_font

    project = cardgen.Project.open(given.project)
    path = Path(given.file) if given.file is not None else None
    if path is None and given.missing_from is None:
        raise cardgen.UsageError("font add needs a file", "name a font file: cardgen font add FILE")
    if given.missing_from is not None or (path is not None and path.is_dir()):
        for option in ("family", "face", "weight"):
            if (value := getattr(given, option)) is not None:
                hint = f"add one file at a time: cardgen font add FILE --{option} {shlex.quote(str(value))}"
                raise cardgen.UsageError(f"--{option} is for a single file", hint)
        return _add_several(given, project, path)
    assert path is not None
    font = add_font(
        path,
        project,
        family=given.family,
        licence=given.license,
        face=given.face,
        weight=given.weight,
    )
    _say_added(font, project)
    say("put its license text next to it; templates use this name: " + f'font-family="{font.family}"')
    return OK


def _add_several(given: argparse.Namespace, project: cardgen.Project, folder: Path | None) -> int:
    from cardgen.commands.data.fonts import add_fonts, add_missing_fonts

    if given.missing_from is not None:
        drawing = Path(given.missing_from)
        found = add_missing_fonts(drawing, project, folder=folder, licence=given.license)
    else:
        assert folder is not None
        found = add_fonts(folder, project, licence=given.license)
    for font in found.added:
        _say_added(font, project)
    for file, reason in found.skipped:
        say(f"skipped {file}: it {reason}")
    for face, file in found.absent:
        say(f"not found: {face}; get {file}, then: cardgen font add {file}")
    if found.added:
        families = ", ".join(sorted({font.family for font in found.added}))
        say(f"{plural(len(found.added), 'font')} added of {families}; put their license texts next to them")
    elif found.known or not found.absent:
        say("the project has these fonts already")
    return FINDINGS if found.absent else OK


def _say_added(font: AddedFont, project: cardgen.Project) -> None:
    file, style = project.seen_from_here(font.file), "italic" if font.italic else "upright"
    say(f"{file}: {font.family}, {font.weight} {style}, {font.licence or 'license unknown'}")


def run_reference(given: argparse.Namespace) -> int:
    """`cardgen reference`: write a game's card reference, GAME_CARDS.md."""
    from cardgen.commands.data.reference import reference_problem, write_reference

    if given.output and len(given.games) > 1:
        hint = f"name one game: cardgen reference {given.games[0]} --output {given.output}"
        raise cardgen.UsageError("--output FILE is for the reference of one game", hint)
    project = cardgen.Project.open(given.project)
    output = given.output
    code = OK
    for name in given.games:
        game = cardgen.load(name, project=project, language=given.language)
        if not given.check:
            say(project.show(write_reference(game, project, output)))
        elif problem := reference_problem(game, project, output):
            more = f" --language {given.language}" if given.language else ""
            say(f"{problem}; run: cardgen reference {name}{more}", sys.stderr)
            code = FINDINGS
        else:
            say(f"{name}: the card reference is up to date")
    return code


def run_sign(given: argparse.Namespace) -> int:
    """`cardgen sign`: sign what games say, for checks to compare."""
    from cardgen.commands.compare.signing import sign

    project = cardgen.Project.open(given.project)
    for name in given.games:
        path, changes = sign(cardgen.load(name, project=project), project)
        for each in changes:
            say(each)
        say(project.show(path))
    return OK


def run_playtest(given: argparse.Namespace) -> int:
    """`cardgen playtest`: begin a playtest's record and its form."""
    from cardgen.commands.data.playtest import begin_playtest

    project = cardgen.Project.open(given.project)
    game = cardgen.load(given.game, project=project, language=given.language)
    record, form = begin_playtest(game, project, output=given.output)
    say(f"{project.show(record)}  the record to fill in")
    say(f"{project.show(form)}  the form for the table")
    return OK


def run_plugin(given: argparse.Namespace) -> int:
    """`cardgen plugin`: start a package that adds to cardgen."""
    from cardgen.commands.data.new_plugin import new_plugin

    folder = new_plugin(given.kind, given.name, Path(given.project or "."))
    say(f"{folder}: a new package; next:")
    say(f"  pip install -e {shlex.quote(str(folder))} && pytest {shlex.quote(str(folder))}")
    return OK


def run_doctor(given: argparse.Namespace) -> int:
    """`cardgen doctor`: check that this machine has cardgen's requirements."""
    from cardgen.commands.data.doctor import doctor

    checks = doctor()
    for check in checks:
        say(f"{'ok ' if check.ok else 'NO '} {check.name}: {check.detail}")
        if not check.ok and check.remedy:
            say(f"     {check.remedy}")
    return OK if all(check.ok for check in checks) else FINDINGS


SHELLS = {
    "bash": ("~/.bashrc", 'eval "$(cardgen completion bash)"'),
    "zsh": ("~/.zshrc", 'autoload -Uz compinit && compinit && eval "$(cardgen completion zsh)"'),
    "fish": ("~/.config/fish/config.fish", "cardgen completion fish | source"),
}
"""The settings file of each shell, and the line to add to it."""


def add_completion_options(parser: argparse.ArgumentParser) -> None:
    """Add how to enable completion to the help."""
    lines = (f"  {shell}: in {file}\n    {line}" for shell, (file, line) in SHELLS.items())
    parser.epilog = "\n".join(("to enable it in every new terminal, add this line:", *lines))


def run_completion(given: argparse.Namespace) -> int:
    """`cardgen completion`: print a tab-completion script for your shell."""
    shell = given.shell or os.path.basename(os.environ.get("SHELL", ""))
    if shell not in SHELLS:
        raise cardgen.UsageError(
            "it is not known which shell you use", "name bash, zsh or fish: cardgen completion bash"
        )
    from argcomplete.shell_integration import shellcode

    print(shellcode(["cardgen"], shell=shell))
    return OK
