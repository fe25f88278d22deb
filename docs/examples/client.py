"""Plays a few moves on a 9x9 board with a daemon: python client.py ipc:///run/goengine"""

import itertools
import secrets
import sys

import zmq

address = sys.argv[1]
client, game = secrets.token_hex(16), f"example-{secrets.token_hex(4)}"
ids = itertools.count(1)
socket = zmq.Context().socket(zmq.DEALER)
socket.linger = 0
socket.connect(address if address.startswith("tcp:") else f"{address}/requests")


def ask(do, **fields):
    """Send a request and return the text of its answer."""
    head = {"v": 1, "do": do, "id": str(next(ids)), "client": client, "game": game}
    socket.send_json(head | fields)
    while True:
        if not socket.poll(1000):
            socket.send_json(head | fields)  # the same id: it is never done twice
            continue
        answer = socket.recv_json()
        if answer["kind"] == "error":
            sys.exit(f"{answer['code']}: {answer['text']}")
        if answer["kind"] == "end" and answer["id"] == head["id"]:
            return answer["text"]


ask("open", settings={"size": 9, "playouts": 1000})
for color in 3 * ["black", "white"]:
    reply = ask("gtp", line=f"genmove {color}")  # "= E5\n\n", or "? " and what is wrong
    sys.stdout.write(f"{color} {reply[2:].strip()}\n")
sys.stdout.write(ask("gtp", line="showboard"))
ask("close")
