"""The end of a tournament: places, prizes and tickets, in one transaction (R10.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from core.models import WebhookEvent
from core.webhooks.delivery import record_result
from players.ranking.pairs import add_event_to_pairs
from tournaments.models import Entrant, EntrantState, Ticket, Tournament
from tournaments.rules.bracket import Exit, Place
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.rules.payouts import Pool, compute_prizes, share_prizes, tickets_for
from tournaments.running.cancelling import call_off
from tournaments.store import rows
from tournaments.store.reading import NOBODY_LEFT, get_standing_pool
from tournaments.store.rows import set_status
from wallet import api as wallet
from wallet.api import Prize
from wallet.money import Currency


@dataclass(frozen=True, slots=True)
class Settled:
    """The amounts paid at the end. `tickets` is the part of the prizes that is paid as tickets."""

    paid_in: int
    rake: int
    overlay: int
    prizes: int
    tickets: int = 0


def finish(tournament: Tournament, *, now: datetime) -> None:
    """Rank all players and pay the prizes. If all players were disqualified, cancel the tournament.

    The caller holds the tournament's lock; no table is in play any more.
    """
    entrants = list(tournament.entrants.filter(state=EntrantState.OUT).select_related("user"))
    if not entrants:
        call_off(tournament, now=now, reason=NOBODY_LEFT)
        return
    placed = tournament.format_rules.placings(
        {entrant.pk: _build_exit(entrant) for entrant in entrants}
    )
    in_order = sorted(entrants, key=lambda entrant: placed[entrant.pk].place)
    standing = get_standing_pool(tournament, field=len(entrants))
    pool = standing.pool
    settled = Settled(standing.paid_in, standing.rake, pool.overlay, pool.prizes)
    if tournament.ticket_for_id is not None:
        by_place, tickets = _pay_tickets(tournament, in_order, pool)
        settled = Settled(**{**asdict(settled), "tickets": tickets})
        shared = {place: by_place.get(place, 0) for place in range(1, len(entrants) + 1)}
    else:
        shared = _share(tournament, placed, pool)
    rows.give_places(
        (pk, place.place, place.rank, shared[place.place]) for pk, place in placed.items()
    )
    wallet.settle_tournament(
        tournament_id=tournament.pk,
        currency=Currency(tournament.currency),
        prizes=[
            Prize(
                None if entrant.user.is_bot else entrant.user_id, shared[placed[entrant.pk].place]
            )
            for entrant in in_order
        ],
        overlay=settled.overlay,
        rake=settled.rake,
    )
    if tournament.is_private:
        _add_to_pairs(in_order, placed, shared, fee=tournament.entry_fee, now=now)
    tournament.settlement = asdict(settled)
    tournament.ended_at = now
    set_status(tournament, LifecycleStatus.FINISHED, now=now)
    announce_result(tournament, in_order, placed, now=now)


def _add_to_pairs(
    entrants: Sequence[Entrant],
    placed: Mapping[int, Place],
    shared: Mapping[int, int],
    *,
    fee: int,
    now: datetime,
) -> None:
    """Count the chips won in a private tournament towards the daily limit of each pair of players.

    Players choose their opponents here as they do at private tables.
    """
    amounts = {
        entrant.user_id: shared[placed[entrant.pk].place] - fee * entrant.payments
        for entrant in entrants
    }
    people = [entrant.user_id for entrant in entrants if not entrant.user.is_bot]
    add_event_to_pairs(amounts, people=people, day=timezone.localdate(now))


def _build_exit(entrant: Entrant) -> Exit:
    assert entrant.seeding is not None  # noqa: S101 - all who are out have played
    return Exit(
        seeding=entrant.seeding,
        rank=entrant.final_rank or entrant.table_rank or 0,
        chips=entrant.chips or 0,
        round=entrant.round_out or 0,
        in_final=entrant.final_rank is not None,
        points=entrant.points,
    )


def _share(tournament: Tournament, placed: Mapping[int, Place], pool: Pool) -> dict[int, int]:
    by_place = compute_prizes(
        pool.prizes, payout_table=tournament.payout_table_of_terms, field=len(placed)
    )
    return share_prizes(by_place, {place.place: place.rank for place in placed.values()})


def _pay_tickets(
    tournament: Tournament, in_order: Sequence[Entrant], pool: Pool
) -> tuple[dict[int, int], int]:
    """Give tickets to the first players, and the remaining money to the next player.

    If every player gets a ticket, the first one gets the money. Return a mapping from place to the prize in money, and
    the value of the tickets. Tickets go by place and not by rank, because they cannot be shared. A bot gets the
    ticket's price, which returns to the mint.
    """
    target = tournament.ticket_for
    assert target is not None  # noqa: S101 - asked for satellites alone
    tickets = tickets_for(pool.prizes, price=target.entry_fee, field=len(in_order))
    winners = in_order[: tickets.number]
    made = Ticket.objects.bulk_create(
        Ticket(
            user_id=entrant.user_id,
            template=target,
            won_in=tournament,
            price=target.entry_fee,
            currency=tournament.currency,
        )
        for entrant in winners
        if not entrant.user.is_bot
    )
    money = {
        place: target.entry_fee
        for place, entrant in enumerate(winners, start=1)
        if entrant.user.is_bot
    }
    # If all finishers get seats, the first one takes the remainder.
    place_of_rest = tickets.number + 1 if tickets.number < len(in_order) else 1
    if tickets.rest:
        money[place_of_rest] = money.get(place_of_rest, 0) + tickets.rest
    return money, len(made) * target.entry_fee


PLACES_TOLD: Final = 100


def announce_result(
    tournament: Tournament,
    in_order: Sequence[Entrant],
    placed: Mapping[int, Place],
    *,
    now: datetime,
) -> None:
    """Record the webhook event in the transaction that ends the tournament. `in_order` begins with the winner."""
    record_result(
        WebhookEvent.TOURNAMENT_ENDED,
        lambda: _describe_result(tournament, in_order, placed),
        people=[entrant.user_id for entrant in in_order],
        now=now,
    )


def _describe_result(
    tournament: Tournament, in_order: Sequence[Entrant], placed: Mapping[int, Place]
) -> dict[str, Any]:
    return {
        "tournament": tournament.pk,
        "name": tournament.name,
        "game": tournament.game,
        "format": tournament.format,
        "started_at": tournament.started_at,
        "entrants": len(in_order),
        "places": [
            {
                "place": placed[entrant.pk].rank,
                "id": entrant.user_id,
                "name": entrant.user.player_name,
                "bot": entrant.user.is_bot,
            }
            for entrant in in_order[:PLACES_TOLD]
        ],
    }
