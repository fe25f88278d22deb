"""The end of a game: who lives, what is left to be filled, and when to pass."""
