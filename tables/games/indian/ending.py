"""How a deal ends: who won it and what everybody else counts."""

from dataclasses import replace

from tables.games.base import Instant
from tables.games.indian import events
from tables.games.indian.arrangement import arrange
from tables.games.indian.deal import Deal, Ending, How, Phase, Player, Status
from tables.games.indian.events import Events
from tables.games.indian.rulesets import RuleSet


def reached_limit(deal: Deal, rules: RuleSet, upcoming: Player, now: Instant) -> bool:
    """R4.7. A turn that has begun is played to its end, so this is asked before each turn."""
    minutes_are_over = now >= deal.started_at + rules.max_minutes * 60_000
    return minutes_are_over or upcoming.turns >= rules.max_turns


def end_at_limit(deal: Deal, rules: RuleSet) -> tuple[Deal, Events]:
    """R4.7: every hand by its best arrangement; the lowest wins, equal ones share."""
    counted = tuple(_best(deal, rules, player) for player in deal.players)
    lowest = min(player.points or 0 for player in counted if player.is_playing)
    players = tuple(
        player.out(Status.WON, 0, How.WON)
        if player.is_playing and player.points == lowest
        else player
        for player in counted
    )
    return end_deal(replace(deal, players=players), Ending.LIMIT)


def end_with_last_player(deal: Deal) -> tuple[Deal, Events]:
    """R4.8"""
    (last,) = deal.playing
    return end_deal(deal.with_player(last.out(Status.WON, 0, How.WON)), Ending.LAST_PLAYER)


def end_by_wrong_declaration(deal: Deal) -> tuple[Deal, Events]:
    """R3.4 with `wrong_declaration_ends_deal`: all who are still in the deal win it."""
    players = tuple(
        player.out(Status.WON, 0, How.WON) if player.is_playing else player
        for player in deal.players
    )
    return end_deal(replace(deal, players=players), Ending.WRONG)


def end_deal(deal: Deal, ending: Ending) -> tuple[Deal, Events]:
    """Everybody is counted; who is still playing and did not win has lost."""
    players = tuple(
        replace(player, status=Status.LOST) if player.is_playing else player
        for player in deal.players
    )
    over = replace(deal, players=players, phase=Phase.OVER, ending=ending)
    points = {player.seat: player.points or 0 for player in players}
    return over, (events.deal_over(over.winners, points),)


def _best(deal: Deal, rules: RuleSet, player: Player) -> Player:
    if not player.is_playing:
        return player
    best = arrange(player.hand, deal.wild_rank, rules)
    loose = (best.loose,) if best.loose else ()
    return replace(player, groups=(*best.groups, *loose), points=best.points, how=How.BEST)
