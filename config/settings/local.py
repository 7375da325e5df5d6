"""Settings of bin/run, which provides SECRET_KEY, DATABASE_URL and REDIS_URL."""

import warnings

from config.settings import env
from config.settings.base import *  # noqa: F403 - settings modules extend each other

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = SECRET_KEY or "a key for local runs alone, never for a deployment"
ALLOWED_HOSTS = ALLOWED_HOSTS or ["localhost", "127.0.0.1", "[::1]"]

EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
SHOW_MAIL_LINKS = True
SMS_SENDER = SMS_SENDER or "core.sms.ConsoleSms"

# Serve static files from the source folders and reread them when they change.
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = True
DEMO_DATA = True
# The demo's tournaments begin every few minutes, day and night.
BOTS_WAIT_FOR_PEOPLE = env.flag("BOTS_WAIT_FOR_PEOPLE", default=True)
# The demo's administrator signs in with the password that bin/run prints.
ADMIN_MFA_REQUIRED = env.flag("ADMIN_MFA_REQUIRED", default=False)
CASH_PLAY = env.text("CASH_PLAY", "sandbox")
PAYMENT_PROVIDERS = PAYMENT_PROVIDERS or ["wallet.payments.sandbox.SandboxProvider"]

# Inside a container there may be no user but root.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")
