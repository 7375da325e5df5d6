"""Settings shared by every environment. Deployments set the variables named here."""

import sys
from pathlib import Path
from typing import Any

from django.conf.locale import LANG_INFO
from django.utils.translation import gettext_lazy as _

from config.settings import env, sign_in
from config.settings.api import (
    CORS_ALLOW_HEADERS,  # noqa: F401
    CORS_EXPOSE_HEADERS,  # noqa: F401
    CORS_PREFLIGHT_MAX_AGE,  # noqa: F401
    CORS_URLS_REGEX,  # noqa: F401  # settings
    MIGRATION_MODULES,  # noqa: F401
    OAUTH2_PROVIDER,  # noqa: F401
    OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL,  # noqa: F401
    OAUTH2_PROVIDER_APPLICATION_MODEL,  # noqa: F401
    OAUTH2_PROVIDER_DEVICE_GRANT_MODEL,  # noqa: F401
    OAUTH2_PROVIDER_GRANT_MODEL,  # noqa: F401
    OAUTH2_PROVIDER_ID_TOKEN_MODEL,  # noqa: F401
    OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL,  # noqa: F401
    REST_FRAMEWORK,  # noqa: F401
    SILENCED_SYSTEM_CHECKS,  # noqa: F401
    SPECTACULAR_SETTINGS,  # noqa: F401
)
from config.settings.logs import LOGGING as LOGGING  # noqa: PLC0414 - for what extends this
from config.settings.private_storage import private_storage
from config.settings.redis_servers import *  # noqa: F403 - settings
from config.settings.schedule import (  # settings
    CELERY_BEAT_SCHEDULE,  # noqa: F401
    CELERY_TASK_ROUTES,  # noqa: F401
)
from core.database.pool import CONNECTION_TIMEOUTS, try_again_soon

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(env.text("OPENRUMMY_VAR", str(BASE_DIR / "var")))

DEBUG = False
SECRET_KEY = env.text("SECRET_KEY")
ALLOWED_HOSTS: list[str] = env.hosts("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS: list[str] = env.origins("CSRF_TRUSTED_ORIGINS")
# Origins ("https://play.example") that may open sockets; empty for the hosts of ALLOWED_HOSTS.
WEBSOCKET_ORIGINS: list[str] = env.origins("WEBSOCKET_ORIGINS")
# Android apps that show this site ("example.play=AA:BB:…"): package and fingerprint (docs/app.md).
ANDROID_APPS: list[str] = env.words("ANDROID_APPS")

INSTALLED_APPS = [
    "config.apps.SiteConfig",
    "config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.apple",
    "allauth.socialaccount.providers.discord",
    "allauth.socialaccount.providers.facebook",
    "allauth.socialaccount.providers.google",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "channels",
    "corsheaders",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "oauth2_provider",
    "rest_framework",
    "core",
    "accounts",
    "accounts.phone",  # a provider of allauth's
    "wallet",
    "tables",
    "players",
    "history",
    "lobby",
    "tournaments",
]

MIDDLEWARE = [
    "core.observability.logs.record_request",
    "config.monitoring.health.answer_monitoring",
    "config.monitoring.metrics.count_request",
    "django.middleware.security.SecurityMiddleware",
    # The API for pages of programs on other origins (accounts/api_tokens/browsers.py).
    "corsheaders.middleware.CorsMiddleware",
    "config.assets.static.serve_static_files",
    # Compress pages. Django adds padding to compressed pages, and each page has another form token, so a
    # page's length reveals nothing.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.errors.drop_unusable_cookies",
    "core.stores.private_answers.keep_private_answers_out",
    "accounts.origins.number_browsers",
    "accounts.sessions.services.keep_newer_sessions",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.people.other_sites.answer_failures",
    "accounts.legal_pages.views.ask_for_terms",
    "accounts.sessions.services.record_sessions",
    "django_htmx.middleware.HtmxMiddleware",
    "config.errors.AnswerDatabaseErrors",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["config.assets.tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "wallet.context_processors.balances",
                "core.site.context_processors.notices_for_pages",
            ],
        },
    }
]

