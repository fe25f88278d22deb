"""Playouts: simulated games from a position to its end."""
