"""The table in the terminal, and what it warns of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from clients.match.definition import Match, Pairing, Sprt
from clients.match.game_record import GameRecord, MoveRecord
from clients.match.live_table import doubts, format_game, problems, standings_table, whole_view
from clients.match.runner import Runner
from clients.match.standings import standing_of
from clients.match.time_settings import Clock
from tests.match.matches import a_record, make, player


def text_of(view: Any, width: int) -> str:
    console = Console(width=width, force_terminal=False)
    with console.capture() as capture:
        console.print(view)
    return capture.get()


def games(n_games: int, **given: Any) -> list[GameRecord]:
    """Each another course, won by black."""
    return [
        a_record(number, moves=[MoveRecord(f"A{number}", 0.5)], winner="black", **given)
        for number in range(1, n_games + 1)
    ]


def match_of(folder: Path, *pairings: Pairing) -> Match:
    return Match(
        path=folder / "m.toml", title="[b]title", results=folder, players={}, pairings=[*pairings],
        games_at_once=1, cores=None, pin=False, forfeits_in_a_row=5, published=None,
    )  # fmt: skip


def test_columns_fit_the_terminal() -> None:
    pairing = make(player("good"), player("good"), published="61 %")
    standing = standing_of(pairing, games(3))
    wide = text_of(standings_table([standing], {}, 130), 130)
    assert "3/4" in wide
    assert "2-1" in wide, "black won all games, and the first had black in two"
    assert "66.7% (21%-94%)" in wide
    assert "0.500 : 0.500" in wide
    assert "61 %" in wide
    narrow = text_of(standings_table([standing], {}, 80), 80)
    assert "66.7% (21%-94%)" in narrow
    assert "Elo" not in narrow
    assert "SPRT" not in wide, "nobody asked for it"
    assert all(len(line) <= 80 for line in narrow.splitlines())


def test_time_is_told_where_there_is_a_clock() -> None:
    clock = Clock(main=2)
    timed = make(player("good"), player("good"), clock=clock)
    late = a_record(4, ending="time", winner="black", clock=clock)
    standing = standing_of(timed, [*games(3, clock=clock), late])
    lines = text_of(standings_table([standing], {}, 160), 160).splitlines()
    assert "on time" in lines[0]
    assert "time used" in lines[0]
    assert lines[1].split("0.500 : 0.500")[1].split() == [
        *("1", ":", "0"), *("25%", ":", "0%"), *("0", ":", "0"),
    ]  # fmt: skip
    untimed = standing_of(make(player("good"), player("good")), games(3))
    plain = text_of(standings_table([untimed], {}, 160), 160)
    assert "time" not in plain
    assert "forfeits" in plain


def test_names_are_text_and_not_markup(tmp_path: Path) -> None:
    pairing = make(player("good"), player("good"), name="x [/b] y")
    runner = Runner(match_of(tmp_path, pairing), lambda *_: None)
    shown = text_of(whole_view(runner, 100), 100)
    assert "x [/b] y" in shown
    assert "[b]title" in shown


def test_copies_and_engines_that_changed_are_doubted() -> None:
    pairing = make(player("good"), player("good"), colors="first is black")
    first, second, third, _ = games(4)
    copy = msgspec.structs.replace(third, moves=first.moves)
    other = msgspec.structs.replace(second, engines=("bad engine 1", "bad engine 3"))
    assert doubts([standing_of(pairing, [first, second, third])]) == []
    (warning,) = doubts([standing_of(pairing, [first, second, copy])])
    assert warning.startswith("bad vs good: 1 games are copies of others")
    turned = msgspec.structs.replace(copy, number=4, black="good", white="bad")
    assert standing_of(pairing, [first, turned]).n_copies == 0, "the other one had black"
    (warning,) = doubts([standing_of(pairing, [first, other])])
    assert "good was several engines: bad engine 2, bad engine 3" in warning


def test_a_test_that_needs_every_game_stops_for_one_that_is_lost(tmp_path: Path) -> None:
    sprt = make(player("good"), player("good"), sprt=Sprt(elo0=0, elo1=50), games=100)
    plain = make(player("good"), player("good"), games=100, name="without")
    runner = Runner(match_of(tmp_path, sprt, plain), lambda *_: None)
    for pairing in (sprt, plain):
        folder = tmp_path / "games" / pairing.key
        folder.mkdir(parents=True)
        (folder / "00001.json").write_text("{")
    runner.look()
    assert list(runner.stopped) == [sprt.key]
    assert "bad vs good is stopped: 1 of its games cannot be read" in problems(runner)


def test_what_engines_say_cannot_reach_the_terminal() -> None:
    pairing = make(player("good"), player("good"))
    record = a_record(1, ending="forfeit", winner="white", offence=None, detail="\x1b[2Jgone")
    line = format_game(pairing, record)
    assert "\x1b" not in line
    assert "gone" in line
