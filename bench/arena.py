"""Measure the strength of all games' bots against each other, and their time to think.

    bin/bench arena                                  # every game: each strength, the next lower; hard, easy
    bin/bench arena --game gin --first expert --second rule --deals 600
    bin/bench arena --game contract --seats 3

One player of the first kind sits among players of the second. Each deal is repeated with the first player at
every seat (duplicate matches). The bench prints the share of deals won and the net points per deal, with the
95 % interval of the mean over the deals. `manage.py simulate` plays whole matches of several formats.

`rule` is a player of gin that shares no code with the bots. It keeps its melds, takes the open card if that
lowers its deadwood, discards the card that leaves the least deadwood and knocks as soon as it may. `oracle`
is a player of Indian rummy that sees all cards (`bench/oracle.py`).

`open_spiel` is the simple gin bot of open_spiel, which never lays off. Against it the rules of a deal are
open_spiel's (no big gin, and the open card may be returned), except that equal counts are an undercut.
"""

import argparse
import atexit
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, pairwise
from statistics import fmean
from typing import Any

from bench.figures import compute_half_of_95, compute_percentile
from bench.oracle import Oracle
from bench.peer_programs import Peer
from bench.play import begin, bot, play_turns
from games.cards import CARD_BY_TEXT, Card
from games.engine.base import JSON, STRENGTHS, Result
from games.engine.game import Game
from games.engine.moves import AnyMove
from games.engine.state import replace
from games.gin.rules.defence import find_best_defence
from games.gin.rules.melding import arrange, arrange_eleven
from games.gin.rules.melds import MIN_MELD
from games.gin.rules.moves import Defend, Discard, Draw, Knock, PassUpcard, move_json
from games.gin.rules.state import DECK, Match
from games.registry import GAMES

GOAL_P95_MS = 100
# Share of the deals that `hard` should win against `easy`.
GOAL_WON = 0.6
HEAD = """\
| game | pair | seats | matches | won | net points a deal | ms a move, p50 / p95, longest |
|---|---|---|---|---|---|---|"""
KINDS = (*STRENGTHS, "rule", "oracle", "open_spiel")
# Presets whose whole match is one deal.
PRESETS = {"contract": "single"}


def rule_player(view: Mapping[str, Any], _seat: int) -> Mapping[str, JSON]:
    return move_json(_play_by_rule(view["public"], view["you"]))


def _play_by_rule(public: Mapping[str, Any], own: Mapping[str, Any]) -> AnyMove:
    hand = tuple(CARD_BY_TEXT[card] for card in own["hand"])
    if public["phase"] == "defend":
        melds = [[CARD_BY_TEXT[card] for card in group] for group in public["knock"]["groups"]]
        answer = find_best_defence(hand, melds)
        return Defend(answer.groups, answer.lay_offs)
    if public["step"] == "draw":
        if not public["must_draw_closed"]:
            card = CARD_BY_TEXT[public["open_pile"][-1]]
            if arrange_eleven((*hand, card), kept=card).deadwood < arrange(hand).deadwood:
                return Draw("open")
        return PassUpcard() if public["phase"] == "upcard" else Draw("closed")
    best = arrange_eleven(hand, kept=CARD_BY_TEXT[own["drawn"]] if own["from_open"] else None)
    if best.discard is None:
        raise AssertionError("one of eleven cards can be thrown")
    if best.deadwood <= public["knock_limit"]:
        return Knock(best.discard, best.groups)
    return Discard(best.discard)


@cache
def open_spiel() -> Peer:
    """Return the process that runs open_spiel's gin. It ends with this process."""
    peer = Peer("open_spiel", "open_spiel_gin")
    atexit.register(peer.__exit__)
    return peer


def as_in_open_spiel(rules: Any) -> Any:
    """Return these rules of gin with open_spiel's rules for discards and bonuses."""
    return replace(rules, may_return_open_card=True, big_gin_bonus=0)


def open_spiel_player(match: Match, view: Mapping[str, Any], seat: int) -> Mapping[str, JSON]:
    return move_json(_play_by_open_spiel(match, view["public"], view["you"], seat))


def _play_by_open_spiel(
    match: Match, public: Mapping[str, Any], own: Mapping[str, Any], seat: int
) -> AnyMove:
    """Ask open_spiel's bot for a move in a separate deal with the same hand.

    That is enough because the bot only looks at its hand and the open card.
    """
    deal = match.deal
    hand = [CARD_BY_TEXT[card] for card in own["hand"]]
    if knock := deal.knock:
        kept = [*chain(*knock.groups), *knock.loose]
        laid = [" ".join(sorted(map(_name, meld))) for meld in _split(knock.groups)]
        knocks = ["open", "knock", _name(knock.card), *laid, "pass"]
        answer = _ask(kept, hand, knock.card, *knocks)
        return Defend(_read_melds(answer), ())
    if public["step"] == "draw":
        if public["must_draw_closed"]:
            return Draw("closed")
        if _ask(hand, (), deal.open_pile[-1])[0] == "open":
            return Draw("open")
        return PassUpcard() if public["phase"] == "upcard" else Draw("closed")
    drawn = CARD_BY_TEXT[own["drawn"]]
    said = _ask([card for card in hand if card != drawn], (), drawn, "open")
    if said[0] == "knock":
        return Knock(_read(said[1]), _read_melds(said[2:]))
    return Discard(_read(said[0]))


