"""The module in which Django looks for the administration's pages."""

from tournaments.desk.league_admin import LeagueAdmin, LeaguePlaceAdmin
from tournaments.desk.tournament_admin import (
    EntrantAdmin,
    TicketAdmin,
    TournamentAdmin,
    TournamentTemplateAdmin,
)

__all__ = [
    "EntrantAdmin",
    "LeagueAdmin",
    "LeaguePlaceAdmin",
    "TicketAdmin",
    "TournamentAdmin",
    "TournamentTemplateAdmin",
]
