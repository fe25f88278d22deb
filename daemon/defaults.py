"""What a session is when the client does not say; free of heavy imports, for help texts."""

BEST_ENGINE = "montecarlo"
PLAYOUTS = 50_000  # a move
RULES = "chinese"
