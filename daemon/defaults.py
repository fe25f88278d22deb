"""What a session is when the client does not say; free of heavy imports, for help texts."""

BEST_ENGINE = "mcts"
PLAYOUTS = 50_000  # a move
RULES = "chinese"
