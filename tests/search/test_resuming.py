"""A search goes on in the memory that another one left; or it is refused, whatever is in there."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from goengine.board import BLACK, WHITE
from goengine.points import PASS, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from goengine.search.memory import SearchMemory, layout_of, memory_for, memory_over
from goengine.search.position import Restriction
from goengine.search.resuming import CannotResume, note_of, resume
from goengine.search.search import Search
from goengine.search.spots import Spot, spot_of
from goengine.tree.checking import check_tree
from goengine.tree.columns import BUDGET, GATE, GENERATION, ROOT, START, USED
from goengine.tree.gate import ENDED
from tests.diagrams import play_all
from tests.search.searches import CLAIM_MARK, OneWorker, best_of, searched, visits_at

SIZE = 5
N_NODES = 20_000


def grown(n: int = 300) -> OneWorker:
    search = searched(Game(SIZE), n, n_nodes=N_NODES)
    search.label = "a game"
    return search


def parts_of(memory: SearchMemory) -> list[Any]:
    """All its arrays."""
    return [*memory[:-2], *memory.situation, *memory.tree]


def left_by(search: Search) -> SearchMemory:
    """A copy of all its memory, as another process finds it."""
    there = memory_over(bytearray(memory_for(N_NODES, 1)), 1)
    for part, copied in zip(parts_of(search.memory), parts_of(there), strict=True):
        copied[:] = part
    return there


def test_it_goes_on_where_it_stood() -> None:
    before = grown()
    after = resume(left_by(before), note_of(before))
    assert (after.label, after.origin, after.roots) == ("a game", before.origin, [ROOT])
    assert check_tree(after.memory.tree) == check_tree(before.tree)
    assert after.n_simulations == 0
    assert after.set_game(Game(SIZE), BLACK) == 300
    assert after.read().kept == 300
    moves = [(move.move, move.visits) for move in after.read().moves]
    assert moves == [(move.move, move.visits) for move in before.read().moves]


def test_extra_komi_begins_anew() -> None:
    game = Game(SIZE, komi=-20.5)
    changes: dict[str, Any] = {"dynamic_komi": "median", "komi_results": 50, "komi_opening": 0}
    before = OneWorker(game, n_nodes=N_NODES, **changes)
    before.simulate(100)
    assert before.read().extra_komi > 0
    after = resume(left_by(before), note_of(before))
    after.set_parameters(SIZE, changes)
    assert after.set_game(game, BLACK) == 100
    assert after.read().extra_komi == 0


def test_it_finds_all_positions_of_its_tree_and_no_others() -> None:
    before = grown()
    game = Game(SIZE)
    counts = {move.move: move.visits for move in before.read().moves}
    best, second = list(counts)[:2]
    game.play(BLACK, best)
    before.set_game(game, WHITE)
    before.simulate(200)
    below = sum(move.visits for move in before.read().moves)
    other = Game(SIZE, komi=0.5)
    after = resume(left_by(before), note_of(before))
    assert after.set_game(game, WHITE) == below, "but for visits before there were children"
    assert below > counts[best] + 190
    game.undo()
    assert after.set_game(game, BLACK) == 300
    assert {move.move: move.visits for move in after.read().moves} == counts
    game.play(BLACK, second)
    assert after.set_game(game, WHITE) == counts[second]
    check_tree(after.memory.tree)
    assert after.set_game(other, BLACK) == 0


def test_of_several_trees_the_one_goes_on_that_it_stood_in() -> None:
    before = grown()
    other = Game(SIZE, komi=0.5)
    before.set_game(other, BLACK)
    before.simulate(100)
    best = before.read().moves[0]
    other.play(BLACK, best.move)
    before.set_game(other, WHITE)
    assert len(before.roots) == 2
    after = resume(left_by(before), note_of(before))
    other.undo()
    assert after.set_game(other, BLACK) == 100
    assert after.set_game(Game(SIZE), BLACK) == 0


def test_workers_find_nothing_of_those_before() -> None:
    before = grown()
    words = before.tree.words
    words[GATE], words[BUDGET], words[GENERATION] = 1, 77, 1 << 63
    memory = resume(left_by(before), note_of(before)).memory
    words = memory.tree.words
    assert [int(words[each]) for each in (GATE, BUDGET, GENERATION)] == [0, ENDED, 1]
    assert not memory.tallies.any()
    assert not memory.ownerships.any()


def test_claims_and_debts_of_the_dead() -> None:
    before = grown()
    best = best_of(before)
    leaf = int(np.flatnonzero(before.tree.first_child[best : before.tree.n_used] == 0)[0]) + best
    before.tree.first_child[leaf] = CLAIM_MARK + 5
    before.memory.deltas[0, :2, 7] = best, 3 << 36
    n_before = visits_at(before.tree, best)
    after = resume(left_by(before), note_of(before))
    assert not (after.memory.tree.first_child[: after.memory.tree.n_used] >= CLAIM_MARK).any()
    assert after.set_game(Game(SIZE), BLACK) == 300
    assert after.read().moves[0].visits == n_before + 3
    assert not after.memory.deltas.any()


def test_what_has_no_position_has_no_note() -> None:
    search = grown()
    search.forget()
    assert note_of(search) == b""


def with_handicap() -> Spot:
    game = Game(SIZE, find_rules("japanese"), 0.5)
    game.set_up([parse_vertex("C3", SIZE)], [parse_vertex("A1", SIZE)], WHITE, (1, 2))
    return spot_of(game, WHITE)


def with_turns() -> Spot:
    game = Game(SIZE, find_rules("aga"))
    assert game.rules.ko == "situational"
    play_all(game, "b A1 w C3 b pass")
    game.to_play = BLACK
    game.play(BLACK, PASS)
    return spot_of(game, WHITE, [Restriction(BLACK, frozenset({PASS, 17}), 3)])


@pytest.mark.parametrize("spot", [with_handicap(), with_turns(), spot_of(Game(25), BLACK)])
def test_a_position_is_the_same_after_its_note(spot: Spot) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(spot), type=Spot) == spot


def test_superko_leaves_whole_numbers() -> None:
    assert with_turns().context.turned


def damaged(column: str, row: int, word: int) -> Any:
    def damage(search: OneWorker) -> None:
        getattr(search.tree, column)[row] = word

    return damage


def owing(node: int, visits: int) -> Any:
    def damage(search: OneWorker) -> None:
        search.memory.deltas[0, :2, 7] = node, visits << 36

    return damage


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (damaged("words", START, 0), "no row in use"),
        (damaged("words", USED, 0), "owes"),
        (damaged("first_child", ROOT, 1 << 30), "node 1 leads"),
        (damaged("move", ROOT + 1, 9), "node 1 leads"),  # beside the board
        (owing(N_NODES, 1), "owes"),
        (owing(1 << 60, 1), "owes"),
        (owing(ROOT, 65), "owes"),
    ],
)
def test_a_damaged_tree_is_refused(damage: Any, complaint: str) -> None:
    search = grown(50)
    damage(search)
    with pytest.raises(CannotResume, match=complaint):
        resume(left_by(search), note_of(search))


def test_a_note_of_something_else_is_refused() -> None:
    search = grown(20)
    note = note_of(search)
    two = memory_over(bytearray(memory_for(N_NODES, 2)), 2)
    with pytest.raises(CannotResume, match="another number of workers"):
        resume(two, note)
    for wrong in (b"", b"\x00", note[:-1], note + b"\x00", b"\xff" * 100):
        with pytest.raises(CannotResume, match="cannot be read"):
            resume(left_by(search), wrong)
    assert search.origin
    spot = search.origin[1]
    search._roots[ROOT] = spot._replace(context=spot.context._replace(size=26))
    with pytest.raises(CannotResume, match="no boards of size 26"):
        resume(left_by(search), note_of(search))


def test_layouts_differ_by_workers() -> None:
    assert layout_of(1) == layout_of(1) != layout_of(2)


@pytest.mark.boundscheck
@pytest.mark.parametrize("seed", range(2))
def test_memory_with_any_damage_is_refused_or_can_be_read(seed: int) -> None:
    random = Random(seed)
    search = grown(100)
    note = note_of(search)
    n_refused = 0
    for _ in range(40):
        memory = left_by(search)
        for _ in range(random.choice((1, 10, 100))):
            part = random.choice(parts_of(memory))
            raw = part.reshape(-1).view(np.uint8)
            raw[random.randrange(min(raw.size, 64 * part.itemsize))] = random.randrange(256)
        try:
            after = resume(memory, note)
        except CannotResume:
            n_refused += 1
        else:
            after.set_parameters(SIZE)
            after.set_game(Game(SIZE), BLACK)
            assert len(after.read().moves) > 0
    assert 5 < n_refused < 40
