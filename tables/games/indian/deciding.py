"""Who has won a match: asked when a deal has ended and whenever somebody leaves between two."""

from tables.games.indian.match import Match, merit


def decided(match: Match) -> tuple[int, ...]:
    """The winners; nobody as long as there is something left to play for (R5.5, R9.2, R10.4)."""
    rules = match.rules
    if rules.deals == 1 and rules.qualifiers is None:
        return match.deal.winners
    if len(match.survivors) <= 1:
        return last_in(match)
    if rules.deals is None or match.number < rules.deals:
        return ()
    if rules.qualifiers is None:
        leaders = tuple(standing.seat for standing in match.leaders)
        return leaders if len(leaders) == 1 else ()
    return () if match.contenders else best_of(match)


def last_in(match: Match) -> tuple[int, ...]:
    """The one who is left; if the last went out together, who won the deal (R5.5)."""
    return tuple(standing.seat for standing in match.survivors) or match.deal.winners


def best_of(match: Match) -> tuple[int, ...]:
    """Who stands best now; several if nothing separates them."""
    best = merit(match.by_merit[0])
    return tuple(standing.seat for standing in match.survivors if merit(standing) == best)
