"""Template tags that show tournaments on other pages of the site."""

from dataclasses import dataclass

from django import template
from django.utils import timezone

from tournaments.leagues import reading
from tournaments.models import EntrantState, League, Tournament
from tournaments.models.tournament import TournamentStatus
from tournaments.rules.lifecycle import TournamentPhase
from tournaments.store.reading import find_states, list_tournaments
from wallet.api import cash_is_on

register = template.Library()


@dataclass(frozen=True, slots=True)
class NextTournament:
    """A tournament that starts soon. `state` is the reader's state in it as text; empty if they have not entered."""

    tournament: Tournament
    is_open: bool
    state: str

    @property
    def starts_ms(self) -> int:
        return round(self.tournament.starts_at.timestamp() * 1000)


@dataclass(frozen=True, slots=True)
class RunningLeague:
    league: League
    days_left: int

    @property
    def ends_ms(self) -> int:
        return round(self.league.ends_at.timestamp() * 1000)


@register.simple_tag
def running_leagues(length: int) -> list[RunningLeague]:
    """Return the leagues that can be played now, soonest end first."""
    now = timezone.now()
    rows = reading.list_running_leagues(with_cash=cash_is_on(), now=now, length=length)
    return [RunningLeague(row, (row.ends_at - now).days) for row in rows]


@register.simple_tag
def next_tournaments(user_id: int | None, length: int) -> list[NextTournament]:
    """Return the next tournaments to start, soonest first."""
    coming = list_tournaments(phase=TournamentPhase.UPCOMING, with_cash=cash_is_on(), length=length)
    states = find_states(user_id, coming)
    return [
        NextTournament(
            row,
            row.status == TournamentStatus.REGISTERING,
            str(EntrantState(states[row.pk]).label) if row.pk in states else "",
        )
        for row in coming
    ]
