"""Imports this app's pages of the administration from their packages, because Django looks for them here."""

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
