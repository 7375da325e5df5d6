"""The course of a deal of Contract Rummy: sales, turns and the end (C6 to C8, C12 to C15, C18, C19)."""

from games.contract.rules.deal import Deal, Step, Window
from games.contract.rules.ruleset import ContractRules
from games.engine import laid, laying
from games.engine.laid import How, Phase, Status
from games.engine.state import add_cards, replace, require

# The closed cards that a sale takes: the buyer's, and the one for the current player.
_NEEDED = 2


# --- Buying (C7, C8).


def refuse_upcard(step: Step, *, silent: bool = False) -> None:
    """Offer the upcard to the other players; after that the current player draws a closed card (C7).

    With `silent` the server plays the turn, and the card drawn is discarded.
    """
    _go_on_selling(step, _find_sale(step, silent=silent), silent=silent)


def answer(step: Step, seat: int, *, buys: bool) -> None:
    """Record an answer to the sale. No player learns of it before the sale is over (C20)."""
    window = require(step.deal.window)
    window = replace(window, answers=(*window.answers, (seat, buys)))
    step.set(window=window)
    if window.is_decided:
        close_sale(step)


def pass_for(step: Step, seat: int) -> None:
    """Pass the upcard for a player who has been asked and will not answer any more."""
    window = step.deal.window
    if window is not None and seat in window.waiting:
        answer(step, seat, buys=False)


def _withdraw(step: Step, seat: int) -> None:
    """Take a player who is leaving out of the sale, together with any answer already given (C19)."""
    window = step.deal.window
    if window is None or seat not in window.may:
        return
    window = replace(
        window,
        may=tuple(other for other in window.may if other != seat),
        answers=tuple(given for given in window.answers if given[0] != seat),
    )
    step.set(window=window)
    if window.is_decided:
        close_sale(step)


def close_sale(step: Step) -> None:
    """Sell the upcard to the first player, in order of play, who asked for it (C7).

    The buyer also gets a closed card. A player who has not answered does not buy.
    """
    window = require(step.deal.window)
    step.set(phase=Phase.TURN, window=None)
    if not window.wanted:
        step.announce("unsold", card=window.card, wanted=())
        _draw(step, silent=window.silent)
        return
    seat = window.wanted[0]
    step.set(open_pile=step.deal.open_pile[:-1])
    step.restock()
    penalty = step.deal.closed[-1]
    step.set(closed=step.deal.closed[:-1])
    buyer = require(step.deal.player(seat))
    step.put(
        add_cards(buyer, window.card, penalty),
        buys=buyer.buys + 1,
        bought=(window.card, penalty),
        taken=(*buyer.taken, window.card),
        penalties=(*buyer.penalties, penalty),
        has_played=True,
    )
    step.announce("bought", seat=seat, card=window.card, wanted=window.wanted)
    again = step.rules.multiple_buys
    sale = _find_sale(step, last_buyer=seat, silent=window.silent) if again else None
    _go_on_selling(step, sale, silent=window.silent)


def _find_sale(step: Step, *, last_buyer: int | None = None, silent: bool) -> Window | None:
    """Return the sale of the upcard (C7, C8), or None if nobody can become its buyer.

    This is the case if the rules have no buying, if too few cards are left, or if each player who may buy has chosen
    never to buy. `last_buyer` is the seat that has just bought a card in this turn, and may not buy again.
    """
    deal, rules = step.deal, step.rules
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
    """Return whether there are enough cards for the buyer and for the current player (C8)."""
    if not deal.open_pile:
        return False
    under = max(0, len(deal.open_pile) - 2) if deal.restocks < rules.max_restocks else 0
    return len(deal.closed) + under >= _NEEDED


def _go_on_selling(step: Step, sale: Window | None, *, silent: bool) -> None:
    """Ask the players of the next sale. If there is no next sale, the current player draws."""
    if sale is None:
        _draw(step, silent=silent)
        return
    due_at = step.now + step.rules.buy_seconds * 1000
    step.set(phase=Phase.BUY, window=sale, due_at=due_at)
    step.announce("offered", card=sale.card, seats=sale.may, due_at=due_at)


