"""Measure the starts of a local run and its cost while idle: `bin/bench footprint [--seconds 120]`.

bin/run is started in a folder of its own, stopped, started again and left alone for a minute. The bench
prints how long both starts and the stop took, without the installation. Then it prints each process's
processor time in the following seconds, ended children included, and its memory. Memory is PSS: of a page
that processes share, each is charged its part.
"""

import argparse
import time
from collections import Counter
from dataclasses import dataclass

import psutil  # type: ignore[import-untyped]

from bench.chaos.site import Site, run_site
from bench.processes import descendants, processes_with

MOST_MB = 600
MOST_PERCENT = 3.0
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Spent:
    """A process's processor time since its start, in seconds, and its memory in bytes."""

    name: str
    seconds: float
    pss: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=120, help="how long it is watched")
    parser.add_argument("--settle", type=int, default=60, help="how long it is left alone before")
    options = parser.parse_args()
    began = time.monotonic()
    with run_site(WEB_PROCESSES="1") as site:
        times = [time.monotonic() - began]
        for act in (site.end, site.start_again):
            began = time.monotonic()
            act()
            times.append(time.monotonic() - began)
        print("first start {:.1f} s, stopped in {:.1f} s, second start {:.1f} s".format(*times))
        time.sleep(options.settle)
        before = look(site)
        time.sleep(options.seconds)
        print_processes(before, look(site), options.seconds)


def look(site: Site) -> dict[int, Spent]:
    """Return the costs of every process of the site: those that name its folder, and their descendants."""
    names = {pid: name for name, pid in site.leaders()}
    if site.launcher is not None:
        names[site.launcher.pid] = "bin/run"
    own = set(processes_with("OPENRUMMY_VAR", str(site.var))) | set(names)
    for process in psutil.process_iter(["cmdline"]):
        if any(str(site.var) in word for word in process.info["cmdline"] or ()):
            own |= {process.pid}
    own |= {child for pid in own for child in descendants(pid)}
    found = {}
    for pid in own:
        try:
            process = psutil.Process(pid)
            used, memory = process.cpu_times(), process.memory_full_info().pss
            name = names.get(pid) or _name_of(process, names.get(process.ppid()))
        except psutil.Error:
            continue  # it has ended
        seconds = used.user + used.system + used.children_user + used.children_system
        found[pid] = Spent(name, seconds, memory)
    return found


def _name_of(process: psutil.Process, parent: str | None) -> str:
    """Return a name for a process: a PostgreSQL process's kind, or another process's program."""
    command = " ".join(process.cmdline())
    if command.startswith("postgres: "):
        words = command.split()[1:]
        return "postgres: " + ("connections" if "[local]" in words else " ".join(words[:2]))
    return str(process.name()) if parent is None else f"child of {parent}"


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


if __name__ == "__main__":
    main()
