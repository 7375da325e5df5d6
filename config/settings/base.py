"""Settings shared by every environment; what differs comes from the variables named here."""

from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from config.settings import env
from config.settings.schedule import CELERY_BEAT_SCHEDULE  # noqa: F401 - a setting

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(env.text("OPENRUMMY_VAR", str(BASE_DIR / "var")))

DEBUG = False
SECRET_KEY = env.text("SECRET_KEY")
ALLOWED_HOSTS: list[str] = env.words("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS: list[str] = env.words("CSRF_TRUSTED_ORIGINS")
# Whole origins ("https://play.example") that may open sockets; empty: the hosts of ALLOWED_HOSTS.
WEBSOCKET_ORIGINS: list[str] = env.words("WEBSOCKET_ORIGINS")

INSTALLED_APPS = [
    "config.admin_app.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "accounts",
    "wallet",
    "tables",
    "tournaments",
]

MIDDLEWARE = [
    "accounts.log_context.note_request",
    "config.watchmen.answer_watchmen",
    "config.signs_of_life.count_request",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    # For pages. Django pads what it compresses, and a form's token is another one in every page,
    # so a page's length tells nothing.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.sessions.note_sessions",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "wallet.context_processors.balances",
            ]
        },
    }
]

# --- Database -------------------------------------------------------------------------------------
# Two roles: the owner runs migrations, the application role does everything else and may change the
# ledger only through its posting functions. Where one login serves as both, a connection of the
# application steps down to DATABASE_APP_ROLE when it is opened.
DATABASE_APP_ROLE = env.text("DATABASE_APP_ROLE", "openrummy_app")
DATABASE_AS_OWNER = env.flag("DATABASE_AS_OWNER", default=False)
DATABASE_POOL = env.flag("DATABASE_POOL", default=not DATABASE_AS_OWNER)
# Threads of a web or clock process that run moves, each with a database connection of its own.
MOVE_THREADS = env.number("MOVE_THREADS", 8)


def _database() -> dict[str, Any]:
    url = env.text("DATABASE_URL", "postgresql://localhost/openrummy")
    if DATABASE_AS_OWNER:
        return env.database(env.text("DATABASE_OWNER_URL") or url, options={})
    # A blocked row must not occupy a thread for long (docs/adr/0004-the-move-path.md).
    limits = "-c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000"
    if DATABASE_POOL:
        limits += " -c statement_timeout=5000"
    options: dict[str, Any] = {"options": f"{limits} -c role={DATABASE_APP_ROLE}"}
    if DATABASE_POOL:
        options["pool"] = {
            "min_size": 1,
            # The threads of moves keep a connection each; pages share the others.
            "max_size": MOVE_THREADS + env.number("DATABASE_POOL_SIZE", 8),
            "timeout": 5,
        }
    return env.database(url, options=options)


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Redis: 0 sockets, 1 jobs, 2 cache ------------------------------------------------------------
REDIS_URL = env.text("REDIS_URL", "redis://localhost:6379/0")

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [env.redis_database(REDIS_URL, 0)]},
    }
}
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": env.redis_database(REDIS_URL, 2),
    }
}

