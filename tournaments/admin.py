"""Where Django looks for the administration."""

from tournaments.desk.tournament_admin import (
    EntrantAdmin,
    TicketAdmin,
    TournamentAdmin,
    TournamentTemplateAdmin,
)

__all__ = ["EntrantAdmin", "TicketAdmin", "TournamentAdmin", "TournamentTemplateAdmin"]
