"""The channel layer of the sockets, on Redis or NATS."""
