"""Why a socket was closed, which the client's reconnection obeys (docs/protocol.md)."""

from typing import Final

TRY_AGAIN: Final = 1013
SIGNED_OUT: Final = 4401
NO_HELLO: Final = 4402
NOT_ALLOWED: Final = 4403
NOT_FOUND: Final = 4404
TOO_MANY_MESSAGES: Final = 4408
TOO_SLOW: Final = 4409
TAKEN_OVER: Final = 4410
