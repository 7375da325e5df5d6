"""The meaning of a withdrawal's state for the player."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallet.models import Withdrawal

_State = Withdrawal.State
EXPLANATIONS: Mapping[Withdrawal.State, str | Promise] = {
    _State.REQUESTED: _("The amount is put aside. An administrator looks at it, usually today."),
    _State.NEEDS_SECOND: _("One administrator has approved it; a second one looks at it."),
    _State.APPROVED: _("It goes to your bank within a minute."),
    _State.SENT: _("Your bank has it; it usually takes seconds, sometimes a day."),
    _State.PAID: _("It has arrived."),
    _State.REFUSED: _("The amount is back in your winnings."),
    _State.CANCELLED: _("The amount is back in your winnings."),
    _State.FAILED: _("The amount is back in your winnings. Check the address and try again."),
    _State.IN_DISPUTE: _("Something does not fit; our staff look into it and write to you."),
}
