"""The analysis of a deal of Rummikub for one seat: every turn in which tiles could be laid.

The solver finds the best lay, so the tiles that a player missed are known exactly; `value` estimates what missing them
cost. There are no playouts, because a deal goes on for thirty turns of each player and one playout says next to nothing
about a lay. Other players' racks are taken as the average of what they could be, never as they were.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from games.analysis.explanations import Explanation
from games.analysis.judging import Choice, Effort, Option, Verdict
from games.analysis.moments import Moment
from games.analysis.report import Analysis
from games.analysis.situations import Move
from games.cards import CARD_BY_TEXT, Card
from games.engine.base import Text, text
from games.engine.base import gettext_noop as _
from games.rummikub.bots import FEW_LEFT
from games.rummikub.lab.analysis.reading import RummikubPosition, RummikubSituation
from games.rummikub.lab.analysis.value import (
    estimate_burden,
    estimate_count,
    estimate_risk,
    risk_of_missing,
)
from games.rummikub.rules.laying import Stand, find_best_lay, judge_table, lay_without_moving
from games.rummikub.rules.melds import JOKER, Meld, Melds, cards_of, count, read_table
from games.rummikub.rules.ruleset import load_rules

# Needed for luck only: tiles that all draws together are compared with.
EFFORT: Final = Effort(orders=80)
# Tiles that a draw is compared with, even with many draws.
_LEAST_TILES: Final = 1

# Black, red, orange, blue.
_SHAPES: Final = "■●▲◆"
_JOKER: Final = "☺"


@dataclass(frozen=True, slots=True)
class TileOption(Option):
    """An option for a turn. `doing` is "draw", "pass" or "lay".

    `laid` are the tiles that a lay plays from the rack, and `table` is the whole table after it. Both are empty
    otherwise.
    """

    laid: tuple[Card, ...] = ()
    table: Melds = ()

    def text(self) -> Text:
        if self.doing == "lay":
            return text(_("Lay %(tiles)s"), tiles=write_tiles(self.laid))
        return text(_("Pass") if self.doing == "pass" else _("Draw a tile"))


class RummikubExplanation(Explanation):
    """Explains which tiles could have been laid, and where."""

    def list_reasons(self) -> Iterator[Text]:
        stand = self.situation.stand(self.place)
        chosen, best = self.chosen, self.best
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
        yield text(
            _("It would lie like this: %(melds)s."), melds=" · ".join(map(_write_meld, melds))
        )


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
            "Each turn is compared with the most that you could have laid. A tile that "
            "you kept costs more the likelier it was that another player would end the "
            "deal before your next turn. The tiles that really came do not count against "
            "you. Nobody else sees the analysis."
        )
    )
    moves = 1
    moment = Moment
    explanation = RummikubExplanation

    def begin(self, record: Mapping[str, Any]) -> RummikubSituation:
        order = record["order"]
        racks = [{CARD_BY_TEXT[card] for card in record["hands"][str(seat)]} for seat in order]
        turns = [1] + [0] * (len(order) - 1)
        position = RummikubPosition(racks, has_opened=[False] * len(order), turns=turns)
        return RummikubSituation(rules=load_rules(record["rules"]), order=order, position=position)

    def describe_deal(self, record: Mapping[str, Any]) -> Text:
        points = self.begin(record).rules.initial_meld
        return text(_("%(points)s points to begin"), points=points)

    def write_card(self, card: str) -> str:
        return write_tile(CARD_BY_TEXT[card])

    def find_choice(
        self, situation: RummikubSituation, move: Move, _playouts: None
    ) -> Choice[TileOption] | None:
        """Return the choice in a turn in which tiles could be laid, else None."""
        stand = situation.stand(situation.position.turn)
        chosen = _read_chosen(move, stand)
        found = None if chosen is None else find_best_lay(stand)
        if chosen is None or found is None:
            return None
        kind = "lay" if stand.has_opened else "open"
        return Choice(kind, chosen, (_build_lay(stand, found.table),))

    def judge_choice(
        self, choice: Choice[TileOption], moment: Moment, _effort: Effort
    ) -> Verdict[TileOption]:
        chosen, (best,) = choice.chosen, choice.others
        loss = _estimate_loss(chosen, best, moment.situation, moment.place)
        return Verdict(best if loss else chosen, loss)

    def list_options(
        self, choice: Choice[TileOption], verdict: Verdict[TileOption], moment: Moment
    ) -> list[TileOption]:
        """Return the options for the report, those that lay fewer tiles first.

        They are the option chosen, the best lay, the best lay that moves no tile on the table, and drawing.
        """
        stand, chosen = moment.situation.stand(moment.place), choice.chosen
        options = [chosen, verdict.best]
        still = lay_without_moving(stand) if stand.has_opened else None
        if still is not None:
            options.append(_build_lay(stand, still.table))
        if chosen.doing == "lay":
            options.append(TileOption("draw"))
        told = {(option.doing, write_tiles(option.laid)): option for option in options[::-1]}
        return sorted(told.values(), key=lambda option: (len(option.laid), option.laid))

    def describe_option(
        self, option: TileOption, _situation: RummikubSituation
    ) -> tuple[Text, None]:
        return option.text(), None

    def estimate_luck_of_draw(
        self, moment: Moment, drawer: int, cards: Sequence[int], orders: int
    ) -> float:
        """Return the luck of a draw for the moment's player, in net points.

        It is how much less the drawer's rack is expected to cost with these tiles than with other tiles of the pool. If
        another player drew, the moment's player has an equal part of the opposite.
        """
        situation, rng = moment.situation, moment.rng
        pool = situation.pool()
        usual = [
            estimate_burden(situation.stand(drawer, *rng.sample(pool, len(cards))))
            for _ in range(min(max(_LEAST_TILES, orders), len(pool)))
        ]
        worth = fmean(usual) - estimate_burden(situation.stand(drawer, *cards))
        return worth if drawer == moment.place else -worth / (len(situation.order) - 1)

    def estimate_luck_of_deal(self, moment: Moment, _effort: Effort) -> float:
        """Return the luck of the deal: what the other racks cost on average, less what the player's own rack costs."""
        begun, place = moment.situation, moment.place
        costs = [estimate_burden(begun.stand(dealt)) for dealt in range(len(begun.order))]
        return fmean(costs[:place] + costs[place + 1 :]) - costs[place]


