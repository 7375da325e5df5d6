"""The output of a rehearsal: each step with its time, each check with its problems, and totals at the end."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from rehearsals.documents import Instructions
from rehearsals.terminal import Terminal

Result = TypeVar("Result")


class Report:
    """Prints results as they come, so that a person who watches sees the progress."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.failed: list[str] = []
        self._began = time.monotonic()
        self._commands = 0

    def step(self, what: str, act: Callable[[], Result]) -> Result:
        began = time.monotonic()
        result = act()
        self._say(what, f"{time.monotonic() - began:.0f} s")
        return result

    def figure(self, what: str, value: str) -> None:
        self._say(what, value)

    def check(self, what: str, wrong: Sequence[str]) -> None:
        """Print whether there are problems, and remember them for the end."""
        self._say(what, "; ".join(wrong) if wrong else "all is well")
        self.failed += [f"{what}: {sentence}" for sentence in wrong]

    def follow(self, terminal: Terminal, document: str, heading: str = "") -> None:
        """Run all commands of a section as they are written."""
        Instructions(terminal, document, heading).follow_all()
        self.count(terminal)

    def count(self, terminal: Terminal) -> None:
        """Print the blocks that were run since the last call."""
        for block, seconds in terminal.done:
            self._say(block.place, f"{block.commands} commands, {seconds:.0f} s")
            self._commands += block.commands
        terminal.done.clear()

    def end(self) -> None:
        minutes = (time.monotonic() - self._began) / 60
        print(f"{self.name}: {self._commands} commands of the documents, {minutes:.1f} minutes, "
              f"{len(self.failed)} things wrong")  # fmt: skip
        for sentence in self.failed:
            print(f"  {sentence}")

    def _say(self, what: str, value: str) -> None:
        print(f"{time.strftime('%X', time.gmtime())} {self.name}: {what}: {value}", flush=True)
