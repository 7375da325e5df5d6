"""The end of a deal: the winners, and the points of all other players."""

from games.engine.codec import replace
from games.engine.step import Step
from games.indian.rules.deal import Deal, Ending, How, Phase, Player, Status
from games.indian.rules.ruleset import RuleSet
from games.indian.rules.solver.arrangement import arrange


def end_at_limit(step: Step) -> None:
    """Count every hand by its best arrangement; the lowest wins, equal hands share (R4.7)."""
    counted = tuple(_best(step.deal, step.rules, player) for player in step.deal.players)
    lowest = min(player.points or 0 for player in counted if player.is_playing)
    step.set(
        players=tuple(
            _won(player) if player.is_playing and player.points == lowest else player
            for player in counted
        )
    )
    end_deal(step, Ending.LIMIT)


def end_with_last_player(step: Step) -> None:
    """Let the last player win (R4.8)."""
    (last,) = step.deal.playing
    step.put(_won(last))
    end_deal(step, Ending.LAST_PLAYER)


def end_by_wrong_declaration(step: Step) -> None:
    """Let all players win who are still in the deal (R3.4 with `wrong_declaration_ends_deal`)."""
    for player in step.deal.playing:
        step.put(_won(player))
    end_deal(step, Ending.WRONG)


def end_deal(step: Step, ending: Ending) -> None:
    """End the deal. Players who are still in it and have not won have lost."""
    players = tuple(
        replace(player, status=Status.LOST) if player.is_playing else player
        for player in step.deal.players
    )
    step.set(players=players, phase=Phase.OVER, ending=ending)
    points = {player.seat: player.points or 0 for player in players}
    step.tell("deal_over", winners=step.deal.winners, points=points)


def _won(player: Player) -> Player:
    return player.out(Status.WON, 0, How.WON)


def _best(deal: Deal, rules: RuleSet, player: Player) -> Player:
    if not player.is_playing:
        return player
    best = arrange(player.hand, deal.wild_rank, rules)
    loose = (best.loose,) if best.loose else ()
    return replace(player, groups=(*best.groups, *loose), points=best.points, how=How.BEST)
