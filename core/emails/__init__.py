"""E-mails: their texts, and sending them."""

from typing import Final

# No address ends with it (RFC 2606): of guests, bots and those who sign in by phone alone.
NOWHERE: Final = ".invalid"
