"""Random matches of gin, with all kinds of knocks and answers, and the laws of gin only."""

import random
from typing import Any

from games.engine.state import replace
from games.gin.game import GAME
from games.gin.rules.match import CORE
from games.gin.rules.moves import Defend, Knock
from games.gin.rules.ruleset import POINTS, PRESETS, adapt_to_event
from games.gin.rules.state import Match, Step
from tests.games import driving
from tests.games.driving import CommittedChange, Habits, rearrange

RACE = PRESETS["game100"]


def vary(match: Match, seat: int, move: Any, rng: random.Random) -> Any:
    """Return the move, sometimes with fewer melds and lay-offs than would be best."""
    if move.kind == "arrange":
        return rearrange(match, seat, move, rng)
    if isinstance(move, Defend):
        groups = tuple(rng.sample(move.groups, rng.randint(0, len(move.groups))))
        return replace(move, groups=groups, lay_offs=move.lay_offs if rng.random() < 0.5 else ())
    if isinstance(move, Knock) and rng.random() < 0.3:
        fewer = replace(move, groups=move.groups[1:])
        return fewer if CORE.refusal(Step(match, seat), fewer) is None else move
    return move


def scramble(match: Match, seat: int | None, rng: random.Random) -> Match:
    """Deal hidden cards anew. After a knock, the knocker's hand is public but the card put face down is not."""
    knock = match.deal.knock
    if knock is None:
        changed: Match = driving.scramble(match, seat, rng)
        return changed
    deal = match.deal
    face_down = [knock.card] if knock.card is not None and knock.seat != seat else []
    unseen = [p for p in deal.players if p.seat not in (seat, knock.seat)]
    hidden = [*deal.closed, *face_down]
    hidden += [card for p in unseen for card in p.hand if card not in p.taken]
    rng.shuffle(hidden)
    for player in unseen:
        known = tuple(card for card in player.hand if card in player.taken)
        size = len(player.hand) - len(known)
        deal = deal.with_player(replace(player, groups=((*known, *hidden[:size]),)))
        hidden = hidden[size:]
    if face_down:
        deal = replace(deal, knock=replace(knock, card=hidden.pop()))
    return replace(match, deal=replace(deal, closed=tuple(hidden)))


def check(step: CommittedChange) -> None:
    """G7, G14: the view and the legal moves agree about knocks and answers, and points stay within the limit."""
    match = step.match
    for seat in match.seats:
        kinds = {move.kind for move in GAME.core.list_legal(match, seat)}
        own = GAME.view.private(match, seat)
        assert own["may_knock"] is ("knock" in kinds)
        assert (own["defence"] is not None) is ("defend" in kinds)
    outcome = match.deal.outcome
    assert outcome is None or 0 <= outcome.points <= GAME.money.largest_loss(match.rules)


HABITS = Habits(
    rules=(
        replace(RACE, target=40, wall=20),
        replace(PRESETS["oklahoma100"], max_turns=6, open_discards=False),
        replace(PRESETS["classic100"], next_dealer="winner", may_return_open_card=True),
        adapt_to_event(replace(RACE, next_dealer="alternate"), deals=2, qualifiers=1),
        replace(POINTS, wall=26, max_dead_deals=2),
    ),
    weights={"arrange": 10, "knock": 15, "leave": 1},
    loyalty=(0.95, 1),
    vary=vary,
    scrambled=scramble,
    check=check,
    events=(
        "toss dealt turn passed drawn discarded missed_turn knocked defended left "
        "deal_over deal_due match_over"
    ),
    hows="knock gin undercut dead forfeit",
    bytes=2048,
)