# --- Turns.


def _draw(step: Step, *, silent: bool) -> None:
    """Give the current player a closed card and a new turn time."""
    step.restock()
    step.draw_closed()
    step.set(due_at=step.now + step.rules.turn_seconds * 1000)
    if silent:
        discard_silently(step)


def discard_silently(step: Step) -> None:
    """Discard the drawn card for the current player or, if that is illegal, the card with the most points (C18).

    A joker is discarded only if there is no other card. A single card that may not be discarded stays in the hand.
    """
    rules, drawn = step.rules, step.deal.drawn
    cards = laying.list_discardable(step)
    if cards:
        natural = [card for card in cards if not rules.is_wild(card)]
        dearest = max(natural or cards, key=lambda card: (rules.points_of(card), -card))
        step.discard(drawn if drawn in cards else dearest)
    end_turn(step)


def end_turn(step: Step) -> None:
    """End the turn, and the deal if the player has no cards left (C12)."""
    if not end_if_out(step):
        pass_turn(step)


def pass_turn(step: Step) -> None:
    """Begin the next turn or, if the deal is blocked, at its limit, or has only absent players, end it (C14, C18)."""
    if _are_all_absent(step.deal) or step.has_reached_limit:
        _end_counted(step, How.LIMIT)
    elif not step.restock():
        _end_counted(step, How.BLOCKED)
    else:
        step.begin_turn(laid=0)
        if step.deal.at_turn.status is Status.ABSENT:
            # The others do not wait for an absent player (C18).
            refuse_upcard(step, silent=True)


def _are_all_absent(deal: Deal) -> bool:
    return all(player.status is Status.ABSENT for player in deal.playing)


# --- The end of a deal.


def count_hand(rules: ContractRules, player: laid.Player) -> int:
    """Return the points that the player's hand costs (C15, C17)."""
    return laying.cap_points(rules, sum(map(rules.points_of, player.hand)))


def end_if_out(step: Step) -> bool:
    """End the deal if the current player has no cards left, counting the other hands.

    Return whether it has ended (C12).
    """
    winner = step.deal.at_turn
    if winner.hand:
        return False
    points = {player.seat: count_hand(step.rules, player) for player in step.deal.playing}
    laying.end_deal(step, How.OUT, points, [winner.seat])
    return True


def _end_counted(step: Step, how: How) -> None:
    """End the deal by counting all hands (C14).

    If points are paid, each other player loses the difference between their count and the lowest.
    """
    step.set(window=None)
    if step.rules.per_point:
        laying.end_lowest(
            step, how, lambda points: points, lambda player: count_hand(step.rules, player)
        )
        return
    points = {player.seat: count_hand(step.rules, player) for player in step.deal.playing}
    laying.end_deal(step, how, points, [])


# --- Missed turns and leaving.


def miss_turn(step: Step) -> None:
    """Draw a closed card and discard it for a player whose clock has run out (C18)."""
    if step.deal.drawn is None:
        refuse_upcard(step, silent=True)
    else:
        discard_silently(step)


def become_absent(step: Step) -> None:
    """Mark the current player as absent: the server plays for them until the end of the deal (C18)."""
    player = step.put(step.deal.at_turn, status=Status.ABSENT, was_absent=True)
    step.announce("absent", seat=player.seat)
    miss_turn(step)


def leave(step: Step) -> None:
    """Count the hand of a player who is leaving (C19). If it is their turn, a running sale ends without a buyer."""
    deal, seat = step.deal, step.player.seat
    is_turn = deal.at_turn.seat == seat
    if is_turn:
        if deal.window is not None:
            step.set(phase=Phase.TURN, window=None)
            step.announce("unsold", card=deal.window.card, wanted=deal.window.wanted)
        laying.return_drawn_card(step)
    step.put(step.player, status=Status.LEFT, points=count_hand(step.rules, step.player))
    if len(step.deal.playing) == 1:
        step.set(window=None)
        laying.end_with_last_player(step)
    elif _are_all_absent(step.deal):
        _end_counted(step, How.LIMIT)
    elif is_turn:
        pass_turn(step)
    else:
        _withdraw(step, seat)
