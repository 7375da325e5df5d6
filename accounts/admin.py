"""The module in which Django looks for the administration; each package has its own."""

from accounts.api_tokens.admin import OAuthClientAdmin
from accounts.desk.site.identity_admin import SiteIdentityAdmin
from accounts.desk.site.mails_admin import MailTextAdmin
from accounts.desk.site.pages_admin import PageVersionAdmin
from accounts.desk.site.regions_admin import RegionAdmin, ResidenceAdmin
from accounts.desk.site.switches_admin import FeatureSwitchAdmin
from accounts.desk.staff_admin import AuditEntryAdmin, PlayerNoteAdmin, RoleAdmin
from accounts.desk.user_admin import UserAdmin
from accounts.identity.admin import IdentityCheckAdmin
from accounts.notifications.webhooks.admin import WebhookAdmin, WebhookDeliveryAdmin

__all__ = [
    "AuditEntryAdmin",
    "FeatureSwitchAdmin",
    "IdentityCheckAdmin",
    "MailTextAdmin",
    "OAuthClientAdmin",
    "PageVersionAdmin",
    "PlayerNoteAdmin",
    "RegionAdmin",
    "ResidenceAdmin",
    "RoleAdmin",
    "SiteIdentityAdmin",
    "UserAdmin",
    "WebhookAdmin",
    "WebhookDeliveryAdmin",
]
