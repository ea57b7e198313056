"""Where the bridge may listen, and whether it can."""

from __future__ import annotations

import errno
import ipaddress
import socket
import sys
from typing import Any

from npc_memory.errors import PortTaken, TokenRequired

__all__ = ["check_address", "check_port", "is_loopback", "not_listening"]


def check_address(host: str, token: str) -> None:
    """Raise ``TokenRequired`` for an address that others can reach without a token."""
    if not is_loopback(host) and not token:
        raise TokenRequired(
            f"{host or 'every address'} can be reached from other machines, so a token is needed",
            hint="give --token (or NPC_MEMORY_TOKEN), or listen on 127.0.0.1",
        )


def check_port(host: str, port: int) -> None:
    """Raise ``PortTaken`` when ``port`` cannot be listened on now. So it is known before a model is loaded for it."""
    try:
        addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, OverflowError) as error:
        raise not_listening(host, port, error) from error
    found = [_probe(family, address) for family, _, _, _, address in addresses]
    failed = [error for error in found if error is not None]
    # An address family that this machine does not have is no matter as long as another can be listened on.
    taken = [error for error in failed if error.errno in (errno.EADDRINUSE, errno.EACCES)]
    if taken or len(failed) == len(found):
        raise not_listening(host, port, (taken or failed)[0])


def _probe(family: int, address: tuple[Any, ...]) -> OSError | None:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # what asyncio does too
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            probe.bind(address)
    except OSError as error:
        return error
    return None


def not_listening(host: str, port: int, error: Exception) -> PortTaken:
    """The error that tells why ``host``:``port`` cannot be listened on."""
    reason = getattr(error, "strerror", None) or str(error)
    return PortTaken(
        f"cannot listen on {host}:{port}: {reason}",
        hint="name another --port (0 takes any free one), or end the program that uses this one",
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
