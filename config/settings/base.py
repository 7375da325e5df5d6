"""Settings shared by every environment; what differs comes from the variables named here."""

import sys
from pathlib import Path
from typing import Any

from django.conf.locale import LANG_INFO
from django.utils.translation import gettext_lazy as _

from config.settings import env, sign_in
from config.settings.api import (  # settings
    IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN,  # noqa: F401
    IDP_OIDC_ADAPTER,  # noqa: F401
    IDP_OIDC_PRIVATE_KEYS,  # noqa: F401
    IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN,  # noqa: F401
    REST_FRAMEWORK,  # noqa: F401
    SPECTACULAR_SETTINGS,  # noqa: F401
)
from config.settings.logs import LOGGING as LOGGING  # noqa: PLC0414 - for what extends this
from config.settings.private_storage import private_storage
from config.settings.redis_servers import *  # noqa: F403 - settings
from config.settings.schedule import (  # settings
    CELERY_BEAT_SCHEDULE,  # noqa: F401
    CELERY_TASK_ROUTES,  # noqa: F401
)
from core.database.pool import PATIENCE, try_again_soon

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(env.text("OPENRUMMY_VAR", str(BASE_DIR / "var")))

DEBUG = False
SECRET_KEY = env.text("SECRET_KEY")
ALLOWED_HOSTS: list[str] = env.words("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS: list[str] = env.words("CSRF_TRUSTED_ORIGINS")
# Whole origins ("https://play.example") that may open sockets; empty: the hosts of ALLOWED_HOSTS.
WEBSOCKET_ORIGINS: list[str] = env.words("WEBSOCKET_ORIGINS")
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
    "allauth.idp.oidc",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.apple",
    "allauth.socialaccount.providers.discord",
    "allauth.socialaccount.providers.facebook",
    "allauth.socialaccount.providers.google",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "core",
    "accounts",
    "accounts.phone",  # a provider of allauth's
    "wallet",
    "tables",
    "tournaments",
]

MIDDLEWARE = [
    "core.observability.logs.note_request",
    "config.monitoring.health.answer_monitoring",
    "config.monitoring.metrics.count_request",
    "django.middleware.security.SecurityMiddleware",
    "config.assets.static.serve_static_files",
    # For pages. Django pads what it compresses, and a form's token is another one in every page,
    # so a page's length tells nothing.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.errors.drop_unusable_cookies",
    "core.stores.private_answers.keep_private_answers_out",
    "accounts.origins.number_browsers",
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
    "accounts.sessions.services.note_sessions",
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
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "wallet.context_processors.balances",
                "core.site.context_processors.notices_for_pages",
            ]
        },
    }
]

# --- Database -------------------------------------------------------------------------------------
# Two logins: the owner's (DATABASE_OWNER_URL) runs migrations, the other (DATABASE_URL) everything
# else, as a member of DATABASE_APP_ROLE, which may change the ledger only through its posting
# functions. Processes that serve refuse a login that could do more (wallet/ledger/roles.py); other
# commands with such a login step down to the role when their connection is opened.
DATABASE_APP_ROLE = env.text("DATABASE_APP_ROLE", "openrummy_app")
DATABASE_AS_OWNER = env.flag("DATABASE_AS_OWNER", default=False)
DATABASE_POOL = env.flag("DATABASE_POOL", default=not DATABASE_AS_OWNER)
# A pooler in transaction mode (PgBouncer), which web and clock processes connect to (docs/scaling.md).
DATABASE_POOLER_URL = env.text("DATABASE_POOLER_URL")
DATABASE_THROUGH_POOLER = DATABASE_POOL and bool(DATABASE_POOLER_URL)
# How long a statement may take: people wait for those of a pool, jobs may take their time. With 0
# nothing is asked of the database, and what its administrator has set for the login counts, unless it is
# the pooler's.
DATABASE_STATEMENT_MS = env.number("DATABASE_STATEMENT_MS", 5_000 if DATABASE_POOL else 0)
# A blocked row must not occupy a thread for long (docs/adr/0004-the-move-path.md).
_SESSION: dict[str, str | int] = {
    "role": DATABASE_APP_ROLE,
    "lock_timeout": 2_000,
    "idle_in_transaction_session_timeout": 10_000,
}
# Through a pooler a session belongs to nobody, so its login carries all this (wallet/ledger/roles.py).
DATABASE_POOLER_SESSION = {
    **_SESSION,
    "statement_timeout": env.number("DATABASE_STATEMENT_MS", 5_000),
}
# How long a migration waits for a lock; it fails then, changes nothing and is started again.
MIGRATION_LOCK_MS = env.number("MIGRATION_LOCK_MS", 3_000)
# Threads of a web or clock process that run moves, each with a database connection of its own.
MOVE_THREADS = env.number("MOVE_THREADS", 8)
# Threads beside them, for what people who watch are shown, with so many calls waiting; and for
# questions that a game reckons about.
ASIDE_THREADS = env.number("ASIDE_THREADS", 2)
ASIDE_WAITING = 500
QUESTION_THREADS = env.number("QUESTION_THREADS", 1)
# Threads that look up whose a new socket is. So many wait for them: as are done before a browser
# gives up; others are told to come again.
ADMISSION_THREADS = env.number("ADMISSION_THREADS", 2)
ADMISSIONS_WAITING = 500
# Tables that a clock process acts on side by side, each on a connection of its own.
CLOCK_THREADS = env.number("CLOCK_THREADS", 24)


