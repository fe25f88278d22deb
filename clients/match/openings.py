"""Where games start: positions from a file, or made by a seed and judged to be even."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from random import Random

import msgspec
from sgfmill import sgf

from clients.match.definition import MatchError, Openings, Pairing, Player, opening_files
from clients.match.engine_process import Misbehaved
from clients.match.places import vertex_at
from clients.match.players import Seat, seat
from clients.match.referee import PASS, Illegal, Referee
from clients.match.results_folder import create_whole

Opening = list[str]  # vertices, black begins

_JUDGE = Player(engine="mcts", playouts=5000, workers=1)
_PATIENCE = 60.0
_TRIES = 50  # for each opening that is wanted


def opening_for(pairing: Pairing, number: int, openings: list[Opening]) -> Opening:
    """Each opening is played with both colours before the next, and over again at the end."""
    if not openings:
        return []
    return openings[pairing.turn_of(number) % len(openings)]


async def find_openings(pairing: Pairing, base: Path, results: Path) -> list[Opening]:
    """`base` is where file names start. Raises MatchError."""
    wanted = pairing.openings
    if wanted is None:
        return []
    if wanted.file is not None:
        return _from_files(wanted.file, base, pairing)
    path = results / "openings" / f"{_digest(wanted, pairing)}.json"
    if not path.exists():
        made = await _make(wanted, pairing)
        create_whole(path, msgspec.json.encode(made))  # or another machine's, if it was first
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Opening])
    except msgspec.DecodeError as error:
        raise MatchError(f"{path}: no openings: {error}") from None


def _from_files(pattern: str, base: Path, pairing: Pairing) -> list[Opening]:
    openings: list[Opening] = []
    try:
        paths = opening_files(pattern, base)
    except ValueError as error:
        raise MatchError(str(error)) from None
    for path in paths:
        try:
            if path.suffix.lower() == ".sgf":
                openings.append(_from_sgf(path.read_bytes(), pairing.size))
            else:
                lines = path.read_text(encoding="utf-8").splitlines()
                openings += [_words(line) for line in lines if line.strip() and line[0] != "#"]
        except (OSError, ValueError) as error:
            raise MatchError(f"{path}: no openings: {error}") from None
    if not openings:
        raise MatchError(f"there are no openings in {base / pattern}")
    for opening in openings:
        _check(opening, pairing)
    return openings


def _from_sgf(data: bytes, size: int) -> Opening:
    game = sgf.Sgf_game.from_bytes(data)
    if game.get_size() != size:
        raise ValueError(f"it is a game on {game.get_size()}x{game.get_size()}")
    opening: Opening = []
    for node in game.get_main_sequence():
        color, place = node.get_move()
        if node.has_setup_stones() or (color and color != "bw"[len(opening) % 2]):
            raise ValueError("only moves by turns can be an opening, black first")
        if color:
            opening.append("pass" if place is None else vertex_at(place[0], place[1], size))
    return opening


def _words(line: str) -> Opening:
    return [word.lower() if word.lower() == PASS else word.upper() for word in line.split()]


def _check(opening: Opening, pairing: Pairing) -> None:
    referee = Referee(pairing.size, pairing.ruleset)
    try:
        for vertex in opening:
            referee.play(vertex)
    except Illegal as error:
        raise MatchError(f"the opening {' '.join(opening)} cannot be played: {error}") from None
    if referee.is_over:
        raise MatchError(f"the opening {' '.join(opening)} ends the game")


async def _make(wanted: Openings, pairing: Pairing) -> list[Opening]:
    random = Random(wanted.seed)
    found: list[Opening] = []
    try:
        judge = await seat(_JUDGE, _PATIENCE, (), None, pairing.size, seed=1)
        try:
            for _ in range(_TRIES * wanted.count):
                opening = _draw(random, wanted.moves or 0, pairing)
                if opening in found:
                    continue
                rate = await _win_rate(judge, opening, pairing)
                if wanted.balance <= rate <= 1 - wanted.balance:
                    found.append(opening)
                if len(found) == wanted.count:
                    return found
        finally:
            await judge.engine.close()
    except Misbehaved as fault:
        raise MatchError(f"openings cannot be judged: {fault}") from None
    raise MatchError(
        f"{pairing.name}: only {len(found)} of {wanted.count} openings from seed {wanted.seed} are "
        "even; ask for fewer, or for less balance"
    )


def _draw(random: Random, n_moves: int, pairing: Pairing) -> Opening:
    """Moves anywhere but on the lowest lines, where no game begins. Raises MatchError."""
    edge = 2 if pairing.size >= 7 else 0
    lines = range(edge, pairing.size - edge)
    vertices = [vertex_at(row, column, pairing.size) for row in lines for column in lines]
    referee = Referee(pairing.size, pairing.ruleset)
    opening: Opening = []
    while len(opening) < n_moves:
        for vertex in random.sample(vertices, len(vertices)):
            with contextlib.suppress(Illegal):
                referee.play(vertex)
                opening.append(vertex)
                break
        else:
            raise MatchError(f"{pairing.name}: there is no room for openings of {n_moves} moves")
    return opening


async def _win_rate(judge: Seat, opening: Opening, pairing: Pairing) -> float:
    """Of the player to move."""
    await judge.say(f"boardsize {pairing.size}")
    await judge.say(f"kata-set-rules {pairing.rules}")
    await judge.say("clear_board")
    await judge.say(f"komi {pairing.komi:g}")
    for number, vertex in enumerate(opening):
        await judge.say(f"play {'bw'[number % 2]} {vertex}")
    await judge.say(f"genmove {'bw'[len(opening) % 2]}")
    return float((await judge.say("pachi-result")).split()[3])


def _digest(wanted: Openings, pairing: Pairing) -> str:
    conditions = msgspec.json.encode((wanted, pairing.size, pairing.komi, pairing.rules))
    return hashlib.sha256(conditions).hexdigest()[:16]
