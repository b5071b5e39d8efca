"""The command line: arguments to options, options to the library, results to print and an exit code.

A command imports its modules when it runs, so that no other command pays for them.
"""

from __future__ import annotations

from cardgen.cli.arguments import COMMANDS
from cardgen.cli.main import main
from cardgen.cli.saying import FINDINGS, MISUSE, OK

__all__ = ["COMMANDS", "FINDINGS", "MISUSE", "OK", "main"]
