"""Count what others' signs tell: the cards that they took and threw, by self-played deals.

    python -m bench.fit_signs --seconds 60

Two tables, by how a face goes with what a seat took and with what it threw (`hidden.relation`): how
much likelier than others an unseen copy of it lies in that hand, and how often the next player takes
such a card when it is thrown. They go to `tables.games.indian.hidden` by hand.
"""

import argparse
import hashlib
import random
import time
from collections import Counter
from collections.abc import Iterator

from tables.games.indian import bots
from tables.games.indian.deal import Phase
from tables.games.indian.game import INDIAN
from tables.games.indian.hidden import relation, signs_of
from tables.games.indian.match import Match, Stage
from tables.games.indian.moves import Discard, Draw
from tables.games.indian.rulesets import POINTS
from tables.games.indian.sight import Sight

Key = tuple[int, int]


def matches(seats: int, name: str) -> Iterator[tuple[Match, int, object, dict[str, object]]]:
    rng = random.Random(name)  # noqa: S311 - repeats
    seed = hashlib.sha256(name.encode()).digest()
    match, _ = INDIAN.start(rules=POINTS, seats=tuple(range(seats)), toss=False, seed=seed, now=0)
    now = 0
    while INDIAN.result(match) is None and INDIAN.acting(match):
        seat = INDIAN.acting(match)[0]
        public = INDIAN.public_view(match)
        view = {
            "public": public,
            "you": INDIAN.private_view(match, seat),
            "rules": INDIAN.rules_json(POINTS),
        }
        move = INDIAN.parse_move(bots.choose(view, seat, strength="expert", rng=rng))
        yield match, seat, move, view
        now += 1_000
        match, _ = INDIAN.play(match, seat, move, now=now, seed=seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seats", type=int, default=3)
    given = parser.parse_args()
    expected: Counter[Key] = Counter()
    there: Counter[Key] = Counter()
    thrown: Counter[Key] = Counter()
    taken: Counter[Key] = Counter()
    began, number = time.process_time(), 0
    while time.process_time() - began < given.seconds:
        number += 1
        last = None
        for match, seat, move, view in matches(given.seats, f"signs/{number}"):
            if match.stage is not Stage.DEAL or match.deal.phase is not Phase.TURN:
                continue
            sight = Sight.of(view, seat)
            signs = signs_of(sight.public, sight.rules)
            if isinstance(move, Draw) and last is not None and last[0] != seat:
                shown = signs.by_seat[seat]
                held = [card for card in shown.held if card != last[1]]
                key = relation(last[1].face, held), relation(last[1].face, shown.thrown)
                if not sight.is_joker(last[1]):
                    thrown[key] += 1
                    taken[key] += move.source == "open"
            if isinstance(move, Discard):
                last = seat, move.card
                unseen = sight.unseen
                total = sum(unseen.values())
                for player in match.deal.playing:
                    if player.seat == seat:
                        continue
                    shown = signs.by_seat[player.seat]
                    hidden = Counter(card.face for card in player.hand if card not in shown.held)
                    chance = sum(hidden.values()) / total
                    for face, copies in unseen.items():
                        if not face < 52 or sight.wild == face % 13 + 1:
                            continue
                        key = relation(face, shown.held), relation(face, shown.thrown)
                        expected[key] += copies * chance
                        there[key] += hidden[face]
    print(number, "deals")
    names = ("none", "rank", "gap", "next", "same")
    for title, upper, lower in (("held", there, expected), ("taken", taken, thrown)):
        print(title, "rows: took; columns: threw", *names)
        for row in range(5):
            cells = [
                f"{upper[row, column] / lower[row, column]:.2f}/{lower[row, column]:.0f}" if lower[row, column] else "-"
                for column in range(5)
            ]
            print(f"  {names[row]:<5}", *cells)


if __name__ == "__main__":
    main()
