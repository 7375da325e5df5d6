"""BOT accounts at tables: where they may sit, and the tables that they open among themselves.

A BOT account plays without stakes and only at private tables, either where the host admits programs or among BOT
accounts. A match of only BOT accounts is rated (players/ranking/ratings.py).
"""

from typing import Any, Final

from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.models.sessions import NOWHERE, Origin
from accounts.people.bot_accounts import becoming_bot, bot_mark_taken
from accounts.refusals import NoBotAccount
from core.database.advisory_locks import AdvisoryLock
from core.refusals import SWITCHED_OFF, Refusal
from core.site.features import PRIVATE_TABLES, is_on
from core.throttling import Rate, take
from games.registry import get_format, get_game
from tables.catalog import list_offered_formats
from tables.models import OneAccountPer, PlayerRating, Seat, Table, TableStatus
from tables.play.change import TableChange
from tables.refusals import BOTS_ONLY, TOO_OFTEN, SeatsOutOfRange
from tables.seating.hosting.private_tables import make_code
from tables.seating.opening import TableTerms, build_rules, open_table
from tables.seating.selectors import select_own_seats
from tables.seating.sitting import take_seat

TABLE_NAME: Final = "BOT table"
AN_HOUR: Final = 120
_HOUR_SECONDS: Final = 3_600


def play_among_bots(
    *, user_id: int, game: str, preset: str, seats: int, origin: Origin = NOWHERE
) -> TableChange:
    """Sit down at a bots-only table that waits for a match of this kind, or at a new one.

    Raises InvalidRules or a Refusal; then nothing has changed.
    """
    user = User.objects.get(pk=user_id)
    if not user.is_bot_account:
        raise Refusal(BOTS_ONLY)
    if not is_on(PRIVATE_TABLES):
        raise Refusal(SWITCHED_OFF)
    if not take(Rate(f"bots:{user_id}", AN_HOUR, _HOUR_SECONDS)).is_allowed:
        raise Refusal(TOO_OFTEN)
    terms = _build_terms(user_id, game, preset, seats)
    with transaction.atomic():
        # Without the lock, two accounts that come at the same moment would each open a table and wait for
        # ever.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [AdvisoryLock.SEATING_BOTS])
        table = _find_waiting(terms, user_id) or open_table(terms)
        return take_seat(
            table_id=table.pk,
            user_id=user_id,
            amount=0,
            invite=table.invite_code,
            by_program=True,
            origin=origin,
        )


def find_own_seat_among_bots(*, user_id: int, game: str, preset: str, seats: int) -> int | None:
    """Return the id of the bots-only table with these rules at which the account sits, or None.

    If there are several, it is the one that the account joined first.
    """
    terms = _build_terms(user_id, game, preset, seats)
    tables = _filter_tables(terms).exclude(status=TableStatus.CLOSED)
    own = select_own_seats(user_id).filter(table__in=tables)
    return own.order_by("joined_at", "pk").values_list("table_id", flat=True).first()


def _build_terms(user_id: int, game: str, preset: str, seats: int) -> TableTerms:
    rules = get_game(game).rules.preset(preset)
    format = get_format(game, get_game(game).money.get_format_code(rules))
    if (game, format.code) not in list_offered_formats():
        raise Refusal(SWITCHED_OFF)
    if not format.seats[0] <= seats <= format.seats[-1]:
        raise SeatsOutOfRange(format.seats[0], format.seats[-1])
    return TableTerms(
        game=game,
        preset=preset,
        name=TABLE_NAME,
        max_seats=seats,
        allows_api_players=True,
        one_account_per=OneAccountPer.ANYTHING,
        invite_code=make_code(),
        opened_by_id=user_id,
    )


def _find_waiting(terms: TableTerms, user_id: int) -> Table | None:
    """Return the oldest bots-only table with these terms that waits for its first match, or None."""
    tables = _filter_tables(terms).filter(
        status=TableStatus.WAITING,
        match=None,
        seats_taken__gt=0,
        seats_taken__lt=terms.max_seats,
    )
    seated = Seat.objects.filter(left_at=None)
    tables = tables.exclude(pk__in=seated.filter(user=user_id).values("table"))
    people = seated.filter(user__became_bot_at__isnull=True)
    return tables.exclude(pk__in=people.values("table")).order_by("pk").first()


def _filter_tables(terms: TableTerms) -> QuerySet[Table]:
    """Return the tables with these terms that BOT accounts have opened for themselves, without practice bots."""
    tables = Table.objects.filter(
        opened_by__became_bot_at__isnull=False,
        game=terms.game,
        rules=get_game(terms.game).rules.json(build_rules(terms)),
        max_seats=terms.max_seats,
        bots_wanted=0,
        allows_api_players=True,
        closing_at=None,
        broken_at=None,
    )
    return tables.exclude(invite_code="")


def refuse_player(user_id: int, **_signal: Any) -> None:
    """Raise NoBotAccount if this account has ever sat at a table, because it then cannot become a BOT account."""
    if Seat.objects.filter(user=user_id).exists():
        raise NoBotAccount


def forget_ratings(user_id: int, **_signal: Any) -> None:
    """Delete an account's ratings from matches among BOT accounts, so that no leaderboard of people includes them."""
    PlayerRating.objects.filter(user=user_id).delete()


def connect() -> None:
    becoming_bot.connect(refuse_player, dispatch_uid="tables.refuse_player")
    bot_mark_taken.connect(forget_ratings, dispatch_uid="tables.forget_ratings")
