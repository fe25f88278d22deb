"""Players: an engine looks at a game and chooses a move."""

from __future__ import annotations

from goengine.engines.engine import Engine
from goengine.engines.mcts import MctsEngine
from goengine.engines.montecarlo import MonteCarloEngine
from goengine.engines.uniform import RandomEngine

_ENGINES: dict[str, type[Engine]] = {
    "random": RandomEngine,
    "montecarlo": MonteCarloEngine,
    "mcts": MctsEngine,
}
ENGINE_NAMES = tuple(_ENGINES)


def make_engine(name: str, seed: int, playouts: int) -> Engine:
    """Raises ValueError for an unknown name or a number of playouts below 1."""
    if name not in _ENGINES:
        raise ValueError(f"no engine {name!r}; the engines are {', '.join(ENGINE_NAMES)}")
    if playouts < 1:
        raise ValueError(f"playouts must be at least 1, not {playouts}")
    return _ENGINES[name](seed, playouts)
