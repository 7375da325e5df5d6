"""Reading tournaments for pages and sockets."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from accounts.models import User
from core.database.prepared import Prepared, read_flag
from core.database.translated_texts import choose_text
from core.values.numbers import LARGEST_ID
from players.away import LINES_SHOWN, NewsLine
from players.profile import MATCHES_SHOWN, EventLine
from tables.models import TableStatus
from tournaments.models import (
    Entrant,
    EntrantState,
    PrizeKind,
    RoundSeat,
    RoundTable,
    Ticket,
    Tournament,
)
from tournaments.rules.lifecycle import (
    RUNNING,
    STATUSES_OF,
    LifecycleStatus,
    TournamentPhase,
    may_register,
    may_withdraw,
)
from tournaments.rules.payouts import Pool, compute_prizes, pool_for, tickets_for
from tournaments.store.announcements import Invitation
from tournaments.store.rows import may_rebuy, read_situation
from wallet.api import get_prize_pool_balances
from wallet.money import Currency

MOST_LISTED = 100
_NOTHING_BUT = {
    PrizeKind.SATELLITE: Q(ticket_for__isnull=False),
    PrizeKind.FREE: Q(ticket_for=None, entry_fee=0),
    PrizeKind.CHIPS: Q(ticket_for=None, entry_fee__gt=0, currency=Currency.CHIPS),
    PrizeKind.CASH: Q(ticket_for=None, entry_fee__gt=0, currency=Currency.INR),
}


def is_any_running() -> bool:
    """Return whether a tournament has begun and is not over."""
    return Tournament.objects.filter(status__in=RUNNING).exists()


def list_tournaments(
    *,
    phase: TournamentPhase,
    kind: str = "",
    with_cash: bool = True,
    after: int | None = None,
    length: int = MOST_LISTED,
) -> list[Tournament]:
    """Return the tournaments of a phase. Upcoming and running ones come soonest first, past ones newest first.

    `after` is the id of the tournament after which the page begins. For an unknown id the list is empty.
    """
    tournaments = Tournament.objects.filter(status__in=STATUSES_OF[phase], invite_code="")
    if kind:
        tournaments = tournaments.filter(_NOTHING_BUT[PrizeKind(kind)])
    if not with_cash:
        tournaments = tournaments.filter(currency=Currency.CHIPS)
    order = "-starts_at" if phase is TournamentPhase.OVER else "starts_at"
    if after is not None:
        at = Tournament.objects.filter(pk=after).values("starts_at")[:1]
        later = Q(starts_at__lt=at) if phase is TournamentPhase.OVER else Q(starts_at__gt=at)
        tournaments = tournaments.filter(later | Q(starts_at=at, pk__gt=after))
    return list(tournaments.select_related("ticket_for").order_by(order, "pk")[:length])


def find_tournament(tournament_id: int) -> Tournament | None:
    """Return a tournament with its `template` and `ticket_for`, or None."""
    tournaments = Tournament.objects.select_related("template", "ticket_for")
    return tournaments.filter(pk=tournament_id).first()


def knows_tournament(tournament: Tournament, user_id: int | None) -> bool:
    """Return whether this user may see the tournament without its code, as host or entrant.

    A tournament that is not private is visible to everybody.
    """
    if not tournament.is_private or user_id == tournament.opened_by_id:
        return True
    return user_id is not None and tournament.entrants.filter(user_id=user_id).exists()


def may_see(tournament: Tournament, user_id: int | None) -> bool:
    """Return whether this user may see a tournament. Everybody may, unless it is private.

    A private one is visible to its host, its entrants and staff who may view tournaments.
    """
    return knows_tournament(tournament, user_id) or _may_look(user_id)


def may_see_table(table_id: int, user_id: int) -> bool:
    """Return whether this user may see the tournament to which a table belongs."""
    tables = RoundTable.objects.filter(table_id=table_id).select_related("round__tournament")
    found = tables.first()
    return found is not None and may_see(found.round.tournament, user_id)


def may_listen(tournament_id: int, user_id: int | None, invite: str) -> bool:
    """Return whether this user may connect to the tournament's socket. `tournament_id` may be any number."""
    tournament = find_tournament(tournament_id) if tournament_id <= LARGEST_ID else None
    return tournament is not None and (tournament.admits(invite) or may_see(tournament, user_id))


