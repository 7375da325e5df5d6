"""A network of its own for a rehearsal, so that its ports and addresses are nobody else's. Needs root."""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

# The address of this process, and of the machines that it starts, in that network.
ADDRESS = "10.79.0.2"
MAKE = f"""
ip netns add rehearsal
ip link add rehearsal type veth peer name uplink netns rehearsal
ip address add 10.79.0.1/24 dev rehearsal
ip link set rehearsal up
ip -n rehearsal link set lo up
ip -n rehearsal address add {ADDRESS}/24 dev uplink
ip -n rehearsal link set uplink up
ip -n rehearsal route add default via 10.79.0.1
iptables -t nat -I POSTROUTING -s 10.79.0.0/24 -j MASQUERADE
iptables -I FORWARD -i rehearsal -j ACCEPT
iptables -I FORWARD -o rehearsal -j ACCEPT
"""
REMOVE = """
iptables -D FORWARD -o rehearsal -j ACCEPT
iptables -D FORWARD -i rehearsal -j ACCEPT
iptables -t nat -D POSTROUTING -s 10.79.0.0/24 -j MASQUERADE
ip netns del rehearsal
ip link del rehearsal
"""
FORWARDING = Path("/proc/sys/net/ipv4/ip_forward")
OF_THIS_THREAD = Path("/proc/thread-self/ns/net")


@contextmanager
def own_network() -> Iterator[None]:
    """Move this process, and what it starts from now on, into a network that reaches the world through this host."""
    forwarding = FORWARDING.read_text()
    _remove()  # what a rehearsal that was broken off has left
    subprocess.run(["bash", "-ec", MAKE], check=True)
    FORWARDING.write_text("1")
    with OF_THIS_THREAD.open() as before:
        try:
            with Path("/run/netns/rehearsal").open() as own:
                _enter(own)
            yield
        finally:
            _enter(before)
            FORWARDING.write_text(forwarding)
            _remove()


def _remove() -> None:
    subprocess.run(["bash", "-c", REMOVE], check=False, stderr=subprocess.DEVNULL)


def _enter(network: IO[str]) -> None:
    """Move this thread, as Python can from 3.12 on."""
    if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
