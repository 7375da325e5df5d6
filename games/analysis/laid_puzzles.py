"""Puzzles of games with melds on the table: which pile to draw from, and which card to discard."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.analysis.judging import Option
from games.analysis.laid_report import LaidAnalysis, LaidSituation
from games.analysis.puzzles import (
    DISCARD,
    DISCARDING,
    LAST_TURN,
    MORE_LOOKS,
    PICK,
    PICKING,
    Bar,
    DecisionPuzzles,
    Looks,
    Puzzle,
    PuzzlePosition,
    mask_deal,
    write_faces,
)
from games.cards import FACES
from games.engine.base import JSON
from games.engine.game import PuzzleKind

_LEAST_DISCARDS: Final = 3


class _LaidPuzzlePosition(PuzzlePosition):
    def task(self) -> dict[str, JSON]:
        melds = self.moment.situation.position.melds
        table = [write_faces(meld.cards) for meld in melds]
        return {**super().task(), "table": table, "notes": self.list_notes()}


@dataclass(frozen=True)
class LaidPuzzles(DecisionPuzzles):
    """The puzzles of a game with melds on the table (`Game.puzzles`).

    `packs` returns the number of packs for a rule set and a number of players.
    """

    analysis: LaidAnalysis
    packs: Callable[[Any, int], int]
    looks: Looks = MORE_LOOKS
    kinds: Mapping[str, PuzzleKind] = field(
        default_factory=lambda: {PICK: PICKING, DISCARD: DISCARDING}
    )
    bars = {
        PICK: Bar(hopeful=(1.0, 2.0), least=2.0),
        DISCARD: Bar(hopeful=(1.0, 2.0), least=2.0, most_right=2),
    }
    moves = {PICK: ("draw",), DISCARD: ("discard",)}
    position = _LaidPuzzlePosition

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`."""
        packs = self.packs(self.analysis.begin(record).rules, len(record["order"]))
        return self.find_decision(mask_deal(record, packs, rng), kind, rng)

    def list_options(
        self, situation: LaidSituation, kind: str, playouts: Any
    ) -> tuple[Option, ...]:
        position = situation.position
        if position.turns[position.turn] > LAST_TURN or not all(position.playing):
            return ()
        if kind == PICK:
            return (Option("open"), Option("closed")) if position.open_pile else ()
        state = playouts.state(position)
        laid = playouts.copy(state)
        playouts.lay(laid)
        # If something can be laid, the question is a different one.
        if situation.lays or laid.hands[state.turn] != state.hands[state.turn]:
            return ()
        one_of_each = {card % FACES: card for card in playouts.list_discards(state)}
        options = tuple(Option("discard", card) for card in one_of_each.values())
        return options if len(options) >= _LEAST_DISCARDS else ()
