"""What a confined process is kept from: each thing is tried in one, and the line on standard error must
have promised it. What a system cannot hold is left out, and the line must not promise that."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cardgen import CardgenError, UsageError
from cardgen.files import confinement as bubblewrap
from cardgen.files import kernel_rules as landlock
from cardgen.files import kernel_rules as seccomp
from cardgen.files.confinement import _search_path, available, run
from cardgen.files.confinement_limits import Limits, Places, python_files, system_files
from tests.for_each import for_each
from tests.measuring import VARIABLE
from tests.wording import Wording

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux is held")

HAS_LANDLOCK = landlock.version() > 0
HAS_SECCOMP = seccomp.supported()
HAS_BUBBLEWRAP = bubblewrap.bubblewrap_program() is not None
needs_landlock = pytest.mark.skipif(not HAS_LANDLOCK, reason="this kernel has no Landlock")
needs_seccomp = pytest.mark.skipif(not HAS_SECCOMP, reason="no seccomp here, or an unknown processor")
needs_bubblewrap = pytest.mark.skipif(
    not HAS_BUBBLEWRAP, reason="bubblewrap is not installed or not allowed"
)

MEANS = [
    pytest.param((), id="landlock", marks=needs_landlock),
    pytest.param(("landlock",), id="bubblewrap", marks=needs_bubblewrap),
]
"""What to leave out so that files are confined by the means of that name."""

TRY = """
import json, os, sys
def attempt(action):
    try:
        action()
    except (OSError, ValueError, MemoryError) as error:
        return type(error).__name__
    return None
said = {}
"""

Try = Callable[..., dict[str, Any]]


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder like somebody's home: a secret in it, and things that a confined process may use."""
    for name in ("home/.ssh", "pack/data", "output"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "home/.ssh/id").write_text("secret", encoding="ascii")
    (tmp_path / "pack/data/cards.yaml").write_text("cards: []", encoding="ascii")
    return tmp_path


@pytest.fixture
def attempts(outside: Path, capfd: pytest.CaptureFixture[str]) -> Try:
    """Runs statements that fill `said` in a confined process; returns that, with the line as "line"."""

    def confined(statements: str, *, without: Sequence[str] = (), **more: Any) -> dict[str, Any]:
        places = Places(
            (str(outside / "pack/data"), *system_files(), *python_files([Path.cwd()])),
            (str(outside / "output"),),
        )
        code = f"{TRY}\nbase = {str(outside)!r}\n{statements}\nprint(json.dumps(said))"
        assert run(("-c", code), places, without=without, **more) == 0
        out, err = capfd.readouterr()
        said: dict[str, Any] = json.loads(out)
        return {**said, "line": err.splitlines()[0]}

    return confined


@pytest.mark.parametrize("without", MEANS)
def test_files(attempts: Try, outside: Path, without: Sequence[str]) -> None:
    said = attempts(
        """
said["secret"] = attempt(lambda: open(base + "/home/.ssh/id").read())
said["list"] = attempt(lambda: os.listdir(base + "/home"))
said["users"] = attempt(lambda: open("/etc/passwd").read())
said["round about"] = attempt(lambda: open("/proc/self/root/etc/passwd").read())
said["write home"] = attempt(lambda: open(base + "/home/new", "w"))
said["write pack"] = attempt(lambda: open(base + "/pack/data/cards.yaml", "a"))
said["new in pack"] = attempt(lambda: open(base + "/pack/data/new.yaml", "w"))
said["remove"] = attempt(lambda: os.unlink(base + "/pack/data/cards.yaml"))
said["move"] = attempt(lambda: os.rename(base + "/pack/data/cards.yaml", base + "/output/cards.yaml"))
said["write /etc"] = attempt(lambda: open("/etc/new", "w"))
said["read pack"] = attempt(lambda: open(base + "/pack/data/cards.yaml").read())
said["write output"] = attempt(lambda: open(base + "/output/sheet.pdf", "w").write("x"))
said["folder in output"] = attempt(lambda: os.makedirs(base + "/output/a/b"))
said["move in output"] = attempt(lambda: os.rename(base + "/output/sheet.pdf", base + "/output/a/b/s.pdf"))
said["cache"] = attempt(lambda: open(os.environ["CARDGEN_CACHE"] + "/x", "w"))
said["temporary"] = attempt(lambda: __import__("tempfile").TemporaryFile())
said["nothing"] = attempt(lambda: open(os.devnull, "w").write("x"))
""",
        without=without,
    )
    assert re.search(r"(^|[ ,])files \((landlock \d+|bubblewrap)\)", said["line"])
    refused = {
        *(
            "secret",
            "list",
            "users",
            "round about",
            "write home",
            "write pack",
            "new in pack",
            "remove",
            "move",
        ),
        "write /etc",
    }
    if without:
        # In bubblewrap's own small file system a new file can lie anywhere, and is gone with it.
        said = {name: value for name, value in said.items() if name not in ("write /etc", "write home")}
        refused -= {"write /etc", "write home"}
    assert {name for name, value in said.items() if value and name != "line"} == refused
    assert not (outside / "home/new").exists()
    assert not Path("/etc/new").exists()
    assert (outside / "pack/data/cards.yaml").read_text(encoding="ascii") == "cards: []"
    assert (outside / "output/a/b/s.pdf").read_text(encoding="ascii") == "x"


