"""Imports this app's pages of the administration from their packages, because Django looks for them here."""

from accounts.api_tokens.admin import OAuthClientAdmin
from accounts.desk.staff_admin import PlayerNoteAdmin, RoleAdmin
from accounts.desk.user_admin import UserAdmin
from accounts.identity.admin import IdentityCheckAdmin, RegionAdmin, ResidenceAdmin
from accounts.legal_pages.admin import PageVersionAdmin

__all__ = [
    "IdentityCheckAdmin",
    "OAuthClientAdmin",
    "PageVersionAdmin",
    "PlayerNoteAdmin",
    "RegionAdmin",
    "ResidenceAdmin",
    "RoleAdmin",
    "UserAdmin",
]
