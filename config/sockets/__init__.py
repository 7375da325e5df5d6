"""Identity, origin and number of sockets; the socket of a person's open pages."""