def _may_look(user_id: int | None) -> bool:
    if user_id is None:
        return False
    user = User.objects.filter(pk=user_id, is_staff=True, is_active=True).first()
    return user is not None and user.has_perm("tournaments.view_tournament")


def count_waiting(tournament: Tournament) -> int:
    """Return the number of players on the waiting list."""
    return tournament.entrants.filter(state=EntrantState.WAITING).count()


def find_entrants(user_id: int | None, tournaments: Sequence[Tournament]) -> dict[int, Entrant]:
    """Return a mapping from tournament id to the user's entrant. Tournaments not entered are left out."""
    if user_id is None:
        return {}
    entered = Entrant.objects.filter(user_id=user_id, tournament__in=tournaments)
    return {
        entrant.tournament_id: entrant for entrant in entered.exclude(state=EntrantState.WITHDRAWN)
    }


def find_states(user_id: int | None, tournaments: Sequence[Tournament]) -> dict[int, str]:
    """Return a mapping from tournament id to the user's state. Tournaments not entered are left out."""
    found = find_entrants(user_id, tournaments)
    return {tournament: entrant.state for tournament, entrant in found.items()}


def list_entered_by(user_id: int) -> list[Tournament]:
    """Return the tournaments that the player has entered, the latest first."""
    mine = Entrant.objects.filter(user_id=user_id).exclude(state=EntrantState.WITHDRAWN)
    entered = mine.select_related("tournament__ticket_for").order_by("-tournament__starts_at")
    return [entrant.tournament for entrant in entered[:MOST_LISTED]]


def list_unused_tickets(user_id: int) -> list[Ticket]:
    return list(
        Ticket.objects.filter(user_id=user_id, used_at=None)
        .select_related("template", "won_in")
        .order_by("pk")
    )


@dataclass(frozen=True, slots=True)
class PoolStanding:
    """The fees paid in so far, and the prize pool for `field` players."""

    field: int
    paid_in: int
    rake: int
    pool: Pool


def get_standing_pool(tournament: Tournament, *, field: int) -> PoolStanding:
    """Compute the prize pool from the ledger's balance. After the payout, return the stored amounts."""
    return _build_standing(
        tournament, field, _read_paid_in([tournament]), _read_payments([tournament])
    )


def get_standing_pools(tournaments: Sequence[Tournament]) -> dict[int, PoolStanding]:
    """Return a mapping from tournament id to the prize pool for the current number of players."""
    paid_in, payments = _read_paid_in(tournaments), _read_payments(tournaments)
    return {
        tournament.pk: _build_standing(tournament, tournament.seats_taken, paid_in, payments)
        for tournament in tournaments
    }


def _build_standing(
    tournament: Tournament, field: int, paid: Mapping[int, int], payments: Mapping[int, int]
) -> PoolStanding:
    if tournament.settlement is not None:
        then = tournament.settlement
        pool = Pool(prizes=then["prizes"], overlay=then["overlay"])
        return PoolStanding(field, then["paid_in"], then["rake"], pool)
    paid_in = paid.get(tournament.pk, 0)
    rake = payments.get(tournament.pk, 0) * tournament.fee_rake
    pool = pool_for(
        paid_in=paid_in,
        rake=rake,
        guarantee=tournament.guarantee,
        payout_table=tournament.payout_table_of_terms,
        field=field,
    )
    return PoolStanding(field, paid_in, rake, pool)


def _read_paid_in(tournaments: Sequence[Tournament]) -> dict[int, int]:
    return get_prize_pool_balances(tournament.pk for tournament in tournaments)


def _read_payments(tournaments: Sequence[Tournament]) -> dict[int, int]:
    paid = Entrant.objects.filter(tournament__in=tournaments, payments__gt=0)
    return dict(paid.values_list("tournament_id").annotate(Sum("payments")))


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """The prize of each rank from `first` to `last`: the amount, or a ticket of that value."""

    first: int
    last: int
    amount: int
    is_ticket: bool = False


