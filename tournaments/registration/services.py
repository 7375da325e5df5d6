"""Registration: entering, withdrawing, the waiting list, and rebuys."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.models.sessions import NOWHERE
from core.after_commit import call_after_commit
from core.refusals import SWITCHED_OFF, Refusal
from core.site.features import CASH_PLAY, TOURNAMENTS, is_on
from tables.catalog import game_switch
from tables.seating.companions import get_last_origins, is_pair_done
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.refusals import (
    ALREADY_REGISTERED,
    BOTS_DO_NOT_PLAY_FOR_CASH,
    NO_REBUY,
    NOT_REGISTERED,
    REGISTRATION_CLOSED,
    TOO_LATE_TO_WITHDRAW,
    TOURNAMENT_BARS_API_PLAYERS,
    TOURNAMENT_BARS_BOT_ACCOUNTS,
    PrivatePairIsDone,
    TournamentNotFound,
)
from tournaments.rules.lifecycle import may_register, may_withdraw
from tournaments.store.announcements import announce_change
from tournaments.store.fees import charge, charge_ticket, give_back
from tournaments.store.reading import knows_tournament
from tournaments.store.rows import lock_if_free, lock_tournament, may_rebuy, read_situation
from wallet import api as wallet
from wallet.money import Currency


@transaction.atomic
def register(
    *,
    tournament_id: int,
    user_id: int,
    now: datetime,
    with_ticket: bool = False,
    by_program: bool = False,
    invite: str = "",
) -> Entrant:
    """Take a place and pay for it. If all places are taken, join the waiting list without paying.

    Raises a Refusal; then nothing has changed. An API player may enter only if the tournament's tables allow API
    players. A private tournament raises TournamentNotFound unless the player has its code, is its host, or has entered
    it before.
    """
    tournament = lock_tournament(tournament_id)
    if not tournament.admits(invite) and not knows_tournament(tournament, user_id):
        raise TournamentNotFound
    if by_program and not tournament.allows_api_players:
        raise Refusal(TOURNAMENT_BARS_API_PLAYERS)
    if not may_register(read_situation(tournament, now=now)):
        raise Refusal(REGISTRATION_CLOSED)
    if not is_on(TOURNAMENTS) or not is_on(game_switch(tournament.game)):
        raise Refusal(SWITCHED_OFF)
    if tournament.currency != Currency.CHIPS and not is_on(CASH_PLAY):
        raise Refusal(SWITCHED_OFF)
    user = wallet.lock_open_account(user_id)
    _refuse_bots(tournament, user)
    entrant = _get_entrant(tournament, user_id)
    wallet.refuse_if_barred(user_id)
    _refuse_done_pairs(tournament, user_id, now=now)
    entrant.entered_at = now
    if tournament.seats_taken >= tournament.max_entrants:
        entrant.state = EntrantState.WAITING
        entrant.save()
        announce_change(tournament.pk)
        return entrant
    return _take_place(tournament, entrant, now=now, with_ticket=with_ticket)


def _refuse_bots(tournament: Tournament, user: User) -> None:
    if user.is_bot_account:
        raise Refusal(TOURNAMENT_BARS_BOT_ACCOUNTS)
    if tournament.currency != Currency.CHIPS and user.is_bot:
        raise Refusal(BOTS_DO_NOT_PLAY_FOR_CASH)


def _refuse_done_pairs(tournament: Tournament, user_id: int, *, now: datetime) -> None:
    """Refuse a player of a private tournament who has won the daily limit of chips from one of its entrants.

    The player is also refused if an entrant has won that limit from them.
    """
    if not tournament.is_private:
        return
    others = tournament.entrants.exclude(user=user_id).exclude(state=EntrantState.WITHDRAWN)
    people = {
        other.user_id: other.user.player_name
        for other in others.filter(user__is_bot=False).select_related("user").order_by("pk")
    }
    origins = get_last_origins([user_id, *people])
    own = {user_id: origins.get(user_id, NOWHERE)}
    for other, name in people.items():
        pair = {**own, other: origins.get(other, NOWHERE)}
        if is_pair_done(pair, day=timezone.localdate(now)):
            raise PrivatePairIsDone(name)


def _get_entrant(tournament: Tournament, user_id: int) -> Entrant:
    entrant = Entrant.objects.filter(tournament=tournament, user_id=user_id).first()
    if entrant is None:
        return Entrant(tournament=tournament, user_id=user_id)
    if entrant.state != EntrantState.WITHDRAWN:
        raise Refusal(ALREADY_REGISTERED)
    entrant.registrations += 1
    return entrant


def _take_place(
    tournament: Tournament, entrant: Entrant, *, now: datetime, with_ticket: bool = False
) -> Entrant:
    if with_ticket:
        charge_ticket(tournament, entrant, now=now)
    else:
        charge(tournament, entrant, key=entrant.entry_key)
    entrant.state = EntrantState.REGISTERED
    entrant.save()
    tournament.seats_taken += 1
    tournament.save(update_fields=["seats_taken"])
    announce_change(tournament.pk)
    return entrant


@transaction.atomic
def withdraw(*, tournament_id: int, user_id: int, now: datetime) -> Entrant:
    """Withdraw before play begins; the whole fee is refunded (R10.2).

    After the commit, the next player on the waiting list gets the place. A player may leave the waiting list
    at any time. Raises NOT_REGISTERED or TOO_LATE_TO_WITHDRAW.
    """
    tournament = lock_tournament(tournament_id)
    entrant = Entrant.objects.filter(tournament=tournament, user_id=user_id).first()
    if entrant is None or entrant.state == EntrantState.WITHDRAWN:
        raise Refusal(NOT_REGISTERED)
    if entrant.state != EntrantState.WAITING:
        if not may_withdraw(read_situation(tournament, now=now)):
            raise Refusal(TOO_LATE_TO_WITHDRAW)
        give_back(tournament, entrant)
        tournament.seats_taken -= 1
        tournament.save(update_fields=["seats_taken"])
    entrant.state = EntrantState.WITHDRAWN
    entrant.save()
    announce_change(tournament_id)
    # If it fails, the next tick does it.
    call_after_commit(promote_waiting, tournament_id=tournament_id, now=now)
    return entrant


def promote_waiting(*, tournament_id: int, now: datetime) -> list[int]:
    """Give free places to players on the waiting list, in the order of entering. Return the promoted user ids.

    Players who cannot pay, or may no longer play, are taken off the list. Each promotion is a transaction of
    its own, because two tournaments that charge the same people could otherwise deadlock.
    """
    promoted = []
    while (entrant := _promote_next(tournament_id, now)) is not None:
        if entrant.state == EntrantState.REGISTERED:
            promoted.append(entrant.user_id)
    return promoted


@transaction.atomic
def _promote_next(tournament_id: int, now: datetime) -> Entrant | None:
    tournament = lock_if_free(tournament_id)
    if (
        tournament is None
        or tournament.seats_taken >= tournament.max_entrants
        or not may_register(read_situation(tournament, now=now))
    ):
        return None
    waiting = Entrant.objects.filter(tournament=tournament, state=EntrantState.WAITING)
    entrant = waiting.order_by("entered_at", "pk").first()
    if entrant is None:
        return None
    try:
        wallet.refuse_if_barred(entrant.user_id)
        return _take_place(tournament, entrant, now=now)
    except Refusal:
        entrant.state = EntrantState.WITHDRAWN
        entrant.save()
        announce_change(tournament_id)
        return entrant


def end_waiting(tournament: Tournament) -> None:
    """Close the waiting list and withdraw the players on it."""
    Entrant.objects.filter(tournament=tournament, state=EntrantState.WAITING).update(
        state=EntrantState.WITHDRAWN
    )


@transaction.atomic
def rebuy(*, tournament_id: int, user_id: int, now: datetime, by_program: bool = False) -> Entrant:
    """Rebuy to take part in the next round (R10.7).

    Raises NO_REBUY, TOURNAMENT_BARS_API_PLAYERS or a Refusal; then nothing has changed.
    """
    tournament = lock_tournament(tournament_id)
    if by_program and not tournament.allows_api_players:
        raise Refusal(TOURNAMENT_BARS_API_PLAYERS)
    entrants = Entrant.objects.filter(tournament=tournament)
    entrant = entrants.filter(user_id=user_id).first()
    if entrant is None:
        raise Refusal(NOT_REGISTERED)
    wallet.refuse_if_barred(user_id)
    left = entrants.filter(state=EntrantState.PLAYING).count()
    if not may_rebuy(tournament, entrant, left=left, now=now):
        raise Refusal(NO_REBUY)
    charge(tournament, entrant, key=entrant.rebuy_key(entrant.payments + 1))
    entrant.state = EntrantState.PLAYING
    entrant.round_out, entrant.chips = None, None
    entrant.table_rank, entrant.points = None, None
    entrant.save()
    announce_change(tournament_id)
    return entrant
