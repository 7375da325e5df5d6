"""Random matches of Indian rummy, with all kinds of declarations, and the laws of Indian rummy only."""

import random
from typing import Any

from games.engine.state import replace
from games.indian.game import GAME
from games.indian.rules.moves import Declare, Show
from games.indian.rules.ruleset import PRESETS, adapt_to_event
from games.indian.rules.solver.arrangement import arrange
from games.indian.rules.state import Match
from tests.games.driving import CommittedChange, Habits, rearrange

# Presets with a limit of turns. In short deals everything can happen that happens in long ones.
RULES = (
    ("points", 6),
    ("junglee-points", 9),
    ("pool61", 5),
    ("pool61", 3),
    ("pool101", 3),
    ("totalrummy-pool101", 4),
    ("pool201", 2),
    ("deals2", 5),
    ("deals3", 4),
    ("deals6", 3),
)


def vary(match: Match, seat: int, move: Any, rng: random.Random) -> Any:
    """Return the move with the hand's best groups, or with random ones."""
    if not hasattr(move, "groups"):
        return move
    if isinstance(move, Declare | Show) and rng.random() < 0.5:
        player: Any = match.deal.player(seat)
        best = arrange(player.hand, match.deal.wild_rank, match.rules)
        return replace(move, groups=best.all_groups)
    return rearrange(match, seat, move, rng)


def check(step: CommittedChange) -> None:
    """R6.2: points stay within the cap. R8.1: players dealt in are below the limit. R9.1: the total of chips
    never changes. R10.13: see `_check_event_pool`.
    """
    match, rules = step.match, step.match.rules
    for player in match.deal.players:
        assert player.points is None or 0 <= player.points <= rules.max_points
    chips = sum(standing.chips for standing in match.standings)
    assert chips == rules.chips_per_deal * (rules.deals or 0) * len(match.seats)
    limit, is_over = rules.elimination_score, GAME.core.status(match).result is not None
    if limit is not None and not is_over:
        scores = {one.seat: one.score for one in match.survivors}
        assert all(score < limit for score in scores.values())
        assert match.stage.value != "deal" or set(scores) <= set(match.deal.order)
    if rules.is_event_pool:
        _check_event_pool(match)


def _check_event_pool(match: Match) -> None:
    """R10.13: play goes on until only the qualifiers are left. Ranks go by the deal of elimination, then score."""
    result = GAME.core.status(match).result
    assert match.question is None
    assert all(standing.entries == 1 for standing in match.standings)
    if result is None:
        assert match.stage.value == "deal" or len(match.survivors) > (match.rules.qualifiers or 0)
        return
    stayed = {one.seat: one.out_in or match.number + 1 for one in match.standings}
    merits = {one.seat: (-stayed[one.seat], one.score) for one in match.standings}
    if match.survivors:  # without survivors, the winners of the last deal rank first (R5.5)
        ranks = {
            seat: 1 + sum(other < own for other in merits.values()) for seat, own in merits.items()
        }
        assert dict(result.ranks) == ranks


HABITS = Habits(
    rules=(
        *(replace(PRESETS[name], max_turns=turns) for name, turns in RULES),
        adapt_to_event(replace(PRESETS["pool61"], max_turns=3), deals=1, qualifiers=1),
        adapt_to_event(replace(PRESETS["pool101"], max_turns=2), deals=1, qualifiers=2),
    ),
    # Moves that end a deal are rare, so that most deals make progress.
    weights={"leave": 0.2, "drop": 1, "finish": 0.3, "arrange": 20},
    cleverness=(0, 0, 0.9),
    loyalty=(0.95, 1),
    vary=vary,
    check=check,
    events=(
        "toss dealt turn drawn discarded finished declared shown dropped left missed_turn "
        "reshuffled eliminated rejoin_open rejoined rejoin_declined split_offered "
        "split_answered split_closed deal_over deal_due match_over"
    ),
    hows="declared last_player limit",
    bytes=2048,
)
