"""Analysis of game records."""
