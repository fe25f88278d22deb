"""Match files: what they declare, and what is said about mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from clients.match.command import daemon_options
from clients.match.definition import (
    Match,
    MatchError,
    Openings,
    Pairing,
    Published,
    Sprt,
    read_match,
)
from clients.match.time_settings import Clock, RandomClock

FULL = """
title = "Who is stronger"
results = "there"
games_at_once = 3
cores = [0, 1]
pin = true
forfeits_in_a_row = 7

[game]
size = 13
rules = "Tromp Taylor"
komi = 6
clock = { main = 60, period = 5, moves = 3 }
patience = 30
most_moves = 500
colors = "first is black"
games = 20

[published]
source = "A book"
note = "with a remark"

[players.gnugo]
command = "gnugo --mode gtp 'a b'"
directory = "/tmp"
environment = { LEVEL = "10" }
setup = ["level 10"]

[players.ours]
engine = "mcts"
seconds = 1.5
workers = 2
parameters = { policy = "rave", rave_equivalence = 300 }
daemon = "shared"

[[pairings]]
players = ["ours", "gnugo"]
published = "61 % of 100"

[[pairings]]
name = "even, on 9x9"
players = ["gnugo", "ours"]
size = 9
rules = "japanese"
komi = 0.5
clock = { main = 10 }
patience = 3
most_moves = 99
colors = "alternate"
games = 50
sprt = { elo0 = -10, elo1 = 10, alpha = 0.01 }
openings = { moves = 4, count = 10, seed = 3, balance = 0.4 }

