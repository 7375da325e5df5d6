"""The messages to the winners of a league: a mail, and a hint to their open pages."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.emails.kinds import Values, hello, mail_kind
from core.emails.texts import write_mail
from tables.catalog import amount_text
from tournaments.models import League, LeaguePlace

# Also the hint that open pages get.
KIND = "league"


def tell_winner(league: League, place: LeaguePlace) -> None:
    """Send the messages with the transaction that pays the prize."""
    user = place.user
    write_mail(
        LEAGUE_WON,
        user=user,
        hint=KIND,
        league=league.said("name", user.language),
        place=str(place.rank),
        prize=amount_text(place.prize, league.currency),
    )


def _won(values: Values) -> tuple[str, str]:
    told = _("The league “%(league)s” is over. You are number %(place)s: %(prize)s are yours.")
    subject = _("Number %(place)s of “%(league)s”")
    return subject % values, "\n".join([hello(values), "", told % values])


LEAGUE_WON = mail_kind(
    "league_won",
    gettext_lazy("Prize of a league"),
    _won,
    league=gettext_lazy("the league's name"),
    place=gettext_lazy("the player's place"),
    prize=gettext_lazy("what they have won"),
)
