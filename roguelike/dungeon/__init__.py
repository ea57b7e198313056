"""Ground under one's feet: tiles, levels, what generates them, what lives there."""
