"""Text messages to phones, sent through the class in SMS_SENDER.

A job sends them, so that no page waits for the provider. Nothing is stored: a person who needs a message
again requests a new one.
"""

import logging
from typing import Final, Protocol

import requests
from django.conf import settings
from django.utils.module_loading import import_string

log = logging.getLogger(__name__)

_SECONDS_TO_ANSWER: Final = 10
# Digits of a number that logs may show: enough to find it in the provider's list.
_DIGITS_LOGGED: Final = 3


class SmsSender(Protocol):
    """Sends `text` to a number in international form, "+919876543210". Raises requests.RequestException."""

    def send(self, number: str, text: str) -> None: ...


class ConsoleSms:
    """Writes messages to the log instead of sending them, for a local run."""

    def send(self, number: str, text: str) -> None:
        log.info("To …%s: %s", number[-_DIGITS_LOGGED:], text)


class TwilioSms:
    """Sends messages through Twilio's API (https://www.twilio.com/docs/messaging/api/message-resource)."""

    def send(self, number: str, text: str) -> None:
        options = settings.SMS_OPTIONS
        account = options["ACCOUNT"]
        address = options.get("ADDRESS", "https://api.twilio.com").rstrip("/")
        answer = requests.post(
            f"{address}/2010-04-01/Accounts/{account}/Messages.json",
            data={"To": number, "From": options["FROM"], "Body": text},
            auth=(account, options["TOKEN"]),
            timeout=_SECONDS_TO_ANSWER,
        )
        answer.raise_for_status()
        log.info("A message to …%s was taken", number[-_DIGITS_LOGGED:])


def sms_is_on() -> bool:
    """Return whether this site can send text messages."""
    return bool(settings.SMS_SENDER)


def send_sms(number: str, text: str) -> None:
    """Send a message now. Raises requests.RequestException."""
    sender: SmsSender = import_string(settings.SMS_SENDER)()
    sender.send(number, text)
