"""Turns and the buying between them (C6 to C8, C12 to C14, C18)."""

from dataclasses import replace

from tables.games.base import Instant
from tables.games.cards import Card
from tables.games.contract import events
from tables.games.contract.deal import Deal, How, Phase, Player, Status, Window
from tables.games.contract.ending import end_counted, end_out
from tables.games.contract.moves import Buy, Discard, Draw, Pass
from tables.games.contract.rulesets import ContractRules
from tables.games.rummy.deal import holding, with_player
from tables.games.rummy.events import Events
from tables.games.rummy.refusals import Refusal
from tables.games.rummy.turns import (
    begin_turn,
    charged,
    discardable,
    draw_closed,
    draw_open,
    has_reached_limit,
    next_place,
    put_on_open_pile,
    restocked,
    then,
)

# Cards that a sale takes from the closed deck: the buyer's, and the one of the player in turn.
_NEEDED = 2


def draw(
    deal: Deal, rules: ContractRules, player: Player, move: Draw, now: Instant
) -> tuple[Deal, Events]:
    """C6: who draws from the closed deck refuses the upcard."""
    drawing = replace(player, has_played=True)
    if move.source == "open":
        return draw_open(deal, drawing)
    # The clock begins anew with the closed card.
    return refuse(with_player(deal, charged(deal, drawing, now)), rules, now, silent=False)


def refuse(deal: Deal, rules: ContractRules, now: Instant, *, silent: bool) -> tuple[Deal, Events]:
    """C7: the others are asked for the upcard before the closed card is dealt."""
    window = _window(deal, rules, last_buyer=None, silent=silent)
    if window is None:
        return _drawn(deal, rules, now, silent=silent)
    return _offered(deal, rules, window, now)


def check_answer(
    deal: Deal, _rules: ContractRules, player: Player, _move: Buy | Pass
) -> Refusal | None:
    if deal.window is None:
        return Refusal.WRONG_STEP
    return None if player.seat in deal.window.waiting else Refusal.NOT_ASKED


def buy(
    deal: Deal, rules: ContractRules, player: Player, _move: Buy, now: Instant
) -> tuple[Deal, Events]:
    return _answered(deal, rules, (player.seat, True), now)


def pass_upcard(
    deal: Deal, rules: ContractRules, player: Player, _move: Pass, now: Instant
) -> tuple[Deal, Events]:
    return _answered(deal, rules, (player.seat, False), now)


def answered_for(deal: Deal, rules: ContractRules, seat: int, now: Instant) -> tuple[Deal, Events]:
    """A pass for a player who says nothing more."""
    if deal.window is None or seat not in deal.window.waiting:
        return deal, ()
    return _answered(deal, rules, (seat, False), now)


def _answered(
    deal: Deal, rules: ContractRules, answer: tuple[int, bool], now: Instant
) -> tuple[Deal, Events]:
    """C20: nobody is told of an answer before the window is over."""
    window = deal.window
    if window is None:  # pragma: no cover - it has been checked
        raise AssertionError("nobody is asked")
    window = replace(window, answers=(*window.answers, answer))
    deal = replace(deal, window=window)
    return _settled(deal, rules, window, now) if window.is_decided else (deal, ())


def close_window(deal: Deal, rules: ContractRules, now: Instant) -> tuple[Deal, Events]:
    """C7: whoever has not answered in time passes."""
    window = deal.window
    if window is None:  # pragma: no cover - the phase says that there is one
        raise AssertionError("nobody is asked")
    silent = tuple((seat, False) for seat in window.waiting)
    window = replace(window, answers=(*window.answers, *silent))
    return _settled(replace(deal, window=window), rules, window, now)


def cancel_window(deal: Deal) -> tuple[Deal, Events]:
    """The player in turn has left: nobody buys."""
    window = deal.window
    if window is None:
        return deal, ()
    closed = replace(deal, phase=Phase.TURN, window=None)
    return closed, (events.unsold(window.card, window.wanted),)


def _window(
    deal: Deal, rules: ContractRules, *, last_buyer: int | None, silent: bool
) -> Window | None:
    """C7, C8: who may buy the upcard; None where nobody may or can."""
    if not rules.buying or not _can_sell(deal, rules):
        return None
    following = (*deal.players[deal.turn + 1 :], *deal.players[: deal.turn])
    may = tuple(
        player.seat
        for player in following
        if player.status is Status.PLAYING
        and player.seat != last_buyer
        and (rules.max_buys is None or player.buys < rules.max_buys)
    )
    never = tuple((p.seat, False) for p in following if p.seat in may and p.never_buy)
    if len(never) == len(may):
        return None
    return Window(deal.open_pile[-1], may, never, last_buyer, silent)


def _can_sell(deal: Deal, rules: ContractRules) -> bool:
    """C8: whether enough cards are there for the buyer and the player in turn."""
    if not deal.open_pile:
        return False
    under = max(0, len(deal.open_pile) - 2) if deal.restocks < rules.max_restocks else 0
    return len(deal.closed) + under >= _NEEDED


