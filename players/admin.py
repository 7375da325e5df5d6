"""The module in which Django looks for the administration's pages; each package has a module of its own."""

from players.clubs.admin import ClubAdmin

__all__ = ["ClubAdmin"]
