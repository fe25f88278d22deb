"""The models that come with the engine: one for small boards, one for large ones.

`goengine learn` makes them; docs/measurements.md has the commands.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from goengine.playouts.patterns import symmetric_codes
from goengine.prediction.features import N_FEATURES, N_SHAPES
from goengine.prediction.shapes import Shapes, new_shapes

MAX_NEARNESS = np.uint64(6)  # along chains: from here on all is far

_FOLDER = Path(__file__).parent
_SMALL, _LARGE = _FOLDER / "small_boards.npz", _FOLDER / "large_boards.npz"


class Model(NamedTuple):
    weights: Any  # by feature
    shapes: Shapes


def model_for(size: int) -> Model:
    """The model for boards of `size`; always the same arrays, nobody writes to them."""
    return load_model(_SMALL if size < 11 else _LARGE)


def fill_model(notes: Any, size: int) -> Shapes:
    """Write the weights for boards of `size` into notes. Returns the large shapes."""
    model = model_for(size)
    notes.feature_weights[:N_FEATURES] = model.weights
    return model.shapes


@functools.cache
def load_model(path: Path) -> Model:
    with np.load(path) as arrays:
        weights = np.zeros(N_FEATURES, np.float32)
        firsts = np.unique(symmetric_codes())
        weights[firsts] = arrays["shapes"]
        weights[:N_SHAPES] = weights[symmetric_codes()]
        weights[N_SHAPES:] = arrays["others"]
        numbers = np.cumsum(arrays["large_shapes"], dtype=np.uint32)
        return Model(weights, new_shapes(numbers, arrays["large_shape_weights"]))


def save_model(path: Path, model: Model) -> None:
    """Half precision; one weight for all views of a shape; numbers of shapes as differences."""
    weights, shapes = model
    is_known = shapes.numbers != 0
    order = np.argsort(shapes.numbers[is_known])
    numbers = shapes.numbers[is_known][order]
    np.savez_compressed(
        path,
        shapes=weights[np.unique(symmetric_codes())].astype(np.float16),
        others=weights[N_SHAPES:].astype(np.float16),
        large_shapes=np.diff(numbers, prepend=np.uint32(0)),
        large_shape_weights=shapes.weights[is_known][order].astype(np.float16),
    )
