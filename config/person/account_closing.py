"""Closing an account for ever: only when nothing is open, and then at once and altogether."""

from datetime import timedelta
from functools import partial

from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import User
from accounts.people.closing import make_unknown, name_of_closed
from accounts.refusals import AccountRefusal
from core.emails.kinds import Values, hello, mail_kind
from core.emails.texts import words_of
from tables.chat.forgetting import forget_player, sits_somewhere
from tournaments.models import Entrant, EntrantState
from wallet.api import player_balances
from wallet.models import Deposit, Withdrawal, YearEndTax

_MAY_STILL_BE_PAID = timedelta(days=1)
_DEPOSIT_IS_OPEN = (
    Deposit.State.IN_DISPUTE,
    Deposit.State.REFUNDING,
    Deposit.State.REFUND_REFUSED,
)
_IN_A_TOURNAMENT = (EntrantState.WAITING, EntrantState.REGISTERED, EntrantState.PLAYING)


class NotYet(AccountRefusal):
    """`obstacles` are sentences that say what to do first."""

    code = "account_not_closable"

    def __init__(self, obstacles: list[str | Promise]) -> None:
        super().__init__()
        self.obstacles = obstacles
        self.message = " ".join(map(str, obstacles))


def obstacles_to_closing(user: User) -> list[str | Promise]:
    """Return what has to be done first; empty if the account can be closed now."""
    cash = player_balances(user.pk).cash
    open_withdrawals = Withdrawal.objects.filter(user_id=user.pk, ended_at__isnull=True)
    # What was begun long ago and never paid keeps nobody.
    begun = Q(state=Deposit.State.WAITING, started_at__gt=timezone.now() - _MAY_STILL_BE_PAID)
    open_deposits = Deposit.objects.filter(begun | Q(state__in=_DEPOSIT_IS_OPEN), user_id=user.pk)
    entered = Entrant.objects.filter(user_id=user.pk, state__in=_IN_A_TOURNAMENT)
    obstacles = {
        gettext_lazy("Ask another administrator to take your rights away first."): user.is_staff,
        gettext_lazy("Leave the tables and waiting lists first."): sits_somewhere(user.pk),
        gettext_lazy("Withdraw from your tournaments, or play them to the end."): entered.exists(),
        gettext_lazy("Withdraw or play the cash that you have first."): bool(
            cash.winnings + cash.deposit
        ),
        gettext_lazy("Wait until your withdrawals are paid."): open_withdrawals.exists(),
        gettext_lazy("Wait until your deposits are decided."): open_deposits.exists(),
    }
    return [sentence for sentence, stands in obstacles.items() if stands]


@transaction.atomic
def close_account(*, user_id: int) -> None:
    """The person is made unknown; the ledger and the matches stay, with a number for a name.

    Chips and a bonus lapse: they stay where they are, in accounts that nobody can use. A last mail
    confirms it. Raises NotYet.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if obstacles := obstacles_to_closing(user):
        raise NotYet(obstacles)
    address, name = user.email, user.player_name
    in_the_books = (
        Withdrawal.objects.filter(user_id=user_id, state=Withdrawal.State.PAID).exists()
        or YearEndTax.objects.filter(user_id=user_id, tax__gt=0).exists()
    )
    forget_player(user_id=user_id, name=name_of_closed(user_id))
    make_unknown(user_id=user_id, keep_identity=in_the_books)
    with override(user.language):
        subject, text = words_of(CLOSED, name=name, values={})
        mail = partial(send_mail, subject, text, None, [address])
    transaction.on_commit(mail, robust=True)


def _closed(values: Values) -> tuple[str, str]:
    lines = [hello(values), "", _("Your account is closed for ever.")]
    return _("Your account is closed"), "\n".join(lines)


CLOSED = mail_kind("closed", gettext_lazy("Account closed"), _closed)
