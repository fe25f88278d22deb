"""What one simulation must have done to a tree, worked out on whole positions by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from goengine.board import BLACK, WHITE
from goengine.points import PASS, all_points, row_column
from goengine.rules.game import Game
from goengine.search.parameters import LINEAR, RAVE
from goengine.search.workspace import (
    DEPTH_SUM,
    MARGIN_SUM,
    N_MOVES,
    N_SIMULATIONS,
    REAL_WINS,
)
from goengine.tree.columns import ROOT
from tests.search.searches import PRIORS, OneWorker, children_of
from tests.twins.naive_game import NaiveGame, neighbors

VISIT, WON = 1 << 36, 256


@dataclass
class Simulation:
    """One that was made: nodes from the root to the leaf, and every move of the game."""

    path: list[int]
    moves: list[int]
    margin: int  # of black, before the root's komi, as the worker's tally has it


def naive_game_of(game: Game, color: int) -> NaiveGame:
    """The same history, `color` to move."""
    twin = NaiveGame(game.size, game.rules)
    setup = bytearray(twin.position)
    for stones, stone_color in ((game.setup_black, BLACK), (game.setup_white, WHITE)):
        for stone in stones:
            setup[twin._index(stone)] = stone_color
    twin.position, twin.to_play = bytes(setup), game.first_to_play
    twin.positions, twin.situations = {twin.position}, {(twin.position, twin.to_play)}
    twin.captures = {BLACK: game.prisoners_before[0], WHITE: game.prisoners_before[1]}
    for move in game.moves:
        twin.play(*move)
    if twin.to_play != color:
        twin.before_last_stone = None
        twin.to_play = color
        twin.situations.add((twin.position, color))
    return twin


def is_naive_eye(twin: NaiveGame, point: int, color: int) -> bool:
    row, column = row_column(point, twin.size)

    def at(up: int, right: int) -> int | None:
        if not (0 <= row + up < twin.size and 0 <= column + right < twin.size):
            return None
        return twin.position[(row + up) * twin.size + column + right]

    if any(at(*side) not in (None, color) for side in ((1, 0), (-1, 0), (0, 1), (0, -1))):
        return False
    corners = [at(up, right) for up in (-1, 1) for right in (-1, 1)]
    return corners.count(3 - color) < (1 if None in corners else 2)


def is_naive_self_atari(twin: NaiveGame, point: int, color: int) -> bool:
    """Has the chain of a stone there one liberty?"""
    after = twin.try_move(color, point)[0]
    row, column = row_column(point, twin.size)
    chain, liberties = [row * twin.size + column], set()
    for stone in chain:  # grows meanwhile
        for beside in neighbors(twin.size)[stone]:
            if not after[beside]:
                liberties.add(beside)
            elif after[beside] == color and beside not in chain:
                chain.append(beside)
    return len(liberties) == 1


def naive_moves(twin: NaiveGame, with_eyes: bool) -> set[int]:
    """The moves that get a node: legal, no suicide, perhaps no own eye; and a pass."""
    color = twin.to_play
    return {PASS} | {
        point
        for point in all_points(twin.size)
        if twin.is_legal(color, point)
        and twin.try_move(color, point)[2] == 0
        and (with_eyes or not is_naive_eye(twin, point, color))
    }


def amaf_weight(distance: float, n_before: int, n_moves: int, place: int) -> int:
    """How often a move counts: once, and more the more of the game comes after it.

    The `place`-th move of `n_moves`, for a node that `n_before` moves lead to. Multiplied in
    this order: 1 / 49 * 49 is less than 1.
    """
    return 1 + int(distance / (n_moves - n_before + 1) * (n_moves - place))


def owners_by_area(twin: NaiveGame) -> list[int]:
    """Who has each point; a region belongs to the colour that alone is beside it."""
    owners = list(twin.position)
    for start, color in enumerate(twin.position):
        if color:
            continue
        region, borders, waiting = {start}, set(), [start]
        while waiting:
            for beside in neighbors(twin.size)[waiting.pop()]:
                if twin.position[beside]:
                    borders.add(twin.position[beside])
                elif beside not in region:
                    region.add(beside)
                    waiting.append(beside)
        owners[start] = borders.pop() if len(borders) == 1 else 0
    return owners


def owners_by_neighbors(twin: NaiveGame) -> list[int]:
    """Who has each point of a finished playout."""
    owners = list(twin.position)
    for start, color in enumerate(twin.position):
        beside = {twin.position[place] for place in neighbors(twin.size)[start]} - {0}
        if not color:
            owners[start] = beside.pop() if len(beside) == 1 else 0
    return owners


def dame_before(size: int, before: bytes, owners: list[int]) -> list[int]:
    """Points that were empty, and ways to stones of both colours that have stood since."""
    living = {place for place, color in enumerate(before) if color and owners[place] == color}
    found = []
    for start, color in enumerate(before):
        if color:
            continue
        region = [start]
        for place in region:  # grows meanwhile
            region += [
                beside
                for beside in neighbors(size)[place]
                if not before[beside] and beside not in region
            ]
        borders = {before[at] for place in region for at in neighbors(size)[place] if at in living}
        if borders == {BLACK, WHITE}:
            found.append(start)
    return found


def stones_ahead(twin: NaiveGame) -> int:
    """Black's stones less white's, those that were taken included."""
    on_board = twin.position.count(BLACK) - twin.position.count(WHITE)
    return on_board + twin.captures[WHITE] - twin.captures[BLACK]


class Watcher:
    """Asks for one simulation after the other and compares what the tree became."""

    def __init__(
        self,
        search: OneWorker,
        game: Game,
        color: int | None = None,
        owners_at_the_end: bool = False,
    ) -> None:
        """With `owners_at_the_end`, compare owners also where two passes ended the game."""
        self.search = search
        self._owners_at_the_end = owners_at_the_end
        self._by_territory = game.rules.scoring == "territory"
        self.komi = game.white_bonus
        if self._by_territory:
            self.komi += stones_ahead(naive_game_of(game, color or game.to_play))
        self.n_passes = int(game.moves[-1:] == [(3 - (color or game.to_play), PASS)])
        self._game, self._color = game, color or game.to_play
        parameters = search.memory.parameters[0]
        self._has_priors = bool(parameters.policy == RAVE)
        self._with_eyes = bool(self._has_priors and parameters.eye_prior > 0)
        self._counts_as_is = game.rules.name in ("tromp-taylor", "cgos")
        self.n_over = 0
        self.n_with_dame = 0
        self.n_ties = 0
        self.n_eyes = 0
        self.weights: set[int] = set()  # with which AMAF was told
        self.sixths: set[int] = set()  # of local values, that were told
        self.scale = float(parameters.value_scale)

    def step(self) -> Simulation:
        tree = self.search.tree
        used = tree.n_used
        before = {name: getattr(tree, name).copy() for name in ("stats", "amaf", "owned")}
        for column in before.values():
            column[used:] = 0  # rows that are handed out begin with nothing
        blocks = {node for node in range(ROOT, used) if children_of(tree, node)}
        tally = self.search.tally.copy()
        situation = self.search.memory.situation.record[0].copy()
        counts = self.search.memory.situation.counts.copy()
        assert self.search.simulate(1) == 1
        told = self.search.tally - tally
        assert told[N_SIMULATIONS] == 1
        depth, n_moves = int(told[DEPTH_SUM]), int(told[N_MOVES])
        made = Simulation(
            [int(node) for node in self.search.space.path[: depth + 1]],
            [int(move) for move in self.search.space.moves[: depth + n_moves]],
            int(told[MARGIN_SUM]),
        )
        twin, leaf, is_over = self._replay(made, blocks)
        is_counted = is_over and self._counts_as_is
        owners = owners_by_area(twin) if is_counted else owners_by_neighbors(twin)
        margin = owners.count(BLACK) - owners.count(WHITE)
        if self._by_territory:
            colors = (self._color, 3 - self._color)
            for ply, move in enumerate(made.moves[:depth]):
                if move != PASS:
                    margin -= 1 if colors[ply % 2] == BLACK else -1
        if self._by_territory and is_over:
            dame = [owners[place] for place in dame_before(twin.size, leaf, owners)]
            margin -= dame.count(BLACK) - dame.count(WHITE)
            self.n_with_dame += bool(dame)
        assert made.margin == margin
        self._check_counts(situation.is_counted, counts, told, margin - self.komi)
        margin_left = margin - self.komi - self._extra_komi(situation, depth)
        black_value = self._black_value(made, before["stats"], margin_left)
        for name, expected in self._expect(made, before, black_value, owners, margin_left).items():
            if name == "owned" and is_counted and not self._owners_at_the_end:
                continue
            found = getattr(tree, name)[: tree.n_used]
            wrong = np.flatnonzero(found != expected[: tree.n_used])
            assert not len(wrong), f"{name} of {wrong}, path {made.path}, moves {made.moves}"
        self.n_over += is_over
        self.n_ties += margin == self.komi
        return made

    def _extra_komi(self, situation: Any, depth: int) -> float:
        """As it was before the simulation."""
        if situation.method != LINEAR:
            return float(situation.extra_komi)
        parameters = self.search.memory.parameters[0]
        share_left = 1 - (len(self._game.moves) + depth) / float(parameters.komi_moves)
        return max(0.0, share_left) * float(parameters.komi_stone) * self._game.n_handicap

    def _check_counts(self, is_counted: bool, before: Any, told: Any, margin: float) -> None:
        """One more result in its place, and nothing else."""
        more = (self.search.memory.situation.counts - before)[0]
        if not is_counted:
            assert not more.any()
            assert told[REAL_WINS] == 0
            return
        assert told[REAL_WINS] == 1 + np.sign(margin)
        places = np.flatnonzero(more)
        assert more[places].tolist() == [1, 1]
        assert places.tolist() == [0, 1301 + round(2 * margin)]

    def _replay(self, made: Simulation, blocks: set[int]) -> tuple[NaiveGame, bytes, bool]:
        """Play it all on the twin; look at the moves of every node on the way.

        Returns the end, the position of the leaf, and whether the game was over there.
        """
        tree, twin = self.search.tree, naive_game_of(self._game, self._color)
        assert made.path[0] == ROOT
        n_passes = self.n_passes
        for ply, node in enumerate(made.path):
            children = children_of(tree, node)
            if children and (node not in blocks or node == ROOT):
                found = [int(tree.move[child]) for child in children]
                expected = naive_moves(twin, self._with_eyes)
                assert set(found) == expected, f"node {node} after {twin.moves}"
                assert len(found) == len(set(found))
                assert found[-1] == PASS
                if node not in blocks:
                    self._check_priors(twin, children)
            if ply + 1 == len(made.path):
                break
            assert n_passes < 2, "the game was over"
            child = made.path[ply + 1]
            assert child in children
            assert int(tree.move[child]) == made.moves[ply]
            n_passes = n_passes + 1 if made.moves[ply] == PASS else 0
            twin.play(twin.to_play, made.moves[ply])
        is_over = n_passes >= 2
        if is_over and self._counts_as_is:
            assert len(made.moves) < len(made.path), "a playout after the end"
        elif is_over:
            assert len(made.moves) >= len(made.path), "no playout that finds dead stones"
        leaf = twin.position
        for move in made.moves[len(made.path) - 1 :]:
            assert move == PASS or twin.position[twin._index(move)] == 0
            twin.play(twin.to_play, move)
        return twin, leaf, is_over

    def _check_priors(self, twin: NaiveGame, children: list[int]) -> None:
        """Where nothing is known but own eyes. A pass is worth a try where little is left."""
        tree, parameters = self.search.tree, self.search.memory.parameters[0]
        if self._has_priors and any(parameters[name] for name in PRIORS if name != "eye_prior"):
            return
        moves = [int(tree.move[child]) for child in children]
        eyes = [move for move in moves[:-1] if is_naive_eye(twin, move, twin.to_play)]
        if any(is_naive_self_atari(twin, eye, twin.to_play) for eye in eyes):
            return  # they may be worth filling, which is tested elsewhere
        self.n_eyes += len(eyes)
        even = int(parameters.even_visits) * 32 * self._has_priors
        lost = int(parameters.eye_prior) * 32
        for child, move in zip(children, moves, strict=True):
            visits, wins = even + (lost if move in eyes else 0), even // 2
            if move == PASS and len(moves) - 1 - len(eyes) < twin.size:
                visits, wins = 32, 32
            assert int(tree.prior[child]) == visits << 16 | wins

    def _black_value(self, made: Simulation, stats: Any, margin: float) -> int:
        """Rounded up or down, the same on the whole path."""
        parameters = self.search.memory.parameters[0]
        scale = self.scale
        result = 0.5 + 0.5 * np.sign(margin)
        score = np.clip(margin / float(parameters.value_range), -1, 1)
        exact = WON * (result * (1 - 2 * scale) + scale + scale * score)
        word = int(self.search.tree.stats[ROOT]) - int(stats[ROOT])
        assert word >> 36 == 1
        # The root's value is that of the player who is not to move there.
        value = word % VISIT if self._color == WHITE else WON - word % VISIT
        assert 0 <= value <= WON
        assert abs(value - exact) < 1 + 1e-9
        return value

    def _expect(
        self,
        made: Simulation,
        before: dict[str, Any],
        black_value: int,
        owners: list[int],
        margin: float,  # after all komi
    ) -> dict[str, Any]:
        tree = self.search.tree
        expected = {name: column.copy() for name, column in before.items()}
        distance = float(self.search.memory.parameters[0].amaf_distance)
        winner = 0 if margin == 0 else BLACK if margin > 0 else WHITE
        for ply, node in enumerate(made.path):
            color = self._color if ply % 2 == 0 else 3 - self._color
            value = black_value if color == BLACK else WON - black_value
            expected["stats"][node] += np.uint64(VISIT + WON - value)
            if ply > 0 and made.moves[ply - 1] != PASS:
                n_visits = int(expected["stats"][node]) >> 36
                owner = owners[self._place_that_counts(made.moves[ply - 1], n_visits)]
                word = (owner == BLACK) << 32 | (owner == winner != 0)
                expected["owned"][node] += np.uint64(word)
            if ply + 1 == len(made.path):
                break
            for child in children_of(tree, node):
                move = int(tree.move[child])
                if move == PASS or move not in made.moves[ply:]:
                    continue
                place = made.moves.index(move, ply)
                if (place - ply) % 2 == 0:  # the same player
                    times = amaf_weight(distance, ply, len(made.moves), place)
                    self.weights.add(times)
                    expected["amaf"][child] += np.uint64(times * (VISIT + value))
        return expected

    def _place_that_counts(self, point: int, n_visits: int) -> int:
        """The point itself; by local value a neighbour, in turn, if there is one on that side."""
        size = self._game.size
        row, column = row_column(point, size)
        if self.search.memory.parameters[0].criticality_local:
            golden = (5**0.5 - 1) / 2
            sixth = int(n_visits * golden % 1 * 6)
            up, right = ((-1, 0), (0, -1), (0, 1), (1, 0), (0, 0), (0, 0))[sixth]
            self.sixths.add(sixth)
            if 0 <= row + up < size and 0 <= column + right < size:
                row, column = row + up, column + right
        return row * size + column
