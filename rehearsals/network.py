"""Networks for rehearsals. Their ports and addresses are their own, and they reach the internet through this host.

They need root.
"""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Network
from pathlib import Path
from typing import IO

# A network for this process: its address there, which machines that it starts share.
ADDRESS = "10.79.0.2"
OWN = f"""
ip netns add rehearsal
ip link add rehearsal type veth peer name uplink netns rehearsal
ip address add 10.79.0.1/24 dev rehearsal
ip link set rehearsal up
ip -n rehearsal link set lo up
ip -n rehearsal address add {ADDRESS}/24 dev uplink
ip -n rehearsal link set uplink up
ip -n rehearsal route add default via 10.79.0.1
"""
WITHOUT_OWN = """
ip netns del rehearsal
ip link del rehearsal
"""
# A network of machines with addresses. This host is their router, and the simulated people come from PEOPLE.
BRIDGE, GATEWAY, PEOPLE = "br-rehearsal", "10.77.0.1", IPv4Network("10.77.128.0/17")
# The bridge would otherwise take the hardware address of a machine, and change it when that machine is lost.
OF_MACHINES = f"""
ip link add {BRIDGE} address 02:00:0a:4d:00:01 type bridge
ip address add {GATEWAY}/24 dev {BRIDGE}
ip link set {BRIDGE} up
ip route add local {PEOPLE} dev lo
"""
WITHOUT_MACHINES = f"""
ip route del local {PEOPLE} dev lo
ip link del {BRIDGE}
"""
WAY_OUT = """
iptables -t nat -{verb} POSTROUTING -s {source} ! -o {device} -j MASQUERADE
iptables -{verb} FORWARD -i {device} -j ACCEPT
iptables -{verb} FORWARD -o {device} -j ACCEPT
"""
FORWARDING = Path("/proc/sys/net/ipv4/ip_forward")
OF_THIS_THREAD = Path("/proc/thread-self/ns/net")


@contextmanager
def own_network() -> Iterator[None]:
    """Move this process, and every process that it starts from now on, into a network of its own."""
    with (
        _network(OWN, WITHOUT_OWN, "10.79.0.0/24", "rehearsal"),
        OF_THIS_THREAD.open() as before,
        Path("/run/netns/rehearsal").open() as own,
    ):
        _enter(own)
        try:
            yield
        finally:
            _enter(before)


@contextmanager
def network_of_machines() -> Iterator[None]:
    """Create a network for machines with addresses, and remove it afterwards."""
    with _network(OF_MACHINES, WITHOUT_MACHINES, "10.77.0.0/24", BRIDGE):
        yield


@contextmanager
def _network(make: str, remove: str, source: str, device: str) -> Iterator[None]:
    def take_away() -> None:
        script = WAY_OUT.format(verb="D", source=source, device=device) + remove
        subprocess.run(["bash", "-c", script], check=False, stderr=subprocess.DEVNULL)

    forwarding = FORWARDING.read_text()
    take_away()  # the network that an interrupted rehearsal has left
    script = make + WAY_OUT.format(verb="I", source=source, device=device)
    subprocess.run(["bash", "-ec", script], check=True)
    FORWARDING.write_text("1")
    try:
        yield
    finally:
        FORWARDING.write_text(forwarding)
        take_away()


def _enter(network: IO[str]) -> None:
    """Move this thread into a network namespace. From 3.12 on Python has `os.setns` for it."""
    if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
