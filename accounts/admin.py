"""Where Django looks for the administration; each package has its own."""

from accounts.api_tokens.admin import OAuthClientAdmin
from accounts.desk.staff_admin import AuditEntryAdmin, PlayerNoteAdmin, RoleAdmin
from accounts.desk.user_admin import UserAdmin
from accounts.identity.admin import IdentityCheckAdmin
from accounts.notifications.webhooks.admin import WebhookAdmin, WebhookDeliveryAdmin

__all__ = [
    "AuditEntryAdmin",
    "IdentityCheckAdmin",
    "OAuthClientAdmin",
    "PlayerNoteAdmin",
    "RoleAdmin",
    "UserAdmin",
    "WebhookAdmin",
    "WebhookDeliveryAdmin",
]
