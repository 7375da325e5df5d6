"""Count what others' signs tell: the cards that they took and threw, by self-played deals.

    python -m bench.fit_signs --seconds 60

Two tables, by how a face goes with what a seat took and with what it threw (`hidden.relation`): how
much likelier than others an unseen copy of it lies in that hand, and how often the next player takes
such a card when it is thrown. They go to `games.indian.bots.hidden` by hand.
"""

import argparse
import hashlib
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from games.cards import FACE_RANK, PRINTED_JOKER, Card
from games.engine.state import Stage
from games.indian.bots import choose as bots
from games.indian.bots.hidden import Shown, relation, signs_of
from games.indian.bots.sight import Sight
from games.indian.game import GAME as INDIAN
from games.indian.rules.deal import Phase
from games.indian.rules.match import Match
from games.indian.rules.moves import Discard, Draw
from games.indian.rules.ruleset import POINTS

Key = tuple[int, int]


def matches(seats: int, name: str) -> Iterator[tuple[Match, int, object, Mapping[str, Any]]]:
    rng = random.Random(name)  # noqa: S311 - repeats
    seed = hashlib.sha256(name.encode()).digest()
    match = INDIAN.core.start(
        rules=POINTS, seats=tuple(range(seats)), toss=False, seed=seed, now=0
    ).state
    now = 0
    while INDIAN.core.status(match).result is None and INDIAN.core.status(match).acting:
        seat = INDIAN.core.status(match).acting[0]
        public = INDIAN.view.public(match)
        view = {
            "public": public,
            "you": INDIAN.view.private(match, seat),
            "rules": INDIAN.rules.json(POINTS),
        }
        move = INDIAN.wire.read(bots.choose(view, seat, strength="expert", rng=rng))
        yield match, seat, move, view
        now += 1_000
        match = INDIAN.core.play(match, seat, move, now=now, seed=seed).state


class Counts:
    """By relations to what a seat took and threw: how often, and of how many."""

    def __init__(self) -> None:
        self.held: Counter[Key] = Counter()
        self.expected: dict[Key, float] = defaultdict(float)
        self.taken: Counter[Key] = Counter()
        self.thrown: Counter[Key] = Counter()
        self._last: tuple[int, Card] | None = None

    def look_at(self, match: Match, seat: int, move: object, sight: Sight) -> None:
        signs = signs_of(sight.public, sight.rules)
        if isinstance(move, Draw) and self._last is not None and self._last[0] != seat:
            thrown = self._last[1]
            if not sight.is_joker(thrown):
                shown = signs.by_seat[seat]
                key = relation(thrown.face, shown.held), relation(thrown.face, shown.thrown)
                self.thrown[key] += 1
                self.taken[key] += move.source == "open"
        if isinstance(move, Discard):
            self._last = seat, move.card
            for player in match.deal.playing:
                if player.seat != seat:
                    hidden = [c for c in player.hand if c not in signs.by_seat[player.seat].held]
                    self._count(Counter(c.face for c in hidden), signs.by_seat[player.seat], sight)

    def _count(self, hidden: Counter[int], shown: Shown, sight: Sight) -> None:
        part = hidden.total() / sight.unseen.total()
        for face, copies in sight.unseen.items():
            if face != PRINTED_JOKER and FACE_RANK[face] != sight.wild:
                key = relation(face, shown.held), relation(face, shown.thrown)
                self.expected[key] += copies * part
                self.held[key] += hidden[face]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seats", type=int, default=3)
    given = parser.parse_args()
    counts = Counts()
    began, number = time.process_time(), 0
    while time.process_time() - began < given.seconds:
        number += 1
        for match, seat, move, view in matches(given.seats, f"signs/{number}"):
            if match.stage is Stage.DEAL and match.deal.phase is Phase.TURN:
                counts.look_at(match, seat, move, Sight.of(view, seat))
    print(number, "deals; rows: goes with what it took, columns: with what it threw;")
    print("none, rank, gap, next, same; each with the number it is based on")
    for title, upper, lower in (
        ("held", counts.held, counts.expected),
        ("taken", counts.taken, counts.thrown),
    ):
        print(title)
        for row in range(5):
            cells = [(upper[row, column], lower[row, column]) for column in range(5)]
            print(*[f"{one / most:.2f}/{most:.0f}" if most else "-" for one, most in cells])


if __name__ == "__main__":
    main()
