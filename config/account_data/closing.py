"""Closes accounts at their players' request, removes old guests, and deletes old marks of origin."""

import logging
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import User
from accounts.models.sessions import KEPT
from accounts.people.closing import make_unknown, name_of_closed
from accounts.people.guests import LASTS, list_guests_before, lock_guest
from core.after_commit import call_after_commit
from core.emails import build_headers, to_mailbox
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import format_mail
from core.refusals import Refusal
from core.webhooks.delivery import rename_in_deliveries
from history.forgetting import forget_links_and_traces, rename_in_records
from players.clubs.services import leave_every_club
from players.services import forget_visits_and_places
from tables.chat.services import forget_player, rename_in_matches, sits_somewhere
from tables.models import ChipsPassed, Seat
from tables.seating.hosting.guests import ends_with_match
from tables.seating.selectors import list_tables
from tables.seating.sitting import leave_table
from tournaments.models import Entrant, EntrantState
from wallet.api import forget_free_chips, get_player_balances
from wallet.models import Deposit, PaymentCase, Withdrawal, YearEndTax

_MAY_STILL_BE_PAID = timedelta(days=1)
_DEPOSIT_IS_OPEN = (
    Deposit.State.IN_DISPUTE,
    Deposit.State.REFUNDING,
    Deposit.State.REFUND_REFUSED,
)
_IN_A_TOURNAMENT = (EntrantState.WAITING, EntrantState.REGISTERED, EntrantState.PLAYING)


class NotYet(Refusal):
    """The account cannot be closed yet. `obstacles` are sentences that tell the player what to do first."""

    code = "account_not_closable"

    def __init__(self, obstacles: list[str | Promise]) -> None:
        super().__init__()
        self.obstacles = obstacles
        self.message = " ".join(map(str, obstacles))


def list_obstacles_to_closing(user: User) -> list[str | Promise]:
    """Return sentences that say what the player must do before the account can be closed.

    The list is empty if it can be closed now.
    """
    cash = get_player_balances(user.pk).cash
    open_withdrawals = Withdrawal.objects.filter(user_id=user.pk, ended_at__isnull=True)
    # A deposit that was started long ago and never paid does not block closing.
    begun = Q(state=Deposit.State.WAITING, started_at__gt=timezone.now() - _MAY_STILL_BE_PAID)
    open_deposits = Deposit.objects.filter(begun | Q(state__in=_DEPOSIT_IS_OPEN), user_id=user.pk)
    open_cases = PaymentCase.objects.filter(
        deposit__user_id=user.pk, state__in=[PaymentCase.State.OPEN, PaymentCase.State.OWED]
    )
    entered = Entrant.objects.filter(user_id=user.pk, state__in=_IN_A_TOURNAMENT)
    obstacles = {
        gettext_lazy("Ask another administrator to take your rights away first."): user.is_staff,
        gettext_lazy("Leave the tables and waiting lists first."): sits_somewhere(user.pk),
        gettext_lazy("Withdraw from your tournaments, or play them to the end."): entered.exists(),
        gettext_lazy("Withdraw or play your cash first."): bool(cash.winnings + cash.deposit),
        gettext_lazy("Wait until your withdrawals are paid."): open_withdrawals.exists(),
        gettext_lazy("Wait until your deposits are decided."): open_deposits.exists()
        or open_cases.exists(),
    }
    return [sentence for sentence, stands in obstacles.items() if stands]


@transaction.atomic
def close_account(*, user_id: int) -> None:
    """Close an account: the person becomes anonymous, while ledger and matches keep the account's number.

    Chips and bonuses lapse: they stay in ledger accounts that nobody can use. A last e-mail confirms the closing.
    Raises NotYet if `list_obstacles_to_closing` finds an obstacle.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if obstacles := list_obstacles_to_closing(user):
        raise NotYet(obstacles)
    address, name = user.own_email, user.player_name
    in_the_books = (
        Withdrawal.objects.filter(user_id=user_id, state=Withdrawal.State.PAID).exists()
        or YearEndTax.objects.filter(user_id=user_id, tax__gt=0).exists()
    )
    leave_every_club(user_id)
    _erase(user, keep_identity=in_the_books)
    if not address:
        return
    with override(user.language):
        subject, text = format_mail(CLOSED, name=name, values={})
    mail = EmailMessage(subject, text, None, [to_mailbox(address)], headers=build_headers())
    call_after_commit(mail.send)


def _erase(user: User, *, keep_identity: bool) -> None:
    """Delete the person's data, and replace their name wherever it was copied to.

    With `keep_identity` the records of the person's identity stay, because the books must name the person.
    """
    name = name_of_closed(user.pk)
    forget_player(user_id=user.pk, name=name)
    forget_visits_and_places(user.pk)
    forget_links_and_traces(user.pk)
    rename_in_records(user_id=user.pk, old_name=user.player_name, name=name)
    rename_in_deliveries(user_id=user.pk, since=user.date_joined, name=name)
    make_unknown(user_id=user.pk, keep_identity=keep_identity)


def rename(*, user_id: int, old_name: str, name: str, **_signal: Any) -> None:
    """Replace the old name in matches and records after staff have renamed a player.

    Otherwise an offensive name would stay there.
    """
    rename_in_matches(user_id=user_id, name=name)
    rename_in_records(user_id=user_id, old_name=old_name, name=name)


def _compose_closing(values: Values) -> tuple[str, str]:
    lines = [render_greeting(values), "", _("Your account is closed permanently.")]
    return _("Your account is closed"), "\n".join(lines)


CLOSED = register_mail_kind("closed", gettext_lazy("Account closed"), _compose_closing)


logger = logging.getLogger(__name__)

REMOVED_AT_ONCE = 400


# A guest's match, even a slow one, may last this long beyond the guest's day. By then the guest's session has
# expired (SESSION_COOKIE_AGE).
LAST_MATCH: Final = timedelta(days=13)


def remove_guests(*, now: datetime) -> int:
    """Remove a batch of guests whose accounts are older than `LASTS`. Return the number removed.

    A guest in a match with others plays it to its end first; a lesson ends at once. A guest's chips lapse like
    those of every closed account: they stay in the ledger, where nobody can use them.
    """
    removed = 0
    for user_id in list_guests_before(now - LASTS)[:REMOVED_AT_ONCE]:
        try:
            removed += _remove(user_id, now=now)
        except Exception:  # one broken guest must not block the others
            logger.exception("guest %s could not be removed", user_id)
    return removed


def _remove(user_id: int, *, now: datetime) -> bool:
    is_late = user_id in list_guests_before(now - LASTS - LAST_MATCH)
    for table_id in list_tables(user_id):
        try:
            if is_late or not ends_with_match(table_id=table_id, user_id=user_id):
                leave_table(table_id=table_id, user_id=user_id)
        except Refusal:  # they leave already
            continue
    with transaction.atomic():
        # The guest may have registered in the meantime.
        if not lock_guest(user_id) or sits_somewhere(user_id):
            return False
        _erase(User.objects.get(pk=user_id), keep_identity=False)
    return True


def forget_origins(*, now: datetime) -> int:
    """Empty or delete marks of origin that have been kept long enough. Return the number of rows changed or deleted."""
    marked = ~Q(device_mark="", address_mark="")
    old = Seat.objects.filter(marked, left_at__lte=now - KEPT)
    emptied = old.update(device_mark="", address_mark="")
    days, _by_model = ChipsPassed.objects.filter(day__lt=timezone.localdate(now - KEPT)).delete()
    return emptied + days + forget_free_chips(now=now)
