"""How often each rule of a playout is asked: parameters, as kernels want them."""

import numpy as np

from goengine.jit import inlined_kernel, kernel
from goengine.randomness import random_below
from goengine.words import U0

RATE_ONE = np.uint64(1 << 16)

# Places in notes.rates.
KO = 0
NAKADE = 1
ATARI = 2
CAPTURE_ONLY = 3
TWO_LIBERTIES = 4
MANY_LIBERTIES = 5
EYE_SAVING = 6
PATTERN = 7
PATTERN_BEFORE = 8
SELF_ATARI = 9
HOPELESS = 10
SURE_CAPTURE = 11
KO_AGE = 12  # moves, no rate
SURE_ATARI = 13
RACE = 14
FIRST_LOOK = 15
SEKI = 16
MAP_MODE = 17  # OFF, ON or REPLIES, no rate; see liberty_maps.py
MAP_FREE = 18
MAP_THRESHOLD = 19  # a mean of values


@inlined_kernel
def happens(board, rate):
    """True as often as the rate says. Draws only where there is something to decide."""
    if rate == U0:
        return False
    return rate >= RATE_ONE or random_below(board, RATE_ONE) < rate


@kernel
def load_rates(notes, parameters):
    """Take the rates as they are now."""
    rates = notes.rates
    rates[KO] = _rate(parameters.ko_rate)
    rates[NAKADE] = _rate(parameters.nakade_rate)
    rates[ATARI] = _rate(parameters.atari_rate)
    rates[CAPTURE_ONLY] = _rate(parameters.capture_only_rate)
    rates[TWO_LIBERTIES] = _rate(parameters.two_liberties_rate)
    rates[MANY_LIBERTIES] = _rate(parameters.many_liberties_rate)
    rates[EYE_SAVING] = _rate(parameters.eye_saving_rate)
    rates[PATTERN] = _rate(parameters.pattern_rate)
    rates[PATTERN_BEFORE] = _rate(parameters.pattern_before_rate)
    rates[SELF_ATARI] = _rate(parameters.self_atari_rate)
    rates[HOPELESS] = _rate(parameters.hopeless_rate)
    rates[SURE_CAPTURE] = _rate(parameters.sure_capture_rate)
    rates[KO_AGE] = np.uint64(parameters.ko_age)
    rates[SURE_ATARI] = _rate(parameters.sure_atari_rate)
    rates[RACE] = _rate(parameters.race_rate)
    rates[FIRST_LOOK] = _rate(parameters.first_look_rate)
    rates[SEKI] = _rate(parameters.seki_rate)
    rates[MAP_MODE] = np.uint64(parameters.liberty_maps)
    rates[MAP_FREE] = _rate(parameters.liberty_map_free)
    rates[MAP_THRESHOLD] = _rate(parameters.liberty_map_threshold)


@inlined_kernel
def _rate(share):
    return np.uint64(share * 65536.0)
