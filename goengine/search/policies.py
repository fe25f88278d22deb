"""Tree policies: which child a simulation goes to.

Every child is looked at once, in the order of its block; the first of the best is
taken. Values are those of the player who chooses.
"""

import math

import numpy as np

from goengine.board.records import BLACK
from goengine.jit import bits_of, float_of_small, inlined_kernel, kernel
from goengine.search.criticality import criticality_of
from goengine.search.parameters import RAVE, UCB1
from goengine.tree.packing import PRIOR_MASK, PRIOR_ONE, WON, value_of, visits_of
from goengine.words import U0, U16

_BLACK = np.uint64(BLACK)
# More than a node can have children.
_PLACE_MASK = np.int64(1023)
_NOTHING_KNOWN = 1e-9  # half of a visit so small that it only tells where there is no other
_VALUE_UNIT = 1.0 / float(WON)
_PRIOR_UNIT = 1.0 / float(PRIOR_ONE)


@inlined_kernel
def choose_child(tree, parameters, first, n_children, parent_visits, color):
    """The row of the child that `color` visits next."""
    is_critical = parameters.criticality != 0.0 and (
        parent_visits >= np.uint64(parameters.criticality_visits)
    )
    if parameters.policy == RAVE:
        if parameters.rave_exploration != 0.0:
            return choose_rave_exploring(tree, parameters, first, n_children, parent_visits)
        if is_critical:
            return choose_rave_critical(tree, parameters, first, n_children, color == _BLACK)
        return choose_rave(tree, parameters, first, n_children)
    if is_critical:
        is_black = color == _BLACK
        return choose_ucb_critical(tree, parameters, first, n_children, parent_visits, is_black)
    return choose_ucb(tree, parameters, first, n_children, parent_visits)


@inlined_kernel
def _visits_with_prior(word, prior):
    return float_of_small(visits_of(word)) + float_of_small(prior >> U16) * _PRIOR_UNIT


@inlined_kernel
def _amaf_value(amaf):
    return float_of_small(value_of(amaf)) * _VALUE_UNIT


@inlined_kernel
def _rave_mean(word, n_amaf, amaf_value, prior, share):
    """With n visits of value w (both with the prior) and a AMAF visits of value v, and
    k = 1 + a / rave_equivalent, beta = a / (a + n k) gives the mean
    beta v / a + (1 - beta) w / n = (k w + v) / (k n + a).
    """
    n = _visits_with_prior(word, prior)
    w = float_of_small(value_of(word)) * _VALUE_UNIT + (
        float_of_small(prior & PRIOR_MASK) * _PRIOR_UNIT
    )
    k = 1.0 + n_amaf * share
    value = k * w + amaf_value
    return (value + _NOTHING_KNOWN) / (k * n + n_amaf + 2.0 * _NOTHING_KNOWN)


@kernel
def choose_rave(tree, parameters, first, n_children):
    """Baudiš 2011, 2.3.3 and 3.3: own and AMAF results mixed, no exploration term.

    The bits of a float from 0 on are in the order of its value: with the place of the
    child in the lowest ones, the best child is a maximum of integers. Written like this
    the loop is vectorised, three times as fast as comparing floats one by one.
    """
    share = 1.0 / parameters.rave_equivalent
    stats = tree.stats[first : first + n_children]
    amafs = tree.amaf[first : first + n_children]
    priors = tree.prior[first : first + n_children]
    best = np.int64(-1)
    for place in range(len(stats)):
        n_amaf, value = float_of_small(visits_of(amafs[place])), _amaf_value(amafs[place])
        mean = _rave_mean(stats[place], n_amaf, value, np.uint64(priors[place]), share)
        best = max(best, (bits_of(mean) & ~_PLACE_MASK) | (_PLACE_MASK - np.int64(place)))
    return first + np.uint64(_PLACE_MASK - (best & _PLACE_MASK))


