"""Random matches of Rummikub, with lays that are found quickly and all kinds of drafts."""

import random
from typing import Any

from games.engine.moves import LEAVE
from games.engine.state import replace
from games.rummikub.game import GAME
from games.rummikub.rules.laying import Stand, lay_without_moving
from games.rummikub.rules.match import Match, compute_start
from games.rummikub.rules.melds import Melds, read_meld
from games.rummikub.rules.moves import Arrange, Draw, Lay, Pass
from games.rummikub.rules.ruleset import POINTS, PRESETS, adapt_to_event
from tests.games.driving import CommittedChange, Habits

SESSION = PRESETS["session4"]


def moves(match: Match, seat: int, rng: random.Random) -> list[Any]:
    """Return a few legal moves. Listing all of them would take a search."""
    player = match.deal.player(seat)
    if match.deal.is_over or player is None:
        return [LEAVE]
    told = {entry["kind"] for entry in GAME.core.describe_legal(match, seat)}
    others = [move for move in (Draw(), Pass()) if move.kind in told]
    stand = Stand(match.deal.table, tuple(sorted(player.rack)), player.has_opened, match.rules)
    still = lay_without_moving(stand) if player.has_opened else None
    lays = [Lay(still.table)] if still else []
    if not lays and rng.random() < 0.1:
        lays = [move for move in GAME.core.list_legal(match, seat) if isinstance(move, Lay)][:1]
    if match.rules.must_play and lays:
        others = []
    broken: Melds = (*match.deal.table[1:], read_meld(player.rack[:2]))
    drafts = [match.deal.table, broken, None, *[lay.table for lay in lays]]
    return [*lays, *others, Arrange(player.rev + rng.randrange(2), rng.choice(drafts)), LEAVE]


def scramble(match: Match, seat: int | None, rng: random.Random) -> Match:
    """Deal the pool and all racks except this seat's anew, and remove the others' drafts."""
    deal = match.deal
    others = [player for player in deal.players if player.seat != seat]
    hidden = [*deal.pool, *(tile for player in others for tile in player.rack)]
    rng.shuffle(hidden)
    for player in others:
        rack, hidden = tuple(hidden[: len(player.rack)]), hidden[len(player.rack) :]
        drawn = rack[: len(player.drawn)]
        deal = deal.with_player(replace(player, rack=rack, drawn=drawn, draft=None))
    return replace(match, deal=replace(deal, pool=tuple(hidden)))


def check(step: CommittedChange) -> None:
    """K6: the table holds only melds. K15: points won and lost balance. K17: turns are limited."""
    match, rules = step.match, step.match.rules
    assert all(meld.kind is not None for meld in match.deal.table)
    assert sum(match.totals.values()) == 0
    largest = GAME.money.largest_loss(rules)
    assert all(0 <= player.lost <= largest for player in match.deal.players)
    assert all(player.turns <= rules.max_turns for player in match.deal.players)
    result = GAME.core.status(match).result
    if result is not None and not rules.is_per_point:
        assert sum(result.scores.values()) == len(result.scores) * compute_start(rules)
        assert min(result.scores.values()) >= 0


HABITS = Habits(
    rules=(
        replace(SESSION, deals=2, initial_meld=20),
        replace(PRESETS["modern"], open_then_play=False, must_play=True, rack_size=8),
        replace(POINTS, initial_meld=0, group_swap="both", max_points=None, rack_size=20),
        replace(POINTS, initial_meld=10, swap_from="anywhere", max_turns=8),
        adapt_to_event(replace(SESSION, initial_meld=15), deals=2, qualifiers=1),
    ),
    weights={"lay": 60, "leave": 0.2},
    cleverness=(0,),
    moves=moves,
    vary=lambda match, seat, move, rng: move,
    scrambled=scramble,
    check=check,
    events=(
        "toss dealt turn laid opened drawn passed missed_turn out left deal_over deal_due "
        "match_over"
    ),
    hows="laid_out blocked limit last_player",
    matches=45,
    bytes=3072,
)
