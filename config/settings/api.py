"""The settings of the REST API: authentication, rate limits, and description."""

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
    "ENUM_NAME_OVERRIDES": {
        "AnalysisStateEnum": "history.models.AnalysisState.values",
        "ClubRoleEnum": "tables.models.ClubRole.values",
        "EntrantStateEnum": "tournaments.models.EntrantState.values",
        "FormatEnum": "games.registry.FORMATS",
        "LeaguePhaseEnum": "tournaments.leagues.reading.PHASES",
        "LimitPeriodEnum": "wallet.models.LimitPeriod.values",
        "MatchStatusEnum": "tables.models.MatchStatus.values",
        "SeatStateEnum": "tables.api.tables.SEAT_STATES",
        "SeatStatusEnum": "tables.models.SeatStatus.values",
        "TableStateEnum": "tables.api.tables.TABLE_STATES",
        "TableStatusEnum": "tables.models.TableStatus.values",
        "TournamentFormatEnum": "tournaments.rules.formats.FORMATS",
        "TournamentStatusEnum": "tournaments.models.tournament.TournamentStatus.values",
    },
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # the values say what they are
    "TITLE": "OpenRummy",
    "DESCRIPTION": "Account, wallet, tables, matches and tournaments of one player. Live play goes "
    "over the sockets that /docs/protocol/ describes.",
    "EXTERNAL_DOCS": {
        "description": "Live play: frames, the games on the wire, how a program begins",
        "url": "/docs/protocol/",
    },
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "WEBHOOKS": ["config.api.webhooks.MATCH_ENDED", "config.api.webhooks.TOURNAMENT_ENDED"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api.description.complete",
    ],
}

# Pages of programs on other origins may call these from a browser, without cookies (docs/oauth.md).
CORS_URLS_REGEX = r"^/(api/v1/|oauth/(token|revoke|device|userinfo)$)"
CORS_ALLOW_HEADERS = ["authorization", "content-type", "idempotency-key"]
CORS_EXPOSE_HEADERS = ["RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate"]
CORS_PREFLIGHT_MAX_AGE = 600

# OAuth 2.0 and OpenID for third-party programs (docs/oauth.md), by django-oauth-toolkit with models of accounts.
OAUTH2_PROVIDER_APPLICATION_MODEL = "accounts.OAuthClient"
OAUTH2_PROVIDER_GRANT_MODEL = "accounts.OAuthGrant"
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = "accounts.OAuthAccessToken"
OAUTH2_PROVIDER_ID_TOKEN_MODEL = "accounts.OAuthIDToken"
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = "accounts.OAuthRefreshToken"
OAUTH2_PROVIDER_DEVICE_GRANT_MODEL = "accounts.OAuthDevice"
MIGRATION_MODULES = {"oauth2_provider": None}  # it has no tables of its own here
_SIGNING_KEY, *_OLDER_KEYS = read_openid_keys() or [""]
OAUTH2_PROVIDER = {
    "OAUTH2_SERVER_CLASS": "accounts.api_tokens.oauth_server.ProgramServer",
    "OAUTH2_VALIDATOR_CLASS": "accounts.api_tokens.oauth_server.FamilyValidator",
    "SCOPES_BACKEND_CLASS": "accounts.api_tokens.oauth_identity.OfferedScopes",
    "REFRESH_TOKEN_GENERATOR": "accounts.api_tokens.oauth_server.make_refresh_token",
    "CLIENT_SECRET_HASHER": "random_secret",
    "AUTHORIZATION_CODE_EXPIRE_SECONDS": 60,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3_600,
    "OIDC_ENABLED": True,
    "OIDC_RSA_PRIVATE_KEY": _SIGNING_KEY,
    "OIDC_RSA_PRIVATE_KEYS_INACTIVE": _OLDER_KEYS,
    "ID_TOKEN_EXPIRE_SECONDS": 300,
    # Enforced by our own validator and addresses; the toolkit's check of a deployment asks for these.
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    # RFC 9700 as the toolkit enforces it.
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
}
# It misses `iss` (RFC 9207) in answers of /oauth/authorize, which docs/oauth.md has never promised.
SILENCED_SYSTEM_CHECKS = ["oauth2_provider.W005"]
