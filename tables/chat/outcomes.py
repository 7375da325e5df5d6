"""What became of a report: who made it is told, and never what was done to whom."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.notifications.emails import write_email
from tables.models import Report, ReportStatus

# As the reporter reads it.
OUTCOMES: Final[Mapping[str, str | Promise]] = {
    ReportStatus.OPEN: gettext_lazy("We look into it"),
    ReportStatus.ACTED: gettext_lazy("Upheld: we have acted"),
    ReportStatus.DISMISSED: gettext_lazy("Not upheld"),
}


def reports_by(user_id: int) -> list[Report]:
    """With whom they are about, the newest first."""
    return list(Report.objects.filter(reporter=user_id).select_related("reported").order_by("-pk"))


def tell_outcome(report: Report) -> None:
    """By e-mail, in the transaction of the decision."""
    if report.status == ReportStatus.OPEN:
        return
    with override(report.reporter.language):
        if report.status == ReportStatus.ACTED:
            told = _(
                "your report about %(player)s was upheld: we have acted. What we did stays between "
                "us and them."
            )
        else:
            told = _(
                "we have looked into your report about %(player)s. It was not upheld: we found "
                "nothing against the rules. If you see it again, report it again."
            )
        lines = [
            _("Hello %(name)s,") % {"name": report.reporter.player_name},
            "",
            told % {"player": report.reported.player_name},
            "",
            _("You can answer on the page Help and contact."),
        ]
        subject = _("Your report %(number)s") % {"number": report.pk}
        write_email(
            user_id=report.reporter_id, kind="support", subject=subject, text="\n".join(lines)
        )