def _build_database() -> dict[str, Any]:
    url = env.text("DATABASE_URL", "postgresql://localhost/openrummy")
    if DATABASE_AS_OWNER:
        # A migration that waits for a table makes everybody else wait behind it.
        limits = f"-c lock_timeout={MIGRATION_LOCK_MS}"
        return env.database(env.text("DATABASE_OWNER_URL") or url, options={"options": limits})
    options: dict[str, Any] = dict(PATIENCE)
    if not DATABASE_THROUGH_POOLER:
        session = dict(_SESSION)
        if DATABASE_STATEMENT_MS or DATABASE_POOLER_URL:
            session["statement_timeout"] = DATABASE_STATEMENT_MS
        options["options"] = " ".join(f"-c {name}={value}" for name, value in session.items())
    if DATABASE_POOL:
        try_again_soon()
        options["pool"] = {
            "min_size": 1,
            # The threads of moves, in a clock process those of the clock too, keep a connection
            # each; pages share the others.
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
        # A cursor of the server's outlives its transaction only in a session of one's own.
        "DISABLE_SERVER_SIDE_CURSORS": DATABASE_THROUGH_POOLER,
    }


def _build_replica(url: str) -> dict[str, Any]:
    """Return the settings of a copy. Nobody waits for one that is away: the primary answers then."""
    limits = (
        f"-c statement_timeout=5000 -c default_transaction_read_only=on -c role={DATABASE_APP_ROLE}"
    )
    options: dict[str, Any] = {**PATIENCE, "options": limits}
    if env.flag("DATABASE_POOL", default=True):
        options["pool"] = {
            "min_size": 0,
            "max_size": env.number("DATABASE_POOL_SIZE", 8),
            "timeout": 0.5,
        }
    return env.database(url, options=options)


def _application_login() -> tuple[str, str]:
    """Name and password that migrations make a login with; empty where there is but one."""
    url, owner_url = env.text("DATABASE_URL"), env.text("DATABASE_OWNER_URL")
    if not url or not owner_url or url == owner_url:
        return "", ""
    login = env.database(url, options={})
    return login["USER"], login["PASSWORD"]


