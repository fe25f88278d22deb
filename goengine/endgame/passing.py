"""When to pass: where nothing is left to be gained, and nothing lost by it.

By area a stone costs nothing, so there is no hurry; by territory each one that is not needed
costs a point. Where every stone on the board counts in the end, dead ones are taken first.
"""

from __future__ import annotations

from goengine.board import BLACK
from goengine.endgame.candidates import candidate_points
from goengine.endgame.dame import find_remains
from goengine.endgame.verdict import judge, score_by
from goengine.points import PASS, steps_on
from goengine.rules.game import Game, opponent
from goengine.rules.rulesets import Rules
from goengine.rules.scoring import is_won_as_it_stands
from goengine.search.reading import MoveReading, SearchReading

WON_FOR_SURE = 0.9  # win rate


def dead_stones_count(rules: Rules) -> bool:
    """Does every stone on the board count when the game ends?"""
    return rules.scoring == "area" and not rules.friendly_pass


def choose_move(game: Game, color: int, reading: SearchReading) -> MoveReading:
    """The most visited move; a pass only where nothing is lost by it.

    Where dead stones are taken off at the end, a pass is a proposal: `confirms_pass` says
    whether a search for points, with the opponent to move, agrees.
    """
    to_pass = next((move for move in reading.moves if move.move == PASS), None)
    if to_pass is None:  # whoever ordered the search wants none
        return reading.moves[0]
    stones = moves_with_sense(game, color, reading)
    if not stones:
        return to_pass
    if dead_stones_count(game.rules):
        return choose_to_the_end(game, color, reading)
    verdict = judge(game, reading.ownership, reading.ownership)
    if not verdict.is_settled:
        return reading.moves[0] if reading.moves[0] is to_pass else stones[0]
    if game.rules.scoring == "territory":
        return to_pass
    dame = find_remains(game, verdict.dead).dame
    return next((move for move in stones if move.move in dame), to_pass)


def confirms_pass(game: Game, color: int, found: SearchReading, judged: SearchReading) -> bool:
    """May `color` pass, as the search for its move has `found`?

    judged      a search for points where the opponent goes on after that pass
    """
    is_best = found.moves[0].move == PASS
    if game.rules.scoring == "territory" and is_best:
        return True  # it has looked at what comes after
    verdict = judge(game, judged.ownership, judged.ownership)
    if not verdict.is_settled:
        return False
    margin = score_by(game, verdict).margin
    is_won = margin > 0 if color == BLACK else margin < 0
    return is_won or is_lost(found)


def is_lost(found: SearchReading) -> bool:
    """Is there nothing to hope for?"""
    return (found.real_win_rate_of(found.moves[0]) or 0.0) <= 1.0 - WON_FOR_SURE


def choose_cleaning_move(game: Game, color: int, reading: SearchReading) -> MoveReading:
    """The best move of a search for points; no pass while dead stones of the opponent are there."""
    verdict = judge(game, reading.ownership, reading.ownership)
    colors = game.board.color
    dead = {stone for stone in verdict.dead if colors[stone] == opponent(color)}
    stones = moves_with_sense(game, color, reading)
    if reading.moves[0].move != PASS and dead:
        return reading.moves[0]
    if not dead or not stones:
        return next((move for move in reading.moves if move.move == PASS), reading.moves[0])
    liberties = {at + step for at in dead for step in steps_on(game.size)}
    return next((move for move in stones if move.move in liberties), stones[0])


def choose_to_the_end(game: Game, color: int, reading: SearchReading) -> MoveReading:
    """The same where a pass can end the game, and then every stone on the board counts."""
    stones = moves_with_sense(game, color, reading)
    to_pass = next((move for move in reading.moves if move.move == PASS), None)
    if to_pass is None or not stones:
        return to_pass or reading.moves[0]
    if not is_won_as_it_stands(game, color):
        return stones[0]
    if game.moves[-1:] == [(opponent(color), PASS)]:
        # None: so bad beforehand that the search tried no stone at all.
        win_rate = reading.real_win_rate_of(stones[0])
        return to_pass if win_rate is None or win_rate >= WON_FOR_SURE else stones[0]
    return to_pass if reading.moves[0] is to_pass else stones[0]


def moves_with_sense(game: Game, color: int, reading: SearchReading) -> list[MoveReading]:
    """All but passes and own eyes. Of these the best, where filling it may win something.

    Where all is lost, a search fills eyes too, since every move is as good as another.
    """
    best = reading.moves[0]
    may_win = best.move != PASS and not is_lost(reading)
    points = {int(point) for point in candidate_points(game, color)}
    return [
        move
        for move in reading.moves
        if move.move in points or (move is best and may_win and game.is_legal(color, move.move))
    ]