def _ask(
    hand: Sequence[Card], other: Sequence[Card], upcard: Card | None, *moves: str
) -> list[str]:
    """Return the bot's moves in a deal with these hands, after these moves.

    The other hand is filled up with cards that are left.
    """
    left = [card for card in DECK if card not in {*hand, *other, upcard}]
    dealt = [*hand, *other, *left[: 10 - len(other)], upcard]
    chosen: list[str] = open_spiel().ask("choose", [*map(_name, dealt), *moves])
    return chosen


def _split(melds: Sequence[Sequence[Card]]) -> Iterator[Sequence[Card]]:
    """Yield melds of at most five cards, because open_spiel treats six cards in order as two sequences."""
    for meld in map(sorted, melds):
        yield from [meld] if len(meld) < 2 * MIN_MELD else [meld[:3], *_split([meld[3:]])]


def _name(card: Card | None) -> str:
    return str(card)[:2]


def _read(name: str) -> Card:
    return CARD_BY_TEXT[f"{name}.0"]


def _read_melds(names: Sequence[str]) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(map(_read, name.split())) for name in names if name != "pass")


@dataclass
class Duel:
    """The results of the first player of a duel."""

    # The first player's mean net points over all seats, by deal. A shared deal is a fraction of a win.
    nets: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    played: int = 0
    moves: int = 0
    seconds: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})

    @property
    def net(self) -> float:
        return fmean(self.nets)

    @property
    def share(self) -> float:
        return fmean(self.wins)


def player(game: Game, kind: str, name: object) -> Callable[..., Mapping[str, JSON]]:
    """Return a function that chooses a move, given the state, a seat's view and the seat."""
    if kind == "oracle":
        return Oracle(bot(game, "hard", name), name).choose
    if kind == "open_spiel":
        return open_spiel_player
    chooser = rule_player if kind == "rule" else bot(game, kind, name)  # type: ignore[arg-type] # choices
    return lambda _, view, seat: chooser(view, seat)


def duel(  # noqa: PLR0913 - what is played
    game: Game, rules: Any, first: str, second: str, *, deals: int, seed: int, seats: int = 2
) -> Duel:
    """Play this many deals, each of them `seats` times, with the first player at every seat in turn."""
    found = Duel()
    for number in range(deals):
        nets, wins = [], []
        for place in range(seats):
            result = _play(game, rules, f"{seed}/{number}", (first, second), seats, place, found)
            nets.append(compute_net_points(result, place))
            wins.append((place in result.winners) / max(1, len(result.winners)))
        found.played += seats
        found.nets.append(fmean(nets))
        found.wins.append(fmean(wins))
    return found


def _play(  # noqa: PLR0913, PLR0917 - what is played
    game: Game, rules: Any, name: str, kinds: tuple[str, str], seats: int, place: int, found: Duel
) -> Result:
    choosers = [player(game, kinds[seat != place], f"{name}/{seat}") for seat in range(seats)]
    outcome = begin(game, rules, range(seats), name)
    for turn in play_turns(game, rules, outcome, name, lambda *seen: choosers[seen[2]](*seen)):
        found.seconds[turn.seat == place].append(turn.seconds)
        found.moves += 1
        outcome = turn.outcome
    assert outcome.status.result is not None  # noqa: S101 - a match has one
    return outcome.status.result


def compute_net_points(result: Result, seat: int) -> float:
    """Return the seat's net points. The winners share the losers' points equally."""
    if seat not in result.winners:
        return -result.points[seat]
    paid = sum(lost for loser, lost in result.points.items() if loser not in result.winners)
    return paid / len(result.winners)


def line(code: str, first: str, second: str, seats: int, found: Duel) -> str:
    took = found.seconds[True]
    p50, p95 = (1000 * compute_percentile(took, part) for part in (50, 95))
    missed = []
    if (first, second) == ("hard", "easy") and found.share < GOAL_WON:
        missed.append(f"goal of {GOAL_WON:.0%} missed")
    if p95 > GOAL_P95_MS:
        missed.append(f"goal of {GOAL_P95_MS} ms missed")
    return (
        f"| {code} | {first} against {second} | {seats} | {found.played} | {found.share:.1%} "
        f"± {compute_half_of_95(found.wins):.1%} | {found.net:+.2f} ± {compute_half_of_95(found.nets):.2f} | "
        f"{', '.join((f'{p50:.1f} / {p95:.1f}, {1000 * max(took):.0f}', *missed))} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES), help="one game; otherwise all")
    parser.add_argument("--first", choices=KINDS)
    parser.add_argument("--second", choices=KINDS)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--preset", help="a rule set of the game whose match is one deal")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"seed {given.seed}\n{HEAD}")
    for code in [given.game] if given.game else GAMES:
        game = GAMES[code]
        rules = game.rules.preset(given.preset or PRESETS.get(code, "points"))
        usual = [*pairwise(game.strengths[::-1]), ("hard", "easy")]
        chosen = [(given.first, given.second)] if given.first and given.second else usual
        if "open_spiel" in chosen[0]:
            rules = as_in_open_spiel(rules)
        for first, second in chosen:
            found = duel(
                game, rules, first, second, deals=given.deals, seed=given.seed, seats=given.seats
            )
            print(line(code, first, second, given.seats, found), flush=True)


if __name__ == "__main__":
    main()
