"""Indian for `bench.analysis`: deals with their records, the policy at the table, planted blunders."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from games.analysis.judging import Effort
from games.analysis.report import Luck
from games.cards import CARD_BY_TEXT, CARD_TEXT
from games.engine.base import DealStart, Strength
from games.indian.bots.playouts import Hands, Position, QuickPolicy, playouts
from games.indian.bots.sight import Sight
from games.indian.game import GAME as INDIAN
from games.indian.lab.analysis.luck import luck_of
from games.indian.lab.analysis.options import finishing_card
from games.indian.lab.analysis.reading import at_the_beginning
from games.indian.rules.melds import wild_rank

Chooser = Callable[[Mapping[str, Any], int], Mapping[str, Any]]
_SEATS = 2
_RULES = "points"
# Points of the count that a planted blunder without a joker costs at once.
_DEAR = 15


def played(number: int, choosers: Sequence[Chooser]) -> dict[str, Any]:
    """The record of one deal, as far as an analysis reads it."""
    seed = hashlib.sha256(f"analysis/{number}".encode()).digest()
    rules, seats = INDIAN.rules.preset(_RULES), tuple(range(len(choosers)))
    outcome = INDIAN.core.start(rules=rules, seats=seats, toss=False, seed=seed, now=0)
    state, events = outcome.state, outcome.events
    written = INDIAN.rules.json(rules)
    private = {str(seat): INDIAN.view.private(state, seat) for seat in seats}
    start = DealStart([event.json() for event in events], private, None)
    record: dict[str, Any] = {"rules": written, **INDIAN.records.deal(start), "steps": []}
    while INDIAN.core.status(state).result is None:
        seat = INDIAN.core.status(state).acting[0]
        view = {
            "public": INDIAN.view.public(state),
            "you": INDIAN.view.private(state, seat),
            "rules": written,
        }
        move = choosers[seat](view, seat)
        outcome = INDIAN.core.play(state, seat, INDIAN.wire.read(move), now=1, seed=seed)
        state, events = outcome.state, outcome.events
        told = [event.json() for event in events]
        private = {str(seat): INDIAN.view.private(state, seat) for seat in seats}
        extra = INDIAN.records.step(told, private)
        record["steps"].append({"seat": seat, "move": dict(move), "events": told, **extra})
    return record


def bot(strength: Strength, number: object) -> Chooser:
    rng = seeded(f"{strength}/{number}")
    return lambda view, seat: INDIAN.bots(view, seat, strength=strength, rng=rng)


def by_policy(view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
    """The policy of the playouts at the table; what ends a deal is the bots' business."""
    public, sight = view["public"], Sight.of(view, seat)
    if public["phase"] != "turn":
        return INDIAN.bots(view, seat, strength="hard", rng=seeded(0))
    hands = Hands(wild_rank(CARD_BY_TEXT[public["wild"]]), sight.rules)
    policy = QuickPolicy(hands)
    position = Position(
        hands=[list(sight.hand)],
        closed=[],
        open_pile=[],
        playing=[True],
        lost=[0],
        turns=[1],
        drawn=sight.drawn,
        from_open=sight.drawn_from_open is not None,
    )
    if public["step"] == "draw":
        card = sight.open_card
        is_wanted = card is not None and policy.wants(position, card)
        return {"kind": "draw", "source": "open" if is_wanted else "closed"}
    card_number, finishes = policy.discard(position)
    if finishes:  # the policy says that it can; which card is left over does not matter to it
        spare = finishing_card(sight.hand, hands)
        card_number = card_number if spare is None else spare
    return {"kind": "finish" if finishes else "discard", "card": CARD_TEXT[card_number]}


def with_blunder(chooser: Chooser, at_turn: int) -> tuple[Chooser, list[str]]:
    """At this own turn, or the first later one that has such a card, throws a joker, or what adds
    15 points to the count at once; the list then holds that card."""
    thrown: list[str] = []

    def choose(view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        move = chooser(view, seat)
        turn = view["public"]["turn_number"]
        if thrown or move["kind"] != "discard" or (turn + 1) // _SEATS < at_turn:
            return move
        sight = Sight.of(view, seat)
        hands = Hands(sight.wild, sight.rules)

        def left(card: int) -> int:
            return min(80, hands.least([kept for kept in sight.hand if kept != card]))

        worst = max(sight.discardable, key=lambda card: (hands.is_joker(card), left(card)))
        if not hands.is_joker(worst) and left(worst) < min(map(left, sight.discardable)) + _DEAR:
            return move
        thrown.append(CARD_TEXT[worst])
        return {**move, "card": CARD_TEXT[worst]}

    return choose, thrown


def seeded(name: object) -> random.Random:
    return random.Random(str(name))  # noqa: S311 - the same deals for the same seed


def luck(record: Mapping[str, Any], rng: random.Random, effort: Effort) -> Luck:
    rules = at_the_beginning(record).rules
    return luck_of(record, 0, partial(playouts, rules, rng=rng), rng, effort)
