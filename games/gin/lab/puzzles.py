"""Puzzles of gin: arrange a hand, choose a pile or a discard, knock or play on.

An arrangement is solved exactly. The other puzzles are judged by the playouts of the analysis (docs/analysis.md), with
the same worlds for all options.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.analysis.puzzles import (
    ARRANGE,
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
    count_crossing,
    mask_deal,
    read_groups,
    write_faces,
)
from games.analysis.report import text_json
from games.cards import CARDS, Card, parse_face
from games.engine.base import JSON, text
from games.engine.base import gettext_noop as _
from games.engine.game import PuzzleKind
from games.gin.bots.expert import list_discards
from games.gin.lab.analysis.options import GinOption, find_best_knock
from games.gin.lab.analysis.reading import GinSituation
from games.gin.lab.analysis.report import ANALYSIS, GinAnalysis
from games.gin.rules.melding import arrange, cards_of
from games.gin.rules.melds import deadwood, meld_kind
from games.gin.rules.ruleset import HAND_SIZE, load_rules
from games.gin.words import TEXTS

KNOCK: Final = "knock"
PLAY: Final = "play"

KINDS: Final[Mapping[str, PuzzleKind]] = {
    ARRANGE: PuzzleKind(
        text(_("Arrange this hand")),
        text(_("Arrange the hand in melds so that as little deadwood as possible is left.")),
    ),
    PICK: PICKING,
    DISCARD: DISCARDING,
    KNOCK: PuzzleKind(
        text(_("Knock or play on?")),
        text(_("You may knock with %(points)s.")),
        {
            KNOCK: (text(_("Knock")), text(_("Better: knock."))),
            PLAY: (text(_("Play on")), text(_("Better: play on."))),
        },
    ),
}
# An arrangement must have this many melds, and this many cards that fit in two.
_LEAST_MELDS: Final = 2
_LEAST_DOUBT: Final = 2
# Discards to play out besides a knock.
_BESIDE_A_KNOCK: Final = 4


# --- Arrange this hand.


def _find_arrangement(deal: Mapping[str, Any]) -> Puzzle | None:
    """Return a puzzle from the hand with the most cards that fit into a sequence as well as into a set, or None.

    The result is None if no hand of the deal has enough melds and enough such cards.
    """
    best: tuple[int, tuple[Card, ...]] | None = None
    for _number, step, situation in ANALYSIS.read_situations(deal):
        hand = cards_of(situation.position.hands[situation.position.turn])
        if (step.get("move") or {}).get("kind") != "draw" or len(hand) != HAND_SIZE:
            continue
        doubt = count_crossing({card.face for card in hand})
        is_doubtful = doubt >= _LEAST_DOUBT and (best is None or doubt > best[0])
        if is_doubtful and len(arrange(hand).groups) >= _LEAST_MELDS:
            best = doubt, hand
    if best is None:
        return None
    laid = arrange(best[1])
    return {
        "task": {"hand": write_faces(best[1])},
        "solution": {
            "points": laid.deadwood,
            "groups": [
                {"cards": write_faces(group), "title": text_json(TEXTS[f"kind_{meld_kind(group)}"])}
                for group in laid.groups
            ],
            "loose": write_faces(laid.loose),
        },
    }


def _judge_arrangement(
    task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
) -> dict[str, Any]:
    """Judge an arrangement: it is right if the cards outside its melds have the least possible points (G6, G7)."""
    groups, left = read_groups(task["hand"], answer)
    laid = [[CARDS[parse_face(face)] for face in group] for group in groups]
    points = deadwood(CARDS[parse_face(face)] for face in left)
    points += sum(deadwood(group) for group in laid if meld_kind(group) is None)
    least = solution["points"]
    return {"right": points == least, "loss": float(points - least), "points": points}


# --- Which pile, which discard, knock or play on.


class _GinPuzzlePosition(PuzzlePosition):
    def answer(self, option: GinOption) -> str:
        if self.kind == KNOCK:
            return KNOCK if option.knocks else PLAY
        return super().answer(option)

    def task(self) -> dict[str, JSON]:
        """Return the position. `points` is the deadwood of a possible knock, or None."""
        knocks = [option for option in self.options if option.knocks]
        hand = self.moment.situation.position.hands[self.moment.place]
        return {
            **super().task(),
            "notes": self.list_notes(),
            "points": knocks[0].points(hand) if knocks else None,
        }


@dataclass(frozen=True)
class GinPuzzles(DecisionPuzzles):
    """The puzzles of gin (`Game.puzzles`)."""

    analysis: GinAnalysis = ANALYSIS
    looks: Looks = MORE_LOOKS
    kinds: Mapping[str, PuzzleKind] = field(default_factory=lambda: KINDS)
    # Differences are smaller than in Indian rummy, and playouts are faster.
    bars = {
        PICK: Bar(hopeful=(1.0, 2.0), least=2.0),
        DISCARD: Bar(hopeful=(0.5, 1.0), least=1.0, most_right=2),
        KNOCK: Bar(hopeful=(1.0, 2.0), least=2.0, largest=25.0),
    }
    moves = {PICK: ("draw",), DISCARD: ("discard", "knock"), KNOCK: ("discard", "knock")}
    position = _GinPuzzlePosition

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`. If spades count double, the suits differ and there are no puzzles."""
        if load_rules(record["rules"]).spades_double:
            return None
        deal = mask_deal(record, 1, rng)
        if kind == ARRANGE:
            return _find_arrangement(deal)
        # Most hands that may knock should, so every second search looks for one that should not.
        wanted = rng.choice((KNOCK, PLAY)) if kind == KNOCK else None
        return self.find_decision(deal, kind, rng, wanted)

    def list_options(
        self, situation: GinSituation, kind: str, _playouts: Any
    ) -> tuple[GinOption, ...]:
        position = situation.position
        if position.turns[position.turn] > LAST_TURN:
            return ()
        if kind == PICK:
            is_free = position.open_pile and not (position.is_offered or position.must_draw_closed)
            return (GinOption("open"), GinOption("closed")) if is_free else ()
        hand, kept = position.hands[position.turn], situation.kept
        best = find_best_knock(situation)
        if kind == DISCARD:
            cards = () if best is not None else cards_of(hand & ~kept)
            return tuple(GinOption("discard", card) for card in cards)
        if best is None or best.doing != "knock":
            return ()
        beside = list_discards(hand, kept, _BESIDE_A_KNOCK)
        return (best, *(GinOption("discard", card) for card in beside))

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        if kind == ARRANGE:
            return _judge_arrangement(task, solution, answer)
        return super().judge(kind, task, solution, answer)


PUZZLES: Final = GinPuzzles()
