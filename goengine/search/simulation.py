"""One simulation: down the tree, a playout, and back up.

docs/shared-tree.md is the contract for everything that is written here.
"""

import numpy as np

from goengine.board.moves import play_move, play_pass
from goengine.board.records import BLACK, WHITE
from goengine.jit import (
    atomic_add,
    inlined_kernel,
    kernel,
    load_acquire,
    store_release,
)
from goengine.playouts.liberty_maps import tell_choices
from goengine.playouts.light import play_light
from goengine.playouts.local_value import point_of_sixth
from goengine.playouts.mogo import play_mogo
from goengine.playouts.pachi import play_pachi
from goengine.playouts.rates import load_rates
from goengine.playouts.scoring import count_dame, owner_of, score_area, score_finished
from goengine.randomness import random_below
from goengine.ratings import SIXTHS
from goengine.search.expansion import expand, position_key
from goengine.search.local_trees import force_sequence, tell_sequences
from goengine.search.parameters import MAX_DEPTH, MOGO, NO_KOMI, PACHI
from goengine.search.policies import choose_child
from goengine.search.results import count_result
from goengine.search.situation import end_slice, extra_komi_at
from goengine.search.value_scaling import value_scale_of
from goengine.search.workspace import (
    COLD_ATOMICS,
    DEPTH_SUM,
    HOT_ATOMICS,
    MARGIN_SQUARES,
    MARGIN_SUM,
    MAX_DEPTH_SEEN,
    N_MOVES,
    N_SIMULATIONS,
    WINS_LESS_LOSSES,
)
from goengine.tree.claims import claim_of, is_claim
from goengine.tree.columns import FULL, GATE, GENERATION, START
from goengine.tree.deltas import owe, pay_all
from goengine.tree.packing import BLACK_OWNED, MAX_VISITS, VISIT, WINNER_OWNED, WON, visits_of
from goengine.words import U0, U1, U2, U3, U32

_BLACK = np.uint64(BLACK)
_WHITE = np.uint64(WHITE)
_MAX_DEPTH = np.uint64(MAX_DEPTH)
_GOLDEN_SECTION = np.uint64(0x9E3779B9)  # of 2**32
_LOW_HALF = np.uint64((1 << 32) - 1)


@kernel
def run_simulations(tree, root, space, workers, worker, n_wanted):
    """Add simulations to the tree until there are enough, the gate closes or it is full.

    It is full when rows run out, or the words of its start are about to.

    Returns the number made. Afterwards the worker owes nothing to the tree.
    """
    start = tree.words[START]
    if visits_of(tree.stats[start]) > MAX_VISITS:
        store_release(tree.words, FULL, U1)
    parameters = root.parameters[0]
    position = root.position[0]
    by_territory = position.by_territory != U0
    notes = space.notes[0]
    load_rates(notes, parameters)
    generation = tree.words[GENERATION]
    situation = root.situation.record[0]
    counts = root.situation.counts[worker]
    is_counted = situation.is_counted != U0
    is_shifted = situation.method != NO_KOMI
    space.scale[0] = value_scale_of(parameters, root.boards[0], situation.black_wins)
    claim = claim_of(workers, worker)
    board = space.boards[0]
    n_done = U0
    while n_done < n_wanted:
        if load_acquire(tree.words, GATE) | load_acquire(tree.words, FULL) != U0:
            break
        depth, is_over = descend(tree, root, space, workers, claim, start)
        n_moves = depth
        has_local_trees = parameters.local_tree_rate > 0.0 and not is_over
        if has_local_trees:
            n_moves += force_sequence(root, space, depth)
        leaves_dame = is_over and by_territory
        is_over &= position.counts_as_is != U0
        if is_over:
            margin = score_area(board, space.owners_now, space.points, space.owners)
        else:
            # Where dead stones are taken off at the end, a playout finds them.
            if leaves_dame:
                for point in range(len(space.owners)):
                    space.owners[point] = board.color[point]
            n_moves += _play_out(parameters, space, n_moves)
            margin = score_finished(board, space.owners_now)
            if notes.n_chosen != U0:
                tell_choices(board, notes, space.ratings[0], space.moves, n_moves, generation)
            if has_local_trees:
                tell_sequences(root, space, n_moves, generation)
            if leaves_dame:
                margin -= count_dame(board, space.owners_now, space.points, space.owners)
        if by_territory:
            margin -= _cost_of_stones(root.boards[0].to_play, space, depth)
        komi = position.komi
        if is_counted:
            count_result(counts, space.tally, margin - komi)
        if is_shifted:
            komi += extra_komi_at(situation, parameters, depth)
        _tell_ownership(space, margin - komi)
        back_up(tree, root, space, depth, n_moves, margin - komi, is_over)
        _tell_tally(space.tally, depth, n_moves - depth, margin)
        n_done += U1
    space.tally[HOT_ATOMICS] += np.int64(pay_all(tree, space.deltas) * U2)
    if is_counted:
        end_slice(root)
    return n_done