def list_prize_lines(tournament: Tournament, standing: PoolStanding) -> list[PrizeLine]:
    """Return the current prizes. Neighbouring ranks with equal prizes are one line."""
    field = max(standing.field, 1)
    target = tournament.ticket_for
    if target is not None:
        tickets = tickets_for(standing.pool.prizes, price=target.entry_fee, field=field)
        seats = [target.entry_fee] * tickets.number
        lines = _list_lines(seats, is_ticket=True)
        if tickets.rest and tickets.number < field:
            place = tickets.number + 1
            lines.append(PrizeLine(place, place, tickets.rest))
        return lines
    if standing.pool.prizes == 0:
        return []
    return _list_lines(
        compute_prizes(
            standing.pool.prizes, payout_table=tournament.payout_table_of_terms, field=field
        )
    )


# Further winners are on the page of ranks.
WINNERS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class PaidPrize:
    """An entrant's prize. `amount` is None if the prize is a ticket."""

    rank: int
    name: str
    face: str
    amount: int | None


def list_winners(tournament: Tournament) -> list[PaidPrize]:
    """Return the prize winners of a finished tournament, best first; at most WINNERS_SHOWN."""
    if tournament.status != LifecycleStatus.FINISHED:
        return []
    seated = set(tournament.tickets_paid.values_list("user_id", flat=True))
    paid = tournament.entrants.filter(prize__gt=0, rank__isnull=False).select_related("user")
    return [
        PaidPrize(
            entrant.rank or 0,
            entrant.user.player_name,
            entrant.user.shown_face,
            None if entrant.user_id in seated else entrant.prize,
        )
        for entrant in paid.order_by("place")[:WINNERS_SHOWN]
    ]


def find_winners(tournaments: Sequence[Tournament]) -> dict[int, list[str]]:
    """Return a mapping from tournament id to the names of the winners."""
    first = Entrant.objects.filter(tournament__in=[one.pk for one in tournaments], rank=1)
    names: dict[int, list[str]] = {}
    for entrant in first.select_related("user").order_by("tournament", "place"):
        names.setdefault(entrant.tournament_id, []).append(entrant.user.player_name)
    return names


def _list_lines(amounts: Sequence[int], *, is_ticket: bool = False) -> list[PrizeLine]:
    lines: list[PrizeLine] = []
    for place, amount in enumerate(amounts, start=1):
        if lines and lines[-1].amount == amount:
            lines[-1] = PrizeLine(lines[-1].first, place, amount, is_ticket)
        else:
            lines.append(PrizeLine(place, place, amount, is_ticket))
    return [line for line in lines if line.amount]


@dataclass(frozen=True, slots=True)
class Options:
    """The actions that a user can take in a tournament now."""

    entrant: Entrant | None
    may_register: bool = False
    is_full: bool = False
    has_ticket: bool = False
    may_withdraw: bool = False
    may_rebuy: bool = False
    table_id: int | None = None


def get_options(tournament: Tournament, *, user_id: int | None, now: datetime) -> Options:
    situation = read_situation(tournament, now=now)
    is_full = tournament.seats_taken >= tournament.max_entrants
    opened = may_register(situation)
    if user_id is None:
        return Options(None, may_register=opened, is_full=is_full)
    entrant = tournament.entrants.filter(user_id=user_id).first()
    if entrant is None or entrant.state == EntrantState.WITHDRAWN:
        tickets = Ticket.objects.filter(
            user_id=user_id, template=tournament.template_id, used_at=None
        )
        return Options(
            None,
            may_register=opened,
            is_full=is_full,
            has_ticket=tournament.template_id is not None and tickets.exists(),
        )
    left = tournament.entrants.filter(state=EntrantState.PLAYING).count()
    waits = entrant.state == EntrantState.WAITING
    registered = entrant.state == EntrantState.REGISTERED
    ready = list_invitations(user_id, tournament_id=tournament.pk)
    return Options(
        entrant,
        is_full=is_full,
        may_withdraw=waits or (registered and may_withdraw(situation)),
        may_rebuy=may_rebuy(tournament, entrant, left=left, now=now),
        table_id=ready[0].table_id if ready else None,
    )


_plays = Prepared(
    "plays_in_a_tournament",
    """SELECT EXISTS (SELECT FROM tournaments_entrant
                       WHERE user_id = $1::bigint AND state = 'PLAYING')""",
    (read_flag,),
)


