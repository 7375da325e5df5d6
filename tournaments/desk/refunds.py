"""The refunds of a cancellation, shown before it is confirmed."""

from django.db.models import Case, Count, F, Q, Sum, When
from django.utils.translation import gettext, ngettext

from tables.catalog import amount_text
from tournaments.models import RoundTable, Tournament


def describe_cancelling(tournament: Tournament) -> str:
    """Describe the refunds of a cancellation: players, amounts, and tables that end without a result."""
    paid = tournament.entrants.filter(payments__gt=0, user__is_bot=False)
    # A ticket has paid one of the fees, and becomes usable again.
    fees = Case(When(ticket=None, then=F("payments")), default=F("payments") - 1)
    found = paid.aggregate(
        number=Count("pk"), fees=Sum(fees, default=0), tickets=Count("pk", filter=~Q(ticket=None))
    )
    running = RoundTable.objects.filter(round__tournament=tournament, ended_at=None).count()
    number, amount = found["number"], found["fees"] * tournament.entry_fee
    sentences = [
        ngettext(
            "%(number)s player gets %(amount)s back.",
            "%(number)s players get %(amount)s back in all.",
            number,
        )
        % {"number": number, "amount": amount_text(amount, tournament.currency)}
        if number
        else gettext("Nobody has paid, so nothing goes back."),
    ]
    if found["tickets"]:
        tickets = ngettext(
            "%(number)s ticket may be used again.",
            "%(number)s tickets may be used again.",
            found["tickets"],
        )
        sentences.append(tickets % {"number": found["tickets"]})
    if running:
        tables = ngettext(
            "%(number)s table that is being played ends without a result.",
            "%(number)s tables that are being played end without a result.",
            running,
        )
        sentences.append(tables % {"number": running})
    return " ".join([*sentences, gettext("A cancelled tournament cannot be brought back.")])