# --- Database -------------------------------------------------------------------------------------
# Two logins: the owner's (DATABASE_OWNER_URL) runs migrations; the other (DATABASE_URL) runs everything
# else as a member of DATABASE_APP_ROLE, which may change the ledger only through its posting functions.
# Serving processes refuse a login with more rights (wallet/ledger/roles.py); other commands with such a
# login switch to the role when they connect.
DATABASE_APP_ROLE = env.text("DATABASE_APP_ROLE", "openrummy_app")
DATABASE_AS_OWNER = env.flag("DATABASE_AS_OWNER", default=False)
DATABASE_POOL = env.flag("DATABASE_POOL", default=not DATABASE_AS_OWNER)
# A pooler in transaction mode (PgBouncer) for web and clock processes (docs/scaling.md).
DATABASE_POOLER_URL = env.text("DATABASE_POOLER_URL")
DATABASE_THROUGH_POOLER = DATABASE_POOL and bool(DATABASE_POOLER_URL)
# Statement timeout: players wait for statements of a pool, jobs may take longer. 0 sets no timeout, so that
# the login's own setting applies, unless the login is the pooler's.
DATABASE_STATEMENT_MS = env.number("DATABASE_STATEMENT_MS", 5_000 if DATABASE_POOL else 0)
# A blocked row must not occupy a thread for long (docs/adr/0004-the-move-path.md).
_SESSION: dict[str, str | int] = {
    "role": DATABASE_APP_ROLE,
    "lock_timeout": 2_000,
    "idle_in_transaction_session_timeout": 10_000,
}
# Sessions of a pooler are shared, so its login carries these settings (wallet/ledger/roles.py).
DATABASE_POOLER_SESSION = {
    **_SESSION,
    "statement_timeout": env.number("DATABASE_STATEMENT_MS", 5_000),
}
# How long a migration waits for a lock; then it fails, changes nothing, and can be started again.
MIGRATION_LOCK_MS = env.number("MIGRATION_LOCK_MS", 3_000)
# Threads of a web or clock process that run moves, each with its own database connection.
MOVE_THREADS = env.number("MOVE_THREADS", 8)
# Further threads for what spectators see and for questions that a game has to compute, and the length of
# their queue.
ASIDE_THREADS = env.number("ASIDE_THREADS", 2)
ASIDE_WAITING = 500
QUESTION_THREADS = env.number("QUESTION_THREADS", 1)
# Threads that authenticate new sockets. As many sockets may wait as are handled before a browser gives up;
# others are told to retry.
ADMISSION_THREADS = env.number("ADMISSION_THREADS", 2)
ADMISSIONS_WAITING = 500
# Tables that a clock process handles in parallel, each on its own connection.
CLOCK_THREADS = env.number("CLOCK_THREADS", 24)


def _build_database() -> dict[str, Any]:
    url = env.text("DATABASE_URL", "postgresql://localhost/openrummy")
    if DATABASE_AS_OWNER:
        # A migration that waits for a table's lock makes everybody else wait behind it.
        limits = f"-c lock_timeout={MIGRATION_LOCK_MS}"
        return env.database(env.text("DATABASE_OWNER_URL") or url, options={"options": limits})
    options: dict[str, Any] = dict(CONNECTION_TIMEOUTS)
    if not DATABASE_THROUGH_POOLER:
        session = dict(_SESSION)
        if DATABASE_STATEMENT_MS or DATABASE_POOLER_URL:
            session["statement_timeout"] = DATABASE_STATEMENT_MS
        options["options"] = " ".join(f"-c {name}={value}" for name, value in session.items())
    if DATABASE_POOL:
        try_again_soon()
        options["pool"] = {
            "min_size": 1,
            # Threads of moves, and in a clock process those of the clock, keep one connection each; pages
            # share the others.
            "max_size": MOVE_THREADS
            + ASIDE_THREADS
            + QUESTION_THREADS
            + ADMISSION_THREADS
            + CLOCK_THREADS * ("clock" in sys.argv[1:])
            + env.number("DATABASE_POOL_SIZE", 6),
            "timeout": 5,
        }
    return {
        **env.database(DATABASE_POOLER_URL if DATABASE_THROUGH_POOLER else url, options=options),
        # A server-side cursor outlives its transaction only in a session that is not shared.
        "DISABLE_SERVER_SIDE_CURSORS": DATABASE_THROUGH_POOLER,
    }


def _build_replica(url: str) -> dict[str, Any]:
    """Return the settings of a replica. Its timeouts are short: while it is down, the primary answers instead."""
    limits = (
        f"-c statement_timeout=5000 -c default_transaction_read_only=on -c role={DATABASE_APP_ROLE}"
    )
    options: dict[str, Any] = {**CONNECTION_TIMEOUTS, "options": limits}
    if env.flag("DATABASE_POOL", default=True):
        options["pool"] = {
            "min_size": 0,
            "max_size": env.number("DATABASE_POOL_SIZE", 8),
            "timeout": 0.5,
        }
    return env.database(url, options=options)


