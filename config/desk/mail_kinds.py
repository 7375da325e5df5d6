"""Imports every module that registers kinds of e-mail."""

from typing import Final

from accounts.identity.services import APPROVED, REFUSED
from accounts.people.closing import FROZEN, OPEN_AGAIN
from accounts.people.exports import READY
from accounts.people.first_proof import NEW_PASSWORD
from accounts.people.sign_in_emails import CONFIRM_ADDRESS, RESET_PASSWORD
from config.account_data.closing import CLOSED
from core.webhooks.delivery import TURNED_OFF
from history.desk.corrections import CORRECTED
from history.support.services import ANSWERED
from players.clubs.evenings import EVENING_MAIL
from tables.chat.sanctions import LIFTED, SILENCED, WARNED
from tables.chat.services import NOT_UPHELD, UPHELD
from tables.live.alerts import ABSENT
from tables.live.slow_games import BOT_MAIL, OVER_MAIL, REMINDER_MAIL, RESULT_MAIL, TURN_MAIL
from tables.seating.barring import PAIR_DONE
from tables.seating.closing import STOOD_UP
from tournaments.leagues.settling import LEAGUE_WON
from tournaments.running.cancelling import CANCELLING
from tournaments.running.reminders import STARTS_SOON
from wallet.deposits.emails import NOT_CREDITED
from wallet.payments.emails import HELD, SETTLED
from wallet.withdrawals.emails import MAILS

ALL: Final = (
    *(
        CONFIRM_ADDRESS,
        RESET_PASSWORD,
        NEW_PASSWORD,
        FROZEN,
        OPEN_AGAIN,
        CLOSED,
        READY,
        APPROVED,
        REFUSED,
    ),
    TURNED_OFF,
    *(ABSENT, STOOD_UP, PAIR_DONE, ANSWERED, UPHELD, NOT_UPHELD),
    *(STARTS_SOON, CANCELLING, LEAGUE_WON),
    *(WARNED, SILENCED, LIFTED, CORRECTED),
    *(TURN_MAIL, REMINDER_MAIL, RESULT_MAIL, OVER_MAIL, BOT_MAIL, EVENING_MAIL),
    *(NOT_CREDITED, HELD, *SETTLED.values(), *MAILS.values()),
)