[[pairings]]
name = "handicap"
players = ["gnugo", "ours"]
handicap = 4
"""
LEAST = """
[players.a]
command = "engine-a"
[players.b]
engine = "random"
[[pairings]]
players = ["a", "b"]
"""


def read(directory: Path, text: str) -> Match:
    path = directory / "m.toml"
    path.write_text(text, encoding="utf-8")
    return read_match(path)


def complaint(directory: Path, text: str) -> str:
    with pytest.raises(MatchError) as caught:
        read(directory, text)
    assert str(caught.value).startswith(f"{directory}/m.toml:")
    return str(caught.value)


def test_a_full_file(tmp_path: Path) -> None:
    match = read(tmp_path, FULL)
    assert match.title == "Who is stronger"
    assert match.results == tmp_path / "there"
    assert (match.games_at_once, match.cores, match.pin) == (3, [0, 1], True)
    assert match.forfeits_in_a_row == 7
    assert match.published == Published(source="A book", note="with a remark")
    gnugo, ours = match.players["gnugo"], match.players["ours"]
    assert (gnugo.directory, gnugo.environment) == ("/tmp", {"LEVEL": "10"})
    assert gnugo.setup == ["level 10"]
    assert (ours.engine, ours.playouts, ours.seconds, ours.workers) == ("mcts", None, 1.5, 2)
    assert ours.parameters == {"policy": "rave", "rave_equivalence": 300}
    assert ours.daemon == "shared"


def test_players_that_share_a_daemon_do_not_wait_for_each_other(tmp_path: Path) -> None:
    options = daemon_options(read(tmp_path, FULL))  # three games at once on two cores
    values = dict(zip(options[::2], options[1::2], strict=True))
    assert (values["--workers"], values["--slots"]) == ("2", "7")


def test_what_a_pairing_does_not_say_is_as_in_game(tmp_path: Path) -> None:
    pairing = read(tmp_path, FULL).pairings[0]
    assert (pairing.name, pairing.first, pairing.second) == ("ours vs gnugo", "ours", "gnugo")
    assert [player.engine for player in pairing.players] == ["mcts", None]
    assert (pairing.size, pairing.rules, pairing.komi) == (13, "tromp-taylor", 6.0)
    assert pairing.clock == Clock(main=60, period=5, moves=3)
    assert (pairing.patience, pairing.most_moves) == (30, 500)
    assert (pairing.colors, pairing.games) == ("first is black", 20)
    assert (pairing.handicap, pairing.openings, pairing.sprt) == (0, None, None)
    assert pairing.published == "61 % of 100"


def test_what_a_pairing_says_holds(tmp_path: Path) -> None:
    _, pairing, handicap = read(tmp_path, FULL).pairings
    assert (pairing.name, pairing.first) == ("even, on 9x9", "gnugo")
    assert (pairing.size, pairing.rules, pairing.komi) == (9, "japanese", 0.5)
    assert pairing.clock == Clock(main=10)
    assert (pairing.patience, pairing.most_moves) == (3, 99)
    assert (pairing.colors, pairing.games) == ("alternate", 50)
    assert pairing.sprt == Sprt(elo0=-10, elo1=10, alpha=0.01, beta=0.05)
    assert pairing.openings == Openings(moves=4, count=10, seed=3, balance=0.4)
    assert handicap.handicap == 4


@pytest.mark.parametrize(
    ("text", "clock", "kind"),
    [
        ("{ main = 60.5 }", Clock(main=60.5), "absolute"),
        ("{ period = 5 }", Clock(period=5), "canadian"),
        ("{ main = 60, period = 5, periods = 3 }", Clock(main=60, period=5, periods=3), "byoyomi"),
        ("{ main = 60, increment = 0.5 }", Clock(main=60, increment=0.5), "fischer"),
    ],
)
def test_clocks(tmp_path: Path, text: str, clock: Clock, kind: str) -> None:
    pairing = read(tmp_path, f"{LEAST}clock = {text}\n").pairings[0]
    assert pairing.clock == clock
    assert clock.kind == kind


def test_random_clocks(tmp_path: Path) -> None:
    pairing = read(tmp_path, f"{LEAST}clock = {{ random = {{}} }}\n").pairings[0]
    assert pairing.clock == Clock(random=RandomClock(seed=1, least=0.2, most=2.0))
    other = read(tmp_path, f"{LEAST}clock = {{ random = {{ seed = 2 }} }}\n").pairings[0]
    assert other.key != pairing.key


def test_what_nobody_says_is_as_usual(tmp_path: Path) -> None:
    match = read(tmp_path, LEAST)
    assert (match.title, match.results) == ("m", tmp_path / "m.results")
    assert (match.games_at_once, match.cores, match.pin) == (None, None, False)
    pairing = match.pairings[0]
    assert (pairing.size, pairing.rules, pairing.komi) == (9, "chinese", 7.5)
    assert (pairing.games, pairing.most_moves, pairing.colors) == (100, 243, "alternate")
    assert (pairing.clock, pairing.sprt, pairing.published) == (None, None, None)
    assert match.players["b"].daemon == "own"
    japanese = read(tmp_path, f'{LEAST}rules = "japanese"\nsize = 5\n').pairings[0]
    assert (japanese.komi, japanese.most_moves) == (6.5, 75)
    tested = read(tmp_path, f"{LEAST}sprt = {{ elo0 = 0, elo1 = 5 }}\n").pairings[0]
    assert tested.games > 10_000


@pytest.mark.parametrize(
    ("added", "texts"),
    [
        ("sise = 9", ["'sise' in pairings", "there are size, rules, komi,"]),
        ("clock = { minutes = 3 }", ["'minutes' in pairings clock", "main, period, moves"]),
        ("clock = {}", ["pairing 1", "a main time, or a period"]),
        ("clock = { increment = 2 }", ["pairing 1", "needs a main time to start with"]),
        ("clock = { main = 5, increment = 2, period = 1 }", ["an increment, or periods, not both"]),
        ("clock = { main = 5, increment = 2, moves = 2 }", ["an increment, or periods, not both"]),
        ("clock = { main = 5, increment = 0 }", ["expected `float` > 0", "clock increment"]),
        ("clock = { main = 5, periods = 3 }", ["how many seconds each of them has"]),
        ("clock = { period = 5, periods = 3, moves = 2 }", ["pairing 1", "not both"]),
        ("clock = { period = 5, periods = 0 }", ["expected `int` >= 1", "clock periods"]),
        ("clock = { main = 5, random = {} }", ["a random clock has nothing but random"]),
        ("clock = { random = { least = 3 } }", ["pairing 1", "is more than the most"]),
        ("clock = { random = { kind = 3 } }", ["'kind' in pairings clock random", "seed, least"]),
        ("cores = [1]", ["'cores' in pairings"]),
        ('size = "9"', ["expected `int", "got `str`", "pairings size"]),
        ("size = 26", ["expected `int` <= 25"]),
        ("games = 0", ["expected `int` >= 1", "pairings games"]),
        ("komi = nan", ["komi"]),
        ("patience = 0", ["expected `float` > 0"]),
        ('rules = "chess"', ["pairing 1", "'chess'", "there are chinese, chinese-ogs"]),
        ('colors = "both"', ["'both'", "there are alternate, first is black, first is white"]),
        ("sprt = { elo0 = 5, elo1 = 5 }", ["pairing 1", "elo0 = 5 has to be less than elo1 = 5"]),
        ("sprt = { elo0 = 9, elo1 = 5 }", ["elo0 = 9 has to be less than elo1 = 5"]),
        ("sprt = { elo0 = 5 }", ["missing required field `elo1`", "pairings sprt"]),
        ("sprt = { elo0 = 0, elo1 = 5, alpha = 0.7 }", ["expected `float` < 0.5"]),
        ("openings = {}", ["by a file, or made by a number of moves"]),
        ('openings = { file = "x", moves = 3 }', ["by a file, or made by a number of moves"]),
        ("openings = { moves = 3 }\nhandicap = 2", ["handicap stones or with an opening"]),
        ("handicap = 3\nsize = 5", ["pairing 1", "no fixed handicap stones on 5x5"]),
        ("handicap = 5\nsize = 8", ["5 is not a number of", "from 2 to 4"]),
        ('name = ""', ["length >= 1", "pairings name"]),
        (f'name = "{"n" * 200}"', ["length <= 150"]),
        ('[[pairings]]\nplayers = ["a", "b"]', ["two pairings are called 'a vs b'"]),
        ('[[pairings]]\nname = "a-vs, b"\nplayers = ["a", "b"]', ["another name"]),
        ('[[pairings]]\nplayers = ["a", "c"]', ["pairing 2: there is no player 'c'; ", "are a, b"]),
        ('[[pairings]]\nplayers = ["a"]', ["length >= 2", "pairings players"]),
        ("[[pairings]]\nsize = 9", ["missing required field `players`"]),
        ("[game]\nsize = 0", ["expected `int` >= 2 in game size"]),
        ('[game]\nplayers = ["a", "b"]', ["'players' in game", "there are size, rules"]),
        ("[players.c]", [":8: c needs either a command or an engine"]),
        ('[players.c]\nengine = "x"\ncommand = "y"', [":8: c needs either"]),
        ('[players.c]\nengin = "x"', ["'engin' in players", "there are command, directory"]),
        ("[players.c]\ncommand = 3", ["got `int`", "players command"]),
        ('[players.c]\ncommand = " "', [":9: the command is empty"]),
        ('[players.c]\ncommand = "\'x"', [":9: ", "No closing quotation"]),
        ('[players."a b"]\nengine = "x"', [":8: 'a b' is no name"]),
        ('[players.c]\nengine = "x"\nplayouts = -1', ["expected `int` >= 1"]),
        ("[published]\nnote = 'x'", ["missing required field `source`", "published"]),
    ],
)
def test_mistakes(tmp_path: Path, added: str, texts: list[str]) -> None:
    message = complaint(tmp_path, f"{LEAST}{added}\n")
    for text in texts:
        assert text in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("players = [", "m.toml:1: "),
        ("size = 9\nsize = 9", "m.toml:2: size is set a second time"),
        ("", "missing required field `players`"),
        ("[players.a]\ncommand='x'", "missing required field `pairings`"),
        ("players = {}\npairings = []", "players"),
        ("[players.a]\ncommand='x'\n[pairings]", "expected `array`, got `object` in pairings"),
        (f"size = 9\n{LEAST}", "there is no key 'size'; there are players, pairings, title"),
        (f"games_at_once = 0\n{LEAST}", "expected `int` >= 1 in games_at_once"),
        (f"cores = [-1]\n{LEAST}", "expected `int` >= 0 in cores"),
        (f"pairings = []\n{LEAST.partition('[[')[0]}", "`array` of length >= 1 in pairings"),
    ],
)
def test_mistakes_in_the_whole(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in complaint(tmp_path, text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "m.toml", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(MatchError, match=f"{path}: cannot be read: {reason}"):
            read_match(path)
    (tmp_path / "m.toml").write_bytes(b"title = '\xff'\n")
    with pytest.raises(MatchError, match=r"m\.toml:1: byte 0xff is not UTF-8"):
        read_match(tmp_path / "m.toml")


def the_pairing(directory: Path, old: str = "", new: str = "") -> Pairing:
    """The second pairing of the full file, after a replacement in its text."""
    assert old in FULL
    return read(directory, FULL.replace(old, new) if old else FULL).pairings[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size = 9\n", "size = 7\n"),
        ('rules = "japanese"', 'rules = "korean"'),
        ("komi = 0.5", "komi = 1.5"),
        ("clock = { main = 10 }", "clock = { main = 11 }"),
        ("patience = 3\n", "patience = 4\n"),
        ("most_moves = 99", "most_moves = 98"),
        ("balance = 0.4", "balance = 0.3"),
        ('colors = "alternate"', 'colors = "first is white"'),
        ("seconds = 1.5", "seconds = 1.6"),
        ('policy = "rave"', 'policy = "uct"'),
        ("--mode gtp", "--mode gtp --level 3"),
        ('LEVEL = "10"', 'LEVEL = "9"'),
        ('setup = ["level 10"]', 'setup = ["level 9"]'),
        ('name = "even, on 9x9"', 'name = "even"'),
    ],
)
def test_other_games_have_another_key(tmp_path: Path, old: str, new: str) -> None:
    assert the_pairing(tmp_path, old, new).key != the_pairing(tmp_path).key


def test_who_plays_first_makes_another_key(tmp_path: Path) -> None:
    swapped = FULL.replace('["gnugo", "ours"]\nsize', '["ours", "gnugo"]\nsize')
    assert swapped != FULL
    assert read(tmp_path, swapped).pairings[1].key != the_pairing(tmp_path).key


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gnugo", "gnu"),
        ("games = 50", "games = 500"),
        ("elo1 = 10", "elo1 = 20"),
        ("sprt = { elo0 = -10, elo1 = 10, alpha = 0.01 }\n", ""),
        ('name = "even, on 9x9"', 'name = "even, on 9x9"\npublished = "50 %"'),
        ('title = "Who is stronger"', 'title = "Who"'),
        ("forfeits_in_a_row = 7", "forfeits_in_a_row = 8"),
        ("games_at_once = 3", "games_at_once = 1"),
    ],
)
def test_the_same_games_keep_their_key(tmp_path: Path, old: str, new: str) -> None:
    if old == "gnugo":  # the name alone, not the command
        renamed = FULL.replace('"gnugo"', '"gnu"').replace("[players.gnugo]", "[players.gnu]")
        pairing = read(tmp_path, renamed).pairings[1]
        assert pairing.first == "gnu"
    else:
        pairing = the_pairing(tmp_path, old, new)
    assert pairing.key == the_pairing(tmp_path).key


def test_a_key_is_the_name_of_a_folder(tmp_path: Path) -> None:
    for name in ("even, on 9x9", "../..", "ä / ö", "n" * 150):
        pairing = the_pairing(tmp_path, "even, on 9x9", name)
        (tmp_path / "games" / pairing.key).mkdir(parents=True)
    assert len(list((tmp_path / "games").iterdir())) == 4
    assert the_pairing(tmp_path).key.startswith("even-on-9x9-")


@pytest.mark.parametrize(
    ("colors", "first_is_black"),
    [
        ("alternate", [True, False, True, False]),
        ("first is black", [True] * 4),
        ("first is white", [False] * 4),
    ],
)
def test_colors(tmp_path: Path, colors: Any, first_is_black: list[bool]) -> None:
    pairing = msgspec.structs.replace(the_pairing(tmp_path), colors=colors)
    assert [pairing.first_is_black(number) for number in (1, 2, 3, 4)] == first_is_black


@pytest.mark.parametrize(
    ("player", "key"),
    [
        ('command = "x"\nplayouts = 5', "playouts"),
        ('engine = "mcts"\ndirectory = "/"', "directory"),
    ],
)
def test_a_key_that_would_do_nothing(tmp_path: Path, player: str, key: str) -> None:
    path = tmp_path / "m.toml"
    path.write_text(f'[players.a]\n{player}\n[[pairings]]\nplayers = ["a", "a"]\n')
    with pytest.raises(MatchError, match=rf"m\.toml:3: an? .* has no {key}$"):
        read_match(path)


def test_a_clock_leaves_no_room_for_playouts(tmp_path: Path) -> None:
    text = FULL.replace("seconds = 1.5", "playouts = 1000")
    assert "the clock says how long ours searches" in complaint(tmp_path, text)


def test_new_openings_in_a_file_are_new_conditions(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("C3\n")
    text = f'{LEAST}openings = {{ file = "o.txt" }}\n'
    before = read(tmp_path, text).pairings[0]
    assert read(tmp_path, text).pairings[0].key == before.key
    (tmp_path / "o.txt").write_text("C4\n")
    assert read(tmp_path, text).pairings[0].key != before.key
    (tmp_path / "o.txt").unlink()
    assert "there are no openings in" in complaint(tmp_path, text)


def test_the_example_in_the_documents_is_one() -> None:
    match = read_match(Path(__file__).parent.parent.parent / "docs/examples/policies.toml")
    assert len(match.pairings) == 5
