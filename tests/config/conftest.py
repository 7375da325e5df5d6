"""Tournaments as tests of tournaments make them."""

from tests.tournaments.conftest import make_template, make_tournament_of

__all__ = ["make_template", "make_tournament_of"]  # fixtures
