"""What a local run costs while nobody is there: `bin/bench footprint [--seconds 120]`.

bin/run is started in a folder of its own and left alone for a minute. Prints the processor time of
each process within the next seconds, with that of children that have ended, and its memory: PSS, in
which a page that several processes share counts in parts. Then what the imports of the warm parent
allocate, by package.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from bench.chaos.site import Site
from config.run.roster import Roster

MOST_MB = 600
MOST_PERCENT = 3.0
PACKAGES = 20
MB = 1_000_000
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Spent:
    """Of one process: seconds of processor since its birth, and the bytes that it has now."""

    name: str
    seconds: float
    pss: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=120, help="how long it is watched")
    parser.add_argument("--settle", type=int, default=60, help="how long it is left alone before")
    parser.add_argument(
        "--imports", action="store_true", help="nothing but the imports, in this process"
    )
    options = parser.parse_args()
    if options.imports:
        print_imports()
        return
    var = Path(tempfile.mkdtemp(prefix="openrummy-footprint-"))
    var.chmod(0o755)
    site = Site(var, WEB_PROCESSES="1")
    try:
        site.start()
        site.await_ready()
        time.sleep(options.settle)
        before = look(site)
        time.sleep(options.seconds)
        print_processes(before, look(site), options.seconds)
    finally:
        site.stop()
        shutil.rmtree(var, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "bench.footprint", "--imports"], check=True)


def look(site: Site) -> dict[int, Spent]:
    """Every process of the site: those that name its folder, and their descendants."""
    names = {one.pid: one.name for one in Roster(site.var / "processes.json").orphans}
    names |= dict.fromkeys(site.parents(), "warm parent")
    if site.launcher is not None:
        names[site.launcher.pid] = "bin/run"
    found: dict[int, tuple[int, str, float, int]] = {}
    own: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
            memory = (folder / "smaps_rollup").read_text().splitlines()
            environment = (folder / "environ").read_bytes().decode(errors="replace")
        except OSError:
            continue  # it has ended, or is somebody else's
        pss = next(int(line.split()[1]) for line in memory if line.startswith("Pss:"))
        seconds = sum(map(int, fields[11:15])) / _TICKS  # with children that have ended
        found[pid] = (int(fields[1]), command, seconds, 1_024 * pss)
        if str(site.var) in command + environment and pid != os.getpid():
            own.add(pid)
    while more := {pid for pid, (parent, *_) in found.items() if parent in own} - own:
        own |= more
    return {
        pid: Spent(names.get(pid) or _name_of(command, names.get(parent)), seconds, pss)
        for pid, (parent, command, seconds, pss) in found.items()
        if pid in own
    }


def _name_of(command: str, parent: str | None) -> str:
    """Of a backend its kind, of a server its program."""
    if command.startswith("postgres: "):
        words = command.split()[1:]
        return "postgres: " + ("connections" if "[local]" in words else " ".join(words[:2]))
    if parent is not None:
        return f"child of {parent}"
    return Path(command.split(maxsplit=1)[0]).name if command else "unknown"


def print_processes(before: dict[int, Spent], after: dict[int, Spent], seconds: int) -> None:
    percent: Counter[str] = Counter()
    pss: Counter[str] = Counter()
    for pid, spent in after.items():
        since = before[pid].seconds if pid in before else 0.0
        percent[spent.name] += 100 * (spent.seconds - since) / seconds  # type: ignore[assignment]
        pss[spent.name] += spent.pss
    print(f"{'process':28} {'PSS':>9} {'of a core':>10}")
    for name, used in pss.most_common():
        print(f"{name:28} {used / MB:6.1f} MB {percent[name]:8.2f} %")
    print(f"{'all':28} {pss.total() / MB:6.1f} MB {percent.total():8.2f} %", end="  ")
    print(f"(goals {MOST_MB} MB and {MOST_PERCENT:g} %)")


def print_imports() -> None:
    """Let each module that is executed count what it allocates without those that it imports."""
    import tracemalloc  # noqa: PLC0415 - it would count everything before

    own: Counter[str] = Counter()
    nested = [0]
    execute = SourceFileLoader.exec_module

    def exec_module(self: SourceFileLoader, module: Any) -> None:
        began = tracemalloc.get_traced_memory()[0]
        nested.append(0)
        try:
            execute(self, module)
        finally:
            grown = tracemalloc.get_traced_memory()[0] - began
            own[module.__name__.partition(".")[0]] += grown - nested.pop()
            nested[-1] += grown

    SourceFileLoader.exec_module = exec_module  # type: ignore[method-assign,assignment]
    tracemalloc.start()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    from config.run import warm_parent  # noqa: PLC0415 - counted

    for role in warm_parent.ROLES.values():
        warm_parent._warm_up(role)  # noqa: SLF001 - what a local run does
    rest = tracemalloc.get_traced_memory()[0] - own.total()
    print(f"\nimports: {(own.total() + rest) / MB:.1f} MB are allocated, by package")
    for name, size in own.most_common(PACKAGES):
        print(f"{name:28} {size / MB:6.1f} MB")
    others = own.total() - sum(size for _name, size in own.most_common(PACKAGES))
    print(f"{f'{len(own) - PACKAGES} others':28} {others / MB:6.1f} MB")
    print(f"{'made beside (URLs, tasks)':28} {rest / MB:6.1f} MB")


if __name__ == "__main__":
    main()
