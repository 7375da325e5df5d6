"""The guided first deal: a private practice table with one easy bot and more time to think.

If the game has a prepared first deal, a person's very first deal uses it. In that deal the bot waits instead of
winning, so that a player who takes ordinary care wins. All later deals at the table are shuffled as usual
(docs/fairness.md).
"""

import secrets

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.origins import read_origin
from accounts.people.guests import find_guest, make_guest, remember_guest
from core.refusals import Refusal
from games.registry import get_game
from tables.models import Match, MatchStatus, Seat, Table, TableStatus
from tables.play.bots import WAITING
from tables.refusals import NO_LESSON
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import take_seat
from tables.seating.supply import compute_usual_amount
from wallet import api as wallet


def is_learning(*, table_id: int, user_id: int | None) -> bool:
    """Return whether this table is the player's own lesson and its first deal is still running."""
    if user_id is None:
        return False
    if not Table.objects.filter(pk=table_id, is_lesson=True, opened_by=user_id).exists():
        return False
    return not Match.objects.filter(table=table_id, status=MatchStatus.FINISHED).exists()


def has_played(user_id: int) -> bool:
    """Return whether this person has finished a match, at an ordinary table or in a lesson."""
    played = Match.objects.filter(participants__contains=[user_id], status=MatchStatus.FINISHED)
    return played.exists()


_INVITE_BYTES = 9


def begin_as_guest(request: HttpRequest, *, game: str) -> int:
    """Seat this browser's guest at a lesson table, and create the guest if there is none. Return the table's id.

    Raises whatever `begin_lesson` raises, or TOO_MANY_GUESTS, CHIPS_OF_DEVICE_GIVEN or CHIPS_OF_ADDRESS_GIVEN; then no
    guest was created.
    """
    with transaction.atomic():
        guest = find_guest(request.session) or make_guest(request).pk
        # The welcome chips of the future account; the guest can only use them here.
        wallet.grant_welcome_chips(user_id=guest, origin=read_origin(request))
        table_id = begin_lesson(user_id=guest, game=game)
    remember_guest(request, guest)
    return table_id


@transaction.atomic
def begin_lesson(*, user_id: int, game: str) -> int:
    """Seat the player at their own lesson table of this game. Return its id.

    A repeated call returns the same table. Raises a Refusal; then nothing has changed.
    """
    # Two concurrent presses would open two tables.
    User.objects.select_for_update(no_key=True).get(pk=user_id)
    table = _own_table(user_id, game) or _open_for(user_id, game)
    if Seat.objects.filter(table=table, user_id=user_id, left_at__isnull=True).exists():
        return table.pk
    amount = compute_usual_amount(table, user_id)
    take_seat(table_id=table.pk, user_id=user_id, amount=amount, invite=table.invite_code)
    return table.pk


def _own_table(user_id: int, game: str) -> Table | None:
    own = Table.objects.filter(game=game, is_lesson=True, opened_by=user_id)
    return own.exclude(status=TableStatus.CLOSED).order_by("pk").first()


def _open_for(user_id: int, game: str) -> Table:
    lesson = get_game(game).lesson
    if lesson is None:
        raise Refusal(NO_LESSON)
    chosen = None if has_played(user_id) else lesson.seed
    return open_table(
        TableTerms(
            game=game,
            name=_("Your first deal"),
            max_seats=2,
            preset=lesson.preset,
            point_value=1,
            bots_wanted=1,
            bot_strength="easy" if chosen is None else WAITING,
            invite_code=secrets.token_urlsafe(_INVITE_BYTES),
            opened_by_id=user_id,
            is_lesson=True,
            seed=chosen,
        )
    )
