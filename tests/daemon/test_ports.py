"""Sockets in a loop: what comes is taken, and everybody else has his turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
import zmq

from daemon.ports import AT_ONCE, Port

pytestmark = pytest.mark.uncompiled

N_MESSAGES = 3000

Scene = Callable[[Port, list[bytes]], Awaitable[None]]


def play(scene: Scene) -> None:
    """With a port that answers each message, and has many waiting."""

    async def main() -> None:
        taken: list[bytes] = []

        def take(frames: list[zmq.Frame]) -> None:
            taken.append(frames[0].bytes)
            port.send(b"answer")

        port = Port(ours, take)
        try:
            await scene(port, taken)
        finally:
            port.close()

    with (
        zmq.Context() as context,
        context.socket(zmq.PAIR) as ours,
        context.socket(zmq.PAIR) as theirs,
    ):
        for socket in (ours, theirs):
            socket.set_hwm(2 * N_MESSAGES)
            socket.linger = 0
        ours.bind("inproc://port")
        theirs.connect("inproc://port")
        for number in range(N_MESSAGES):
            theirs.send(str(number).encode())
        asyncio.run(main())


def test_a_flood_leaves_others_their_turns() -> None:
    async def scene(port: Port, taken: list[bytes]) -> None:
        most = 0
        while len(taken) < N_MESSAGES:
            n_before = len(taken)
            await asyncio.sleep(0)
            most = max(most, len(taken) - n_before)
        assert most <= 2 * AT_ONCE
        assert taken == [str(number).encode() for number in range(N_MESSAGES)]

    play(scene)


def test_a_closed_port_takes_nothing_more_and_still_sends() -> None:
    async def scene(port: Port, taken: list[bytes]) -> None:
        await asyncio.sleep(0)
        port.close()
        n_before = len(taken)
        port.send(b"farewell")
        await asyncio.sleep(0.05)
        assert 0 < len(taken) == n_before < N_MESSAGES

    play(scene)