DATABASES = {"default": _build_database()}
# A streaming copy, for what is over (core/database/replica.py); without it nothing changes.
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
ACCOUNT_FORMS = {"signup": "accounts.people.allauth_forms.PlayerSignupForm"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = "accounts.models.display_name"
# Sites whose accounts people may sign in with: those whose variables are set.
SOCIALACCOUNT_PROVIDERS = sign_in.read_providers()
SOCIALACCOUNT_ADAPTER = "accounts.people.other_sites.OtherSitesAdapter"
SOCIALACCOUNT_EMAIL_REQUIRED = False  # who comes by phone may have none
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses a player name and accepts the terms
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
# The class that sends text messages (core/sms.py), what it has to know, and where it sends to: without the
# class nobody is asked for a number. Each message costs, so there is a limit for the whole site.
SMS_SENDER = env.text("SMS_SENDER")
SMS_OPTIONS = env.read_prefixed("SMS_OPTION_")
SMS_COUNTRIES = env.words("SMS_COUNTRIES") or ["+91"]
SMS_A_DAY = env.number("SMS_A_DAY", 2_000)
# Chips may be played for at once; cash waits for the confirmed address (wallet/limits/services.py).
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
# Within five minutes, of all accounts together; of IPv6 by its /48.
WRONG_PASSWORDS_OF_AN_ADDRESS = env.number("WRONG_PASSWORDS_OF_AN_ADDRESS", 100)
# Seconds that a mail server may take to answer.
EMAIL_TIMEOUT = 10
MFA_FORMS = {"add_webauthn": "accounts.people.allauth_forms.AddPasskeyForm"}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
USERSESSIONS_ADAPTER = "accounts.sessions.services.SessionsAdapter"
# Staff must have a second factor before the administration opens to them.
ADMIN_MFA_REQUIRED = env.flag("ADMIN_MFA_REQUIRED", default=True)
# What the site is called, and where people write, until the administration says it otherwise (Site).
SITE_NAME = env.text("SITE_NAME", "OpenRummy")
# Where people write who cannot sign in; empty: only who can sign in reaches the staff.
SUPPORT_EMAIL = env.text("SUPPORT_EMAIL")
# Where readers of /docs/ find the code that a document names, without a stroke at the end.
SOURCE_URL = env.text("SOURCE_URL").rstrip("/")
# Who is told when something is off (config/desk/alerts.py): by mail, by a POST of JSON, or nobody.
ALERT_EMAILS: list[str] = env.words("ALERT_EMAILS")
ALERT_WEBHOOK_URL = env.text("ALERT_WEBHOOK_URL")
# Hosts of the operator's own network that webhooks of the administration may post to.
WEBHOOK_INNER_HOSTS: list[str] = env.words("WEBHOOK_INNER_HOSTS")
# Local runs have no mail server: the page after a mailed link shows the link itself.
SHOW_MAIL_LINKS = False
# Whether `manage.py seed_demo` may make accounts with public passwords.
DEMO_DATA = False

# An address of IPv4 may be that of a whole carrier's telephones: allauth's own limits of addresses
# are wider here, those of accounts are as they were (wrong passwords: accounts/sign_in_limits.py).
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "signup": "60/m/ip",
    "reset_password": "100/m/ip,5/m/key",
    "reset_password_from_key": "100/m/ip",
    # Codes of the second factor, for who has shown the password already.
    "login_failed": "100/m/ip,5/5m/key",
}
MFA_RATE_LIMITS = {"webauthn_login": "300/m/ip"}

# --- Money ----------------------------------------------------------------------------------------
WELCOME_CHIPS = env.number("WELCOME_CHIPS", 10_000)
# off: nothing of cash is shown or accepted. sandbox: no real money, for trying it out.
CASH_PLAY = env.text("CASH_PLAY", "off")
# How much of what a player pays in cash may come from the bonus.
CASH_BONUS_BPS = env.number("CASH_BONUS_BPS", 1_000)
# Classes of wallet.payments.base.PaymentProvider. The first takes new payments; the webhooks,
# refunds and payouts of the others still come through.
PAYMENT_PROVIDERS = env.words("PAYMENT_PROVIDERS")
# What a provider has to know, such as its keys: PAYMENT_X of the environment is X here.
PAYMENT_OPTIONS = env.read_prefixed("PAYMENT_")
# This site as its own processes reach it.
OWN_ADDRESS = f"http://127.0.0.1:{env.number('PORT', 8000)}"
# This site as people reach it, without a stroke at the end. Links in mails begin with it: what a
# request calls the site is the sender's choice.
SITE_URL = env.text("SITE_URL").rstrip("/") or next(iter(WEBSOCKET_ORIGINS), OWN_ADDRESS)
# Of one deposit, in paise.
DEPOSIT_LEAST = env.number("DEPOSIT_LEAST", 5_000)
DEPOSIT_MOST = env.number("DEPOSIT_MOST", 1_000_000)
# Once a day a player with less than PRACTICE_CHIPS_BELOW may take PRACTICE_CHIPS more.
PRACTICE_CHIPS = env.number("PRACTICE_CHIPS", 5_000)
PRACTICE_CHIPS_BELOW = env.number("PRACTICE_CHIPS_BELOW", 1_000)

