"""Puzzles from the record of a finished deal.

An arrangement is solved exactly. Discards and drops are judged by the playouts of the analysis
(docs/analysis.md): every option in the same worlds, and only where the best option is far better
than every other.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.analysis.judging import Verdict
from games.analysis.puzzles import (
    ARRANGE,
    DISCARD,
    DISCARDING,
    LAST_TURN,
    Bar,
    Looks,
    Puzzle,
    Worth,
    count_crossing,
    find_decision,
    find_situation,
    judge_choice,
    mask_deal,
    shuffle_steps,
)
from games.analysis.report import text_json
from games.cards import FACES
from games.engine.base import JSON, Text, text
from games.engine.base import gettext_noop as _
from games.engine.game import PuzzleKind
from games.indian.bots.playouts import Hands, Playouts, list_loose_cards, make_playouts
from games.indian.lab.analysis.options import (
    Choice,
    Kind,
    Option,
    find_finishing_card,
    sample_world,
)
from games.indian.lab.analysis.reading import Situation, begin_situation, read_situations
from games.indian.lab.analysis.reasons import list_reasons
from games.indian.lab.puzzles.tasks import (
    DROP,
    PLAY,
    face,
    faces,
    hand_task,
    judge_arrangement,
    position_task,
)
from games.indian.rules.melds import meld_kind
from games.indian.rules.ruleset import load_rules
from games.indian.rules.state import drop_points
from games.indian.words import TEXTS

KINDS: Final[Mapping[str, PuzzleKind]] = {
    ARRANGE: PuzzleKind(
        text(_("Arrange this hand")),
        text(
            _(
                "Lay the hand at its lowest count: a pure sequence, a second one, "
                "then sets and sequences."
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
BARS: Final[Mapping[str, Bar]] = {
    DISCARD: Bar(most_right=2),
    DROP: Bar(hopeful=(4.0, 6.0), least=5.0, largest=20.0),
}
# An arrangement must have this many melds, and this many cards that fit in more than one.
_LEAST_MELDS: Final = 3
_LEAST_DOUBT: Final = 2
_MOST_LEFT: Final = 60
_FIRST_ARRANGED_TURN: Final = 3
# A discard puzzle must offer this many cards that lie in no meld.
_LEAST_LOOSE: Final = 4
_SEARCHES_FOR_DROPS: Final = 0.8


@dataclass(frozen=True)
class IndianPuzzles:
    """The puzzles of 13-card Indian rummy, `Game.puzzles`."""

    looks: Looks = field(default_factory=Looks)
    kinds: Mapping[str, PuzzleKind] = field(default_factory=lambda: KINDS)

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`."""
        packs = load_rules(record["rules"]).packs_at(len(record["order"]))
        deal = mask_deal(record, packs, rng)
        if kind == ARRANGE:
            return _find_arrangement(deal)
        # Few hands should be dropped, so most searches look for one, to have puzzles of both kinds.
        asked = DROP if rng.random() < _SEARCHES_FOR_DROPS else PLAY
        wanted = asked if kind == DROP else None
        return find_decision(list_positions(deal, kind, rng), BARS[kind], self.looks, wanted=wanted)

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        if kind == ARRANGE:
            return judge_arrangement(task, solution, answer)
        return judge_choice(solution, answer)


PUZZLES: Final = IndianPuzzles()


# --- Arrange this hand.


def _find_arrangement(deal: Mapping[str, Any]) -> Puzzle | None:
    """Return the hand of the deal whose arrangement is most doubtful."""
    begun = begin_situation(deal)
    hands = Hands(begun.wild, begun.rules)
    best: tuple[int, Puzzle] | None = None
    for _number, step, situation in read_situations(deal):
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


def _lay_out(situation: Situation, hands: Hands) -> dict[str, JSON] | None:
    rules, wild = situation.rules, situation.wild
    arranged = hands.arrange(situation.position.hands[situation.position.turn])
    if len(arranged.groups) < _LEAST_MELDS or arranged.points > _MOST_LEFT:
        return None
    return {
        "points": arranged.points,
        "declarable": arranged.declarable,
        "groups": [
            {
                "cards": faces(group),
                "title": text_json(TEXTS[f"kind_{meld_kind(group, wild, rules)}"]),
            }
            for group in arranged.groups
        ],
        "loose": faces(arranged.loose),
    }


