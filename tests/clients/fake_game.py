"""A game of stones that never capture, for clients that want a board behind the fake daemon.

The engine plays the first free point, says how it searched, and passes after a pass.
"""

from __future__ import annotations

import json

from daemon.protocol import Gtp, Part
from goengine.gtp_line import Request as GtpLine
from goengine.points import all_points, format_vertex, row_column
from tests.clients.fake_daemon import FakeDaemon

SIZE = 5


class FakeGame:
    """Answers a FakeDaemon's command lines."""

    def __init__(self, fake: FakeDaemon) -> None:
        self.fake = fake
        self.size = SIZE
        self.setup: list[tuple[str, str]] = []
        self.moves: list[tuple[str, str]] = []
        fake.answer = self.answer

    def answer(self, line: GtpLine, request: Gtp) -> str | None:
        try:
            text = self.run(line, request)
        except LookupError as error:
            return f"?{line.id} {error.args[0]}\n\n"
        return None if text is None else f"={line.id} {text}".rstrip() + "\n\n"

    def run(self, line: GtpLine, request: Gtp) -> str | None:
        match [line.command, *line.arguments]:
            case ["clear_board"]:
                self.setup, self.moves = [], []
            case ["fixed_handicap", count]:
                if int(count) > 3:
                    raise LookupError("invalid number of stones")
                self.setup = [("black", vertex) for vertex in ("A1", "B1", "C1")[: int(count)]]
            case ["get_komi"]:
                return "0.5" if self.setup else "7.5"
            case ["list_stones", color]:
                stones = {*self.setup, *self.moves}
                return " ".join(v for c, v in sorted(stones) if c == color and v != "pass")
            case ["play", color, vertex]:
                if vertex in self.taken() - {"pass"}:
                    raise LookupError(f"illegal move: {vertex} is occupied")
                self.moves.append((color, vertex))
            case ["genmove" | "reg_genmove" as command, color]:
                vertex = self.search(request)
                if command == "genmove":
                    self.moves.append((color, vertex))
                return vertex
            case ["undo"]:
                self.moves.pop()
            case ["final_score"]:
                return "B+1.0"
            case ["printsgf"]:
                return "(;FF[4];B[cc])"
            case ["goengine-report", "json"]:
                pass
            case _:
                return None
        return ""

    def search(self, request: Gtp) -> str:
        if self.moves and self.moves[-1][1] == "pass":
            return "pass"
        free = [format_vertex(point, self.size) for point in all_points(self.size)]
        vertex = next(vertex for vertex in free if vertex not in self.taken())
        # Black has the upper half for sure, White the lower one.
        rows = [row_column(point, self.size)[0] for point in reversed(all_points(self.size))]
        boards = {"territory": [1000 if row > 2 else 0 if row < 2 else 500 for row in rows]}
        frame = {"playouts": 100, "progress": 0.5, "best": {vertex: 0.41}, "boards": boards}
        move = {"playouts": 200, "choice": vertex, "winrate": 0.42, "boards": boards}
        for report in ({"frame": frame}, {"move": move}):
            self.fake._send(Part(id=request.id, stream="report", text=json.dumps(report)))
        return vertex

    def taken(self) -> set[str]:
        return {vertex for _, vertex in [*self.setup, *self.moves]}
