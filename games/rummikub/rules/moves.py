"""The moves of Rummikub, each with its reasons for refusal and its effect (K5 to K17)."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Self

from games.engine.base import DEAL_ENDS
from games.engine.base import gettext_noop as _
from games.engine.fields import ANY, Form
from games.engine.moves import AnyMove, Leave, Move, MoveRefusal, Wire
from games.engine.state import replace, require
from games.rummikub.rules.deal import (
    Deal,
    LastLay,
    Phase,
    Player,
    RummikubEnding,
    RummikubStatus,
    Step,
    find_moved_tiles,
    turn_seconds,
)
from games.rummikub.rules.judging import TILE_NOT_HELD, TILES_MISSING
from games.rummikub.rules.laying import BestLay, Stand, find_any_lay, find_best_lay, judge_table
from games.rummikub.rules.melds import Melds, cards_of, draft_json, read_draft, read_table
from games.rummikub.rules.ruleset import TILES, RummikubRules

POOL_EMPTY: Final = MoveRefusal("pool_empty", _("The pool is empty: lay tiles or pass."))
POOL_NOT_EMPTY: Final = MoveRefusal(
    "pool_not_empty", _("There are tiles in the pool: lay tiles or draw one.")
)
MUST_PLAY: Final = MoveRefusal("must_play", _("You can lay tiles, so you may not draw."))


class Lay(Move[Step]):
    """Lay tiles. `table` is the whole new table (K5)."""

    kind = "lay"
    is_offered_untried = True
    free = ("table",)
    table: Annotated[Melds, Form(read_table)]

    def refusal(self, step: Step) -> MoveRefusal | None:
        return check_table(build_stand(step.deal, step.rules, step.player), self.table)

    def apply(self, step: Step) -> None:
        put_down(step, self.table)
        if not _end_if_laid_out(step):
            end_turn(step)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        table = find_own_lay(step)
        if table is not None:
            yield cls(table)


class Draw(Move[Step]):
    """Take one tile from the pool (K5). This ends the turn."""

    kind = "draw"

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        return must_play(step) if step.deal.pool else POOL_EMPTY

    def apply(self, step: Step) -> None:
        step.put(step.player, missed=0)
        draw_tiles(step, 1, "turn")
        end_turn(step)


class Pass(Move[Step]):
    """End the turn without laying, which is possible once the pool is empty (K5, K14)."""

    kind = "pass"

    @classmethod
    def blocked(cls, step: Step) -> MoveRefusal | None:
        return POOL_NOT_EMPTY if step.deal.pool else must_play(step)

    def apply(self, step: Step) -> None:
        step.put(step.player, missed=0)
        step.announce("passed", seat=step.player.seat)
        draw_nothing(step)
        end_turn(step)


class Arrange(Move[Step]):
    """Save the table that the player is building (K12); None deletes it. A save without a newer `rev` has no effect."""

    kind = "arrange"
    free = ("rev", "table")
    rev: Annotated[int, ANY]
    table: Annotated[Melds | None, Form(read_draft, draft_json)]

    def refusal(self, step: Step) -> MoveRefusal | None:
        """Check that each tile is on the table or on the player's rack. Tiles may be missing from the draft."""
        if self.rev <= step.player.rev or self.table is None:
            return None
        own = {*step.player.rack, *cards_of(step.deal.table)}
        return None if own.issuperset(cards_of(self.table)) else TILE_NOT_HELD

    def apply(self, step: Step) -> None:
        if self.rev > step.player.rev:
            step.put(step.player, draft=self.table, rev=self.rev)

    @classmethod
    def options(cls, step: Step) -> Iterator[Self]:
        yield cls(step.player.rev + 1, step.player.draft)


MOVES: Final = (Lay, Draw, Pass, Arrange, Leave)
WIRE: Final = Wire[AnyMove](MOVES, cards=TILES)
move_json = WIRE.write


# --- Laying.


def build_stand(deal: Deal, rules: RummikubRules, player: Player) -> Stand:
    return Stand(deal.table, tuple(sorted(player.rack)), player.has_opened, rules)


def check_table(stand: Stand, table: Melds) -> MoveRefusal | None:
    """Check a lay: first where its tiles come from, then all other rules (K6)."""
    used, lying = set(cards_of(table)), set(cards_of(stand.table))
    if used - lying - set(stand.rack):
        return TILE_NOT_HELD
    return TILES_MISSING if lying - used else judge_table(stand, table).refusal


def find_own_best(step: Step) -> BestLay | None:
    """Return the lay open to the player now that plays the most tiles, or None."""
    return find_best_lay(build_stand(step.deal, step.rules, step.player))


def find_own_lay(step: Step) -> Melds | None:
    """Return the table after some lay that is open to the player now, or None if there is none."""
    return find_any_lay(build_stand(step.deal, step.rules, step.player))


def must_play(step: Step) -> MoveRefusal | None:
    """Return why a player who can lay tiles may not draw or pass, or None.

    Only rules with `must_play` forbid it (K5).
    """
    return MUST_PLAY if step.rules.must_play and find_own_lay(step) is not None else None


def put_down(step: Step, table: Melds) -> None:
    """Replace the table by this one. The turn is not over yet."""
    player, before = step.player, step.deal.table
    verdict = judge_table(build_stand(step.deal, step.rules, player), table)
    used = set(cards_of(table))
    from_rack = tuple(card for card in player.rack if card in used)
    moved = tuple(sorted(find_moved_tiles(before, table)))
    rest = tuple(card for card in player.rack if card not in used)
    step.put(player, rack=rest, has_opened=True, missed=0, drawn=())
    laid = LastLay(player.seat, from_rack, moved, verdict.points)
    step.set(table=table, last_lay=laid, passes=0)
    step.announce(
        "laid",
        seat=player.seat,
        table=table,
        from_rack=from_rack,
        moved=moved,
        points=verdict.points,
    )
    if not player.has_opened:
        step.announce("opened", seat=player.seat, points=verdict.opening_points)


