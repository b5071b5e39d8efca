"""Load the web service of docs/examples: `python benchmarks/service_load.py [REQUESTS [AT_ONCE]]`.

Prints the answers by status, the times, and the service's memory every tenth of the way, after one warm-up
of each kind.
"""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

EXAMPLES = Path(__file__).resolve().parent.parent / "docs" / "examples"


def cards(number: int) -> str:
    """Cards that no other request has."""
    return "cards:\n" + "".join(f"  - {{id: c{each}, name: Card {number}.{each}}}\n" for each in range(9))


def memory_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def main(requests: int = 200, at_once: int = 8) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "service:app",
        "--port",
        str(port),
        "--log-level",
        "warning",
    ]
    service = subprocess.Popen(command, cwd=EXAMPLES)
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
    measured: list[float] = []

    def ask(number: int) -> tuple[int, float]:
        began = time.perf_counter()
        page = "/print" if number % 4 == 0 else "/preview?card=c3"
        answer = client.post(page, content=cards(number))
        if number and number % (requests // 10) == 0:
            measured.append(memory_mb(service.pid))
        return answer.status_code, time.perf_counter() - began

    try:
        while True:
            try:
                client.get("/docs")
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        ask(0), ask(-1)
        began, before = time.perf_counter(), memory_mb(service.pid)
        with ThreadPoolExecutor(at_once) as pool:
            answers = list(pool.map(ask, range(1, requests + 1)))
        seconds = time.perf_counter() - began
    finally:
        service.terminate()
        service.wait()
    times = sorted(taken for _, taken in answers)
    print(f"{requests} requests, {at_once} at once: {dict(Counter(status for status, _ in answers))}")
    print(f"{requests / seconds:.1f} a second; median {statistics.median(times) * 1000:.0f} ms, ", end="")
    print(f"95 % below {times[int(len(times) * 0.95)] * 1000:.0f} ms")
    print(f"memory: {before:.0f} MB before; then", *(f"{each:.0f}" for each in measured), "MB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
