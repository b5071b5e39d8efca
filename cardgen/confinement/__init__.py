"""Running a program where it can do little harm: no network, few files, one process, bounded.

It knows no game and no project. `reach` says which files a program may read and write, `limits` how
much it may take. `parent` starts Python anew; before that process runs anything else, `child` takes away
what the system lets it take away (`landlock`, `seccomp`, `rights`, or from outside
`bubblewrap`, `seatbelt`), and then tries what should no longer work (`trial`). So it says what was held,
never what was hoped for.
"""

from __future__ import annotations

from cardgen.confinement.held import Held, is_confined
from cardgen.confinement.limits import Limits
from cardgen.confinement.parent import available, run
from cardgen.confinement.reach import Places, python_files, system_files

__all__ = ["Held", "Limits", "Places", "available", "is_confined", "python_files", "run", "system_files"]
