"""Looks after the daemon's health: asks every part, and tells systemd and the log.

`daemon.health` decides. Sockets are asked from outside, as clients ask them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable

import zmq

from daemon import protocol
from daemon.addresses import SOCKETS, Address
from daemon.health import Complaint, Vitals, examine, is_ready, report
from daemon.journal import Journal, JournalError
from daemon.notify import notify, watchdog_seconds
from daemon.pool import TICK, Pool
from daemon.ports import Port

PERIOD = 10.0  # seconds
PATIENCE = 2.0  # seconds for an answer
_SIGNATURE = 10  # bytes that ZeroMQ greets with

_log = logging.getLogger(__name__)


class Checkup:
    """complaints   of the last look"""

    def __init__(
        self,
        pool: Pool,
        journal: Journal,
        address: Address,
        status: Callable[[], str],
    ) -> None:
        """address: where we can connect; status: how it does, in a line"""
        self.is_ready = False
        self.complaints: list[Complaint] = []
        self._pool = pool
        self._journal = journal
        self._endpoints = {
            name: getattr(address, name).replace("//*:", "//127.0.0.1:") for name in SOCKETS
        }
        self._status = status
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        asker = self._context.socket(zmq.DEALER)
        if address.keys:
            asker.curve_publickey, asker.curve_secretkey = address.keys.public, address.keys.secret
            asker.curve_serverkey = address.keys.server
        asker.connect(self._endpoints["control"])
        self._answered = asyncio.Event()
        self._port = Port(asker, lambda frames: self._answered.set())
        self._period = min(PERIOD, (watchdog_seconds() or PERIOD * 3) / 3)

    def close(self) -> None:
        self._port.close()
        self._context.destroy(linger=0)

    async def wait_for_workers(self) -> None:
        """Until each has beaten, and then say that the daemon is ready."""
        while not is_ready(self._silences()):
            await asyncio.sleep(TICK)
        self.is_ready = True
        notify("READY=1", f"STATUS={self._status()}")

    async def look(self) -> None:
        """Wait until it is time, examine everything, and tell."""
        await asyncio.sleep(self._period)
        complaints = examine(await self._vitals())
        for complaint in complaints:
            if complaint not in self.complaints:
                _log.error("%s", complaint.text)
        if self.complaints and not complaints:
            _log.info("all is well again")
        self.complaints = complaints
        notify(*report(complaints, self._status()))

    async def _vitals(self) -> Vitals:
        answers = await asyncio.gather(*map(self._is_greeting, self._endpoints.values()))
        mute = [name for name, is_well in zip(self._endpoints, answers, strict=True) if not is_well]
        if not await self._is_control_answering() and "control" not in mute:
            mute.append("control")
        try:
            self._journal.check()
        except JournalError as error:
            return Vitals(self._silences(), mute, str(error), error.is_disk_full)
        return Vitals(self._silences(), mute)

    def _silences(self) -> list[float | None]:
        now = time.monotonic()
        return [None if beat is None else now - beat for beat in self._pool.beats()]

    async def _is_greeting(self, endpoint: str) -> bool:
        """Is a new connection taken, and greeted, before patience ends? There may be a crowd."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not await _greets(endpoint):
                    await asyncio.sleep(TICK)
        except TimeoutError:
            return False
        return True

    async def _is_control_answering(self) -> bool:
        self._answered.clear()
        self._port.send(protocol.encode(protocol.Status(v=protocol.VERSION, id="checkup")))
        try:
            await asyncio.wait_for(self._answered.wait(), PATIENCE)
        except TimeoutError:
            return False
        return True


async def _greets(endpoint: str) -> bool:
    kind, _, place = endpoint.partition("://")
    host, _, port = place.rpartition(":")
    try:
        if kind == "ipc":
            reader, writer = await asyncio.open_unix_connection(place)
        else:
            reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        with contextlib.closing(writer):
            await reader.readexactly(_SIGNATURE)
    except (OSError, asyncio.IncompleteReadError):
        return False
    return True
