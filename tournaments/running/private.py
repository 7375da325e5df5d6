"""Private tournaments, which players open for friends: for chips, open to everybody with the link."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.names import PlayerNameValidator, refuse_reserved_name, tidy_player_name
from core.database.translated_texts import Words, translate_everywhere
from core.refusals import SWITCHED_OFF, Refusal
from core.site.content import site
from core.site.features import PRIVATE_TOURNAMENTS, is_on
from games.engine.base import JSON
from tournaments.models import Tournament
from tournaments.refusals import (
    START_OUT_OF_RANGE,
    TOO_FEW_TO_START,
    TOO_LATE_TO_WITHDRAW,
    TOO_MANY_PRIVATE,
    TOURNAMENT_NAME_REFUSED,
    NotYourTournament,
)
from tournaments.registration.services import register
from tournaments.rules.formats import HEADS_UP
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.cancelling import call_off
from tournaments.store.announcements import announce_change
from tournaments.store.fees import FEE_FORMAT
from tournaments.store.rows import lock_tournament, record_due
from wallet import api as wallet
from wallet.api import FeeTerms, get_fee
from wallet.money import Currency

# Unfinished private tournaments that one player may have.
MOST_PRIVATE = 2
MOST_FRIENDS = 60
# How far ahead a host may set the start.
MOST_AHEAD = timedelta(weeks=4)
INVITE_BYTES = 9
_ONE_GOES_ON_UP_TO = 3
_BREAK_SECONDS = 20
_ROUND_SECONDS = 900
# A pool takes as many deals as it needs (R10.13), so its rounds are longer.
_POOL_ROUND_SECONDS = 2_400


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateTerms:
    """A host's choices for a private tournament.

    `preset` is one that tournaments can use; `changes` are the fields of its rules that differ. `entry_fee`
    is in chips. Without a `name` it is called "Tournament of friends".
    """

    game: str
    preset: str
    format: str
    seats: int
    deals: int
    entry_fee: int
    most: int
    starts_at: datetime
    with_bots: bool = False
    name: str = ""
    changes: Mapping[str, JSON] = field(default_factory=dict)


@transaction.atomic
def open_private(*, user_id: int, terms: PrivateTerms, now: datetime) -> Tournament:
    """Open a private tournament and register its host, who pays the entry fee.

    Raises SWITCHED_OFF, START_OUT_OF_RANGE, TOURNAMENT_NAME_REFUSED, TOO_MANY_PRIVATE or a Refusal; then no
    tournament is created.
    """
    if not is_on(PRIVATE_TOURNAMENTS):
        raise Refusal(SWITCHED_OFF)
    if not now < terms.starts_at <= now + MOST_AHEAD:
        raise Refusal(START_OUT_OF_RANGE)
    host = wallet.lock_open_account(user_id)
    wallet.refuse_if_barred(user_id)
    theirs = Tournament.objects.filter(opened_by=host)
    if (
        theirs.exclude(status__in=[LifecycleStatus.FINISHED, LifecycleStatus.CANCELLED]).count()
        >= MOST_PRIVATE
    ):
        raise Refusal(TOO_MANY_PRIVATE)
    tournament = _build_tournament(host, terms, now)
    record_due(tournament, now=now)
    tournament.save(force_insert=True)
    register(tournament_id=tournament.pk, user_id=user_id, now=now, invite=tournament.invite_code)
    tournament.refresh_from_db()
    return tournament


def count_qualifiers(seats: int) -> int:
    return 1 if seats <= _ONE_GOES_ON_UP_TO else 2


def _build_tournament(host: User, terms: PrivateTerms, now: datetime) -> Tournament:
    is_heads_up = terms.format == HEADS_UP.code
    seats = 2 if is_heads_up else terms.seats
    fee = _get_fee_terms(terms, now)
    name, words = _name(terms)
    tournament = Tournament(
        name=name,
        words=words,
        rule_changes=dict(terms.changes),
        opened_by=host,
        invite_code=secrets.token_urlsafe(INVITE_BYTES),
        format=terms.format,
        game=terms.game,
        preset=terms.preset,
        seats=seats,
        deals=terms.deals,
        qualifiers=count_qualifiers(seats),
        break_seconds=_BREAK_SECONDS,
        round_seconds=_ROUND_SECONDS,
        entry_fee=terms.entry_fee,
        rake_bps=fee.rake_bps,
        rake_cap=fee.rake_cap,
        max_entrants=terms.most,
        bots_to=min(seats, terms.most) if terms.with_bots else 0,
        opens_at=now,
        starts_at=terms.starts_at,
        status=LifecycleStatus.REGISTERING,
    )
    if tournament.out_at is not None:
        tournament.round_seconds = _POOL_ROUND_SECONDS
    return tournament


def _name(terms: PrivateTerms) -> tuple[str, Words]:
    """Return the host's name for the tournament, or a default name, with its translations.

    The default name does not include the host's name, which would outlast the account.
    """
    if terms.name:
        return spell_name(terms.name), {}
    name, others = translate_everywhere(gettext_lazy("Tournament of friends"))
    return name, {code: {"name": text} for code, text in others.items()}


def spell_name(name: str) -> str:
    """Return the name that a host typed, in the form in which it is stored. Raises TOURNAMENT_NAME_REFUSED."""
    spelt = tidy_player_name(name)
    try:
        PlayerNameValidator()(spelt)
        refuse_reserved_name(spelt, site_name=site().name)
    except ValidationError as error:
        raise Refusal(TOURNAMENT_NAME_REFUSED) from error
    return spelt


def _get_fee_terms(terms: PrivateTerms, now: datetime) -> FeeTerms:
    if terms.entry_fee == 0:
        return FeeTerms(0, 0, None)
    return get_fee(
        game=terms.game, format=FEE_FORMAT, currency=Currency.CHIPS, stake=terms.entry_fee, at=now
    )


@transaction.atomic
def start_now(*, tournament_id: int, user_id: int, now: datetime) -> None:
    """Let a private tournament begin with the next tick instead of at the announced time.

    Raises NotYourTournament, TOO_LATE_TO_WITHDRAW or TOO_FEW_TO_START; then nothing has changed.
    """
    tournament = _own(tournament_id, user_id)
    if max(tournament.seats_taken, tournament.bots_to) < tournament.min_entrants:
        raise Refusal(TOO_FEW_TO_START)
    tournament.starts_at = min(tournament.starts_at, now)
    record_due(tournament, now=now)
    tournament.save(update_fields=["starts_at", "due_at"])
    announce_change(tournament.pk)


@transaction.atomic
def call_off_own(*, tournament_id: int, user_id: int, now: datetime) -> None:
    """Cancel a private tournament before it begins; fees are refunded, and entrants notified.

    Raises NotYourTournament or TOO_LATE_TO_WITHDRAW; then nothing has changed.
    """
    tournament = _own(tournament_id, user_id)
    call_off(tournament, now=now, reason=_("Its host called it off."))


def _own(tournament_id: int, user_id: int) -> Tournament:
    """Lock a tournament of this host that has not begun. Raises NotYourTournament or TOO_LATE_TO_WITHDRAW."""
    tournament = lock_tournament(tournament_id)
    if tournament.opened_by_id != user_id:
        raise NotYourTournament
    if tournament.status != LifecycleStatus.REGISTERING:
        raise Refusal(TOO_LATE_TO_WITHDRAW)
    return tournament
