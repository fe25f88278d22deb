"""Monte Carlo tree search on the shared tree."""
