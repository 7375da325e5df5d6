"""Settings of the test suite. bin/test provides DATABASE_OWNER_URL and REDIS_URL of temporary servers."""

import os

from config.settings.pairs import servers_of_worker

os.environ.update(servers_of_worker(os.environ))  # before the settings look at them

from config.settings import env
from config.settings.base import *  # noqa: F403 - settings modules extend each other

SECRET_KEY = "only for tests"
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]

# The suite creates the database as its owner; tests/conftest.py then switches every connection to the
# application's role, as in production.
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
# Most tests are about what pages do; tests/config/test_administration.py turns it on.
ADMIN_MFA_REQUIRED = False
SMS_SENDER = "core.sms.ConsoleSms"
CASH_PLAY = "sandbox"
PAYMENT_PROVIDERS = ["wallet.payments.sandbox.SandboxProvider"]
# Most tests are about what is sent, not when; tests/tables/live/test_presence.py sets a delay.
SPECTATOR_DELAY_SECONDS = 0
