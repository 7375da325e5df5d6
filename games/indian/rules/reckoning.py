"""The entry of a finished deal in the match: scores, chips and eliminated players."""

from games.engine.codec import replace
from games.engine.step import Step
from games.indian.rules.match import Match, Membership, Standing

# More than any deal can cost, so that tie-breakers compare in the order in which they were played.
_TIE_BASE = 1_000


def enter_deal(step: Step) -> None:
    """Enter the counts of a finished deal, and eliminate players at the limit (R8.1)."""
    match = _scored(step.match)
    out = [standing.out(Membership.ELIMINATED, match.number) for standing in _at_limit(match)]
    step.match = match.with_standings(out)
    if out:
        step.tell("eliminated", seats=[standing.seat for standing in out])


def _scored(match: Match) -> Match:
    points = {player.seat: player.points or 0 for player in match.deal.players}
    if match.tie_breaker and match.rules.qualifiers is not None:
        return _tie_broken(match, points)
    gains = _chip_gains(match, points) if match.rules.chips_per_deal else {}
    return match.with_standings(
        replace(
            standing,
            score=standing.score + points[standing.seat],
            chips=standing.chips + gains.get(standing.seat, 0),
            deals_won=standing.deals_won + (standing.seat in match.deal.winners),
        )
        for standing in match.standings
        if standing.seat in points
    )


def _tie_broken(match: Match, points: dict[int, int]) -> Match:
    """Return the standings after a tie-breaker. It separates its players and overtakes nobody
    (R10.4).

    Earlier numbers move on by one place, so that the numbers of two tie-breakers are never
    compared.
    """
    return match.with_standings(
        replace(standing, tie_points=standing.tie_points * _TIE_BASE + points.get(standing.seat, 0))
        for standing in match.standings
    )


def _chip_gains(match: Match, points: dict[int, int]) -> dict[int, int]:
    """Return each seat's gain in chips (R9.1, R10.11).

    Winners who share a deal share its chips. Odd chips go to the winners who moved earlier.
    """
    winners, stake = match.deal.winners, match.rules.point_chips
    share, odd = divmod(sum(points.values()) * stake, len(winners))
    gains = {seat: -count * stake for seat, count in points.items()}
    for place, seat in enumerate(winners):
        gains[seat] = share + (place < odd)
    return gains


def _at_limit(match: Match) -> list[Standing]:
    limit = match.rules.elimination_score
    if limit is None:
        return []
    reached = limit if match.rules.elimination_inclusive else limit + 1
    return [standing for standing in match.survivors if standing.score >= reached]
