"""Scores and dead stones of finished games, beside those of GNU Go.

With itself, and with GNU Go as the opponent; what differs is printed with its board.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from types import TracebackType

import pytest

from goengine.board import BLACK, WHITE
from goengine.engines import make_engine
from goengine.gtp import GtpSession
from goengine.points import PASS, all_points, format_vertex, parse_vertex
from goengine.rules.game import Game
from goengine.rules.rulesets import find_rules
from tests.diagrams import draw

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
AGREEMENT = 0.97
PLAYOUTS = 400
NAMES = {BLACK: "black", WHITE: "white"}

Choose = Callable[[Game, int], int]


class GnuGo:
    def __init__(self, size: int, komi: float, rules: str, level: int, seed: int) -> None:
        command = [str(GNUGO), "--mode", "gtp", "--level", str(level), "--seed", str(seed)]
        self._process = subprocess.Popen(
            [*command, f"--{rules}-rules"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in (f"boardsize {size}", "clear_board", f"komi {komi}"):
            self.say(line)

    def __enter__(self) -> GnuGo:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def say(self, line: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        lines: list[str] = []
        while (text := self._process.stdout.readline().rstrip("\n")) or not lines:
            lines.append(text)
        assert lines[0].startswith("="), f"{line}: {lines}"
        return "\n".join([lines[0][1:], *lines[1:]]).strip()


def open_at_random(game: Game, seed: int) -> None:
    """So that no two games are the same."""
    rng = random.Random(seed)
    inner = [at for at in all_points(game.size) if game.is_legal(BLACK, at)]
    for point in rng.sample(inner, 2):
        game.play(game.to_play, point)


def finish(game: Game, gnugo: GnuGo, players: dict[int, Choose]) -> bool:
    """Play until both have passed; GNU Go is told. False if somebody resigned."""
    for color, point in game.moves:
        gnugo.say(f"play {NAMES[color]} {format_vertex(point, game.size)}")
    while not game.is_over and len(game.moves) < 4 * game.size**2:
        color = game.to_play
        move = players[color](game, color)
        if move < PASS:
            return False
        game.play(color, move)
    return game.is_over


@pytest.mark.soak
@pytest.mark.skipif(GNUGO is None, reason="there is no gnugo")
@pytest.mark.parametrize(
    ("rules", "opponent", "sizes", "agreement"),
    [
        ("chinese", "itself", [9] * 150 + [13] * 50, AGREEMENT),
        ("chinese", "gnugo", [9] * 50, AGREEMENT),
        # GNU Go has other ideas of what has to be filled in one's own territory.
        ("japanese", "itself", [9] * 50, 0.75),
    ],
)
def test_final_scores(
    rules: str,
    opponent: str,
    sizes: list[int],
    agreement: float,
    capsys: pytest.CaptureFixture[str],
) -> None:
    komi = find_rules(rules).komi
    n_scores = n_dead = n_finished = 0
    differences = []
    for seed, size in enumerate(sizes):
        session = GtpSession(
            engine=make_engine("mcts", seed, PLAYOUTS), game=Game(size, find_rules(rules), komi)
        )
        open_at_random(session.game, seed)
        with GnuGo(size, komi, rules, 10, seed) as gnugo:

            def ours(game: Game, color: int, session: GtpSession = session) -> int:
                session.game = game
                reply = str(session.run_line(f"reg_genmove {NAMES[color]}"))
                return parse_vertex(reply.split()[1], game.size)

            def theirs(game: Game, color: int, gnugo: GnuGo = gnugo) -> int:
                return parse_vertex(gnugo.say(f"reg_genmove {NAMES[color]}"), game.size)

            def told(choose: Choose, gnugo: GnuGo = gnugo) -> Choose:
                def choose_and_tell(game: Game, color: int) -> int:
                    move = choose(game, color)
                    gnugo.say(f"play {NAMES[color]} {format_vertex(move, game.size)}")
                    return move

                return choose_and_tell

            second = ours if opponent == "itself" else theirs
            players = {BLACK: told(ours), WHITE: told(second)}
            if seed % 2:
                players = {BLACK: players[WHITE], WHITE: players[BLACK]}
            if not finish(session.game, gnugo, players):
                continue
            n_finished += 1
            score = str(session.run_line("final_score"))[2:].strip()
            dead = set(str(session.run_line("final_status_list dead"))[1:].split())
            their_score = gnugo.say("final_score")
            their_dead = set(gnugo.say("final_status_list dead").split())
        n_scores += score == their_score
        n_dead += dead == their_dead
        if score != their_score:
            differences.append(
                f"game {seed}: {score}, GNU Go {their_score}; dead only here "
                f"{sorted(dead - their_dead)}, only there {sorted(their_dead - dead)}\n"
                f"{draw(session.game)}"
            )
        with capsys.disabled():
            counts = f"{n_scores} scores and {n_dead} lists of dead stones agree"
            print(f"\r{rules}, with {opponent}: of {n_finished}, {counts} ", end="")
    with capsys.disabled():
        print("", *differences, sep="\n")
    assert n_finished >= 0.9 * len(sizes)
    assert n_scores >= agreement * n_finished
