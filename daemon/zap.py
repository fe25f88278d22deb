"""Asked by libzmq at each handshake whether a key is let in: its protocol is ZAP, RFC 27."""

from __future__ import annotations

from collections.abc import Callable, Sequence

ENDPOINT = "inproc://zeromq.zap.01"
DOMAIN = b"goengine"
_VERSION = b"1.0"
_N_FRAMES = 7  # version, id, domain, address, routing id, mechanism, key


def answer(frames: Sequence[bytes], is_allowed: Callable[[str], bool]) -> list[bytes]:
    """The reply to one question. A user is known by the public key, in hexadecimal digits."""
    id = frames[1] if len(frames) > 1 else b""
    key = ""
    if len(frames) == _N_FRAMES and frames[0] == _VERSION and frames[5] == b"CURVE":
        key = frames[6].hex()
    if key and frames[2] == DOMAIN and is_allowed(key):
        return [_VERSION, id, b"200", b"OK", key.encode(), b""]
    return [_VERSION, id, b"400", b"not allowed", b"", b""]
