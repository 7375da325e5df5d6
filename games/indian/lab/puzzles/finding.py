"""Finds puzzles in the record of a finished deal.

An arrangement is solved exactly. Discards and drops are judged by the playouts of the analysis (docs/analysis.md):
every option is played in the same worlds. A position becomes a puzzle only if the best option is far better than every
other.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.analysis.judging import Option
from games.analysis.puzzles import (
    ARRANGE,
    DISCARD,
    DISCARDING,
    LAST_TURN,
    Bar,
    DecisionPuzzles,
    Looks,
    Puzzle,
    PuzzlePosition,
    count_crossing,
    mask_deal,
    write_faces,
)
from games.analysis.report import text_json
from games.cards import FACES
from games.engine.base import JSON, text
from games.engine.base import gettext_noop as _
from games.engine.game import PuzzleKind
from games.indian.bots.playouts import Hands, IndianPlayouts, list_loose_cards
from games.indian.lab.analysis.options import find_finishing_card, find_kept, list_draws
from games.indian.lab.analysis.reading import IndianSituation
from games.indian.lab.analysis.report import ANALYSIS, IndianAnalysis
from games.indian.lab.puzzles.tasks import (
    DROP,
    PLAY,
    hand_task,
    judge_arrangement,
)
from games.indian.rules.melds import meld_kind
from games.indian.rules.ruleset import load_rules
from games.indian.words import TEXTS

KINDS: Final[Mapping[str, PuzzleKind]] = {
    ARRANGE: PuzzleKind(
        text(_("Arrange this hand")),
        text(
            _(
                "Arrange the hand at its lowest count: a pure sequence, a second "
                "sequence, then sets and more sequences."
            )
        ),
    ),
    DISCARD: DISCARDING,
    DROP: PuzzleKind(
        text(_("Drop or play?")),
        text(
            _("It is your turn, and you have not drawn yet. A drop costs %(drop_points)s points.")
        ),
        {
            PLAY: (text(_("Play")), text(_("Better: play on."))),
            DROP: (text(_("Drop")), text(_("Better: drop."))),
        },
    ),
}
# An arrangement must have this many melds, and this many cards that fit in more than one.
_LEAST_MELDS: Final = 3
_LEAST_DOUBT: Final = 2
_MOST_LEFT: Final = 60
_FIRST_ARRANGED_TURN: Final = 3
# A discard puzzle must offer this many cards that lie in no meld.
_LEAST_LOOSE: Final = 4
_SEARCHES_FOR_DROPS: Final = 0.8


# --- Arrange this hand.


def _find_arrangement(deal: Mapping[str, Any]) -> Puzzle | None:
    """Return the puzzle to arrange the hand that was the hardest to arrange before a draw of this deal.

    Return None if no hand is hard enough for a puzzle.
    """
    begun = ANALYSIS.begin(deal)
    hands = Hands(begun.wild, begun.rules)
    best: tuple[int, Puzzle] | None = None
    for _number, step, situation in ANALYSIS.read_situations(deal):
        position = situation.position
        if (step.get("move") or {}).get("kind") != "draw":
            continue
        if position.turns[position.turn] < _FIRST_ARRANGED_TURN:
            continue
        hand = position.hands[position.turn]
        doubt = _count_doubtful(hand, hands)
        if doubt < _LEAST_DOUBT or (best is not None and doubt <= best[0]):
            continue
        solution = _lay_out(situation, hands)
        if solution is not None:
            best = doubt, {"task": hand_task(situation, deal["rules"]), "solution": solution}
    return None if best is None else best[1]


def _lay_out(situation: IndianSituation, hands: Hands) -> dict[str, JSON] | None:
    rules, wild = situation.rules, situation.wild
    arranged = hands.arrange(situation.position.hands[situation.position.turn])
    if len(arranged.groups) < _LEAST_MELDS or arranged.points > _MOST_LEFT:
        return None
    return {
        "points": arranged.points,
        "declarable": arranged.declarable,
        "groups": [
            {
                "cards": write_faces(group),
                "title": text_json(TEXTS[f"kind_{meld_kind(group, wild, rules)}"]),
            }
            for group in arranged.groups
        ],
        "loose": write_faces(arranged.loose),
    }


def _count_doubtful(hand: Sequence[int], hands: Hands) -> int:
    """Return how hard a hand is to arrange: how many jokers it has, plus how many cards fit both in a run and in a set.

    Only runs and sets of three natural cards are considered.
    """
    naturals = {card % FACES for card in hand if not hands.is_joker(card)}
    jokers = sum(map(hands.is_joker, hand))
    return jokers + count_crossing(naturals)


# --- Which discard, drop or play.


class IndianPuzzlePosition(PuzzlePosition):
    def answer(self, option: Option) -> str:
        """Return the answer that stands for this option: a face to discard, "drop", or "play"."""
        return (
            DROP
            if option.doing == "drop"
            else PLAY
            if option.card is None
            else super().answer(option)
        )

    def task(self) -> dict[str, JSON]:
        situation = self.moment.situation
        return {
            **super().task(),
            **hand_task(situation, self.deal["rules"]),
            "drop_points": situation.drop_points or 0 if self.kind == DROP else None,
        }


@dataclass(frozen=True)
class IndianPuzzles(DecisionPuzzles):
    """The puzzles of 13-card Indian rummy (`Game.puzzles`)."""

    analysis: IndianAnalysis = ANALYSIS
    looks: Looks = field(default_factory=Looks)
    kinds: Mapping[str, PuzzleKind] = field(default_factory=lambda: KINDS)
    bars = {
        DISCARD: Bar(most_right=2),
        DROP: Bar(hopeful=(4.0, 6.0), least=5.0, largest=20.0),
    }
    moves = {DISCARD: ("discard",), DROP: ("draw", "drop")}
    position = IndianPuzzlePosition

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`."""
        packs = load_rules(record["rules"]).packs_at(len(record["order"]))
        deal = mask_deal(record, packs, rng)
        if kind == ARRANGE:
            return _find_arrangement(deal)
        # Few hands should be dropped, so most searches look for one, to have puzzles of both kinds.
        asked = DROP if rng.random() < _SEARCHES_FOR_DROPS else PLAY
        return self.find_decision(deal, kind, rng, asked if kind == DROP else None)

    def list_options(
        self, situation: IndianSituation, kind: str, playouts: IndianPlayouts
    ) -> tuple[Option, ...]:
        position = situation.position
        if situation.reshuffles or not all(position.playing):
            return ()
        if position.turns[position.turn] > LAST_TURN:
            return ()
        options = _list_ways_on if kind == DROP else _list_discards
        return options(situation, playouts.hands)

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        if kind == ARRANGE:
            return judge_arrangement(task, solution, answer)
        return super().judge(kind, task, solution, answer)


def _list_ways_on(situation: IndianSituation, hands: Hands) -> tuple[Option, ...]:
    """Return the options to drop and to draw from each pile, or an empty tuple if this choice makes no puzzle.

    It makes one only if a drop is allowed and the match is a single deal. In other matches, the right choice depends on
    the scores, too.
    """
    rules = situation.rules
    if rules.deals != 1 or rules.elimination_score is not None or not situation.drop_points:
        return ()
    return (Option("drop"), *list_draws(situation, hands))


def _list_discards(situation: IndianSituation, hands: Hands) -> tuple[Option, ...]:
    hand = situation.position.hands[situation.position.turn]
    if find_finishing_card(hand, hands) is not None:
        return ()
    loose = list_loose_cards(hand, hands.find_best_of_fourteen(hand)[1])
    if sum(not hands.is_joker(card) for card in loose) < _LEAST_LOOSE:
        return ()
    kept = find_kept(situation)
    one_of_each = {card % FACES: card for card in hand if card != kept}
    return tuple(Option("discard", card) for card in one_of_each.values())


PUZZLES: Final = IndianPuzzles()
