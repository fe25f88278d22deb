"""The search with a stopwatch in it."""
