"""The wire, as a game uses it: what happened goes out in order, nothing waits for it, nothing is lost or doubled."""

from roguelike.link.link import NOT_YET, Link, State
from roguelike.link.outbox import LIMIT, Outbox
from roguelike.link.request import Conversation, Request, Talk

__all__ = ["LIMIT", "NOT_YET", "Conversation", "Link", "Outbox", "Request", "State", "Talk"]
