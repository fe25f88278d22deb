"""Games in the manner of CGOS, through gomill's controllers; a report as JSON on stdout.

python2.7 gomill_games.py JOB, which is JSON: see cgos_games.py. gomill needs Python 2, so this
keeps to what both Pythons know.
"""

import json
import sys
import time

from gomill.common import format_vertex
from gomill.gtp_controller import Game_controller, Gtp_controller, Subprocess_gtp_channel
from gomill.gtp_games import Gtp_game

MOST_MOVES = 500
REPORT = {"commands": 0, "complaints": [], "games": []}


class StrictChannel(Subprocess_gtp_channel):
    """gomill's raises an error for what is no reply; this one also notes what is refused."""

    def send_command(self, command, arguments):
        self.asked = " ".join([command] + arguments)  # noqa: RUF005
        REPORT["commands"] += 1
        Subprocess_gtp_channel.send_command(self, command, arguments)

    def get_response(self):
        is_error, response = Subprocess_gtp_channel.get_response(self)
        if is_error:
            REPORT["complaints"].append(": ".join([self.asked, response]))
        return is_error, response


def play(job, controllers, black, white):
    """One game between players that live on. Returns what the report has of it."""
    both = Game_controller(black, white)
    both.set_player_controller("b", controllers[black])
    both.set_player_controller("w", controllers[white])
    game = Gtp_game(both, job["size"], job["komi"], MOST_MOVES)
    game.use_internal_scorer()  # area, every stone alive
    game.prepare()
    for color in "bw":
        both.send_command(color, "time_settings", str(job["seconds"]), "0", "0")
    seconds = put_on_clock(game, both, job["seconds"])
    game.run()
    result = game.result
    moves = [format_vertex(move).lower() for _, move, _ in game.get_moves()]
    return {
        "black": black,
        "moves": moves,
        "seconds": seconds,
        "end": result.detail or ("resignation" if "+R" in result.sgf_result else "passes"),
        "result": result.sgf_result,
    }


def put_on_clock(game, both, main):
    """gomill has no clocks. Returns a list that gets the seconds of each move."""
    left = {"b": main, "w": main}
    seconds = []
    ask = game.backend.get_move

    def get_move(color):
        both.send_command(color, "time_left", color, str(int(left[color])), "0")
        asked = time.time()
        answer = ask(color)
        seconds.append(time.time() - asked)
        left[color] -= seconds[-1]
        return ("forfeit", "time") if left[color] < 0 else answer

    game.backend.get_move = get_move
    return seconds


def main():
    job = json.loads(sys.argv[1])
    names = [str(name) for name in sorted(job["players"])]
    controllers = {
        name: Gtp_controller(StrictChannel(job["players"][name], cwd=job["directory"]), name)
        for name in names
    }
    for number in range(job["games"]):
        black, white = names[number % 2], names[1 - number % 2]
        REPORT["games"].append(play(job, controllers, black, white))
    for name in names:
        controllers[name].safe_close()
        REPORT["complaints"] += controllers[name].retrieve_error_messages()
        status = controllers[name].channel.exit_status
        if status:
            REPORT["complaints"].append(" ".join([name, "ended with status", str(status)]))
    sys.stdout.write(json.dumps(REPORT))


if __name__ == "__main__":
    main()
