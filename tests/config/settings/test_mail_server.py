"""Production's connection to the mail server: TLS, STARTTLS or neither."""

import os

import pytest

from tests.programs import run_python

SHOW = (
    "from django.core.mail import get_connection as c; one = c(); print(one.use_ssl, one.use_tls)"
)


@pytest.mark.parametrize(
    ("given", "ssl_and_starttls"),
    [
        ({}, "False True"),
        ({"EMAIL_PORT": "465"}, "True False"),
        ({"EMAIL_PORT": "465", "EMAIL_USE_TLS": "0"}, "False False"),
        ({"EMAIL_PORT": "25", "EMAIL_USE_TLS": "0"}, "False False"),
    ],
)
def test_at_port_465_mail_is_sent_over_tls_from_the_beginning(given, ssl_and_starttls):
    """On port 465, STARTTLS would wait for a plain greeting that never comes (RFC 8314)."""
    deployed = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production", "SECRET_KEY": "x" * 50,
        "ALLOWED_HOSTS": "play.example", "EMAIL_HOST": "mail.example",
        "WEBSOCKET_ORIGINS": "https://play.example", **given,
    }  # fmt: skip
    said = run_python("-c", SHOW, env={**os.environ, **deployed}, check=True)
    assert said.stdout.strip() == ssl_and_starttls
