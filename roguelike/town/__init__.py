"""The town of Emberfall: its ground, its people's days, its goods."""
