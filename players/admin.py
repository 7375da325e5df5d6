"""The administration of this app, for Django; each package has its own module."""

from players.clubs.admin import ClubAdmin

__all__ = ["ClubAdmin"]
