"""Registers the administration's pages of this app. Django looks for them here; each package has its own module."""

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
