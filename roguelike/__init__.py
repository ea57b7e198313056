"""Emberfall, a roguelike whose people remember: it plays over the bridge, as any engine would."""
