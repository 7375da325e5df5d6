"""Sign-in by phone number, with a code sent as a text message."""
