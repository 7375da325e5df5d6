"""Words of the pages that depend on what happened."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.rules.lifecycle import Phase

# Written down by the start that found too few players.
TOO_FEW = "too_few_entrants"
# And by the end that found nobody who could have a place.
NOBODY_LEFT = "nobody_left"


def phase_names() -> list[tuple[str, str]]:
    return [
        (Phase.UPCOMING.value, _("Upcoming")),
        (Phase.RUNNING.value, _("Running now")),
        (Phase.OVER.value, _("Over")),
    ]


def reason_of(tournament: Tournament) -> str:
    """Why it was cancelled: by itself, or in the words of the staff."""
    if tournament.cancel_reason == TOO_FEW:
        return _("Fewer than %(least)s players had registered.") % {
            "least": tournament.min_entrants
        }
    if tournament.cancel_reason == NOBODY_LEFT:
        return _("Every player was disqualified.")
    return tournament.cancel_reason


def names_of_tournaments(numbers: Collection[int]) -> dict[int, str]:
    """Return the names of tournaments for lines of a statement."""
    some = Tournament.objects.filter(pk__in=numbers).only("name", "words")
    return {tournament.pk: tournament.shown_name for tournament in some}
