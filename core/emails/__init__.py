"""E-mails to players: their texts, and sending them. A service writes one by `write_mail` (core/emails/texts.py)."""

from typing import Final

# A reserved domain (RFC 2606) for the addresses of guests, bots and people who sign in by phone only.
NOWHERE: Final = ".invalid"
# So that nobody's automatic answer is sent back to a program (RFC 3834, 5).
BY_A_PROGRAM: Final = {"Auto-Submitted": "auto-generated"}
