"""The test suite: bin/test provides DATABASE_OWNER_URL and REDIS_URL of throw-away servers."""

import os

from config.settings.pairs import servers_of_worker

os.environ.update(servers_of_worker(os.environ))  # before the settings look at them

from config.settings import env
from config.settings.base import *  # noqa: F403 - settings modules extend each other

SECRET_KEY = "only for tests"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]

# The suite makes the database as its owner; tests/conftest.py then turns every connection of the
# tests into the application role, as which the product runs.
DATABASES = {
    "default": env.database(
        env.text("DATABASE_OWNER_URL", "postgresql://localhost/openrummy"), options={}
    )
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *PASSWORD_HASHERS[1:]]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = True
LOGGING["root"]["level"] = "WARNING"
DEMO_DATA = True
SITE_URL = "http://testserver"
# Most tests look at what the pages do; tests/config/test_administration.py asks for it.
ADMIN_MFA_REQUIRED = False
SMS_SENDER = "core.sms.ConsoleSms"
CASH_PLAY = "sandbox"
PAYMENT_PROVIDERS = ["wallet.payments.sandbox.SandboxProvider"]
# Most tests look at what is sent, not at when; tests/tables/live/test_presence.py sets a delay.
SPECTATOR_DELAY_SECONDS = 0
