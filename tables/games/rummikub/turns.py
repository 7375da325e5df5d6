"""Laying, drawing, passing, and whose turn comes next (K5 to K8, K14, K17)."""

from collections import Counter
from dataclasses import replace

from tables.games.base import Event, Instant
from tables.games.cards import Card
from tables.games.rummikub import events
from tables.games.rummikub.deal import Deal, How, Laid, Phase, Player, turn_ms
from tables.games.rummikub.ending import end_by_count, end_laid_out
from tables.games.rummikub.events import Events
from tables.games.rummikub.judging import Lay as Asked
from tables.games.rummikub.judging import Verdict, judge
from tables.games.rummikub.laying import BestLay, Stand, best_lay
from tables.games.rummikub.melds import Meld, Melds, cards_of
from tables.games.rummikub.moves import Draw, Lay, Pass
from tables.games.rummikub.refusals import Refusal
from tables.games.rummikub.rulesets import RummikubRules


def check_turn(deal: Deal, player: Player) -> Refusal | None:
    is_turn = deal.phase is Phase.TURN and deal.at_turn.seat == player.seat
    return None if is_turn else Refusal.NOT_YOUR_TURN


def verdict_on(deal: Deal, rules: RummikubRules, player: Player, table: Melds) -> Verdict:
    """K6, for a table of tiles that lie there or are the player's own; what it would be worth."""
    rack = Counter(card.face for card in player.rack)
    return judge(Asked(deal.table, table, rack, player.has_opened), rules)


def check_lay(deal: Deal, rules: RummikubRules, player: Player, move: Lay) -> Refusal | None:
    return check_turn(deal, player) or check_table(deal, rules, player, move.table)


def check_table(deal: Deal, rules: RummikubRules, player: Player, table: Melds) -> Refusal | None:
    used, lying = set(cards_of(table)), set(cards_of(deal.table))
    if used - lying - set(player.rack):
        return Refusal.CARD_NOT_HELD
    if lying - used:
        return Refusal.TILES_MISSING
    return verdict_on(deal, rules, player, table).refusal


def lay(
    deal: Deal, rules: RummikubRules, player: Player, move: Lay, now: Instant
) -> tuple[Deal, Events]:
    deal, happened = put_down(deal, rules, player, move.table)
    changed = deal.player(player.seat) or player
    if not changed.rack:
        deal, later = end_laid_out(deal, rules, player.seat)
    else:
        deal, later = end_turn(deal, rules, now)
    return deal, (*happened, *later)


def put_down(deal: Deal, rules: RummikubRules, player: Player, table: Melds) -> tuple[Deal, Events]:
    """The table is now this one; the turn is not over yet."""
    verdict = verdict_on(deal, rules, player, table)
    lying, used = set(cards_of(deal.table)), set(cards_of(table))
    from_rack = tuple(card for card in player.rack if card in used)
    changed = replace(
        player,
        rack=tuple(card for card in player.rack if card not in used),
        has_opened=True,
        missed=0,
        drawn=(),
    )
    moved = tuple(sorted(moved_tiles(deal.table, table) & lying))
    laid = Laid(player.seat, from_rack, moved, verdict.points)
    deal = replace(deal.with_player(changed), table=table, last_lay=laid, passes=0)
    event = events.laid(player.seat, table, from_rack, moved, verdict.points)
    if player.has_opened:
        return deal, (event,)
    return deal, (event, events.opened(player.seat, verdict.opening_points))


