"""Fixtures that create tournaments, shared with tests/tournaments."""

from tests.tournaments.conftest import make_template, make_tournament_of

__all__ = ["make_template", "make_tournament_of"]  # fixtures
