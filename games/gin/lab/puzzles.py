"""Puzzles of gin: arrange a hand, draw, discard, knock or play on.

An arrangement is solved exactly. The others are judged by the playouts of the analysis
(docs/analysis.md), in the same worlds for all options.
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
    MORE_LOOKS,
    PICK,
    PICKING,
    Bar,
    Looks,
    Puzzle,
    Worth,
    count_crossing,
    find_decision,
    find_situation,
    judge_choice,
    mask_deal,
    read_groups,
    shuffle_steps,
)
from games.analysis.report import text_json
from games.cards import CARDS, FACE_TEXT, Card, parse_face
from games.engine.base import JSON, Text, text
from games.engine.base import gettext_noop as _
from games.engine.game import PuzzleKind
from games.gin.bots.expert import list_discards
from games.gin.bots.playouts import Playouts
from games.gin.lab.analysis.options import Choice, Kind, Option, Worlds, find_best_knock
from games.gin.lab.analysis.reading import Situation, begin_situation, read_situations
from games.gin.lab.analysis.reasons import list_reasons
from games.gin.rules.melding import BIT, arrange, cards_of
from games.gin.rules.melds import deadwood, meld_kind
from games.gin.rules.ruleset import HAND_SIZE, load_rules
from games.gin.words import TEXTS

KNOCK: Final = "knock"
PLAY: Final = "play"

KINDS: Final[Mapping[str, PuzzleKind]] = {
    ARRANGE: PuzzleKind(
        text(_("Arrange this hand")),
        text(_("Lay the hand in melds so that as little deadwood as possible is left.")),
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
# Differences are smaller than in Indian rummy, and playouts are faster.
BARS: Final[Mapping[str, Bar]] = {
    PICK: Bar(hopeful=(1.0, 2.0), least=2.0),
    DISCARD: Bar(hopeful=(0.5, 1.0), least=1.0, most_right=2),
    KNOCK: Bar(hopeful=(1.0, 2.0), least=2.0, largest=25.0),
}
# An arrangement must have this many melds, and this many cards that fit in two.
_LEAST_MELDS: Final = 2
_LEAST_DOUBT: Final = 2
_MOVES: Final = {PICK: ("draw",), DISCARD: ("discard", "knock"), KNOCK: ("discard", "knock")}
# Discards to play out besides a knock.
_BESIDE_A_KNOCK: Final = 4


@dataclass(frozen=True)
class GinPuzzles:
    """The puzzles of gin, `Game.puzzles`."""

    looks: Looks = MORE_LOOKS
    kinds: Mapping[str, PuzzleKind] = field(default_factory=lambda: KINDS)

    def find(self, record: Mapping[str, Any], kind: str, *, rng: random.Random) -> Puzzle | None:
        """See `games.engine.game.DealPuzzles`. Where spades count double the suits are not alike."""
        if load_rules(record["rules"]).spades_double:
            return None
        deal = mask_deal(record, 1, rng)
        if kind == ARRANGE:
            return _find_arrangement(deal)
        # Most hands that may knock should, so every second search looks for one that should not.
        wanted = rng.choice((KNOCK, PLAY)) if kind == KNOCK else None
        return find_decision(
            _list_positions(deal, kind, rng), BARS[kind], self.looks, wanted=wanted
        )

    def judge(
        self, kind: str, task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
    ) -> dict[str, Any]:
        if kind == ARRANGE:
            return _judge_arrangement(task, solution, answer)
        return judge_choice(solution, answer)


PUZZLES: Final = GinPuzzles()


def faces(cards: Sequence[int]) -> list[JSON]:
    return [FACE_TEXT[card] for card in cards]


# --- Arrange this hand.


def _find_arrangement(deal: Mapping[str, Any]) -> Puzzle | None:
    """Return the hand of the deal whose arrangement is most doubtful."""
    best: tuple[int, tuple[Card, ...]] | None = None
    for _number, step, situation in read_situations(deal):
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
        "task": {"hand": faces(best[1])},
        "solution": {
            "points": laid.deadwood,
            "groups": [
                {"cards": faces(group), "title": text_json(TEXTS[f"kind_{meld_kind(group)}"])}
                for group in laid.groups
            ],
            "loose": faces(laid.loose),
        },
    }


def _judge_arrangement(
    task: Mapping[str, Any], solution: Mapping[str, Any], answer: str
) -> dict[str, Any]:
    """Judge an arrangement: cards outside melds count, and the least count is right (G6, G7)."""
    groups, left = read_groups(task["hand"], answer)
    laid = [[CARDS[parse_face(face)] for face in group] for group in groups]
    points = deadwood(CARDS[parse_face(face)] for face in left)
    points += sum(deadwood(group) for group in laid if meld_kind(group) is None)
    least = solution["points"]
    return {"right": points == least, "loss": float(points - least), "points": points}


# --- Which pile, which discard, knock or play on.


@dataclass(frozen=True, eq=False)
class _Position:
    """A moment of a deal (`games.analysis.puzzles.Position`)."""

    kind: Kind
    situation: Situation
    options: tuple[Option, ...]
    worlds: Worlds
    playouts: Playouts

    def nets(self, options: Sequence[Option]) -> list[float]:
        world = self.worlds.sample_world()
        return [option.play_out(self.playouts, world.copy()) for option in options]

    def answer(self, option: Option) -> str:
        if self.kind == PICK:
            return option.doing
        if self.kind == KNOCK:
            return KNOCK if option.knocks else PLAY
        return FACE_TEXT[option.card or 0]

    def task(self) -> dict[str, JSON]:
        """Return the position as its seat saw it, by faces; `points` are those of a knock."""
        situation, place = self.situation, self.situation.position.turn
        position, other = situation.position, 1 - place
        limit = (
            _("Knocking with %(limit)s or less") if situation.limit else _("Knocking with gin only")
        )
        knocks = [option for option in self.options if option.knocks]
        hand = position.hands[place]
        return {
            "hand": faces(cards_of(hand)),
            "open": faces(position.open_pile[-1:])[0] if position.open_pile else None,
            "players": 2,
            "turn": position.turns[place],
            "threw": faces(situation.thrown[place]),
            "others": [
                {
                    "threw": faces(situation.thrown[other]),
                    "took": faces(cards_of(situation.held[other])),
                }
            ],
            "notes": [text_json(text(limit, limit=situation.limit))],
            "points": knocks[0].points(hand) if knocks else None,
        }

    def list_reasons(self, chosen: Option, worth: Worth[Option]) -> list[Text]:
        others = tuple(other for other in worth.options if other != chosen)
        verdict = Verdict(worth.best, loss=worth.loss_of(chosen), worth=worth.means[chosen])
        return list_reasons(Choice(self.kind, chosen, others), verdict, self.situation, self.worlds)


def _list_positions(deal: Mapping[str, Any], kind: str, rng: random.Random) -> Iterator[_Position]:
    """Yield the positions of the deal in random order."""
    begun = begin_situation(deal)
    playing = Playouts(begun.rules, begun.upcard)
    for number in shuffle_steps(deal, _MOVES[kind], rng):
        situation = find_situation(read_situations(deal), number)
        options = _options(situation, kind)
        if len(options) > 1:
            worlds = Worlds(situation, situation.position.turn, rng)
            yield _Position(kind, situation, options, worlds, playing)  # type: ignore[arg-type]


def _options(situation: Situation, kind: str) -> tuple[Option, ...]:
    position = situation.position
    if position.turns[position.turn] > LAST_TURN:
        return ()
    if kind == PICK:
        is_free = position.open_pile and not (position.is_offered or position.must_draw_closed)
        return (Option("open"), Option("closed")) if is_free else ()
    hand = position.hands[position.turn]
    bound = position.from_open and not situation.rules.may_return_open_card
    kept = BIT[position.drawn] if bound and position.drawn is not None else 0
    best = find_best_knock(situation, hand, kept)
    if kind == DISCARD:
        cards = () if best is not None else cards_of(hand & ~kept)
        return tuple(Option("discard", card) for card in cards)
    if best is None or best.doing != "knock":
        return ()
    beside = list_discards(hand, kept, _BESIDE_A_KNOCK)
    return (best, *(Option("discard", card) for card in beside))
