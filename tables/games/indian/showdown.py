"""Finishing, declaring and showing (R3.2 to R3.6, R6.4)."""

from collections import Counter
from dataclasses import replace

from tables.games.base import Instant
from tables.games.indian import events
from tables.games.indian.deal import Deal, Declaration, Ending, How, Phase, Player, Status
from tables.games.indian.declaration import NOT_DECLARED_IN_TIME, Groups, judge
from tables.games.indian.ending import end_by_wrong_declaration, end_deal
from tables.games.indian.events import Events
from tables.games.indian.moves import Declare, Finish, Show
from tables.games.indian.refusals import Refusal
from tables.games.indian.rulesets import RuleSet
from tables.games.indian.scoring import hand_points
from tables.games.indian.turns import charged, go_on, put_on_open_pile, then


def finish(
    deal: Deal, rules: RuleSet, player: Player, move: Finish, now: Instant
) -> tuple[Deal, Events]:
    due_at = now + rules.declare_seconds * 1000
    lighter = charged(deal, player, now).without(move.card)
    waiting = replace(
        deal,
        phase=Phase.DECLARE,
        finish=move.card,
        due_at=due_at,
        drawn=None,
        drawn_from_open=False,
    )
    return waiting.with_player(lighter), (events.finished(player.seat, move.card),)


def check_declare(deal: Deal, _rules: RuleSet, player: Player, move: Declare) -> Refusal | None:
    if deal.at_turn.seat != player.seat or deal.phase is Phase.SHOW:
        return Refusal.NOT_YOUR_TURN
    if deal.phase is not Phase.DECLARE:
        return Refusal.WRONG_STEP
    return check_groups(player, move.groups)


def declare(
    deal: Deal, rules: RuleSet, player: Player, move: Declare, now: Instant
) -> tuple[Deal, Events]:
    judgement = judge(move.groups, deal.wild_rank, rules)
    declaration = Declaration(player.seat, move.groups, judgement.reason, judgement.failed_group)
    declarer = replace(charged(deal, player, now), groups=move.groups, missed=0)
    if not judgement.valid:
        return declare_wrongly(deal.with_player(declarer), rules, declaration, now)
    window = replace(
        deal,
        phase=Phase.SHOW,
        declaration=declaration,
        due_at=now + rules.show_seconds * 1000,
    ).with_player(declarer.out(Status.WON, 0, How.WON))
    return window, (events.declared(player.seat, None, None),)


def declare_wrongly(
    deal: Deal, rules: RuleSet, declaration: Declaration, now: Instant
) -> tuple[Deal, Events]:
    """R3.4: the declarer is out, the finish card goes to the open pile."""
    event = events.declared(declaration.seat, declaration.reason, declaration.failed_group)
    out = deal.at_turn.out(Status.WRONG, rules.wrong_declaration_points, How.WRONG)
    card = deal.finish
    if card is None:  # pragma: no cover - the phase says that there is one
        raise AssertionError("only a player who has finished declares")
    deal = replace(put_on_open_pile(deal, out, card), declaration=declaration)
    ends_deal = rules.wrong_declaration_ends_deal and len(deal.playing) > 1
    change = end_by_wrong_declaration(deal) if ends_deal else go_on(deal, rules, now)
    return then(event, then(events.discarded(out.seat, card), change))


def declare_too_late(deal: Deal, rules: RuleSet, now: Instant) -> tuple[Deal, Events]:
    """R3.5: nothing was laid down, so nothing of the hand is seen."""
    late = replace(deal.at_turn, extra_ms=0)
    declaration = Declaration(late.seat, (), NOT_DECLARED_IN_TIME)
    return declare_wrongly(deal.with_player(late), rules, declaration, now)


def check_show(deal: Deal, _rules: RuleSet, player: Player, move: Show) -> Refusal | None:
    if deal.phase is not Phase.SHOW:
        return Refusal.WRONG_STEP
    return check_groups(player, move.groups)


def show(
    deal: Deal, rules: RuleSet, player: Player, move: Show, _now: Instant
) -> tuple[Deal, Events]:
    return count_player(deal, rules, replace(player, groups=move.groups), How.SHOWN)


def count_player(deal: Deal, rules: RuleSet, player: Player, how: How) -> tuple[Deal, Events]:
    """Count a player by the groups that the hand lies in; the last one counted ends the deal."""
    points = _points(deal, rules, player.groups)
    deal = deal.with_player(player.out(Status.LOST, points, how))
    event = events.shown(player.seat, points)
    return (deal, (event,)) if deal.playing else then(event, end_deal(deal, Ending.DECLARED))


def count_the_rest(deal: Deal, rules: RuleSet, _now: Instant) -> tuple[Deal, Events]:
    """R6.4: who did not answer is counted by the groups saved."""
    happened: Events = ()
    for player in deal.playing:
        deal, more = count_player(deal, rules, player, How.SAVED)
        happened += more
    return deal, happened


def check_groups(player: Player, groups: Groups) -> Refusal | None:
    submitted = Counter(card for group in groups for card in group)
    return None if submitted == Counter(player.hand) else Refusal.GROUPS_NOT_YOUR_HAND


def _points(deal: Deal, rules: RuleSet, groups: Groups) -> int:
    """R3.6: a hand that could have been declared itself counts no more than two."""
    if judge(groups, deal.wild_rank, rules).valid:
        return rules.second_valid_points
    return hand_points(groups, deal.wild_rank, rules)