def list_invitations(user_id: int, *, tournament_id: int | None = None) -> list[Invitation]:
    """Return an invitation for each table at which this user should now sit down."""
    # Every page calls this after reconnecting, and there is hardly ever an invitation.
    if _plays.first(user_id) == [False]:
        return []
    seats = RoundSeat.objects.filter(
        entrant__user_id=user_id,
        entrant__state=EntrantState.PLAYING,
        round__ended_at=None,
        round_table__ended_at=None,
        round_table__isnull=False,
    ).exclude(round_table__table__status=TableStatus.CLOSED)
    if tournament_id is not None:
        seats = seats.filter(round__tournament_id=tournament_id)
    wanted = seats.order_by("pk").values_list(
        "round__tournament_id",
        "round_table__table_id",
        "chair",
        "round__tournament__name",
        "round__tournament__words",
        "entrant__user__language",
    )
    return [
        Invitation(
            user_id, tournament, table, chair, choose_text(words, "name", name, language=language)
        )
        for tournament, table, chair, name, words, language in wanted
    ]


# Stored by a start that found too few players.
TOO_FEW = "too_few_entrants"
# Stored by the start of a private tournament whose rules the game has dropped.
RULES_GONE = "rules_gone"
# Stored by an end that found nobody who could be ranked.
NOBODY_LEFT = "nobody_left"


def phase_names() -> list[tuple[str, str]]:
    return [
        (TournamentPhase.UPCOMING.value, _("Upcoming")),
        (TournamentPhase.RUNNING.value, _("Running")),
        (TournamentPhase.OVER.value, _("Finished")),
    ]


def describe_cancellation(tournament: Tournament) -> str:
    """Return the reason of a cancellation: an automatic one, or the text that was entered."""
    if tournament.cancel_reason == TOO_FEW:
        return _("Fewer than %(least)s players had registered.") % {
            "least": tournament.min_entrants
        }
    if tournament.cancel_reason == RULES_GONE:
        return _("Its rules are no longer offered here. Open a new tournament with other rules.")
    if tournament.cancel_reason == NOBODY_LEFT:
        return _("Every player was disqualified.")
    return tournament.cancel_reason


def names_of_tournaments(numbers: Collection[int]) -> dict[int, str]:
    """Return a mapping from tournament id to name, for the lines of account statements."""
    some = Tournament.objects.filter(pk__in=numbers).only("name", "words")
    return {tournament.pk: tournament.shown_name for tournament in some}


def list_finished_tournaments(user_id: int, since: datetime) -> list[NewsLine]:
    """Return a player's tournaments that ended after `since`, with their place, as news after an absence."""
    entrants = Entrant.objects.select_related("tournament").filter(
        user_id=user_id,
        state=EntrantState.OUT,
        tournament__status=LifecycleStatus.FINISHED,
        tournament__ended_at__gt=since,
    )
    newest = entrants.order_by("-tournament__ended_at", "-pk")[:LINES_SHOWN]
    return [
        NewsLine(
            _("%(name)s is over. Your place: %(place)s.")
            % {"name": entrant.tournament.shown_name, "place": entrant.place},
            entrant.tournament.get_absolute_url(),
        )
        for entrant in newest
    ]


def list_reached_places(user_id: int, viewer_id: int | None) -> list[EventLine]:
    """Return the places that a player reached in their last tournaments.

    Other viewers see only the places in tournaments that are not private.
    """
    entrants = Entrant.objects.select_related("tournament").filter(
        user_id=user_id,
        state=EntrantState.OUT,
        tournament__status=LifecycleStatus.FINISHED,
    )
    if viewer_id != user_id:
        entrants = entrants.filter(tournament__invite_code="")
    newest = entrants.order_by("-tournament__ended_at", "-pk")[:MATCHES_SHOWN]
    return [
        EventLine(
            at=entrant.tournament.ended_at,
            title=entrant.tournament.shown_name,
            place=entrant.place,
            entrants=entrant.tournament.seats_taken,
            url=entrant.tournament.get_absolute_url(),
        )
        for entrant in newest
        if entrant.tournament.ended_at is not None and entrant.place is not None
    ]