def _offered(deal: Deal, rules: ContractRules, window: Window, now: Instant) -> tuple[Deal, Events]:
    due_at = now + rules.buy_seconds * 1000
    asked = replace(deal, phase=Phase.BUY, window=window, due_at=due_at)
    return asked, (events.offered(window.card, window.may, due_at),)


def _settled(deal: Deal, rules: ContractRules, window: Window, now: Instant) -> tuple[Deal, Events]:
    """C7: the first in order of play who wants the card gets it, with a closed card."""
    deal = replace(deal, phase=Phase.TURN, window=None)
    if not window.wanted:
        event = events.unsold(window.card, ())
        return then((event,), _drawn(deal, rules, now, silent=window.silent))
    [buyer] = [player for player in deal.players if player.seat == window.wanted[0]]
    deal = replace(deal, open_pile=deal.open_pile[:-1])
    deal, penalty, stocked = _from_closed(deal, rules)
    got = (window.card, penalty)
    holder: Player = holding(buyer, *got)
    buying = replace(
        holder,
        buys=holder.buys + 1,
        bought=got,
        taken=(*holder.taken, window.card),
        penalties=(*holder.penalties, penalty),
        has_played=True,
    )
    deal = with_player(deal, buying)
    happened = (*stocked, events.bought(buying.seat, window.card, window.wanted))
    again = None
    if rules.multiple_buys:
        again = _window(deal, rules, last_buyer=buying.seat, silent=window.silent)
    change = (
        _drawn(deal, rules, now, silent=window.silent)
        if again is None
        else _offered(deal, rules, again, now)
    )
    return then(happened, change)


def _from_closed(deal: Deal, rules: ContractRules) -> tuple[Deal, Card, Events]:
    deal, stocked = _stocked(deal, rules)
    return replace(deal, closed=deal.closed[:-1]), deal.closed[-1], stocked


def _stocked(deal: Deal, rules: ContractRules) -> tuple[Deal, Events]:
    stocked = restocked(deal, rules)
    if stocked is None:  # pragma: no cover - a sale and a turn have been checked before
        raise AssertionError("there is nothing to draw")
    return stocked


def _drawn(deal: Deal, rules: ContractRules, now: Instant, *, silent: bool) -> tuple[Deal, Events]:
    """The player in turn gets the closed card, and time to play; the server discards it again."""
    deal, stocked = _stocked(deal, rules)
    deal, drawn = draw_closed(deal, deal.players[deal.turn])
    deal = replace(deal, due_at=now + rules.turn_seconds * 1000)
    if not silent:
        return deal, (*stocked, *drawn)
    return then((*stocked, *drawn), discard_silently(deal, rules, now))


def discard_silently(deal: Deal, rules: ContractRules, now: Instant) -> tuple[Deal, Events]:
    """C18: the card drawn in this turn, or else the dearest that is no joker. A single card that
    may not be discarded stays."""
    player = deal.players[deal.turn]
    cards = discardable(deal, rules, player)
    if not cards:
        return end_turn(deal, rules, now)
    natural = [card for card in cards if not rules.is_wild(card)]
    dearest = max(natural or cards, key=lambda card: (rules.points_of(card), -card))
    deal, event = put_on_open_pile(deal, player, deal.drawn if deal.drawn in cards else dearest)
    return then((event,), end_turn(deal, rules, now))


def discard(
    deal: Deal, rules: ContractRules, player: Player, move: Discard, now: Instant
) -> tuple[Deal, Events]:
    """C18: a turn that is played to its end also ends a row of missed ones."""
    done = replace(charged(deal, player, now), missed=0, has_played=True)
    deal, event = put_on_open_pile(deal, done, move.card)
    return then((event,), end_turn(deal, rules, now))


def end_turn(deal: Deal, rules: ContractRules, now: Instant) -> tuple[Deal, Events]:
    """C12: with no card left it is the end of the deal."""
    player = deal.players[deal.turn]
    if not player.hand:
        return end_out(deal, rules, player.seat)
    return pass_turn(deal, rules, now)


def pass_turn(deal: Deal, rules: ContractRules, now: Instant) -> tuple[Deal, Events]:
    if all(player.status is Status.ABSENT for player in deal.playing):
        return end_counted(deal, rules, How.LIMIT)
    if has_reached_limit(deal, rules, deal.players[next_place(deal)], now):
        return end_counted(deal, rules, How.LIMIT)
    stocked = restocked(deal, rules)
    if stocked is None:
        return end_counted(deal, rules, How.BLOCKED)
    deal, happened = stocked
    deal, begun = begin_turn(deal, rules, now)
    if deal.players[deal.turn].status is Status.PLAYING:
        return deal, (*happened, *begun)
    # C18: who is absent does not keep the others waiting.
    return then((*happened, *begun), refuse(deal, rules, now, silent=True))
