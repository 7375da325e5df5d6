"""Sessions and their revocation, which closes sockets; a recent proof of identity."""