@needs_landlock
@pytest.mark.parametrize("version", range(1, landlock.version() + 1))
def test_every_older_version_of_landlock_holds(
    outside: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older kernel is asked for less; what it has holds all the same."""
    monkeypatch.delenv(VARIABLE, raising=False)  # there is no place left to write what was measured
    script = f"""
import os
from cardgen.files import kernel_rules as landlock
landlock.version = lambda: {version}
landlock.no_new_privileges()
landlock.restrict([{str(outside / "pack")!r}, "/usr", "/lib"], [{str(outside / "output")!r}])
open({str(outside / "pack/data/cards.yaml")!r}).close()
open({str(outside / "output/new")!r}, "w").close()
os.rename({str(outside / "output/new")!r}, {str(outside / "output/newer")!r})
for path, mode in (({str(outside / "home/.ssh/id")!r}, "r"), ({str(outside / "pack/new")!r}, "w")):
    try:
        open(path, mode)
    except PermissionError:
        continue
    raise SystemExit(path)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@needs_landlock
def test_links_and_special_files_cannot_be_made(attempts: Try) -> None:
    said = attempts(
        """
said["link"] = attempt(lambda: os.symlink("/etc", base + "/output/link"))
said["pipe"] = attempt(lambda: os.mkfifo(base + "/output/pipe"))
said["hard link"] = attempt(lambda: os.link(base + "/pack/data/cards.yaml", base + "/output/hard"))
"""
    )
    assert all(said.values())


@needs_landlock
def test_a_link_leads_no_further(attempts: Try, outside: Path) -> None:
    (outside / "pack/data/x").symlink_to(outside / "home")
    (outside / "output/y").symlink_to(outside / "home")
    said = attempts(
        """
said["read"] = attempt(lambda: open(base + "/pack/data/x/.ssh/id").read())
said["write"] = attempt(lambda: open(base + "/output/y/new", "w"))
"""
    )
    assert said["read"] == said["write"] == "PermissionError"


@pytest.mark.parametrize(
    "without",
    [
        pytest.param((), id="seccomp", marks=needs_seccomp),
        pytest.param(("seccomp",), id="bubblewrap", marks=needs_bubblewrap),
    ],
)
def test_the_network(attempts: Try, outside: Path, without: Sequence[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(outside / "socket"))
        local.listen()
        said = attempts(
            f"""
import socket
def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.connect(("10.1.2.3", 53))
        sender.send(b"x")
said["tcp"] = attempt(lambda: socket.create_connection(("127.0.0.1", {server.getsockname()[1]})))
said["udp"] = attempt(udp)
said["name"] = attempt(lambda: socket.getaddrinfo("example.org", 80))
said["local"] = attempt(lambda: socket.socket(socket.AF_UNIX).connect(base + "/socket"))
said["listen"] = attempt(lambda: socket.create_server(("0.0.0.0", 0)).close())
""",
            without=without,
        )
    line = said.pop("line")
    assert "no network" in line
    assert said["tcp"]
    assert said["udp"]
    assert said["name"]
    if "local sockets" not in line:
        assert said["local"]
    if not without:
        assert line.startswith("sandboxed: no network (seccomp), ")
        assert said["local"] == said["tcp"] == said["listen"] == "PermissionError"


@needs_landlock
def test_the_tables_of_the_network_are_closed(attempts: Try) -> None:
    places = [
        *(f"/proc/{each}net/tcp" for each in ("", "self/", "thread-self/", "self/task/%d/", "%d/")),
        *(
            "/proc/net/route",
            "/proc/self/net/unix",
            "/proc/self/net",
            "/sys/class/net",
            "/proc/self/environ",
        ),
    ]
    said = attempts(
        f"""
for place in {places!r}:
    place = place.replace("%d", str(os.getpid()))
    look = os.listdir if os.path.isdir(place) else open
    said[place] = attempt(lambda: look(place))
said["own memory"] = attempt(lambda: open("/proc/self/status").read())
"""
    )
    said.pop("line")
    assert said.pop("own memory") is None
    assert len(said) == len(places)
    assert set(said.values()) == {"PermissionError"}


@needs_seccomp
def test_other_processes(attempts: Try) -> None:
    """Each attempt would end this very test's process or its like, were it not refused."""
    said = attempts(
        """
import ctypes, fcntl, resource, signal, subprocess, threading
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    if libc.syscall(number, *words) < 0:
        raise OSError(ctypes.get_errno(), "")
def thread():
    ran = threading.Thread(target=lambda: said.__setitem__("ran", "in a thread"))
    ran.start()
    ran.join()
said["fork"] = attempt(os.fork)
said["spawn"] = attempt(lambda: subprocess.run([sys.executable, "-c", ""]))
said["become"] = attempt(lambda: os.execv(sys.executable, ["python", "-c", ""]))
said["end parent"] = attempt(lambda: os.kill(os.getppid(), signal.SIGKILL))
said["end the group"] = attempt(lambda: os.kill(0, signal.SIGKILL))
said["end all"] = attempt(lambda: os.kill(-1, signal.SIGKILL))
said["look into parent"] = attempt(lambda: open(f"/proc/{os.getppid()}/environ").read())
said["raise limit"] = attempt(lambda: resource.setrlimit(resource.RLIMIT_CPU, (-1, -1)))
said["change limit"] = attempt(lambda: resource.setrlimit(resource.RLIMIT_CPU, (9, 9)))
said["type"] = attempt(lambda: fcntl.ioctl(0, 0x5412, b"x"))
said["mode"] = attempt(lambda: os.chmod(base, 0o777))
said["time"] = attempt(lambda: os.utime(base))
said["memory as a file"] = attempt(lambda: os.memfd_create("x"))
said["unknown call"] = attempt(lambda: call(9999))
if os.uname().machine == "x86_64":
    said["debug parent"] = attempt(lambda: call(101, 16, os.getppid(), 0, 0))
    said["namespace"] = attempt(lambda: call(272, 0x10000000))
    said["ring"] = attempt(lambda: call(425, 1, 0))
thread()
said["own signal"] = "raised" if attempt(lambda: os.kill(os.getpid(), 0)) is None else None
said["own limit"] = "read" if resource.getrlimit(resource.RLIMIT_CPU) else None
"""
    )
    assert "one process" in said.pop("line")
    assert [name for name, value in said.items() if not value] == []
    assert said["ran"] == "in a thread"


def test_privileges(attempts: Try) -> None:
    said = attempts('said["status"] = open("/proc/self/status").read()')
    rights = int(re.search(r"CapEff:\t(\w+)", said["status"])[1], 16)  # type: ignore[index]
    assert "NoNewPrivs:\t1" in said["status"]
    assert rights & ~0b110 == 0


def test_the_environment_holds_no_secret(attempts: Try, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    said = attempts('said["all"] = dict(os.environ)', variables={"CARDGEN_CONFIG": "/x"})
    assert "secret" not in said["all"].values()
    assert (said["all"]["SOURCE_DATE_EPOCH"], said["all"]["LC_ALL"]) == ("1", "C.UTF-8")
    assert said["all"]["CARDGEN_CONFIG"] == "/x"
    assert said["all"]["CARDGEN_CACHE"] != os.environ["CARDGEN_CACHE"]


def test_standard_input_is_empty(attempts: Try) -> None:
    said = attempts(
        """
said["input"] = sys.stdin.read()
said["null"] = os.fstat(0).st_rdev == os.stat(os.devnull).st_rdev
"""
    )
    assert (said["input"], said["null"]) == ("", True)


def test_open_files_are_few_and_no_core_is_dumped(attempts: Try) -> None:
    said = attempts(
        """
import resource
def many():
    files = [open(os.devnull) for _ in range(300)]
said["many"] = attempt(many)
said["core"] = resource.getrlimit(resource.RLIMIT_CORE)
"""
    )
    assert said["many"] == "OSError"
    assert said["core"] == [0, 0]


def test_nothing_is_left(attempts: Try) -> None:
    said = attempts('said["cache"] = os.environ["CARDGEN_CACHE"]; open(said["cache"] + "/x", "w").close()')
    assert not Path(said["cache"]).parent.parent.exists()


def test_the_current_folder_holds_no_modules(
    attempts: Try, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outside / "pack/json.py").write_text("print('the pack ran')", encoding="ascii")
    monkeypatch.chdir(outside / "pack")
    monkeypatch.setattr(sys, "path", ["", str(outside / "pack"), *sys.path])
    assert str(outside / "pack") not in _search_path()
    assert attempts('said["json"] = json.__file__')["json"] != str(outside / "pack/json.py")


@pytest.mark.long
def test_memory(attempts: Try, capfd: pytest.CaptureFixture[str], wording: Wording) -> None:
    said = attempts('said["much"] = attempt(lambda: bytearray(10**9))', limits=Limits(memory=600_000_000))
    assert said["much"] == "MemoryError"
    assert "0.6 GB memory" in said["line"]
    with pytest.raises(CardgenError) as raised:
        run(("-c", "x = [0]\nwhile True: x = x + x"), _little(), limits=Limits(memory=600_000_000))
    wording(raised.value)
    (finding,) = raised.value.findings
    assert finding.code == "sandboxed/memory"
    assert "CARDGEN_SANDBOXED_MEMORY" in str(finding.hint)


def test_no_more_memory_is_what_the_program_says_of_itself_too(wording: Wording) -> None:
    with pytest.raises(CardgenError) as caught:
        run(("-c", "raise MemoryError"), _little())
    wording(caught.value)


def test_what_the_system_ends_is_said_to_lack_memory(wording: Wording) -> None:
    with pytest.raises(CardgenError) as raised:
        run(("-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"), _little())
    wording(raised.value)
    (finding,) = raised.value.findings
    assert finding.code == "sandboxed/memory"
    wording(finding)


def test_processor_time(wording: Wording) -> None:
    with pytest.raises(CardgenError) as raised:
        run(("-c", "while True: pass"), _little(), limits=Limits(seconds=1))
    wording(raised.value)
    assert raised.value.findings[0].code == "sandboxed/time"


def test_a_file_beyond_the_limit(attempts: Try) -> None:
    said = attempts(
        """
def write():
    with open(base + "/output/big", "wb") as file:
        file.write(bytes(2_000_000))
said["big"] = attempt(write)
""",
        limits=Limits(file_size=1_000_000),
    )
    assert said["big"] == "OSError"


def test_a_crash_is_a_finding(wording: Wording) -> None:
    with pytest.raises(CardgenError) as raised:
        run(("-c", "import ctypes; ctypes.string_at(0)"), _little())
    wording(raised.value)
    assert raised.value.findings[0].code == "sandboxed/crash"


@for_each("code", [1, 130])
def test_exit_codes_pass_through(code: int) -> None:
    assert run(("-c", f"raise SystemExit({code})"), _little()) == code


@pytest.mark.parametrize(
    ("without", "lacks"),
    [
        (
            ("seccomp", "landlock", "bubblewrap"),
            "network, local sockets, writing of files, reading of files, ",
        ),
        pytest.param(("landlock", "bubblewrap"), "writing of files, reading of files", marks=needs_seccomp),
        pytest.param(("seccomp", "bubblewrap"), "network, local sockets, processes", marks=needs_landlock),
    ],
    ids=["nothing", "no files", "no network"],
)
def test_nothing_runs_where_files_or_the_network_are_not_held(
    without: Sequence[str], lacks: str, capfd: pytest.CaptureFixture[str], wording: Wording
) -> None:
    with pytest.raises(UsageError) as caught:
        run(("-c", "print('it ran')"), _little(), without=without)
    wording(caught.value)
    out, err = capfd.readouterr()
    assert out == ""
    line, _, lacking = err.partition("; not limited here: ")
    assert lacking.startswith(lacks)
    assert ("no network" in line) != ("network" in lacking)
    assert ("files (" in line) != ("files" in lacking)


def test_available_tells_the_same() -> None:
    held = available()
    assert not {"memory", "processor time"} & set(held.lacking)
    assert held.is_enough or not (HAS_LANDLOCK and HAS_SECCOMP)


def test_the_program_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    started = _started(tmp_path, "open(base + '/running', 'w').close()\nwhile True: pass")
    child = _only_child(started.pid)
    started.kill()
    started.wait()
    _until(lambda: not Path(f"/proc/{child}").exists() or "Z" in _state(child))


def test_asked_to_stop_it_stops_the_program_and_tidies_up(tmp_path: Path) -> None:
    started = _started(tmp_path, "open(base + '/running', 'w').close()\nwhile True: pass")
    child = _only_child(started.pid)
    private = [path for path in (tmp_path / "temporary").iterdir() if path.name.startswith("cardgen-")]
    assert private
    started.terminate()
    assert started.wait(60) == 128 + 15
    _until(lambda: not Path(f"/proc/{child}").exists())
    assert not private[0].exists()


def _little() -> Places:
    return Places((*system_files(), *python_files([Path.cwd()])))


_IMPORTS = """
from cardgen.files.confinement import run
from cardgen.files.confinement_limits import Places, python_files, system_files
"""


def _started(folder: Path, statements: str) -> subprocess.Popen[bytes]:
    """A process that runs statements confined, once these have made the file `running`."""
    (folder / "temporary").mkdir()
    (folder / "shared").mkdir()
    code = f"base = {str(folder / 'shared')!r}\n{statements}"
    places = f"Places((*system_files(), *python_files([])), ({str(folder / 'shared')!r},))"
    script = f"{_IMPORTS}\nraise SystemExit(run(('-c', {code!r}), {places}))"
    started = subprocess.Popen(
        [sys.executable, "-c", script],
        env={**os.environ, "TMPDIR": str(folder / "temporary"), "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.DEVNULL,
    )
    _until(lambda: (folder / "shared/running").exists())
    return started


def _only_child(process: int) -> int:
    (child,) = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
    return int(child)


def _state(process: int) -> str:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def _until(true: Callable[[], bool]) -> None:
    """Wait for something that is sure to come; a minute is for a machine that stands still."""
    for _ in range(1200):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")


def test_the_sum_of_written_files_is_bounded(tmp_path: Path) -> None:
    """Each file is far below the bound of one; the program itself goes on for ever."""
    code = """
import itertools
for number in itertools.count():
    with open(f"{FOLDER}/{number % 50}", "wb") as file:
        file.write(b"0" * 1_000_000)
"""
    with pytest.raises(CardgenError) as caught:
        run(
            ("-c", code.replace("{FOLDER}", str(tmp_path))),
            Places((), (str(tmp_path),)),
            limits=Limits(written=10_000_000),
        )
    assert [each.code for each in caught.value.findings] == ["sandboxed/space"]
