"""The models of people: accounts, sessions, identity, devices, tokens."""

from accounts.models.api import ApiRequest, ApiToken, Scope
from accounts.models.identity import (
    DOCUMENT_IS_UNIQUE,
    IdentityCheck,
    IdentityDocument,
    PageAcceptance,
    Residence,
)
from accounts.models.oauth import (
    IdentityScope,
    OAuthAccessToken,
    OAuthClient,
    OAuthDevice,
    OAuthGrant,
    OAuthIDToken,
    OAuthRefreshToken,
    OAuthSubject,
)
from accounts.models.sessions import PastSession, PushSubscription
from accounts.models.users import (
    EMAIL_IS_UNIQUE,
    NAME_IS_TAKEN,
    NAME_IS_UNIQUE,
    AbsenceNotice,
    AccountExport,
    PageShownTo,
    PlayerNote,
    User,
    UserManager,
    compute_stored_skeleton,
    display_name,
    is_name_taken,
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
    "IdentityScope",
    "OAuthAccessToken",
    "OAuthClient",
    "OAuthDevice",
    "OAuthGrant",
    "OAuthIDToken",
    "OAuthRefreshToken",
    "OAuthSubject",
    "PageAcceptance",
    "PageShownTo",
    "PastSession",
    "PlayerNote",
    "PushSubscription",
    "Residence",
    "Scope",
    "User",
    "UserManager",
    "compute_stored_skeleton",
    "display_name",
    "is_name_taken",
]
