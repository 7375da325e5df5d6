"""Registers the administration's pages of this app. Django looks for them here; each package has its own module."""

from core.administration.records import AlertAdmin, AuditEntryAdmin
from core.emails.admin import MailTextAdmin
from core.site.admin import FeatureSwitchAdmin, SiteIdentityAdmin, SiteNoticeAdmin
from core.webhooks.admin import WebhookAdmin, WebhookDeliveryAdmin

__all__ = [
    "AlertAdmin",
    "AuditEntryAdmin",
    "FeatureSwitchAdmin",
    "MailTextAdmin",
    "SiteIdentityAdmin",
    "SiteNoticeAdmin",
    "WebhookAdmin",
    "WebhookDeliveryAdmin",
]
