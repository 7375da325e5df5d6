"""A deployment behind a proxy that terminates TLS. All secrets come from the environment."""

from django.core.exceptions import ImproperlyConfigured

from config.settings import env
from config.settings.base import *  # noqa: F403 - settings modules extend each other

for _name in ("SECRET_KEY", "ALLOWED_HOSTS", "WEBSOCKET_ORIGINS", "DATABASE_URL", "REDIS_URL"):
    if not env.text(_name):
        raise ImproperlyConfigured(f"Set the environment variable {_name} (docs/settings.md).")

SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.number("SECURE_HSTS_SECONDS", 31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
REQUEST_LIMITS = env.flag("REQUEST_LIMITS", default=True)
CSRF_COOKIE_SECURE = True
CSRF_TRUSTED_ORIGINS = CSRF_TRUSTED_ORIGINS or WEBSOCKET_ORIGINS

LOG_FORMAT = env.text("LOG_FORMAT", "json")
LOGGING["handlers"]["console"]["formatter"] = LOG_FORMAT

if dsn := env.text("SENTRY_DSN"):
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn,
        environment=env.text("SENTRY_ENVIRONMENT", "production"),
        traces_sample_rate=env.number("SENTRY_TRACES_PERCENT", 0) / 100,
        send_default_pii=False,
    )

EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
# At port 465 a mail server speaks TLS from the beginning (RFC 8314), elsewhere after STARTTLS.
_IS_ENCRYPTED = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_USE_SSL = _IS_ENCRYPTED and EMAIL_PORT == 465  # noqa: PLR2004 - the port's number
EMAIL_USE_TLS = _IS_ENCRYPTED and not EMAIL_USE_SSL
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", f"{SITE_NAME} <no-reply@localhost>")

STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "config.assets.static.ModuleStorage"},
}