def _count_doubtful(hand: Sequence[int], hands: Hands) -> int:
    """Count jokers, and cards that lie in both a run and a set of three natural cards."""
    naturals = {card % FACES for card in hand if not hands.is_joker(card)}
    jokers = sum(map(hands.is_joker, hand))
    return jokers + count_crossing(naturals)


# --- Which discard, drop or play.


@dataclass(frozen=True, eq=False)
class Position:
    """A moment of a deal that a discard or a drop may be asked of (`games.analysis.puzzles.Position`)."""

    kind: Kind
    situation: Situation
    options: tuple[Option, ...]
    rules: JSON
    playouts: Playouts
    rng: random.Random

    @property
    def drop_points(self) -> int:
        return _drop_points(self.situation) if self.kind == DROP else 0

    def nets(self, options: Sequence[Option]) -> list[float]:
        world = sample_world(self.situation, self.situation.position.turn, self.rng)
        return [
            option.play_out(self.playouts, world.copy(), self.drop_points) for option in options
        ]

    def answer(self, option: Option) -> str:
        return answer_of(option)

    def task(self) -> dict[str, JSON]:
        points = self.drop_points if self.kind == DROP else None
        return {**position_task(self.situation, self.rules), "drop_points": points}

    def list_reasons(self, chosen: Option, worth: Worth[Option]) -> list[Text]:
        others = tuple(other for other in worth.options if other != chosen)
        choice = Choice(self.kind, chosen, others, self.drop_points)
        verdict = Verdict(worth.best, loss=worth.loss_of(chosen), worth=worth.means[chosen])
        return list_reasons(choice, verdict, self.situation, self.playouts.hands)


def answer_of(option: Option) -> str:
    """Return a face to discard, or "drop" or "play"."""
    if option.card is not None:
        return face(option.card)
    return DROP if option.doing == "drop" else PLAY


def list_positions(deal: Mapping[str, Any], kind: str, rng: random.Random) -> Iterator[Position]:
    """Yield the positions of the deal in random order, with the options of their seats."""
    begun = begin_situation(deal)
    playing = make_playouts(begun.rules, begun.wild, rng)
    decided: Kind = "drop" if kind == DROP else "discard"
    for number in shuffle_steps(deal, ("draw", "drop") if kind == DROP else ("discard",), rng):
        situation = find_situation(read_situations(deal), number)
        options = list_options(situation, kind, playing.hands)
        if options:
            yield Position(decided, situation, options, deal["rules"], playing, rng)


def list_options(situation: Situation, kind: str, hands: Hands) -> tuple[Option, ...]:
    position = situation.position
    if situation.reshuffles or not all(position.playing):
        return ()
    if position.turns[position.turn] > LAST_TURN:
        return ()
    return _list_ways_on(situation, hands) if kind == DROP else _list_discards(situation, hands)


def _list_ways_on(situation: Situation, hands: Hands) -> tuple[Option, ...]:
    """Return the options where points alone decide: in pools a drop depends on the scores."""
    rules, position = situation.rules, situation.position
    if rules.deals != 1 or rules.elimination_score is not None:
        return ()
    if _drop_points(situation) == 0:
        return ()
    options = [Option("drop"), Option("closed")]
    if position.open_pile and (
        position.is_first_turn or not hands.is_joker(position.open_pile[-1])
    ):
        options.append(Option("open"))
    return tuple(options)


def _drop_points(situation: Situation) -> int:
    has_drawn = situation.has_drawn[situation.position.turn]
    return drop_points(situation.rules, has_drawn=has_drawn) or 0


def _list_discards(situation: Situation, hands: Hands) -> tuple[Option, ...]:
    position = situation.position
    hand = position.hands[position.turn]
    if find_finishing_card(hand, hands) is not None:
        return ()
    loose = list_loose_cards(hand, hands.find_best_of_fourteen(hand)[1])
    if sum(not hands.is_joker(card) for card in loose) < _LEAST_LOOSE:
        return ()
    is_kept = position.from_open and not situation.rules.may_return_open_card
    kept = position.drawn if is_kept else None
    one_of_each = {card % FACES: card for card in hand if card != kept}
    return tuple(Option("discard", card) for card in one_of_each.values())