JOBS_REDIS_URL = env.redis_database(REDIS_URL, 1)
CELERY_BROKER_URL = env.celery_broker(JOBS_REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A job that was lost with its worker runs again after visibility_timeout: all are idempotent.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600, "unacked_restore_interval": 5}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 120
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# --- People ---------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.forms.SignupForm"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = "accounts.models.display_name"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[OpenRummy] "
# Seconds that a mail server may take to answer.
EMAIL_TIMEOUT = 20
MFA_FORMS = {"add_webauthn": "accounts.passkey_forms.AddPasskeyForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
USERSESSIONS_ADAPTER = "accounts.sessions.SessionsAdapter"
# Staff must have a second factor before the administration opens to them.
ADMIN_MFA_REQUIRED = env.flag("ADMIN_MFA_REQUIRED", default=True)
# Where people write who cannot sign in; empty: only who can sign in reaches the staff.
SUPPORT_EMAIL = env.text("SUPPORT_EMAIL")
# Local runs have no mail server: the page after a mailed link shows the link itself.
SHOW_MAIL_LINKS = False
# Whether `manage.py seed_demo` may make accounts with public passwords.
DEMO_DATA = False

# --- Money ----------------------------------------------------------------------------------------
WELCOME_CHIPS = env.number("WELCOME_CHIPS", 10_000)
# off: nothing of cash is shown or accepted. sandbox: cash of a payment provider of our own.
CASH_PLAY = env.text("CASH_PLAY", "off")
# How much of what a player pays in cash may come from the bonus.
CASH_BONUS_BPS = env.number("CASH_BONUS_BPS", 1_000)
# For CASH_PLAY=live: the class of wallet.payments.base.PaymentProvider that takes the money.
PAYMENT_PROVIDER = env.text("PAYMENT_PROVIDER")
# Where this installation's sandbox provider answers; its payouts go there over HTTP.
SANDBOX_URL = env.text("SANDBOX_URL", f"http://127.0.0.1:{env.number('PORT', 8000)}")
# Of one deposit, in paise.
DEPOSIT_LEAST = env.number("DEPOSIT_LEAST", 5_000)
DEPOSIT_MOST = env.number("DEPOSIT_MOST", 1_000_000)
# Once a day whoever has less than PRACTICE_CHIPS_BELOW may take PRACTICE_CHIPS more.
PRACTICE_CHIPS = env.number("PRACTICE_CHIPS", 5_000)
PRACTICE_CHIPS_BELOW = env.number("PRACTICE_CHIPS_BELOW", 1_000)

# --- Live play ------------------------------------------------------------------------------------
PRESENCE_REDIS_URL = env.redis_database(REDIS_URL, 0)
# At how many tables one player may sit, tournaments not counted.
TABLES_AT_ONCE = env.number("TABLES_AT_ONCE", 3)
# What may be said at tables: "all", "phrases" (the quick ones alone) or "off"; and emotes or none.
TABLE_CHAT = env.text("TABLE_CHAT", "all")
TABLE_EMOTES = env.flag("TABLE_EMOTES", default=True)
# Whoever watches without a seat is shown the game this much later.
SPECTATOR_DELAY_SECONDS = env.number("SPECTATOR_DELAY_SECONDS", 15)

# --- Messages to browsers (web push) --------------------------------------------------------------
# The key that push services know this site by (`manage.py make_push_key`); empty: none are sent.
VAPID_PRIVATE_KEY = env.text("VAPID_PRIVATE_KEY")
# Whom a push service may write to.
VAPID_CONTACT = env.text("VAPID_CONTACT", "mailto:webmaster@localhost")
# Where browsers may have their messages sent; `*` is one or more labels of a name.
PUSH_SERVICES = env.words("PUSH_SERVICES") or [
    "https://fcm.googleapis.com",
    "https://*.push.services.mozilla.com",
    "https://*.push.apple.com",
    "https://*.notify.windows.com",
]

# The moves of a match are packed this many days after it; 0: never. They can still be replayed.
MATCHES_ARCHIVED_AFTER_DAYS = env.number("MATCHES_ARCHIVED_AFTER_DAYS", 90)

# --- Language and time ----------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("hi", _("Hindi"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.text("TIME_ZONE", "Asia/Kolkata")

# --- Static files ---------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "config.static_finder.AppFiles",
]

# --- Files ----------------------------------------------------------------------------------------
# Identity documents and the like: no address leads to them. Several machines need a storage that
# all of them reach.
PRIVATE_FILES = Path(env.text("PRIVATE_FILES", str(VAR_DIR / "private")))
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "private": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": str(PRIVATE_FILES),
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
}

# --- Security -------------------------------------------------------------------------------------
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'", *[o.replace("http", "ws", 1) for o in WEBSOCKET_ORIGINS]],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.access.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.api.access.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.text("API_RATE_ANONYMOUS", "60/min"),
        "user": env.text("API_RATE_PLAYER", "600/min"),
    },
    # X-Forwarded-For says what its sender likes; a request's address is what uvicorn made of it
    # (FORWARDED_ALLOW_IPS).
    "NUM_PROXIES": 0,
    "EXCEPTION_HANDLER": "config.api.answer_error",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "OpenRummy",
    "DESCRIPTION": "Account, wallet, tables, matches and tournaments of one player. Live play goes "
    "over the sockets that docs/protocol.md describes.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api_description.complete",
    ],
}

# --- Watching -------------------------------------------------------------------------------------
# "line" for people, "json" for a collector of logs.
LOG_FORMAT = env.text("LOG_FORMAT", "line")
# Whoever has this may read /metrics; without it there is no such page.
METRICS_TOKEN = env.text("METRICS_TOKEN")

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "accounts.log_context.ContextFilter"}},
    "formatters": {
        "line": {"format": "{levelname} {name}: {message}{context}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{levelname}{name}{message}",
            "style": "{",
            "timestamp": "time",  # with its offset: TIME_ZONE is the players'
            "rename_fields": {"levelname": "level", "name": "logger"},
            "static_fields": {"process": env.text("PROCESS_NAME", "manage")},
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["context"],
        }
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
    "loggers": {"django.server": {"level": "WARNING"}},
}