def moved_tiles(before: Melds, after: Melds) -> set[Card]:
    """K18: tiles that lie with others than before. Of a meld that was divided the larger part has
    stayed; a tile that was added to a meld moves none of it."""
    shared = sorted(
        (
            (len(set(old.cards) & set(new.cards)), old_place, new_place)
            for old_place, old in enumerate(before)
            for new_place, new in enumerate(after)
        ),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    stayed: set[Card] = set()
    seen_old: set[int] = set()
    seen_new: set[int] = set()
    for number, old_place, new_place in shared:
        if number and old_place not in seen_old and new_place not in seen_new:
            seen_old.add(old_place)
            seen_new.add(new_place)
            stayed |= _in_both(before[old_place], after[new_place])
    return set(cards_of(before)) - stayed


def _in_both(old: Meld, new: Meld) -> set[Card]:
    """A joker that stands for another tile now has moved."""
    stands = dict(zip(old.cards, old.faces, strict=True))
    return {
        card for card, face in zip(new.cards, new.faces, strict=True) if stands.get(card) == face
    }


def check_draw(deal: Deal, rules: RummikubRules, player: Player, _move: Draw) -> Refusal | None:
    if refusal := check_turn(deal, player):
        return refusal
    if not deal.pool:
        return Refusal.POOL_EMPTY
    return Refusal.MUST_PLAY if rules.must_play and _can_lay(deal, rules, player) else None


def draw(
    deal: Deal, rules: RummikubRules, player: Player, _move: Draw, now: Instant
) -> tuple[Deal, Events]:
    deal = deal.with_player(replace(player, missed=0))
    deal, event = take_tiles(deal, deal.at_turn, 1, "turn")
    return then(event, end_turn(deal, rules, now))


def take_tiles(deal: Deal, player: Player, tiles: int, why: str) -> tuple[Deal, Event]:
    """K12: of a pool that has fewer, all of it."""
    tiles = min(tiles, len(deal.pool))
    place = len(deal.pool) - tiles
    taken = deal.pool[place:][::-1]
    holding = replace(player, rack=(*player.rack, *taken), drawn=taken)
    deal = replace(deal.with_player(holding), pool=deal.pool[:place], passes=0)
    return deal, events.drawn(player.seat, tiles, why)


def check_pass(deal: Deal, rules: RummikubRules, player: Player, _move: Pass) -> Refusal | None:
    if refusal := check_turn(deal, player):
        return refusal
    if deal.pool:
        return Refusal.POOL_NOT_EMPTY
    return Refusal.MUST_PLAY if rules.must_play and _can_lay(deal, rules, player) else None


def pass_turn(
    deal: Deal, rules: RummikubRules, player: Player, _move: Pass, now: Instant
) -> tuple[Deal, Events]:
    deal = deal.with_player(replace(player, missed=0))
    return then(events.passed(player.seat), end_turn(passed(deal), rules, now))


def passed(deal: Deal) -> Deal:
    """K14: nothing was laid and nothing could be drawn."""
    return replace(deal.with_player(replace(deal.at_turn, drawn=())), passes=deal.passes + 1)


def _can_lay(deal: Deal, rules: RummikubRules, player: Player) -> bool:
    return best_of(deal, rules, player) is not None


def best_of(deal: Deal, rules: RummikubRules, player: Player) -> BestLay | None:
    """The lay of most tiles that this player has now."""
    return best_lay(Stand(deal.table, tuple(sorted(player.rack)), player.has_opened, rules))


def end_turn(deal: Deal, rules: RummikubRules, now: Instant) -> tuple[Deal, Events]:
    """K14, K17: the deal ends by count, or the next player's turn begins."""
    if deal.passes >= len(deal.playing):
        return end_by_count(deal, rules, How.BLOCKED)
    place = _next_place(deal)
    minutes_are_over = now >= deal.started_at + rules.max_minutes * 60_000
    if minutes_are_over or deal.players[place].turns >= rules.max_turns:
        return end_by_count(deal, rules, How.LIMIT)
    player = deal.players[place]
    begun = replace(
        deal.with_player(replace(deal.at_turn, draft=None)),
        turn=place,
        turn_number=deal.turn_number + 1,
        due_at=now + turn_ms(rules, player),
    )
    begun = begun.with_player(replace(player, turns=player.turns + 1, draft=None))
    return begun, (events.turn(player.seat, begun.due_at),)


def _next_place(deal: Deal) -> int:
    place = deal.turn
    while True:
        place = (place + 1) % len(deal.players)
        if deal.players[place].is_playing:
            return place


def then(first: Event, change: tuple[Deal, Events]) -> tuple[Deal, Events]:
    deal, later = change
    return deal, (first, *later)