def _application_login() -> tuple[str, str]:
    """Return the name and password of the login that migrations create. Both are empty if there is only one login."""
    url, owner_url = env.text("DATABASE_URL"), env.text("DATABASE_OWNER_URL")
    if not url or not owner_url or url == owner_url:
        return "", ""
    login = env.database(url, options={})
    return login["USER"], login["PASSWORD"]


DATABASES = {"default": _build_database()}
# A streaming replica for reading what has ended (core/database/replica.py); optional.
if (replica_url := env.text("DATABASE_REPLICA_URL")) and not DATABASE_AS_OWNER:
    DATABASES["replica"] = _build_replica(replica_url)
    DATABASE_ROUTERS = ["core.database.replica.ReplicaRouter"]
    MIDDLEWARE.append("core.database.replica.ReadFromReplica")
DATABASE_APP_LOGIN = _application_login()
DATABASE_POOLER_LOGIN = (
    env.database(DATABASE_POOLER_URL, options={})["USER"] if DATABASE_POOLER_URL else ""
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- People ---------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "accounts.api_tokens.oauth_grants.RandomSecretHasher",  # of programs, never of people
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

ACCOUNT_ADAPTER = "accounts.people.adapter.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "accounts.people.forms.SignupForm"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {
    "signup": "accounts.people.allauth_forms.PlayerSignupForm",
    "change_password": "accounts.people.allauth_forms.NewPasswordForm",
    "set_password": "accounts.people.allauth_forms.FirstPasswordForm",
    "reset_password": "accounts.people.allauth_forms.ForgottenPasswordForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = "accounts.models.display_name"
# Other sites that people may sign in with: those whose variables are set.
SOCIALACCOUNT_PROVIDERS = sign_in.read_providers()
SOCIALACCOUNT_ADAPTER = "accounts.people.other_sites.OtherSitesAdapter"
SOCIALACCOUNT_EMAIL_REQUIRED = False  # a person who signs up by phone may have none
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses a player name and accepts the terms
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_REQUIRED = (
    True  # before a change of addresses, because they get links for new passwords
)
# The class that sends text messages (core/sms.py), its options, and the countries it sends to. Without the
# class nobody is asked for a phone number. Messages cost money, so the whole site has a limit.
SMS_SENDER = env.text("SMS_SENDER")
SMS_OPTIONS = env.read_prefixed("SMS_OPTION_")
SMS_COUNTRIES = env.words("SMS_COUNTRIES") or ["+91"]
SMS_A_DAY = env.number("SMS_A_DAY", 2_000)
# Players may play for chips at once; cash needs a confirmed address (wallet/limits/services.py).
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
# Within five minutes, over all accounts; for IPv6 per /48.
WRONG_PASSWORDS_OF_AN_ADDRESS = env.number("WRONG_PASSWORDS_OF_AN_ADDRESS", 100)
# Seconds that a mail server may take to answer.
EMAIL_TIMEOUT = 10
MFA_FORMS = {"add_webauthn": "accounts.people.allauth_forms.AddPasskeyForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
USERSESSIONS_ADAPTER = "accounts.sessions.services.SessionsAdapter"
# Staff need a second factor to use the administration.
ADMIN_MFA_REQUIRED = env.flag("ADMIN_MFA_REQUIRED", default=True)
# The site's name until staff set another in the administration (Site).
SITE_NAME = env.text("SITE_NAME", "OpenRummy")
# Contact address for people who cannot sign in. If it is empty, only signed-in people can reach the staff.
SUPPORT_EMAIL = env.text("SUPPORT_EMAIL")
# Base address of the source code that documents link to, without a trailing slash.
SOURCE_URL = env.text("SOURCE_URL").rstrip("/")
# Alerts (config/desk/alerts.py) go to these addresses by e-mail and to this webhook as JSON; both may be
# empty.
ALERT_EMAILS: list[str] = env.words("ALERT_EMAILS")
ALERT_WEBHOOK_URL = env.text("ALERT_WEBHOOK_URL")
# Hosts inside the operator's network that webhooks may post to.
WEBHOOK_INNER_HOSTS: list[str] = env.words("WEBHOOK_INNER_HOSTS")
# The same for players' webhooks: for trying on one machine.
WEBHOOK_INNER_HOSTS_OF_PLAYERS: list[str] = env.words("WEBHOOK_INNER_HOSTS_OF_PLAYERS")
# Local runs have no mail server: the page after a mailed link shows the link.
SHOW_MAIL_LINKS = False
# Whether `manage.py seed_demo` may create accounts with public passwords.
DEMO_DATA = False

# An IPv4 address may belong to a whole mobile carrier, so allauth's limits for addresses are raised here.
# Limits for accounts keep their defaults (wrong passwords: accounts/sign_in_limits.py).
ACCOUNT_RATE_LIMITS = {
    # allauth counts an address under a lock, for which others wait a second at most: many who come together by one
    # address would be refused. accounts/sign_in_limits.py and accounts/people/views.py count these instead.
    "login": None,
    "signup": None,
    "reset_password": "100/m/ip,5/m/key",
    "reset_password_from_key": "100/m/ip",
    # Second-factor codes; the player has already entered the password.
    "login_failed": "100/m/ip,5/5m/key",
}
MFA_RATE_LIMITS = {"webauthn_login": "300/m/ip"}

# --- Money ----------------------------------------------------------------------------------------
WELCOME_CHIPS = env.number("WELCOME_CHIPS", 10_000)
# off: cash is neither shown nor accepted. sandbox: play money, for trying it out.
CASH_PLAY = env.text("CASH_PLAY", "off")
# Largest share of a cash payment that may come from the bonus, in basis points.
CASH_BONUS_BPS = env.number("CASH_BONUS_BPS", 1_000)
# Classes of wallet.payments.base.PaymentProvider. The first takes new payments; webhooks, refunds and
# payouts of the others keep working.
PAYMENT_PROVIDERS = env.words("PAYMENT_PROVIDERS")
# Options of the providers, such as keys: PAYMENT_X of the environment becomes X here.
PAYMENT_OPTIONS = env.read_prefixed("PAYMENT_")
# This site's address for its own processes.
OWN_ADDRESS = f"http://127.0.0.1:{env.number('PORT', 8000)}"
# This site's public address, without a trailing slash. Links in e-mails begin with it, because a client can
# forge the host of a request.
SITE_URL = env.text("SITE_URL").rstrip("/") or next(iter(WEBSOCKET_ORIGINS), OWN_ADDRESS)
# Limits of a single deposit, in paise.
DEPOSIT_LEAST = env.number("DEPOSIT_LEAST", 5_000)
DEPOSIT_MOST = env.number("DEPOSIT_MOST", 1_000_000)
# Once a day a player with less than PRACTICE_CHIPS_BELOW may take PRACTICE_CHIPS more.
PRACTICE_CHIPS = env.number("PRACTICE_CHIPS", 5_000)
PRACTICE_CHIPS_BELOW = env.number("PRACTICE_CHIPS_BELOW", 1_000)

# Accounts that get welcome chips: per browser in 30 days, and per address a day (beyond that, only accounts
# with a confirmed e-mail address). An IPv4 address may belong to a whole mobile carrier.
WELCOMES_OF_A_DEVICE = env.number("WELCOMES_OF_A_DEVICE", 5)
WELCOMES_OF_AN_ADDRESS = env.number("WELCOMES_OF_AN_ADDRESS", 50)
# Accounts that may take practice chips on one day.
RELOADS_OF_A_DEVICE = env.number("RELOADS_OF_A_DEVICE", 3)
RELOADS_OF_AN_ADDRESS = env.number("RELOADS_OF_AN_ADDRESS", 150)
# Chips that one player may win from another in a day before they are kept apart; all accounts of one
# browser or address count as one player. 0 for no limit.
CHIPS_BETWEEN_TWO_A_DAY = env.number("CHIPS_BETWEEN_TWO_A_DAY", 20_000)
# Applies to cash tables with three or more seats.
CASH_ONE_ACCOUNT_PER_ADDRESS = env.flag("CASH_ONE_ACCOUNT_PER_ADDRESS", default=True)

# --- Live play ------------------------------------------------------------------------------------
# Codes of the games that tables and tournaments may use, the default first; empty for the first
# installed game.
GAMES_OFFERED = env.words("GAMES_OFFERED")
# Tables at which one player may sit at once, tournaments not counted.
TABLES_AT_ONCE = env.number("TABLES_AT_ONCE", 3)
# The same for tables where a move may take a day; they are counted apart.
SLOW_TABLES_AT_ONCE = env.number("SLOW_TABLES_AT_ONCE", 10)
# Tables of one BOT account; it plays for nothing.
BOT_TABLES_AT_ONCE = env.number("BOT_TABLES_AT_ONCE", 2)
# Clubs of one player, including requests to join; and members of one club.
CLUBS_EACH = env.number("CLUBS_EACH", 10)
# OAuth programs and webhooks of one player; 0: only the operator's.
PROGRAMS_EACH = env.number("PROGRAMS_EACH", 5)
WEBHOOKS_EACH = env.number("WEBHOOKS_EACH", 3)
CLUB_MEMBERS = env.number("CLUB_MEMBERS", 100)
# Sockets of one web process, of one player, and of all people without an account at one address; further
# ones are refused before they open.
SOCKETS_AT_MOST = env.number("SOCKETS_AT_MOST", 5_000)
SOCKETS_OF_A_PLAYER = env.number("SOCKETS_OF_A_PLAYER", 20)
SOCKETS_OF_AN_ADDRESS = env.number("SOCKETS_OF_AN_ADDRESS", 200)
# Table chat: "all", "phrases" (prepared ones only) or "off"; and whether emotes are allowed.
TABLE_CHAT = env.text("TABLE_CHAT", "all")
TABLE_EMOTES = env.flag("TABLE_EMOTES", default=True)
# Whether practice bots skip a tournament that nobody has entered while nobody is signed in.
BOTS_WAIT_FOR_PEOPLE = env.flag("BOTS_WAIT_FOR_PEOPLE", default=False)
# Delay of the game for spectators without a seat.
SPECTATOR_DELAY_SECONDS = env.number("SPECTATOR_DELAY_SECONDS", 15)

# Whether each month's deals are published without names (docs/open-data.md).
OPEN_DATA = env.flag("OPEN_DATA", default=False)

# --- Messages to browsers (web push) --------------------------------------------------------------
# The site's key for push services (`manage.py make_push_key`); empty for no push messages.
VAPID_PRIVATE_KEY = env.text("VAPID_PRIVATE_KEY")
# Contact address for push services. Apple refuses one without a real host name.
VAPID_CONTACT = env.text("VAPID_CONTACT") or env.build_contact(SITE_URL)
# Allowed push services; `*` stands for one or more labels of a host name.
PUSH_SERVICES = env.words("PUSH_SERVICES") or [
    "https://fcm.googleapis.com",
    "https://*.push.services.mozilla.com",
    "https://*.push.apple.com",
    "https://*.notify.windows.com",
]

# A match's moves are packed this many days after its end; 0 for never. Replays still work.
MATCHES_ARCHIVED_AFTER_DAYS = env.number("MATCHES_ARCHIVED_AFTER_DAYS", 2)

# --- Language and time ----------------------------------------------------------------------------
LANGUAGE_CODE = "en"
# All languages with a catalogue (docs/translating.md).
TRANSLATIONS = {
    "en": _("English"),
    "hi": _("Hindi"),
    "bn": _("Bengali"),
    "kn": _("Kannada"),
    "mr": _("Marathi"),
    "ta": _("Tamil"),
    "te": _("Telugu"),
}
LANGUAGES = [
    (code, TRANSLATIONS[code])
    for code in env.choices("LANGUAGES", TRANSLATIONS, always=LANGUAGE_CODE)
]
# Django gives this name in Latin letters.
LANG_INFO["kn"] = {**LANG_INFO["kn"], "name_local": "ಕನ್ನಡ"}
# Pages in these languages say that a native speaker has yet to review the translation.
LANGUAGES_IN_REVIEW = ("bn", "kn", "mr", "ta", "te")
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.settings.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.text("TIME_ZONE", "Asia/Kolkata")

# --- Static files ---------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [
    BASE_DIR / "static",
    ("documents", BASE_DIR / "docs/images"),
]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "config.assets.static.AppFiles",
]

# --- Files ----------------------------------------------------------------------------------------
# Private files such as identity documents: no public address leads to them. Several machines need a storage
# that all of them reach, a shared folder or a bucket.
PRIVATE_FILES = Path(env.text("PRIVATE_FILES", str(VAR_DIR / "private")))
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "private": private_storage(PRIVATE_FILES),
}

# Whether web processes limit requests (config/request_limits.py). Off by default: a single local user is no
# flood.
REQUEST_LIMITS = False

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
        # Signing in with another site begins with a form that posts to it.
        "form-action": ["'self'", *sign_in.list_origins(SOCIALACCOUNT_PROVIDERS)],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}

# --- Watching -------------------------------------------------------------------------------------
# The token that reading /metrics requires; empty to turn the page off.
METRICS_TOKEN = env.text("METRICS_TOKEN")
