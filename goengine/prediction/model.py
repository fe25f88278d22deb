"""The models that come with the engine: one for small boards, one for large ones.

`goengine learn` makes them; docs/measurements.md has the commands.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from goengine.playouts.patterns import symmetric_codes
from goengine.prediction.features import N_FEATURES, N_SHAPES

MAX_NEARNESS = np.uint64(6)  # along chains: from here on all is far

_FOLDER = Path(__file__).parent
_SMALL, _LARGE = _FOLDER / "small_boards.npz", _FOLDER / "large_boards.npz"


def fill_model(notes: Any, size: int) -> None:
    """Write the weights for boards of `size` into notes."""
    notes.feature_weights[:N_FEATURES] = _load(_SMALL if size < 11 else _LARGE)


@functools.cache
def _load(path: Path) -> Any:
    with np.load(path) as arrays:
        shapes, others = arrays["shapes"], arrays["others"]
    weights = np.zeros(N_FEATURES, np.float32)
    firsts = np.unique(symmetric_codes())
    weights[firsts] = shapes
    weights[:N_SHAPES] = weights[symmetric_codes()]
    weights[N_SHAPES:] = others
    return weights


def save_model(path: Path, weights: Any) -> None:
    """Half precision, one weight for all views of a shape."""
    firsts = np.unique(symmetric_codes())
    np.savez_compressed(
        path,
        shapes=weights[firsts].astype(np.float16),
        others=weights[N_SHAPES:].astype(np.float16),
    )
