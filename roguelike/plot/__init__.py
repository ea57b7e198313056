"""Who killed the king: what people know, what they want first, what holds before a court, how it can end."""
