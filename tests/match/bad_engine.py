"""A GTP engine that misbehaves in one way, as its command line says; apart from that it is good.

    bad_engine.py good
    bad_engine.py hang                   at its second genmove
    bad_engine.py hang@boardsize         at the first boardsize
    bad_engine.py hang@genmove#1         at the first genmove
    bad_engine.py move=E5                plays E5 from its second genmove on
    bad_engine.py dead=A3,B4             passes always, and says that these stones are dead
    bad_engine.py undecided              passes always, and does not know which stones are dead
    bad_engine.py lacks=time_left,play   does not list these commands

Further words on the command line only tell processes apart. It imports little, to start fast.
"""

import os
import sys
import time

COLUMNS = "ABCDEFGHJ"
HANDICAP_ON_9X9 = {"2": "C3 G7", "3": "C3 G7 C7"}
COMMANDS = ["name", "version", "list_commands", "boardsize", "clear_board", "komi", "play",
            "genmove", "final_status_list", "time_settings", "kgs-time_settings",
            "kata-time_settings", "time_left", "pachi-result", "fixed_handicap",
            "quit"]  # fmt: skip


class Engine:
    """Up to five stones on its own side of the board, then it passes."""

    def __init__(self, mode, command, nth):
        self.mode, _, self.value = mode.partition("=")
        self.command = command
        self.nth = nth
        self.n_seen = 0
        self.opinions = self.value.split("|") if self.mode == "opinions" else []
        self.start(19)

    def run(self):
        for line in sys.stdin:
            number, command, *arguments = line.split()
            self.n_seen += command == self.command
            if (command, self.n_seen) == (self.command, self.nth) and self.mode in MISDEEDS:
                MISDEEDS[self.mode](number, lambda c=command, a=arguments: self.answer(c, a))
            else:
                write(f"={number} {self.answer(command, arguments)}\n\n")
            if command == "quit":
                return

    def start(self, size):
        self.size = size
        self.taken = set()
        self.n_left = 1 + os.urandom(1)[0] % 5

    def answer(self, command, arguments):
        match command:
            case "list_commands":
                return "\n".join(each for each in COMMANDS if each not in self.lacking)
            case "name":
                return "bad engine"
            case "version":
                return self.mode
            case "boardsize":
                self.start(int(arguments[0]))
            case "clear_board":
                self.start(self.size)
            case "play":
                self.taken.add(arguments[1].upper())
            case "final_status_list":
                return self.value.replace(",", " ") if self.mode == "dead" else ""
            case "genmove":
                return self.move(arguments[0])
            case "pachi-result":
                return self.opinions.pop(0) if self.opinions else "black A1 100 0.5"
            case "fixed_handicap":
                right = HANDICAP_ON_9X9[arguments[0]]
                return self.value.replace(",", " ") if self.mode == "handicap" else right
        return ""

    @property
    def lacking(self):
        if self.mode == "lacks":
            return self.value.split(",")
        return ["final_status_list"] if self.mode == "undecided" else []

    def move(self, color):
        if self.mode == "late":
            time.sleep(float(self.value))
        if self.mode in ("pass", "resign"):
            return self.mode
        if self.mode in ("dead", "undecided"):
            return "pass"
        if self.mode == "move" and self.n_seen >= self.nth:
            return self.value
        half = self.size // 2
        columns = COLUMNS[:half] if color == "black" else COLUMNS[self.size - half : self.size]
        vertices = [f"{column}{row + 1}" for column in columns for row in range(self.size)]
        free = [vertex for vertex in vertices if vertex not in self.taken]
        if not free or not self.n_left:
            return "pass"
        self.n_left -= 1
        self.taken.add(free[0])
        return free[0]


def write(data):
    os.write(1, data if isinstance(data, bytes) else data.encode())


def write_for_ever(data):
    while True:
        write(data)


def close_and_stay(descriptor):
    os.close(descriptor)
    time.sleep(1000)


def flood_stderr(number, answer):
    for _ in range(100):
        os.write(2, b"a warning that nobody reads\n" * 1000)
    os.write(2, b"y" * 1_000_000)
    write(f"={number} {answer()}\n\n")


def exit_with_words(*_):
    os.write(2, b"out of memory")
    sys.exit(3)


def leave_child(*_):
    """Hang, and so does a child in a session of its own, for a while, with all pipes open."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(5)
        os._exit(0)
    time.sleep(1000)


MISDEEDS = {
    "hang": lambda *_: time.sleep(1000),
    "close_stdin": lambda *_: close_and_stay(0),
    "close_stdout": lambda *_: close_and_stay(1),
    "endless_line": lambda number, _: write_for_ever(f"={number} ".ljust(4096, "x")),
    "endless_lines": lambda number, _: (write(f"={number}\n"), write_for_ever("junk\n" * 1000)),
    "endless_blanks": lambda *_: write_for_ever("\n" * 4096),
    "endless_junk": lambda *_: write_for_ever("junk\n" * 1000),
    "flood_stderr": flood_stderr,
    "exit_0": lambda *_: sys.exit(0),
    "exit_3": exit_with_words,
    "killed": lambda *_: os.kill(os.getpid(), 9),
    "leave_child": leave_child,
    "junk_before": lambda number, answer: write(f"thinking...\n={number} {answer()}\n\n"),
    "junk_after": lambda number, answer: write(f"={number} {answer()}\n\nthat was hard\n"),
    "junk_inside": lambda number, answer: write(f"={number} {answer()}\nthat was hard\n\n"),
    "unasked": lambda number, answer: write(f"={number} {answer()}\n\n= D4\n\n"),
    "wrong_id": lambda number, answer: write(f"={int(number) + 1} {answer()}\n\n"),
    "no_id": lambda _, answer: write(f"= {answer()}\n\n"),
    "two_answers": lambda number, answer: write(2 * f"={number} {answer()}\n\n"),
    "refuse": lambda number, _: write(f"?{number} I would rather not\n\n"),
    "refuse_at_length": lambda number, _: write(f"?{number} {'no' * 50_000}\n\n"),
    "not_utf8": lambda number, _: write(f"={number} ".encode() + b"\xff\xfe\xc3(\n\n"),
    "long_word": lambda number, _: write(f"={number} {'D' * 100_000}\n\n"),
}


if __name__ == "__main__":
    mode, _, place = sys.argv[1].partition("@")
    command, _, nth = place.partition("#")
    Engine(mode, command or "genmove", int(nth or (1 if command else 2))).run()
