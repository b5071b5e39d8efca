"""`python -m cardgen` is the command `cardgen`."""

from __future__ import annotations

from cardgen.cli.main import main

raise SystemExit(main())
