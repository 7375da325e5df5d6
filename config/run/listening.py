"""The listening socket of the web processes."""

import socket

# Give up a vanished peer after two minutes: 60 s of silence, then 4 probes. With unacknowledged data, give
# up after this many milliseconds.
KEEPALIVE = {
    "TCP_KEEPIDLE": 60,
    "TCP_KEEPINTVL": 15,
    "TCP_KEEPCNT": 4,
    "TCP_USER_TIMEOUT": 120_000,
}


def open_listener(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises OSError if the address cannot be used."""
    listener = socket.socket(get_family(host))
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Accepted connections inherit these options.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE.items():
        if hasattr(socket, option):  # macOS knows only some of them
            listener.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    listener.listen(2048)
    return listener


def get_family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