@inlined_kernel
def _play_out(parameters, space, n_before):
    """To the end of the game, after so many moves of the simulation. Returns the moves made."""
    board = space.boards[0]
    if parameters.playout == PACHI:
        return play_pachi(board, space.notes[0], space.ratings[0], space.moves, n_before)
    if parameters.playout == MOGO:
        return play_mogo(board, space.notes[1], space.moves, n_before)
    return play_light(board, space.moves, n_before)


@inlined_kernel
def _cost_of_stones(color, space, depth):
    """How many more stones black has played in the tree than white, where `color` began.

    Those of the playout cost nothing: both fill what is theirs. It deals out the dame that are
    left almost evenly: half a point off for who begins it makes ties at komi x.5 where all is
    settled, and won 89 of 196 games against none (45 %, 39 to 52).
    """
    cost = 0
    sign = 1 if color == _BLACK else -1
    for ply in range(depth):
        cost += sign if space.moves[ply] != 0 else 0
        sign = -sign
    return cost


@inlined_kernel
def _tell_tally(tally, depth, n_moves, margin):
    tally[N_SIMULATIONS] += 1
    tally[DEPTH_SUM] += np.int64(depth)
    tally[MAX_DEPTH_SEEN] = max(tally[MAX_DEPTH_SEEN], np.int64(depth))
    tally[MARGIN_SUM] += margin
    tally[MARGIN_SQUARES] += margin * margin
    tally[N_MOVES] += np.int64(n_moves)


@inlined_kernel
def _tell_ownership(space, black_margin):
    """Whose every point was in the end, and how much the winner had of it."""
    winner = np.int64(black_margin > 0.0) - np.int64(black_margin < 0.0)
    space.tally[WINS_LESS_LOSSES] += winner
    for point in range(len(space.owners_now)):
        owner = space.owners_now[point]
        space.owners_now[point] = 0
        space.ownership[point] += owner
        space.winners_share[point] += winner * owner


@kernel
def descend(tree, root, space, workers, claim, start):
    """Play from `start` to a leaf on space.boards[0]. Returns depth and whether the game is over.

    Adds the visit to each cold node on the way: the virtual loss.
    """
    parameters = root.parameters[0]
    position = root.position[0]
    board = space.boards[0]
    random = board.random
    space.boards[0] = root.boards[0]
    board.random = random
    hot_visits = np.uint64(parameters.hot_visits)
    expand_visits = np.uint64(parameters.expand_visits)
    n_passes = position.n_passes
    depth = U0
    node = start
    space.path[0] = start
    space.keys[0] = position_key(position, board)
    visits = _visit(tree, space, start, depth, hot_visits)
    while n_passes < U2 and depth < _MAX_DEPTH:
        first = np.uint64(load_acquire(tree.first_child, node))
        if first == U0 or is_claim(first):
            if visits < expand_visits and depth != U0:
                break
            first = expand(tree, root, space, workers, claim, node, depth)
            if first == U0:
                break
        n_children = np.uint64(tree.n_children[node])
        node = choose_child(tree, parameters, first, n_children, visits, board.to_play)
        depth += U1
        space.path[depth] = node
        visits = _visit(tree, space, node, depth, hot_visits)
        move = np.uint64(tree.move[node])
        space.moves[depth - U1] = np.uint16(move)
        if move == U0:
            play_pass(board, board.to_play)
            n_passes += U1
        else:
            play_move(board, move, board.to_play)
            n_passes = U0
        space.keys[depth] = position_key(position, board)
    return depth, n_passes >= U2


@inlined_kernel
def _visit(tree, space, node, depth, hot_visits):
    """Add a visit, or leave it for later if the node is hot. Returns the visits before."""
    visits = visits_of(tree.stats[node])
    is_hot = visits >= hot_visits
    space.owes[depth] = is_hot
    if not is_hot:
        visits = visits_of(atomic_add(tree.stats, node, VISIT))
    return visits


