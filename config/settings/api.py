"""The REST API: authentication, rates, and description."""

from config.settings import env
from config.settings.sign_in import read_openid_keys

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.access.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.access.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsers.BodyParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "accounts.api.access.OfAddress",
        "accounts.api.access.OfPlayer",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.text("API_RATE_ANONYMOUS", "300/min"),
        "user": env.text("API_RATE_PLAYER", "600/min"),
        "wrong_tokens": env.text("API_RATE_WRONG_TOKENS", "60/min"),
    },
    "URL_FORMAT_OVERRIDE": None,  # `format` is a game's
    "EXCEPTION_HANDLER": "config.api.errors.answer_error",
}
SPECTACULAR_SETTINGS = {
    "ENUM_NAME_OVERRIDES": {"FormatEnum": "games.registry.FORMATS"},  # also by its old name
    "TITLE": "OpenRummy",
    "DESCRIPTION": "Account, wallet, tables, matches and tournaments of one player. Live play goes "
    "over the sockets that /docs/protocol/ describes.",
    "EXTERNAL_DOCS": {
        "description": "Live play: frames, the games on the wire, how a program begins",
        "url": "/docs/protocol/",
    },
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.description.complete",
    ],
}

# OAuth 2.0 and OpenID for third-party programs (docs/oauth.md). Access tokens are random strings.
IDP_OIDC_ADAPTER = "accounts.api_tokens.oauth_identity.OAuthAdapter"
IDP_OIDC_PRIVATE_KEYS = read_openid_keys()
IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN = 3_600
# Lifetime of a refresh token after its last use; each use replaces it.
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 90 * 24 * 3_600
