"""Models that all apps need: the audit log, e-mails, the site's identity and legal pages, leases."""

from core.models.audit import AuditEntry
from core.models.emails import MailText, OutgoingEmail
from core.models.running import Alert, Backup, Lease, SetupNote
from core.models.site import (
    FeatureSwitch,
    PageKind,
    PageVersion,
    Region,
    SiteIdentity,
    SiteNotice,
    SiteNumbers,
)
from core.models.webhooks import Webhook, WebhookDelivery, WebhookEvent

__all__ = [
    "Alert",
    "AuditEntry",
    "Backup",
    "FeatureSwitch",
    "Lease",
    "MailText",
    "OutgoingEmail",
    "PageKind",
    "PageVersion",
    "Region",
    "SetupNote",
    "SiteIdentity",
    "SiteNotice",
    "SiteNumbers",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
]