@kernel
def back_up(tree, root, space, depth, n_moves, black_margin, is_over):
    """Tell the result to the nodes of the path and, as AMAF, to their children.

    black_margin    after komi and extra komi
    """
    parameters = root.parameters[0]
    board = space.boards[0]
    root_color = root.boards[0].to_play
    exact_visits = np.uint64(parameters.amaf_exact_visits)
    hot_visits = np.uint64(parameters.hot_visits)
    black_value = _value_of_margin(parameters, board, black_margin, space.scale[0])
    winner = U3  # nobody, after a tie
    if black_margin != 0.0:
        winner = _BLACK if black_margin > 0.0 else _WHITE

    first_by = space.first_by
    first_by[:] = np.uint8(0)
    color = _color_at(root_color, n_moves)
    for index in range(n_moves, depth, -1):
        color = U3 - color
        first_by[space.moves[np.uint64(index) - U1]] = np.uint8(color)
        space.first_at[space.moves[np.uint64(index) - U1]] = np.uint16(index - 1)

    hot, cold = U0, U0
    ply = depth
    while True:
        node = space.path[ply]
        color = _color_at(root_color, ply)
        value = black_value if color == _BLACK else WON - black_value
        visits = visits_of(tree.stats[node])
        if ply < depth:
            first_by[space.moves[ply]] = np.uint8(color)
            space.first_at[space.moves[ply]] = np.uint16(ply)
            weight = _weight_of_amaf(board, visits, exact_visits)
            slope = parameters.amaf_distance / np.float64(np.int64(n_moves - ply + U1))
            told = weight * (VISIT + value)
            n_told = _tell_amaf(tree, space, node, color, told, n_moves, slope)
            if visits >= hot_visits:
                hot += n_told
            else:
                cold += n_told
        owners = U0
        if ply > U0 and space.moves[ply - U1] != 0:
            point = np.uint64(space.moves[ply - U1])
            if parameters.criticality_local != 0.0:
                count = np.uint64(space.tally[N_SIMULATIONS]) if space.owes[ply] else visits
                point = point_of_sixth(board, point, sixth_in_turn(count))
            owner = np.uint64(space.owners[point]) if is_over else owner_of(board, point)
            owners = BLACK_OWNED * (owner & U1) + WINNER_OWNED * np.uint64(owner == winner)
        if space.owes[ply]:
            hot += U2 * owe(tree, space.deltas, node, visits, VISIT + (WON - value), owners)
        else:
            atomic_add(tree.stats, node, WON - value)
            atomic_add(tree.owned, node, owners)
            cold += U3
        if ply == U0:
            break
        ply -= U1
    space.tally[HOT_ATOMICS] += np.int64(hot)
    space.tally[COLD_ATOMICS] += np.int64(cold)


@inlined_kernel
def sixth_in_turn(count):
    """Which sixth of a local value a visit tells of, by a count that grows from visit to visit.

    Each comes as often as the others. Steps of the golden section see to it that the same is true
    of every second count, of every third ...
    """
    return ((count * _GOLDEN_SECTION) & _LOW_HALF) * SIXTHS >> U32


@inlined_kernel
def _color_at(root_color, ply):
    """Who is to play after `ply` moves: they alternate, passes too."""
    return root_color if ply & U1 == U0 else U3 - root_color


@inlined_kernel
def _weight_of_amaf(board, visits, exact_visits):
    """How many times this visit counts for AMAF.

    docs/shared-tree.md, "Contention": of a node with many visits only one in `weight`
    tells, and counts so many times; the others not at all.
    """
    weight = U1
    while visits > exact_visits * weight:
        weight *= U2
    if weight > U1 and random_below(board, weight) != U0:
        return U0
    return weight


@inlined_kernel
def _tell_amaf(tree, space, node, color, told, n_moves, slope):
    """Add to the children of `node` whose point `color` took first. Returns their number.

    A move counts the more often the earlier it came: `slope` for each move after it.

    Whether a point was taken is as good as random: listing the places without a branch
    and adding afterwards takes two thirds of the time of doing both at once.
    """
    if told == U0:
        return U0
    first = np.uint64(tree.first_child[node])
    moves = tree.move[first : first + np.uint64(tree.n_children[node])]
    n_told = U0
    for place in range(len(moves)):
        point = moves[place]
        space.points[n_told] = np.uint16(place)
        n_told += np.uint64((space.first_by[point] == color) & (point != 0))
    if slope == 0.0:
        for index in range(n_told):
            atomic_add(tree.amaf, first + np.uint64(space.points[index]), told)
        return n_told
    for index in range(n_told):
        place = np.uint64(space.points[index])
        n_later = np.int64(n_moves) - np.int64(space.first_at[moves[place]])
        times = U1 + np.uint64(np.int64(slope * np.float64(n_later)))
        atomic_add(tree.amaf, first + place, told * times)
    return n_told


@inlined_kernel
def _value_of_margin(parameters, board, margin, scale):
    """Black's value, 0 to WON (Baudiš 2011, Algorithm 2), rounded at random without bias."""
    result = 0.5
    if margin > 0.0:
        result = 1.0
    elif margin < 0.0:
        result = 0.0
    score = max(-1.0, min(1.0, margin / parameters.value_range))
    value = result * (1.0 - 2.0 * scale) + scale + scale * score
    noise = np.float64(np.int64(random_below(board, np.uint64(65536)))) / 65536.0
    return np.uint64(np.int64(value * 256.0 + noise))
