"""The commands in a document: its blocks marked `sh`, which an operator copies into root's shell."""

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from bench.processes import ROOT
from rehearsals.terminal import Terminal

# The sections that rehearsals follow: document and heading. No heading means the part before the first one.
FOLLOWED = (
    ("docs/install-debian.md", ""),
    ("docs/install-debian.md", "One unit for each process"),
    ("docs/install.md", "With Docker"),
    ("docs/install.md", "The first table"),
    ("docs/restore.md", "Each night"),
    ("docs/restore.md", "Restore with Docker"),
    ("docs/restore.md", "Restore without Docker"),
    ("docs/restore.md", "When the database itself is gone"),
    ("docs/recovery.md", "With Docker"),
    ("docs/recovery.md", "Without Docker"),
    ("docs/replica.md", ""),
    ("docs/several-machines.md", ""),
    ("docs/upgrade.md", "With Docker"),
    ("docs/upgrade.md", "Without Docker"),
    ("docs/upgrade.md", "If a migration fails"),
)
BLOCK = re.compile(r"^( *)```sh\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$")
IN_A_BLOCK = re.compile(r"^ *```")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of commands, and their place in a document: `docs/install-debian.md:11`."""

    place: str
    text: str

    @property
    def commands(self) -> int:
        """The number of lines, without continued lines and the contents of here-documents."""
        text = re.sub(r"<<'?(\w+)'?\n.*?^\1$", "", self.text, flags=re.MULTILINE | re.DOTALL)
        return len(text.replace("\\\n", "").strip().splitlines())


def read_blocks(document: str, heading: str = "") -> list[Block]:
    """Return the blocks under a heading, up to the next heading of its level or a higher one.

    Without a heading, return the blocks before the first heading below the title.
    """
    blocks, inside, rank = [], not heading, 1
    text = (ROOT / document).read_text()
    starts = {text.count("\n", 0, found.start()) + 1: found for found in BLOCK.finditer(text)}
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        found = HEADING.match(line) if not fenced else None
        if found and found[2] == heading:
            inside, rank = True, len(found[1])
        elif found and inside and len(found[1]) > 1 and (not heading or len(found[1]) <= rank):
            inside = False
        if inside and number in starts and not fenced:
            blocks.append(Block(f"{document}:{number}", textwrap.dedent(starts[number][2])))
        if IN_A_BLOCK.match(line):
            fenced = not fenced
    if not blocks:
        raise LookupError(f"{document} has no commands under “{heading or 'its title'}”.")
    return blocks


class Instructions:
    """An operator who follows a document block by block in one shell."""

    def __init__(self, terminal: Terminal, document: str, heading: str = "") -> None:
        if (document, heading) not in FOLLOWED:
            raise LookupError(f"FOLLOWED does not name {document}, “{heading}”.")
        self._terminal = terminal
        self._left = iter(read_blocks(document, heading))

    def follow(self, *, instead: Mapping[str, str] | None = None) -> str:
        """Run the next block, with words replaced as an operator would replace them. Return its output."""
        block = next(self._left)
        text = block.text
        for word, written in (instead or {}).items():
            if word not in text:
                raise LookupError(f"{block.place} does not say {word}.")
            text = text.replace(word, written)
        return self._terminal.run(Block(block.place, text))

    def skip(self, blocks: int) -> None:
        """Skip this many blocks, for example those that an operator runs only once."""
        for _ in range(blocks):
            next(self._left)

    def follow_all(self) -> None:
        for block in self._left:
            self._terminal.run(block)

    def end(self) -> None:
        """Raise LookupError if there is a block left that the rehearsal has not run."""
        for block in self._left:
            raise LookupError(f"{block.place} is run by no rehearsal.")
