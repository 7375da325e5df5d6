"""The steps of a tournament's rounds, as returned by its format (tournaments/rules/format.py).

The caller of each function holds the tournament's lock.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tables.seating.events import clear_event_tables
from tournaments.models import Entrant, EntrantState, Round, RoundSeat, RoundTable, Tournament
from tournaments.registration.barring import withdraw_barred
from tournaments.registration.services import end_waiting
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.rules.steps import Advance, EndRound, PassThrough
from tournaments.running.bots import admit_bots
from tournaments.running.cancelling import call_off
from tournaments.running.finishing import finish
from tournaments.running.seating import GATHERING, ends_of_tables, seat_groups, seat_players
from tournaments.store import rows
from tournaments.store.reading import RULES_GONE, TOO_FEW
from tournaments.store.rows import build_random, read_situation, record_due, set_status

if TYPE_CHECKING:
    from tournaments.rules.tree import Ready


def start(tournament: Tournament, *, now: datetime) -> None:
    """Draw and seat the entrants. With too few of them, cancel the tournament and refund everybody (R10.3).

    A private tournament whose rules the game has dropped is cancelled too, because no staff member would
    repair it.
    """
    if tournament.is_private and not tournament.is_playable:
        call_off(tournament, now=now, reason=RULES_GONE)
        return
    withdraw_barred(tournament)
    admit_bots(tournament)
    entrants = list(
        tournament.entrants.filter(state=EntrantState.REGISTERED)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    if len(entrants) < tournament.min_entrants:
        call_off(tournament, now=now, reason=TOO_FEW)
        return
    places = tournament.format_rules.draw(len(entrants), rng=build_random(tournament, "draw"))
    rows.give_seedings(zip(entrants, places, strict=True))
    tournament.started_at = now
    if tournament.late_seconds:
        tournament.late_until = now + timedelta(seconds=tournament.late_seconds)
    else:
        end_waiting(tournament)
    start_round(tournament, now=now)


def start_round(tournament: Tournament, *, now: datetime) -> None:
    """Seat all remaining players at the tables of the next round."""
    tournament.round_number += 1
    players = list(
        tournament.entrants.filter(state=EntrantState.PLAYING)
        .select_related("user")
        .order_by("seeding")
    )
    # The first round is not the final as long as late entrants may come.
    late = read_situation(tournament, now=now).is_late_open and tournament.round_number == 1
    round_ = Round.objects.create(
        tournament=tournament,
        number=tournament.round_number,
        is_final=not late
        and tournament.format_rules.will_be_final(
            len(players), number=tournament.round_number, structure=tournament.structure
        ),
        started_at=now + GATHERING,
        ends_at=ends_of_tables(tournament, now=now),
    )
    seat_players(tournament, round_, players, now=now)
    tournament.next_round_at = None
    set_status(tournament, LifecycleStatus.PLAYING, now=now)


def seat_latecomers(tournament: Tournament, *, now: datetime) -> None:
    """Seat late entrants at further tables of round 1 (R10.1).

    While registration is open, only full tables are opened. After that the remaining players get a table as
    well; a single one has a bye.
    """
    withdraw_barred(tournament)
    round_ = Round.objects.get(tournament=tournament, ended_at=None)
    waiting = list(
        tournament.entrants.filter(state=EntrantState.REGISTERED)
        .select_related("user")
        .order_by("entered_at", "pk")
    )
    if read_situation(tournament, now=now).is_late_open:
        waiting = waiting[: len(waiting) // tournament.seats * tournament.seats]
    if waiting:
        next_seeding = tournament.entrants.filter(seeding__isnull=False).count()
        seedings = range(next_seeding, next_seeding + len(waiting))
        rows.give_seedings(zip((entrant.pk for entrant in waiting), seedings, strict=True))
        for entrant, seeding in zip(waiting, seedings, strict=True):
            entrant.seeding = seeding
        seat_players(tournament, round_, waiting, now=now)
    tournament.save()


def end_round(tournament: Tournament, step: EndRound, *, now: datetime) -> None:
    """Let players advance from the round in play (R10.4). A break follows, or the end of the tournament."""
    end_waiting(tournament)
    round_ = Round.objects.get(tournament=tournament, ended_at=None)
    # If nobody came late, the only table of round 1 turns out to be the final.
    round_.is_final = step.is_final
    round_.ended_at = now
    round_.save(update_fields=["is_final", "ended_at"])
    by_seeding = _get_players(tournament, step.going_on)
    rows.advance(round_.pk, [by_seeding[seeding] for seeding in step.going_on])
    rows.eliminate(round_.pk, number=round_.number, is_final=round_.is_final)
    if tournament.format_rules.keeps_chips:
        rows.keep_chips(round_.pk)
    round_.round_tables.filter(resolved_at=None).update(resolved_at=now)
    clear_event_tables(list(round_.round_tables.values_list("table_id", flat=True)))
    if step.is_last:
        finish(tournament, now=now)
        return
    tournament.next_round_at = now + timedelta(seconds=tournament.break_seconds)
    set_status(tournament, LifecycleStatus.BREAK, now=now)


def advance(tournament: Tournament, step: Advance, *, now: datetime) -> None:
    """Let players advance from finished tables of a tree, and fill the tables that can be filled."""
    end_waiting(tournament)
    _end_tables(tournament, step, now=now)
    for alone in step.alone:
        _pass_through(tournament, step, alone, now=now)
    _end_rounds(tournament, step, now=now)
    if step.is_last:
        finish(tournament, now=now)
        return
    _fill(tournament, step, now=now)
    tournament.next_round_at = (
        None if step.next_at is None else datetime.fromtimestamp(step.next_at, tz=now.tzinfo)
    )
    record_due(tournament, now=now)
    tournament.save()


def _end_tables(tournament: Tournament, step: Advance, *, now: datetime) -> None:
    """Store which players advance from each finished table, and eliminate the others."""
    stored = {
        (number_of_round, number): (pk, table_id)
        for pk, table_id, number_of_round, number in RoundTable.objects.filter(
            round__tournament=tournament, ended_at__isnull=False, resolved_at=None
        ).values_list("pk", "table_id", "round__number", "number")
    }
    by_seeding = _get_players(tournament, [one for table in step.ended for one in table.going_on])
    by_exit: defaultdict[tuple[int, int | None], list[int]] = defaultdict(list)
    for table in step.ended:
        by_exit[table.round, table.better].append(stored[table.round, table.number][0])
    ended = [stored[table.round, table.number] for table in step.ended]
    rows.advance_from_tables([pk for pk, _table_id in ended], list(by_seeding.values()))
    for (number, better), table_ids in by_exit.items():
        rows.eliminate_from_tables(table_ids, number=number, better=better)
    RoundTable.objects.filter(pk__in=[pk for pk, _table_id in ended]).update(resolved_at=now)
    clear_event_tables([table_id for _pk, table_id in ended])


def _pass_through(
    tournament: Tournament, step: Advance, alone: PassThrough, *, now: datetime
) -> None:
    """Give a player without an opponent a bye in this round. In the last round the player is ranked and out."""
    round_ = _get_or_create_round(tournament, step, alone.round, now=now)
    player = tournament.entrants.get(seeding=alone.player)
    RoundSeat.objects.get_or_create(round=round_, entrant=player)
    if alone.better is not None:
        Entrant.objects.filter(pk=player.pk, state=EntrantState.PLAYING).update(
            state=EntrantState.OUT,
            round_out=round_.number,
            chips=0 if tournament.out_at is None else None,
            final_rank=alone.better + 1,
        )


def _fill(tournament: Tournament, step: Advance, *, now: datetime) -> None:
    by_round: defaultdict[int, list[Ready]] = defaultdict(list)
    for table in step.fill:
        by_round[step.first_round + 1 + table.level].append(table)
    wanted = [player for table in step.fill for player in table.players]
    entrants = tournament.entrants.select_related("user").filter(seeding__in=wanted)
    players = {entrant.seeding: entrant for entrant in entrants}
    for number, tables in sorted(by_round.items()):
        round_ = _get_or_create_round(tournament, step, number, now=now)
        groups = {table.number: [players[one] for one in table.players] for table in tables}
        seat_groups(tournament, round_, groups, now=now)
        round_.ends_at = max(round_.ends_at, ends_of_tables(tournament, now=now))
        round_.save(update_fields=["ends_at"])


def _get_or_create_round(
    tournament: Tournament, step: Advance, number: int, *, now: datetime
) -> Round:
    round_, is_new = Round.objects.get_or_create(
        tournament=tournament,
        number=number,
        defaults={
            "is_drawn": False,
            "is_final": number == step.last_round,
            "started_at": now + GATHERING,
            "ends_at": ends_of_tables(tournament, now=now),
        },
    )
    if is_new:
        tournament.round_number = max(tournament.round_number, number)
    return round_


def _end_rounds(tournament: Tournament, step: Advance, *, now: datetime) -> None:
    over = Round.objects.filter(tournament=tournament, ended_at=None, number__lt=step.rounds_over)
    over.filter(number=step.last_round).update(is_final=True)
    over.update(ended_at=now)


def _get_players(tournament: Tournament, seedings: Sequence[int]) -> dict[int, int]:
    """Return a mapping from each of these places in the draw to the entrant's id."""
    entrants = tournament.entrants.filter(seeding__in=seedings)
    return dict(entrants.values_list("seeding", "pk"))  # type: ignore[arg-type] # seeded, so not null
