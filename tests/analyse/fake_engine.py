"""An engine that believes what a test tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from clients.analyse.record import parse_record
from goengine.rules.rulesets import RULESETS, rules_to_json

ALWAYS = 0.5


class FakeEngine:
    """A session that knows no rules.

    black       Black's win rate with the best move, by the moves that lead to a position,
                such as "E5 C3"; ALWAYS where nothing is told
    best        the best move there; "A1" where nothing is told
    lines       all that it was asked, with the searched position behind each search
    on_search   called before each search with the number of those before it; may raise
    """

    def __init__(
        self, black: Mapping[str, float] | None = None, best: Mapping[str, str] | None = None
    ) -> None:
        self.black = dict(black or {})
        self.best = dict(best or {})
        self.lines: list[str] = []
        self.files: list[str] = []
        self.on_search: Callable[[int], None] = lambda n_before: None
        self.on_progress: Callable[[float | None], None] | None = None
        self.refusals: dict[str, str] = {}  # by the first word of a line
        self._moves: list[str] = []
        self._n_searches = 0

    def run_line(self, line: str, file: str | None = None) -> str:
        command, *words = line.split()
        if command in self.refusals:
            return f"? {self.refusals[command]}\n\n"
        if command == "kata-analyze":
            self.lines.append(f"search {words[0]}: {self._position}")
            self.on_search(self._n_searches)
            self._n_searches += 1
            return f"=\n{self._reading(words[0])}\n\n"
        self.lines.append(line)
        if command == "loadsgf":
            assert file
            self.files.append(file)
            moves = parse_record(file.encode(), "game.sgf").moves
            self._moves = [move.vertex for move in moves]
            if len(words) > 1:
                del self._moves[int(words[1]) - 1 :]
        elif command == "play":
            self._moves.append(words[1])
        elif command == "undo":
            self._moves.pop()
        return f"= {ANSWERS.get(command, '')}\n\n"

    def searches(self) -> list[str]:
        return [line.removeprefix("search ") for line in self.lines if line.startswith("search")]

    @property
    def _position(self) -> str:
        return " ".join(self._moves)

    def _reading(self, color: str) -> str:
        black = self.black.get(self._position, ALWAYS)
        rate = black if color == "black" else 1 - black
        score = 20 * (rate - 0.5)
        best = self.best.get(self._position, "A1")
        others = [vertex for vertex in ("A1", "B2", "C3", "D4", "E5", "pass") if vertex != best]
        return " ".join(
            [
                _info(best, 60, rate, 0.4, 0, [best, "B1"]),
                *(_info(each, 8, 0.1, 0.12, n, [each]) for n, each in enumerate(others, 1)),
                f"rootInfo visits 100 utility 0 winrate {rate:.6f} scoreLead {score:.6f} weight 9",
            ]
        )


ANSWERS = {"get_komi": "6.5", "kata-get-rules": rules_to_json(RULESETS["japanese"])}


def _info(
    vertex: str, visits: int, rate: float, prior: float, order: int, variation: Sequence[str]
) -> str:
    return (
        f"info move {vertex} visits {visits} edgeVisits {visits} utility 0 winrate {rate:.6f} "
        f"scoreMean 1 scoreStdev 3 scoreLead 1 scoreSelfplay 1 prior {prior} lcb 0.1 "
        f"utilityLcb 0 weight {visits} order {order} pv {' '.join(variation)}"
    )
