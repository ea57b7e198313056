"""Things: what kinds there are and what they are good for."""

from roguelike.goods.catalogue import KINDS
from roguelike.goods.kind import Kind

__all__ = ["KINDS", "Kind"]
