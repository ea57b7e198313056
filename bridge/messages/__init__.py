"""Every frame of the wire as a pydantic model, and the two unions tagged by ``type``.

Rules of evolution: fields are added, never renamed or re-used; unknown fields are ignored.
"""

from bridge.messages import client, server
from bridge.messages.client import *  # noqa: F403
from bridge.messages.fields import MAX_TEXT_BYTES, Frame
from bridge.messages.server import *  # noqa: F403

__all__ = ["MAX_TEXT_BYTES", "Frame"]
__all__ += client.__all__
__all__ += server.__all__
