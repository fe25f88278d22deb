"""What a player sees around a chain or a point, without a search of the whole game."""
