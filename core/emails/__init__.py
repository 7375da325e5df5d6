"""E-mails: their texts, and sending them."""

from typing import Final

# A reserved domain (RFC 2606) for the addresses of guests, bots and people who sign in by phone only.
NOWHERE: Final = ".invalid"
