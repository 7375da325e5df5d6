"""The messages about a cancelled tournament to its entrants.

They are a mail, and a call on the devices where entrants want to be called.
"""

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.push.services import CANCELLED, Call, call_on_commit
from core.emails.kinds import Values, hello, mail_kind
from core.emails.texts import write_mail
from tables.catalog import amount_text
from tournaments.core.texts import reason_of
from tournaments.models import Entrant, EntrantState, Tournament

# Also the hint that open pages get.
KIND = "tournament"
# A day later nobody has to be called about it.
CALL_SECONDS = 86_400


def tell_of_cancelling(tournament: Tournament, entrants: Sequence[Entrant]) -> None:
    """Send the messages with the transaction that lets the entrants go. Bots get none."""
    people = [entrant for entrant in entrants if not entrant.user.is_bot]
    for entrant in people:
        _write(tournament, entrant)
    by_name: defaultdict[str, set[int]] = defaultdict(set)
    for entrant in people:
        by_name[tournament.said("name", entrant.user.language)].add(entrant.user_id)
    for name, user_ids in by_name.items():
        call = Call(
            kind=CANCELLED,
            name=name,
            url=tournament.get_absolute_url(),
            tag=f"tournament-{tournament.pk}",
            seconds=CALL_SECONDS,
        )
        call_on_commit(user_ids, call)


def _write(tournament: Tournament, entrant: Entrant) -> None:
    user = entrant.user
    with override(user.language):
        why, back = str(reason_of(tournament) or ""), _given_back(tournament, entrant)
    name = tournament.said("name", user.language)
    write_mail(CANCELLING, user=user, hint=KIND, tournament=name, why=why, given_back=back)


def _cancelled(values: Values) -> tuple[str, str]:
    about = {"name": values["tournament"]}
    told = [
        _("The tournament “%(name)s” was cancelled.") % about,
        values["why"],
        values["given_back"],
    ]
    lines = [hello(values), "", *filter(None, told)]
    return _("“%(name)s” was cancelled") % about, "\n".join(lines)


CANCELLING = mail_kind(
    "tournament_cancelled",
    gettext_lazy("Tournament cancelled"),
    _cancelled,
    tournament=gettext_lazy("the tournament's name"),
    why=gettext_lazy("why it was cancelled"),
    given_back=gettext_lazy("what the player has back"),
)


def _given_back(tournament: Tournament, entrant: Entrant) -> str:
    if entrant.state == EntrantState.WAITING or not entrant.payments:
        return _("You had paid nothing.")
    if entrant.ticket_id is not None:
        return _("Your ticket can be used again.")
    amount = amount_text(tournament.entry_fee * entrant.payments, tournament.currency)
    return _("%(amount)s are back in your wallet.") % {"amount": amount}