# Accounts that get welcome chips: of one browser in 30 days, and of one address a day (beyond them
# with a confirmed email address). An address of IPv4 may be that of a whole carrier's telephones.
WELCOMES_OF_A_DEVICE = env.number("WELCOMES_OF_A_DEVICE", 5)
WELCOMES_OF_AN_ADDRESS = env.number("WELCOMES_OF_AN_ADDRESS", 50)
# Accounts that take practice chips on one day.
RELOADS_OF_A_DEVICE = env.number("RELOADS_OF_A_DEVICE", 3)
RELOADS_OF_AN_ADDRESS = env.number("RELOADS_OF_AN_ADDRESS", 150)
# What one player may win of another on one day before they sit together no more; all accounts of
# one browser or address count as one player. 0: as much as they like.
CHIPS_BETWEEN_TWO_A_DAY = env.number("CHIPS_BETWEEN_TWO_A_DAY", 20_000)
# At tables for cash with three seats and more.
CASH_ONE_ACCOUNT_PER_ADDRESS = env.flag("CASH_ONE_ACCOUNT_PER_ADDRESS", default=True)

# --- Live play ------------------------------------------------------------------------------------
# At how many tables one player may sit, tournaments not counted.
# Codes of the games that tables and tournaments may be opened for, the usual one first; empty: the
# first one that is installed.
GAMES_OFFERED = env.words("GAMES_OFFERED")
TABLES_AT_ONCE = env.number("TABLES_AT_ONCE", 3)
# Likewise, of tables where a move takes a day; the others do not count.
SLOW_TABLES_AT_ONCE = env.number("SLOW_TABLES_AT_ONCE", 10)
# Of one BOT account, for nothing.
BOT_TABLES_AT_ONCE = env.number("BOT_TABLES_AT_ONCE", 2)
# Of one player, requests to join included; and of one club.
CLUBS_EACH = env.number("CLUBS_EACH", 10)
CLUB_MEMBERS = env.number("CLUB_MEMBERS", 100)
# Sockets of one web process, of one player and of everybody without an account behind one address;
# more are refused before they are opened.
SOCKETS_AT_MOST = env.number("SOCKETS_AT_MOST", 5_000)
SOCKETS_OF_A_PLAYER = env.number("SOCKETS_OF_A_PLAYER", 20)
SOCKETS_OF_AN_ADDRESS = env.number("SOCKETS_OF_AN_ADDRESS", 200)
# What may be said at tables: "all", "phrases" (the quick ones alone) or "off"; and emotes or none.
TABLE_CHAT = env.text("TABLE_CHAT", "all")
TABLE_EMOTES = env.flag("TABLE_EMOTES", default=True)
# Whether practice bots leave a tournament alone that no person has entered, while nobody is signed in.
BOTS_WAIT_FOR_PEOPLE = env.flag("BOTS_WAIT_FOR_PEOPLE", default=False)
# Spectators without a seat are shown the game this much later.
SPECTATOR_DELAY_SECONDS = env.number("SPECTATOR_DELAY_SECONDS", 15)

# Whether the deals of each month are published without names (docs/open-data.md).
OPEN_DATA = env.flag("OPEN_DATA", default=False)

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
MATCHES_ARCHIVED_AFTER_DAYS = env.number("MATCHES_ARCHIVED_AFTER_DAYS", 2)

# --- Language and time ----------------------------------------------------------------------------
LANGUAGE_CODE = "en"
# All languages that have a catalogue (docs/translating.md).
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
# Django writes this one in Latin letters.
LANG_INFO["kn"] = {**LANG_INFO["kn"], "name_local": "ಕನ್ನಡ"}
# Pages in these say that their translation waits for a native speaker's review.
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
# Identity documents and the like: no address leads to them. Several machines need a storage that all of them reach: a
# shared folder, or a bucket.
PRIVATE_FILES = Path(env.text("PRIVATE_FILES", str(VAR_DIR / "private")))
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "private": private_storage(PRIVATE_FILES),
}

# Whether web processes limit requests (config/request_limits.py); one machine's own user is not a flood.
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
        # Leaving for the page of another site begins with a form.
        "form-action": ["'self'", *sign_in.list_origins(SOCIALACCOUNT_PROVIDERS)],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}

# --- Watching -------------------------------------------------------------------------------------
# The token to read /metrics with; without it there is no such page.
METRICS_TOKEN = env.text("METRICS_TOKEN")
