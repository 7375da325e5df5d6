"""Puzzles of games with melds on the table: which pile, and which discard, by the game's own analysis."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.analysis.laid import Known, Option
from games.analysis.laid_report import LaidAnalysis, Situation
from games.analysis.puzzles import (
    DISCARD,
    DISCARDING,
    LAST_TURN,
    MORE_LOOKS,
    PICK,
    PICKING,
    Bar,
    Looks,
    Puzzle,
    Worth,
    find_decision,
    find_situation,
    judge_choice,
    mask_deal,
    shuffle_steps,
)
from games.analysis.report import text_json
from games.cards import CARD_BY_TEXT, FACE_TEXT, FACES
from games.engine.base import JSON, Text
from games.engine.game import PuzzleKind

BARS: Final[Mapping[str, Bar]] = {
    PICK: Bar(hopeful=(1.0, 2.0), least=2.0),
    DISCARD: Bar(hopeful=(1.0, 2.0), least=2.0, most_right=2),
}
_LEAST_DISCARDS: Final = 3
_MOVES: Final = {PICK: ("draw",), DISCARD: ("discard",)}


@dataclass(frozen=True)
class LaidPuzzles:
    """The puzzles of such a game, `Game.puzzles`. `packs`: how many by the rules and the number of players."""

    analysis: LaidAnalysis
    packs: Callable[[Any, int], int]
    looks: Looks = MORE_LOOKS
    kinds: Mapping[str, PuzzleKind] = field(
        default_factory=lambda: {PICK: PICKING, DISCARD: DISCARDING}
    )

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`."""
        packs = self.packs(self.analysis.begin(record).rules, len(record["order"]))
        deal = mask_deal(record, packs, rng)
        return find_decision(self._list_positions(deal, kind, rng), BARS[kind], self.looks)

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        return judge_choice(solution, answer)

    def _list_positions(
        self, deal: Mapping[str, Any], kind: str, rng: random.Random
    ) -> Iterator["_Position"]:
        """Yield the positions of the deal in random order."""
        for number in shuffle_steps(deal, _MOVES[kind], rng):
            situation = find_situation(self.analysis.begin(deal).steps(deal), number)
            playouts = self.analysis.make_playouts(situation, rng)
            options = _options(situation, kind, playouts)
            if len(options) > 1:
                note = self.analysis.note(deal)
                known = situation.build_known(situation.position.turn)
                nets = known.nets(playouts, rng)
                seen = deal["steps"][:number]
                yield _Position(
                    self.analysis, situation, known, playouts, options, nets, note, seen
                )


@dataclass(frozen=True, eq=False)
class _Position:
    """A moment of a deal (`games.analysis.puzzles.Position`). `steps` are those before it."""

    analysis: LaidAnalysis
    situation: Situation
    known: Known
    playouts: Any
    options: tuple[Option, ...]
    nets: Callable[[Sequence[Option]], list[float]]
    note: Text
    steps: Sequence[Mapping[str, Any]]

    def answer(self, option: Option) -> str:
        return option.doing if option.card is None else FACE_TEXT[option.card % FACES]

    def task(self) -> dict[str, JSON]:
        """Return the position as its seat saw it, by faces."""
        situation, place = self.situation, self.known.place
        position, places = situation.position, len(situation.order)
        following = [(place + later) % places for later in range(1, places)]
        return {
            "hand": _faces(sorted(position.hands[place], key=lambda card: card % FACES)),
            "open": _faces(position.open_pile[-1:])[0] if position.open_pile else None,
            "players": places,
            "turn": position.turns[place],
            "threw": self._list_discards(place),
            "others": [
                {"threw": self._list_discards(other), "took": _faces(situation.taken[other])}
                for other in following
            ],
            "table": [_faces(meld.cards) for meld in position.melds],
            "notes": [text_json(self.note)],
        }

    def _list_discards(self, place: int) -> list[JSON]:
        seat = self.situation.order[place]
        return _faces(
            [
                CARD_BY_TEXT[event["card"]]
                for step in self.steps
                for event in step["events"]
                if event["kind"] == "discarded" and event["seat"] == seat
            ]
        )

    def list_reasons(self, chosen: Option, worth: Worth[Option]) -> list[Text]:
        return self.analysis.list_reasons(
            chosen, worth.best, self.situation, self.known, self.playouts
        )


def _options(situation: Situation, kind: str, playouts: Any) -> tuple[Option, ...]:
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


def _faces(cards: Sequence[int]) -> list[JSON]:
    return [FACE_TEXT[card % FACES] for card in cards]
