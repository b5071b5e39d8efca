"""`cardgen doctor`: check that this machine has cardgen's requirements."""

from __future__ import annotations

import argparse

from cardgen.cli.saying import FINDINGS, OK, say


def run(given: argparse.Namespace) -> int:
    from cardgen.commands.data.doctor import doctor

    checks = doctor()
    for check in checks:
        say(f"{'ok ' if check.ok else 'NO '} {check.name}: {check.detail}")
        if not check.ok and check.remedy:
            say(f"     {check.remedy}")
    return OK if all(check.ok for check in checks) else FINDINGS