@kernel
def choose_rave_critical(tree, parameters, first, n_children, is_black):
    """The same where criticality adds to the AMAF results; black, or white, chooses.

    Baudiš 2011, 5.2: a child of criticality C gets |C| times its AMAF visits more of them, won if
    owning its point goes with winning (C > 0), lost if it goes with losing. Values and C are both
    from the chooser's view, so nothing is turned round for white.
    """
    share = 1.0 / parameters.rave_equivalent
    factor = parameters.criticality
    least = parameters.criticality_visits
    stats = tree.stats[first : first + n_children]
    amafs = tree.amaf[first : first + n_children]
    owned = tree.owned[first : first + n_children]
    priors = tree.prior[first : first + n_children]
    best = np.int64(-1)
    for place in range(len(stats)):
        word = stats[place]
        weight = factor if float_of_small(visits_of(word)) >= least else 0.0
        critical = weight * criticality_of(word, owned[place], is_black)
        n_amaf, value = float_of_small(visits_of(amafs[place])), _amaf_value(amafs[place])
        value += n_amaf * max(0.0, critical)
        n_amaf += n_amaf * abs(critical)
        mean = _rave_mean(word, n_amaf, value, np.uint64(priors[place]), share)
        best = max(best, (bits_of(mean) & ~_PLACE_MASK) | (_PLACE_MASK - np.int64(place)))
    return first + np.uint64(_PLACE_MASK - (best & _PLACE_MASK))


@kernel
def choose_rave_exploring(tree, parameters, first, n_children, parent_visits):
    """The same with a bound on top, as in Baudiš 2011, Table 3.1; visits are with the prior."""
    share = 1.0 / parameters.rave_equivalent
    log_parent = math.log(max(np.float64(np.int64(parent_visits)), 1.0))
    best = first
    best_value = -1.0
    for child in range(first, first + n_children):
        word = tree.stats[child]
        prior = np.uint64(tree.prior[child])
        n = _visits_with_prior(word, prior) + 2.0 * _NOTHING_KNOWN
        bound = parameters.rave_exploration * math.sqrt(log_parent / n)
        amaf = tree.amaf[child]
        n_amaf, amaf_value = float_of_small(visits_of(amaf)), _amaf_value(amaf)
        value = _rave_mean(word, n_amaf, amaf_value, prior, share) + bound
        if value > best_value:
            best, best_value = child, value
    return best


@kernel
def choose_ucb(tree, parameters, first, n_children, parent_visits):
    """UCB1, or UCB1-TUNED as in Gelly et al. 2006, 4.2; without priors, with FPU (3.4)."""
    log_parent = math.log(max(np.float64(np.int64(parent_visits)), 1.0))
    best = first
    best_value = -1.0
    for child in range(first, first + n_children):
        value = _upper_bound(parameters, tree.stats[child], log_parent)
        if value > best_value:
            best, best_value = child, value
    return best


@kernel
def choose_ucb_critical(tree, parameters, first, n_children, parent_visits, is_black):
    """The same with twice Pellegrino's covariance added (2009; Baudiš 2011, 5.2), which is C."""
    log_parent = math.log(max(np.float64(np.int64(parent_visits)), 1.0))
    least = np.uint64(parameters.criticality_visits)
    best = first
    best_value = -math.inf
    for child in range(first, first + n_children):
        word = tree.stats[child]
        value = _upper_bound(parameters, word, log_parent)
        if visits_of(word) >= least:
            critical = criticality_of(word, tree.owned[child], is_black)
            value += parameters.criticality * critical
        if value > best_value:
            best, best_value = child, value
    return best


@inlined_kernel
def _upper_bound(parameters, word, log_parent):
    """Of the tuned bound's variance only the part that the mean tells is there: for
    results of 0 and 1 it is the whole of it, and by value scaling it is a little less.
    """
    visits = visits_of(word)
    if visits == U0:
        return parameters.first_play_urgency
    n = np.float64(np.int64(visits))
    mean = np.float64(np.int64(value_of(word))) * _VALUE_UNIT / n
    rate = log_parent / n
    if parameters.policy == UCB1:
        return mean + parameters.exploration * math.sqrt(rate)
    variance = mean * (1.0 - mean) + math.sqrt(2.0 * rate)
    bound = math.sqrt(rate * min(0.25, variance))
    return mean + parameters.tuned_exploration * bound
