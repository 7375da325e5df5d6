"""Root's shell in a machine, with answers to the prompts of programs, as if a person sat at it."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rehearsals.machines import Machine, MachineError

if TYPE_CHECKING:
    from rehearsals.documents import Block

# A longer silence means an unexpected prompt.
SECONDS_OF_SILENCE = 240
SILENT_SECONDS = 0.3  # a program that waits for input has printed its prompt and is silent
ENDED = re.compile(r"\x1e(\d+)\x1e")
STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """One shell for all blocks, so that variables and the current folder carry over from block to block."""

    def __init__(self, machine: Machine, answers: Mapping[str, str], folder: str = "/root") -> None:
        self._answers = answers
        self.machine = machine
        self.done: list[tuple[Block, float]] = []
        self._transcript = machine.root.with_suffix(".transcript")
        self._own, other = pty.openpty()
        environment = ("TERM=dumb", "PS1=", "PAGER=cat", "DEBIAN_FRONTEND=noninteractive")
        shell = machine.entering(*environment, "bash", "--noprofile", "--norc", "--noediting")
        self._shell = subprocess.Popen(
            ["setsid", "--ctty", *shell], stdin=other, stdout=other, stderr=other
        )
        os.close(other)
        self._say(f"stty -echo; cd {folder}")

    def run(self, block: "Block") -> str:
        """Run the block as if it was typed. Return its output. A failing command ends the block and the rehearsal."""
        began = time.monotonic()
        self.machine.write("/root/block.sh", block.text)
        # It is sourced in the same shell, so that variables stay. `set -e` applies within it.
        self._say("set -e; . /root/block.sh; set +e; printf '\\036%s\\036' $?")
        said = self._listen(block)
        self.done.append((block, time.monotonic() - began))
        return said

    def type(self, line: str) -> None:
        """Type a line that prints nothing, such as an assignment."""
        self._say(line)

    def _say(self, line: str) -> None:
        os.write(self._own, f"{line}\n".encode())

    def _listen(self, block: "Block") -> str:
        said, unanswered, heard_at = "", "", time.monotonic()
        while time.monotonic() - heard_at < SECONDS_OF_SILENCE:
            if select.select([self._own], [], [], SILENT_SECONDS)[0]:
                part = self._read()
                if not part:
                    break
                heard_at = time.monotonic()
                said += part
                unanswered += part
                if found := ENDED.search(said):
                    return STYLES.sub("", said[: found.start()])
            elif (answer := self._find_answer(STYLES.sub("", unanswered))) is not None:
                unanswered = ""
                self._say(answer)
        raise MachineError(f"{block.place} failed:\n{block.text}\n{STYLES.sub('', said)[-3000:]}")

    def _read(self) -> str:
        """Return the output that has arrived, or an empty string once the shell has ended."""
        try:
            part = os.read(self._own, 65536).decode(errors="replace")
        except OSError:
            return ""
        with self._transcript.open("a") as transcript:
            transcript.write(part)
        return part

    def _find_answer(self, asked: str) -> str | None:
        for question, answer in self._answers.items():
            if re.search(rf"{re.escape(question)}[^\n]*$", asked):
                return answer
        return None

    def end(self) -> None:
        """End the shell. Otherwise it would delay the shutdown of the machine."""
        os.close(self._own)
        self._shell.kill()
        self._shell.wait()
