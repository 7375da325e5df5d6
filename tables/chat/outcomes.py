"""The outcome of a report. The reporter learns it, but never the measure taken against the player."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.emails.kinds import Values, hello, mail_kind
from core.emails.texts import write_mail
from tables.models import Report, ReportStatus

REPORTS_SHOWN: Final = 20
# As the reporter reads it.
OUTCOMES: Final[Mapping[str, str | Promise]] = {
    ReportStatus.OPEN: gettext_lazy("We look into it"),
    ReportStatus.ACTED: gettext_lazy("Upheld: we have acted"),
    ReportStatus.DISMISSED: gettext_lazy("Not upheld"),
}


def reports_by(user_id: int) -> list[Report]:
    """Return the newest reports of a player, each with the reported player."""
    reports = Report.objects.filter(reporter=user_id).select_related("reported").order_by("-pk")
    return list(reports[:REPORTS_SHOWN])


def tell_outcome(report: Report) -> None:
    """Send the outcome by e-mail with the transaction of the decision."""
    if report.status == ReportStatus.OPEN:
        return
    write_mail(
        UPHELD if report.status == ReportStatus.ACTED else NOT_UPHELD,
        user=report.reporter,
        hint="support",
        number=str(report.pk),
        player=report.reported.player_name,
    )


def _upheld(values: Values) -> tuple[str, str]:
    told = _(
        "your report about %(player)s was upheld: we have acted. What we did stays between us and them."
    )
    return _mail(values, told % values)


def _not_upheld(values: Values) -> tuple[str, str]:
    told = _(
        "we have looked into your report about %(player)s. It was not upheld: we found nothing against "
        "the rules. If you see it again, report it again."
    )
    return _mail(values, told % values)


def _mail(values: Values, told: str) -> tuple[str, str]:
    lines = [hello(values), "", told, "", _("You can answer on the page Help and contact.")]
    return _("Your report %(number)s") % values, "\n".join(lines)


_NUMBER: Final = gettext_lazy("the report's number")
_PLAYER: Final = gettext_lazy("whom it is about")
UPHELD = mail_kind(
    "report_upheld", gettext_lazy("Report upheld"), _upheld, number=_NUMBER, player=_PLAYER
)
NOT_UPHELD = mail_kind(
    "report_not_upheld",
    gettext_lazy("Report not upheld"),
    _not_upheld,
    number=_NUMBER,
    player=_PLAYER,
)