# --- Drawing, and the end of a turn.


def draw_tiles(step: Step, tiles: int, why: str) -> None:
    """Draw this many tiles, or all that the pool has left (K12)."""
    player, pool = step.player, step.deal.pool
    taken = pool[::-1][:tiles]
    step.put(player, rack=(*player.rack, *taken), drawn=taken)
    step.set(pool=pool[: len(pool) - len(taken)], passes=0)
    step.announce("drawn", seat=player.seat, count=len(taken), why=why)


def draw_nothing(step: Step) -> None:
    """Record a turn in which the player neither lays nor draws a tile, because the pool is empty (K14)."""
    step.put(step.player, drawn=())
    step.set(passes=step.deal.passes + 1)


def draw_penalty(step: Step, tiles: int, why: str) -> None:
    """Draw tiles because the time has run out (K12), if the pool has any."""
    if step.deal.pool and tiles:
        draw_tiles(step, tiles, why)
    else:
        step.put(step.player, drawn=())


def end_turn(step: Step) -> None:
    """Begin the next player's turn, or end the deal by count (K14, K17)."""
    deal = step.deal
    if deal.passes >= len(deal.playing):
        end_by_count(step, RummikubEnding.BLOCKED)
    elif step.has_reached_limit:
        end_by_count(step, RummikubEnding.LIMIT)
    else:
        step.put(deal.at_turn, draft=None)
        step.begin_turn(seconds=turn_seconds(step.rules, step.next_player))


# --- Missed turns and leaving (K12, K13).


def has_valid_draft(step: Step) -> bool:
    """Return whether the table that the current player has been building is a valid lay."""
    player, deal = step.deal.at_turn, step.deal
    if not has_changed(deal.table, player.draft):
        return False
    return check_table(build_stand(deal, step.rules, player), require(player.draft)) is None


def has_changed(before: Melds, draft: Melds | None) -> bool:
    """Return whether the draft groups the tiles differently from the table before the turn (K12 (a)).

    The order of the melds, and of the tiles in them, does not matter.
    """
    if draft is None:
        return False
    return {frozenset(meld.cards) for meld in before} != {frozenset(meld.cards) for meld in draft}


def lay_draft(step: Step) -> None:
    """Lay the table that the current player was building when the time ran out (K12)."""
    step.act_for(step.deal.at_turn)
    put_down(step, require(step.player.draft))
    if not _end_if_laid_out(step):
        draw_penalty(step, step.rules.overtime_tiles, "overtime")
        end_turn(step)


def miss_turn(step: Step) -> None:
    """End a turn whose time has run out (K12). An invalid table costs more tiles than an unchanged one."""
    step.act_for(step.deal.at_turn)
    rules = step.rules
    if not step.deal.pool:
        draw_nothing(step)
    elif has_changed(step.deal.table, step.player.draft):
        draw_penalty(step, rules.invalid_tiles, "invalid")
    else:
        draw_penalty(step, rules.overtime_tiles, "overtime")
    end_turn(step)


def drop_out(step: Step) -> None:
    """Take the player out of the deal (K13).

    The tiles on their rack leave play, but their points are still scored against the player. If only one player
    remains, that player wins.
    """
    is_turn = step.is_own_turn
    step.put(step.player, status=RummikubStatus.OUT, draft=None, drawn=())
    # Players who have passed are asked again: they did not know who would be left.
    step.set(passes=0)
    step.announce("out", seat=step.player.seat)
    playing = step.deal.playing
    if len(playing) == 1:
        end_deal(step, RummikubEnding.LAST_PLAYER, [playing[0].seat])
    elif is_turn:
        end_turn(step)


# --- The end of a deal (K14 to K16).


def _end_if_laid_out(step: Step) -> bool:
    """End the deal if the player has laid their last tile (K14). Return whether they have."""
    if not step.player.rack:
        end_deal(step, RummikubEnding.LAID_OUT, [step.player.seat])
    return not step.player.rack


def end_by_count(step: Step, how: RummikubEnding) -> None:
    """End the deal: the player with the lowest count wins. Several with the lowest count share the win (K14)."""
    points = {player.seat: player.points(step.rules) for player in step.deal.playing}
    least = min(points.values())
    end_deal(step, how, [seat for seat, count in points.items() if count == least], less=least)


def end_deal(step: Step, how: RummikubEnding, winners: Sequence[int], *, less: int = 0) -> None:
    """End the deal. `less` is deducted from the points of each loser (K15)."""
    rules = step.rules
    players = tuple(_settle_player(player, rules, winners, less) for player in step.deal.players)
    step.set(phase=Phase.OVER, players=players, how=how)
    step.announce(
        DEAL_ENDS,
        winners=winners,
        points={player.seat: player.lost for player in players},
        how=how,
        counts={player.seat: player.points(rules) for player in players},
    )


def _settle_player(
    player: Player, rules: RummikubRules, winners: Sequence[int], less: int
) -> Player:
    if player.seat in winners:
        return replace(player, status=RummikubStatus.WON, draft=None)
    lost = max(0, player.points(rules) - less)
    if rules.max_points is not None:
        lost = min(lost, rules.max_points)
    status = RummikubStatus.LOST if player.is_playing else player.status
    return replace(player, status=status, lost=lost, draft=None)
