from accounts.models.api import ApiRequest, ApiToken, Scope
from accounts.models.exports import AccountExport
from accounts.models.identity import DOCUMENT_IS_UNIQUE, IdentityCheck, IdentityDocument
from accounts.models.notes import PlayerNote
from accounts.models.oauth import OAuthClient, OAuthGrant
from accounts.models.past_sessions import PastSession
from accounts.models.push import PushSubscription
from accounts.models.statements import PageAcceptance, Residence
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

__all__ = [
    "DOCUMENT_IS_UNIQUE",
    "EMAIL_IS_UNIQUE",
    "NAME_IS_TAKEN",
    "NAME_IS_UNIQUE",
    "AbsenceNotice",
    "AccountExport",
    "ApiRequest",
    "ApiToken",
    "IdentityCheck",
    "IdentityDocument",
    "OAuthClient",
    "OAuthGrant",
    "PageAcceptance",
    "PageShownTo",
    "PastSession",
    "PlayerNote",
    "PushSubscription",
    "Residence",
    "Scope",
    "User",
    "UserManager",
    "display_name",
    "skeleton_of",
]
