"""Gin for `bench.analysis`: deals with their records, the policy at the table, planted blunders."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.analysis.judging import Effort
from games.analysis.report import Luck
from games.cards import CARD_TEXT, CARDS
from games.engine.base import DealStart, Strength
from games.gin.bots.playouts import PatientPolicy, Position
from games.gin.bots.sight import Sight, cards_of_texts
from games.gin.game import GAME as GIN
from games.gin.lab.analysis.luck import luck_of
from games.gin.rules.defence import best_defence
from games.gin.rules.melding import arrange, big_gin, least, mask_of
from games.gin.rules.moves import Defend, Discard, Draw, Knock, Pass, move_json

Chooser = Callable[[Mapping[str, Any], int], Mapping[str, Any]]
_SEATS = 2
# Points of deadwood that a planted blunder costs at once.
_DEAR = 15


def played(number: int, choosers: Sequence[Chooser], rules: str = "points") -> dict[str, Any]:
    """The record of the first deal, as far as an analysis reads it. A dead deal is one as well."""
    seed = hashlib.sha256(f"analysis/{number}".encode()).digest()
    seats = tuple(range(_SEATS))
    outcome = GIN.core.start(
        rules=GIN.rules.preset(rules), seats=seats, toss=False, seed=seed, now=0
    )
    state, events = outcome.state, outcome.events
    written = GIN.rules.json(GIN.rules.preset(rules))
    private = {str(seat): GIN.view.private(state, seat) for seat in seats}
    start = DealStart([event.json() for event in events], private, None)
    record: dict[str, Any] = {"rules": written, **GIN.records.deal(start), "steps": []}
    while GIN.core.status(state).deals == 1 and (acting := GIN.core.status(state).acting):
        (seat,) = acting
        view = {
            "public": GIN.view.public(state),
            "you": GIN.view.private(state, seat),
            "rules": written,
        }
        move = choosers[seat](view, seat)
        outcome = GIN.core.play(state, seat, GIN.wire.read(move), now=1, seed=seed)
        state, events = outcome.state, outcome.events
        told = [event.json() for event in events]
        private = {str(seat): GIN.view.private(state, seat) for seat in seats}
        extra = GIN.records.step(told, private)
        record["steps"].append({"seat": seat, "move": dict(move), "events": told, **extra})
    return record


def bot(strength: Strength, number: object) -> Chooser:
    rng = random.Random(f"{strength}/{number}")  # noqa: S311 - the same deals for the same seed
    return lambda view, seat: GIN.bots(view, seat, strength=strength, rng=rng)


def by_policy(view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
    """The policy of the playouts at the table."""
    public, sight = view["public"], Sight.of(view, seat)
    if public["phase"] == "defend":
        melds = [cards_of_texts(group) for group in public["knock"]["groups"]]
        best = best_defence(sight.hand, melds)
        return move_json(Defend(best.groups, best.lay_offs))
    policy = PatientPolicy(sight.limit)
    turns = [sight.known.turn]
    position = Position([mask_of(sight.hand)], closed=[], open_pile=[], turns=turns)
    if public["step"] == "draw":
        card = sight.open_card
        if card is not None and policy.wants(position, card):
            return move_json(Draw("open"))
        return move_json(Pass() if public["phase"] == "upcard" else Draw("closed"))
    all_melded = big_gin(sight.hand) if sight.rules.big_gin_bonus else None
    if all_melded is not None:
        return move_json(Knock(None, all_melded.groups))
    number, knocks = policy.part(position, sight.known.kept)
    card = CARDS[number]
    if not knocks:
        return move_json(Discard(card))
    return move_json(Knock(card, arrange(kept for kept in sight.hand if kept != card).groups))


def with_blunder(chooser: Chooser, at_turn: int) -> tuple[Chooser, list[str]]:
    """At this own turn, or the first later one that has such a card, throws what adds 15 points to
    the deadwood at once, a card of a meld; the list then holds that card."""
    thrown: list[str] = []

    def choose(view: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        move = chooser(view, seat)
        turn = view["public"]["turn_number"]
        if thrown or move["kind"] != "discard" or (turn + 1) // _SEATS < at_turn:
            return move
        sight = Sight.of(view, seat)
        left = {
            card: least(mask_of(kept for kept in sight.hand if kept != card))
            for card in sight.hand
            if card != sight.kept_card
        }
        worst = max(left, key=left.__getitem__)
        if left[worst] < min(left.values()) + _DEAR:
            return move
        thrown.append(CARD_TEXT[worst])
        return {**move, "card": CARD_TEXT[worst]}

    return choose, thrown


def luck(record: Mapping[str, Any], _rng: random.Random, _effort: Effort) -> Luck:
    """Exact: nothing is played out."""
    return luck_of(record, 0)
