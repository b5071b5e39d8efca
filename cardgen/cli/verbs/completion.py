"""`cardgen completion`: print a tab-completion script for your shell."""

from __future__ import annotations

import argparse
import os

import cardgen
from cardgen.cli.saying import OK

SHELLS = {
    "bash": ("~/.bashrc", 'eval "$(cardgen completion bash)"'),
    "zsh": ("~/.zshrc", 'autoload -Uz compinit && compinit && eval "$(cardgen completion zsh)"'),
    "fish": ("~/.config/fish/config.fish", "cardgen completion fish | source"),
}
"""The settings file of each shell, and the line to add to it."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add how to enable completion to the help."""
    lines = (f"  {shell}: in {file}\n    {line}" for shell, (file, line) in SHELLS.items())
    parser.epilog = "\n".join(("to enable it in every new terminal, add this line:", *lines))


def run(given: argparse.Namespace) -> int:
    shell = given.shell or os.path.basename(os.environ.get("SHELL", ""))
    if shell not in SHELLS:
        raise cardgen.UsageError(
            "it is not known which shell you use", "name bash, zsh or fish: cardgen completion bash"
        )
    from argcomplete.shell_integration import shellcode

    print(shellcode(["cardgen"], shell=shell))
    return OK
