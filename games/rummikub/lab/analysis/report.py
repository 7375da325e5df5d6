"""The analysis of a deal of Rummikub for one seat: every turn in which something could be laid.

The solver finds the most that could be laid, so what was missed is exact; `value` says what it cost.
Nothing is played out: a deal goes on for thirty turns of each player, and one playout says next to
nothing of a lay. What others hold is taken as it is on average, never as it was.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from games.analysis.judging import Effort
from games.analysis.report import (
    Analysis,
    Decisions,
    Luck,
    Step,
    decision_json,
)
from games.cards import CARD_BY_TEXT, Card
from games.engine.base import JSON, Text, text
from games.engine.base import gettext_noop as _
from games.rummikub.bots import FEW_LEFT
from games.rummikub.lab.analysis.luck import weigh_luck
from games.rummikub.lab.analysis.reading import Situation, begin_situation, read_situations
from games.rummikub.lab.analysis.value import estimate_count, estimate_risk, risk_of_missing
from games.rummikub.rules.laying import Stand, find_best_lay, judge_table, lay_without_moving
from games.rummikub.rules.melds import JOKER, Meld, Melds, cards_of, count, read_table

# Needed for luck only: tiles that all draws together are compared with.
EFFORT: Final = Effort(orders=80)

# Black, red, orange, blue.
_SHAPES: Final = "■●▲◆"
_JOKER: Final = "☺"

Doing = Literal["draw", "pass", "lay"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option for a turn. `laid` are the tiles of the rack that it lays."""

    doing: Doing
    laid: tuple[Card, ...] = ()
    table: Melds = ()

    def text(self) -> Text:
        if self.doing == "lay":
            return text(_("Lay %(tiles)s"), tiles=write_tiles(self.laid))
        return text(_("Pass") if self.doing == "pass" else _("Draw a tile"))


@dataclass(frozen=True)
class RummikubAnalysis(Analysis):
    effort: Effort = EFFORT
    version: int = 3
    kinds = {
        "open": text(_("First lays")),
        "lay": text(_("Lays")),
    }
    about = text(
        _(
            "Each turn is compared with the most that you could have laid. A tile that you kept "
            "costs as much as the others were likely to end the deal before your next turn. The "
            "cards that really came do not count against you. Nobody else sees it."
        )
    )
    moves = 1

    def note(self, record: Mapping[str, Any]) -> Text:
        points = begin_situation(record).rules.initial_meld
        return text(_("%(points)s points to begin"), points=points)

    def write_card(self, card: str) -> str:
        return write_tile(CARD_BY_TEXT[card])

    def judge_decisions(
        self, record: Mapping[str, Any], seat: int, _rng: random.Random, _effort: Effort
    ) -> Decisions:
        place = record["order"].index(seat)
        for number, step, situation in read_situations(record):
            if step.get("seat") == seat:
                yield number, _describe_decision(number, step, situation, place)

    def weigh_luck(
        self, record: Mapping[str, Any], place: int, rng: random.Random, effort: Effort
    ) -> Luck:
        return weigh_luck(record, place, rng, effort)


def _describe_decision(
    number: int, step: Step, situation: Situation, place: int
) -> dict[str, JSON] | None:
    """Return the decision of a turn in which something could be laid; else None."""
    stand = situation.stand(place)
    chosen = _read_chosen(step, stand)
    found = None if chosen is None else find_best_lay(stand)
    if chosen is None or found is None:
        return None
    best = _lay_of(stand, found.table)
    loss = _estimate_loss(chosen, best, situation, place)
    if not loss:
        best = chosen
    options = _options(stand, chosen, best)
    return decision_json(
        number,
        situation.position.turns[place],
        "lay" if stand.has_opened else "open",
        loss=loss,
        hand=stand.rack,
        options=[(option.text(), None) for option in options],
        chosen=options.index(chosen),
        best=options.index(best),
        reasons=_list_reasons(stand, chosen, best) if loss else (),
    )


def _read_chosen(step: Step, stand: Stand) -> Option | None:
    move = step.get("move") or {}
    if move.get("kind") == "lay":
        return _lay_of(stand, read_table(move["table"]))
    if move.get("kind") == "draw":
        return Option("draw")
    return Option("pass") if move.get("kind") == "pass" else None


def _lay_of(stand: Stand, table: Melds) -> Option:
    lying = set(cards_of(table))
    return Option("lay", tuple(card for card in stand.rack if card in lying), table)


def _estimate_loss(chosen: Option, best: Option, situation: Situation, place: int) -> float:
    """Return the expected net points of the tiles that the best lay would have laid and this one did not.

    Jokers are left out: keeping one may be right, and so may drawing on with few tiles.
    """
    rack = situation.stand(place).rack
    if len(chosen.laid) == len(rack):
        return 0.0
    racks = situation.position.racks
    others = [len(tiles) for other, tiles in enumerate(racks) if other != place]
    points = situation.rules.joker_points
    if len(best.laid) == len(rack):
        hidden = situation.list_hidden_from(place)
        won = sum(estimate_count(tiles, hidden, situation.rules) for tiles in others)
        kept = count(rack, points) - count(chosen.laid, points)
        return risk_of_missing(len(others)) * (won + kept)
    if situation.position.has_opened[place] and len(rack) - len(best.laid) <= FEW_LEFT:
        return 0.0
    missed = _naturals(best.laid) - _naturals(chosen.laid)
    return estimate_risk(others) * max(0, missed)


def _naturals(cards: Sequence[Card]) -> int:
    return count(cards, joker_points=0)


def _options(stand: Stand, chosen: Option, best: Option) -> list[Option]:
    """Return the option chosen, the best lay and one that moves nothing, those with few tiles first."""
    options = [chosen, best]
    still = lay_without_moving(stand) if stand.has_opened else None
    if still is not None:
        options.append(_lay_of(stand, still.table))
    if chosen.doing == "lay":
        options.append(Option("draw"))
    told = {(option.doing, write_tiles(option.laid)): option for option in options[::-1]}
    return sorted(told.values(), key=lambda option: (len(option.laid), option.laid))


def _list_reasons(stand: Stand, chosen: Option, best: Option) -> Iterator[Text]:
    """Yield the possible lays, and how they would have been laid."""
    missed = [card for card in best.laid if card not in chosen.laid]
    if len(best.laid) == len(stand.rack):
        yield text(_("You could have laid all your tiles and won the deal."))
    elif chosen.doing != "lay" and not stand.has_opened:
        yield text(
            _("Your melds were worth %(points)s points, and %(least)s are enough to begin."),
            points=judge_table(stand, best.table).opening_points,
            least=stand.rules.initial_meld,
        )
    else:
        yield text(
            _(
                "You kept %(tiles)s, which could be laid. If another player ends the deal first, "
                "they count %(points)s points against you."
            ),
            tiles=write_tiles(missed),
            points=count(missed, stand.rules.joker_points),
        )
    before = {frozenset(meld.cards) for meld in stand.table}
    melds = [meld for meld in best.table if frozenset(meld.cards) not in before]
    yield text(_("It would lie like this: %(melds)s."), melds=" · ".join(map(_meld_told, melds)))


def write_tile(card: Card) -> str:
    """Write a tile as the table shows it: its number, and the shape of its colour."""
    return _JOKER if card.face == JOKER else f"{card.rank}{_SHAPES[card.suit]}"


def _meld_told(meld: Meld) -> str:
    return " ".join(map(write_tile, meld.cards))


def write_tiles(cards: Sequence[Card]) -> str:
    return " ".join(map(write_tile, sorted(cards, key=lambda card: card.face)))


ANALYSIS: Final = RummikubAnalysis()
