"""What a model of a game of melds on the table says, and what a match of it came to."""

from collections import Counter
from dataclasses import dataclass, field


class Refused(Exception):  # noqa: N818 - says what it is
    """Any of these codes is right."""

    def __init__(self, *codes: str) -> None:
        super().__init__(codes)
        self.codes = codes


@dataclass
class Played:
    happened: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    disagreement: str | None = None

    def disagree(self, rules: str, log: list[str], said: str) -> None:
        """`log`: the steps up to there, of which the last say enough."""
        self.disagreement = "\n  ".join([rules, *log[-8:], said[:2000]])