def _read_chosen(move: Move, stand: Stand) -> TileOption | None:
    if move["kind"] == "lay":
        return _build_lay(stand, read_table(move["table"]))
    return TileOption(move["kind"]) if move["kind"] in ("draw", "pass") else None


def _build_lay(stand: Stand, table: Melds) -> TileOption:
    lying = set(cards_of(table))
    return TileOption("lay", None, tuple(card for card in stand.rack if card in lying), table)


def _estimate_loss(
    chosen: TileOption, best: TileOption, situation: RummikubSituation, place: int
) -> float:
    """Return the expected loss, in net points, from laying fewer tiles than the best lay does.

    If the best lay ends the deal, the loss is the chance of losing the deal after missing it, times the points at
    stake. Otherwise it is 0 if the best lay leaves only a few tiles, because it may then be right to go on drawing. In
    all other cases it is the chance that another player ends the deal before the next turn, times the points of the
    tiles not laid. Jokers do not count among these points, because keeping one may be right.
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


def write_tile(card: Card) -> str:
    """Write a tile as the table shows it: its number, and the shape of its colour."""
    return _JOKER if card.face == JOKER else f"{card.rank}{_SHAPES[card.suit]}"


def _write_meld(meld: Meld) -> str:
    return " ".join(map(write_tile, meld.cards))


def write_tiles(cards: Sequence[Card]) -> str:
    return " ".join(map(write_tile, sorted(cards, key=lambda card: card.face)))


ANALYSIS: Final = RummikubAnalysis()
