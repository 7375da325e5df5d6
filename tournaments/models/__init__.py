"""The models of tournaments: plans, rounds, and entrants."""

from tournaments.models.entrant import Entrant, EntrantState, Ticket
from tournaments.models.league import League, LeaguePlace
from tournaments.models.round import Round, RoundSeat, RoundTable
from tournaments.models.template import TournamentTemplate
from tournaments.models.terms import PrizeKind, Terms
from tournaments.models.tournament import Tournament

__all__ = [
    "Entrant",
    "EntrantState",
    "League",
    "LeaguePlace",
    "PrizeKind",
    "Round",
    "RoundSeat",
    "RoundTable",
    "Terms",
    "Ticket",
    "Tournament",
    "TournamentTemplate",
]
