"""Authentication, origin and limits of sockets, and the socket for a person's open pages."""
