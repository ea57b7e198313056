"""What the bridge answers a client, and what a client tells its game."""

from __future__ import annotations

from npc_memory.errors.base import NpcMemoryError

__all__ = [
    "BridgeError",
    "ConnectionLost",
    "FrameInvalid",
    "HelloFirst",
    "Internal",
    "NotAvailable",
    "PortTaken",
    "ProtocolUnsupported",
    "TokenRequired",
]


class BridgeError(NpcMemoryError):
    """The bridge could not serve a client."""

    code = "bridge_error"


class FrameInvalid(BridgeError):
    """A frame that cannot be read: not decodable, no map, without type or id, or of a type nobody knows."""

    code = "bad_frame"


class HelloFirst(BridgeError):
    """The first frame of a connection must be a ``hello``; only ``ping`` may come before it."""

    code = "hello_first"


class ProtocolUnsupported(BridgeError):
    """The client speaks another version of the wire protocol."""

    code = "protocol_unsupported"


class TokenRequired(BridgeError):
    """The launch token is missing or wrong."""

    code = "token_required"


class NotAvailable(BridgeError):
    """A frame of the protocol that this version does not serve yet."""

    code = "not_available"


class PortTaken(BridgeError):
    """The address to listen on is in use or may not be used."""

    code = "port_taken"


class ConnectionLost(BridgeError):
    """The bridge went away before it answered."""

    code = "connection_lost"


class Internal(BridgeError):
    """A fault of ours; what happened is in the bridge's log."""

    code = "internal"
