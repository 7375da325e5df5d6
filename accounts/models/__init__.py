from accounts.models.alerts import Alert
from accounts.models.api import ApiRequest, ApiToken, Scope
from accounts.models.audit import AuditEntry, PlayerNote
from accounts.models.emails import OutgoingEmail
from accounts.models.exports import AccountExport
from accounts.models.identity import DOCUMENT_IS_UNIQUE, IdentityCheck, IdentityDocument
from accounts.models.mail_texts import MailText
from accounts.models.oauth import OAuthClient, OAuthGrant
from accounts.models.past_sessions import PastSession
from accounts.models.push import PushSubscription
from accounts.models.regions import Region, Residence
from accounts.models.site import PageAcceptance, PageKind, PageVersion, SiteIdentity
from accounts.models.site_notices import SiteNotice
from accounts.models.switches import FeatureSwitch
from accounts.models.users import (
    EMAIL_IS_UNIQUE,
    NAME_IS_TAKEN,
    NAME_IS_UNIQUE,
    AbsenceNotice,
    PageShownTo,
    User,
    UserManager,
    display_name,
    skeleton_of,
)
from accounts.models.webhooks import Webhook, WebhookDelivery, WebhookEvent

__all__ = [
    "DOCUMENT_IS_UNIQUE",
    "EMAIL_IS_UNIQUE",
    "NAME_IS_TAKEN",
    "NAME_IS_UNIQUE",
    "AbsenceNotice",
    "AccountExport",
    "Alert",
    "ApiRequest",
    "ApiToken",
    "AuditEntry",
    "FeatureSwitch",
    "IdentityCheck",
    "IdentityDocument",
    "MailText",
    "OAuthClient",
    "OAuthGrant",
    "OutgoingEmail",
    "PageAcceptance",
    "PageKind",
    "PageShownTo",
    "PageVersion",
    "PastSession",
    "PlayerNote",
    "PushSubscription",
    "Region",
    "Residence",
    "Scope",
    "SiteIdentity",
    "SiteNotice",
    "User",
    "UserManager",
    "Webhook",
    "WebhookDelivery",
    "WebhookEvent",
    "display_name",
    "skeleton_of",
]
