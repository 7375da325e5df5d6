from core.models.alerts import Alert
from core.models.audit import AuditEntry
from core.models.backups import Backup
from core.models.emails import MailText, OutgoingEmail
from core.models.leases import Lease
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
    "SiteIdentity",
    "SiteNotice",
    "SiteNumbers",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
]
