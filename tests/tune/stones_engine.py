"""A GTP engine that plays the more stones the nearer its parameters are to their optimum.

    stones_engine.py MARK [NAME=OPTIMUM ...]

Black has the left of the board and White the right, so who plays more stones wins. `set NAME
VALUE` refuses other names, and numbers outside of -100 to 100. It imports little, to start fast.
"""

import os
import sys

COMMANDS = ["name", "version", "list_commands", "boardsize", "clear_board", "komi", "play",
            "genmove", "final_status_list", "set", "quit"]  # fmt: skip
COLUMNS = "ABCDEFGHJ"


class Engine:
    def __init__(self, optima: dict[str, float]) -> None:
        self.optima = optima
        self.values: dict[str, float] = {}
        self.size = 19
        self.taken: set[str] = set()
        self.n_played = 0

    def answer(self, command: str, arguments: list[str]) -> tuple[str, str]:
        """Sign and text of the reply."""
        text = ""
        if command == "list_commands":
            text = "\n".join(COMMANDS)
        elif command in ("name", "version"):
            text = {"name": "stones", "version": "1"}[command]
        elif command == "boardsize":
            self.size = int(arguments[0])
        elif command == "clear_board":
            self.taken, self.n_played = set(), 0
        elif command == "play":
            self.taken.add(arguments[1])
        elif command == "genmove":
            text = self.move(arguments[0])
        elif command == "set":
            name, value = arguments[0], float(arguments[1])
            if name not in self.optima or not -100 <= value <= 100:
                return "?", f"{name} is not {value:g}"
            self.values[name] = value
        return "=", text

    def move(self, color: str) -> str:
        half = self.size // 2
        # Each from its own edge, so that no wall makes territory of what is behind it.
        columns = COLUMNS[: self.size] if color == "black" else COLUMNS[: self.size][::-1]
        free = [f"{column}{row + 1}" for column in columns[:half] for row in range(self.size)]
        free = [vertex for vertex in free if vertex not in self.taken]
        squares = [(self.values[name] - self.optima[name]) ** 2 for name in self.values]
        n_wanted = half * self.size * (1 - sum(squares) ** 0.5 / 10)
        if not free or self.n_played >= n_wanted:
            return "pass"
        self.n_played += 1
        self.taken.add(free[0])
        return free[0]


if __name__ == "__main__":
    pairs = (word.split("=") for word in sys.argv[2:])
    engine = Engine({name: float(value) for name, value in pairs})
    for line in sys.stdin:
        number, command, *arguments = line.split()
        sign, text = engine.answer(command, arguments)
        os.write(1, f"{sign}{number} {text}\n\n".encode())
        if command == "quit":
            break
