"""What the board does not know: rules, the history of a game, handicap, the score."""
