"""Games against engines that do what they must not: who forfeits, and that others play on."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clients.match import engine_process, players
from clients.match.definition import read_match
from clients.match.game_record import GameRecord, MoveRecord
from clients.match.table import CannotStart, Table
from clients.match.time_settings import Clock
from tests.match.matches import (
    files_of,
    log_of,
    make,
    match_text,
    new_mark,
    player,
    processes_with,
    records_of,
    run,
    start,
    wait_until,
)

NO_OPENING: list[str] = []
# White is to move: A1 is suicide, E5 is occupied.
CORNER = ["A2", "E5", "B1"]
# White is to move and may not take back at C3.
KO = ["C4", "D4", "B3", "E3", "C2", "D2", "A1", "C3", "D3"]
# On 4x4, white is to move: B1 brings back what stood there when white was to move.
SENT_TWO = ["A3", "C3", "B3", "D3", "A2", "C2", "pass", "B1", "pass", "D1", "B2", "A1", "C1"]


class Played(NamedTuple):
    """Two games of a bad engine against a good one; the bad one is black in the first."""

    records: list[GameRecord]
    transcripts: list[str]
    partner_survived: bool
    seconds: float


def play(
    mode: str, *, opening: list[str] = NO_OPENING, partner: str = "good", **given: Any
) -> Played:
    bad_mark, good_mark = new_mark(), new_mark()
    pairing = make(player(mode, bad_mark), player(partner, good_mark), **given)

    async def play_two() -> Played:
        table = Table((), None)
        started = time.monotonic()
        try:
            games = [await table.play(pairing, 1, opening)]
            before = processes_with(good_mark)
            games.append(await table.play(pairing, 2, opening))
            after = processes_with(good_mark)
            seconds = time.monotonic() - started
        finally:
            await table.close()
        records, transcripts = zip(*games, strict=True)
        survived = len(before) == 1 and before == after
        return Played(list(records), list(transcripts), survived, seconds)

    played = asyncio.run(play_two())
    assert processes_with(bad_mark) == processes_with(good_mark) == [], "nothing is left behind"
    return played


FORFEITS = [
    ("hang", "hang", "no answer to 'genmove {color}' within 0.4 s"),
    ("hang@play", "hang", "no answer to 'play "),
    ("close_stdin", "hang", "no answer to 'genmove {color}' within 0.4 s"),
    ("close_stdout", "crash", "the engine closed its stdout"),
    ("endless_line", "flood", "more than 65536 bytes in one answer"),
    ("endless_lines", "flood", "more than 65536 bytes in one answer"),
    ("endless_blanks", "flood", "more than 65536 bytes in one answer"),
    ("endless_junk", "junk", "a line that is no answer: junk"),
    ("exit_0", "crash", "the engine ended with exit status 0"),
    ("exit_3", "crash", "the engine ended with exit status 3; its last words: out of memory"),
    ("exit_3@boardsize", "crash", "the engine ended with exit status 3"),
    ("killed", "crash", "the engine ended with signal 9"),
    ("killed@play", "crash", "the engine ended with signal 9"),
    ("junk_before", "junk", "a line that is no answer: thinking..."),
    ("junk_after", "junk", "a line that is no answer: that was hard"),
    ("junk_after@komi", "junk", "a line that is no answer: that was hard"),
    ("junk_inside", "junk", "that was hard' is no move"),
    ("not_utf8", "junk", "is no move"),
    ("long_word", "junk", "is no move"),
    ("unasked", "out of turn", "an answer that nobody asked for: = D4"),
    ("unasked@clear_board", "out of turn", "an answer that nobody asked for: = D4"),
    ("wrong_id", "out of turn", "an answer that nobody asked for: ="),
    ("no_id@genmove#1", "out of turn", "an answer that nobody asked for: = "),
    ("two_answers", "out of turn", "an answer that nobody asked for: ="),
    ("two_answers@komi", "out of turn", "an answer that nobody asked for: ="),
    ("refuse", "refusal", "genmove is refused: I would rather not"),
    ("refuse_at_length", "refusal", "genmove is refused: nononono"),
    ("refuse@play", "refusal", "'play {other} "),
    ("move=J9", "illegal move", "'J9' is not on a 5x5 board"),
    ("move=I3", "illegal move", "'I3' is not a vertex such as D4"),
    ("move=C99", "illegal move", "'C99' is not on a 5x5 board"),
    ("move=PASSE", "illegal move", "'PASSE' is not a vertex such as D4"),
]


@pytest.mark.parametrize(("mode", "offence", "detail"), FORFEITS)
def test_forfeits(mode: str, offence: str, detail: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "_SECONDS_TO_END", 0.1)
    monkeypatch.setattr(engine_process, "_MOST_REPLY", 1 << 16)
    played = play(mode, patience=0.4 if offence == "hang" else 20.0)
    for record, transcript, bad, good in zip(
        played.records, played.transcripts, ("black", "white"), ("white", "black"), strict=True
    ):
        assert (record.ending, record.winner, record.offence) == ("forfeit", good, offence)
        assert record.result == f"{good[0].upper()}+F"
        assert record.detail.startswith(f"{bad}: ")
        assert detail.format(color=bad, other=good) in record.detail
        assert len(record.detail) <= 500
        assert {"black": record.black, "white": record.white} == {bad: "bad", good: "good"}
        assert f"\n{bad}: bad engine {mode.split('@')[0].split('=')[0]}\n" in f"\n{transcript}"
        assert f"\n{good}: bad engine good\n" in f"\n{transcript}"
        assert f"genmove {good}" in transcript or not record.moves
    assert played.partner_survived
    assert played.seconds < 10


@pytest.mark.parametrize(
    ("vertex", "opening", "detail"),
    [
        ("E5", CORNER, "E5 is occupied"),
        ("e5", CORNER, "E5 is occupied"),
        ("A1", CORNER, "A1 is suicide"),
        ("C3", KO, "C3 takes the ko back at once"),
    ],
)
def test_illegal_moves(vertex: str, opening: list[str], detail: str) -> None:
    played = play(f"move={vertex}@genmove", opening=opening, colors="first is white")
    for record in played.records:
        assert (record.ending, record.winner) == ("forfeit", "black")
        assert (record.offence, record.detail) == ("illegal move", f"white: {detail}")
        assert record.opening == opening
        assert [move.vertex for move in record.moves] == [vertex.upper()]
    assert played.partner_survived


def test_superko_is_for_the_rules_to_say() -> None:
    details = [
        play("move=B1@genmove", size=4, opening=SENT_TWO, colors="first is white", rules=rules)
        .records[0]
        .detail
        for rules in ("chinese", "aga", "tromp-taylor")
    ]
    # It is black's turn now, so the situation is another one; later B1 is occupied.
    assert details == [
        "white: B1 is occupied",
        "white: B1 is occupied",
        "white: B1 repeats an earlier position",
    ]


@pytest.mark.parametrize("mode", ["flood_stderr", "not_utf8@name", "junk_inside@play", "late=0.05"])
def test_what_is_tolerated(mode: str) -> None:
    played = play(mode)
    assert [record.ending for record in played.records] == ["score", "score"]
    assert played.transcripts == ["", ""]
    assert played.partner_survived


def test_late_under_a_clock_loses_on_time_and_stays() -> None:
    played = play("late=0.45", clock=Clock(main=0.8), patience=0.4)
    assert [record.result for record in played.records] == ["W+T", "B+T"]
    for record in played.records:
        assert record.offence is None
        assert "took 0.4" in record.detail
        assert len(record.moves_of("black" if record.winner == "white" else "white")) == 2
    for transcript in played.transcripts:
        assert "kata-time_settings absolute 0.8" in transcript
        assert re.search(r"time_left (black|white) 0 0", transcript)


@pytest.mark.parametrize(
    ("clock", "settings", "left"),
    [
        (Clock(main=5), "time_settings 5 0 0", "[45] 0"),
        (Clock(period=5, periods=3), "kgs-time_settings byoyomi 0 5 3", "5 3"),
        (Clock(main=5.5, increment=3), "kata-time_settings fischer 5.5 3", r"\d+ 0"),
    ],
)
def test_engines_are_told_the_clock(clock: Clock, settings: str, left: str) -> None:
    """The engine ends at its second move, so that there is a transcript."""
    played = play("exit_0", clock=clock)
    for record, transcript in zip(played.records, played.transcripts, strict=True):
        assert record.clock == clock
        assert transcript.count(f" {settings}\n") >= 2, "both"
        assert re.search(rf"time_left (black|white) {left}\n", transcript)


def test_byoyomi_is_charged_period_by_period() -> None:
    """Half a second a move: a period of 0.4 s is gone with each, and the third is the last."""
    played = play("late=0.5", clock=Clock(period=0.4, periods=3))
    assert [record.result for record in played.records] == ["W+T", "B+T"], played.transcripts
    for record in played.records:
        assert len(record.moves_of("black" if record.winner == "white" else "white")) == 3
    played = play("late=0.1", clock=Clock(period=0.4, periods=3))
    assert [record.ending for record in played.records] == ["score", "score"]


def test_increments_are_added() -> None:
    """The second move would be too late without them."""
    played = play("late=0.3", clock=Clock(main=0.5, increment=0.4))
    assert [record.ending for record in played.records] == ["score", "score"]
    assert max(len(record.moves) for record in played.records) > 3


@pytest.mark.parametrize(
    ("lacking", "clock", "reason"),
    [
        ("kgs-time_settings,kata-time_settings", Clock(period=5, periods=3), "kgs- or kata-time"),
        ("kata-time_settings", Clock(main=5, increment=1), "does not know kata-time_settings"),
        ("kata-time_settings", Clock(main=0.5), "whole seconds alone, not absolute 0.5"),
    ],
)
def test_who_cannot_be_told_the_clock_plays_no_game(
    lacking: str, clock: Clock, reason: str
) -> None:
    with pytest.raises(CannotStart, match=f"^bad cannot play it: it .*{reason}"):
        play(f"lacks={lacking}", clock=clock)


def test_no_answer_under_a_clock_is_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clients.match.game._LATE", 0.1)
    played = play("hang", clock=Clock(main=0.4))
    assert [record.offence for record in played.records] == ["hang", "hang"]


def test_an_offence_counts_before_a_resignation() -> None:
    record = play("unasked@pachi-result", partner="resign").records[0]
    assert (record.winner, record.offence) == ("white", "out of turn")


def test_resignations_and_passes_are_games() -> None:
    resigned = play("resign").records
    assert [record.result for record in resigned] == ["W+R", "B+R"]
    passed = play("pass", partner="pass").records
    assert [(record.result, record.scored_by) for record in passed] == [("W+0.5", "agreement")] * 2
    assert [move.vertex for move in passed[0].moves] == ["pass", "pass"]


def test_opinions_are_taken_with_care() -> None:
    opinions: dict[str, tuple[Any, Any]] = {
        "": (None, None),
        "what": (None, None),
        "black A1 x y": (None, None),
        "black A1 100 0.25": (0.25, 100),
        "black A1 100 1.5": (None, 100),
        "black A1 100 nan": (None, 100),
        "black A1 -3 0.5": (0.5, None),
        f"black A1 {10**400} 0.5": (0.5, None),
    }
    pairing = make(player(f"'opinions={'|'.join(opinions)}'"), player("good"))

    async def play_all() -> list[MoveRecord]:
        table = Table((), None)
        moves: list[MoveRecord] = []
        try:
            for number in range(1, 2 * len(opinions), 2):
                record, _ = await table.play(pairing, number, NO_OPENING)
                moves += record.moves_of("black")
        finally:
            await table.close()
        return moves

    moves = asyncio.run(play_all())[: len(opinions)]
    assert [(move.win_rate, move.playouts) for move in moves] == list(opinions.values())


def test_handicap_stones_are_where_gtp_says() -> None:
    good = play("good", size=9, handicap=3).records[0]
    assert good.handicap == ["C3", "C7", "G7"]
    assert good.moves[0] in good.moves_of("white")
    for stones in ("C3,G7", "C3,G7,G3", "C3,C3,G7"):
        for record, loser in zip(
            play(f"handicap={stones}", size=9, handicap=3).records, ("black", "white"), strict=True
        ):
            assert record.winner != loser, "who is wrong, whatever its colour"
            assert record.offence == "illegal move"
            assert record.detail.startswith(f"{loser}: handicap stones at {stones[:2]}")


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("exit_3@list_commands", "exit status 3; its last words: out of memory"),
        ("refuse@list_commands", "'list_commands' is refused"),
        ("junk_before@name", "a line that is no answer: thinking..."),
        ("hang@version", "no answer to 'version' within 1 s"),
    ],
)
def test_who_does_not_say_its_name_plays_no_game(
    mode: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "_START_PATIENCE", 1.0)
    with pytest.raises(CannotStart) as caught:
        play(mode)
    assert str(caught.value).startswith("bad does not start: ")
    assert reason in str(caught.value)


@pytest.mark.parametrize("command", ["boardsize", "clear_board", "komi", "time_settings"])
def test_who_refuses_the_conditions_plays_no_game(command: str) -> None:
    with pytest.raises(
        CannotStart, match=f"^bad cannot play it: '{command}.*' is refused: I would"
    ):
        play(f"refuse@{command}", clock=Clock(main=60))


def test_a_match_goes_on_after_everything(tmp_path: Path) -> None:
    mark = new_mark()
    path = tmp_path / "all.toml"
    modes = ["killed", "endless_line", "exit_0@boardsize", "junk_after@komi", "two_answers@komi"]
    text = match_text(mark, *(f"{mode} good" for mode in modes), "good good last", games=2)
    path.write_text(
        f'{text}\n[players.absent]\ncommand = "/nowhere/engine"\n'
        '[[pairings]]\nplayers = ["absent", "good"]\n'
    )
    status, output = run(path)
    assert status == 1
    assert "absent vs good is stopped: absent does not start: /nowhere/engine" in " ".join(
        output.split()
    )
    assert "Traceback" not in output
    records = records_of(path)
    assert records.pop("absent vs good") == {}
    assert [record.ending for record in records.pop("last").values()] == ["score", "score"]
    assert len(records) == len(modes)
    for games in records.values():
        assert [record.ending for record in games.values()] == ["forfeit", "forfeit"]
        assert {record.number: record.winner for record in games.values()} == {
            1: "white",
            2: "black",
        }
    assert len(files_of(read_match(path), "transcript.txt")) == 2 * len(modes)
    assert processes_with(mark) == []


def test_too_many_forfeits_in_a_row_stop_a_pairing(tmp_path: Path) -> None:
    path = tmp_path / "hopeless.toml"
    path.write_text(
        match_text(new_mark(), "exit_0 good", "good good", games=9, top="forfeits_in_a_row = 3\n")
    )
    status, output = run(path, "--games-at-once", "1")
    assert status == 1
    records = records_of(path)
    assert len(records["exit_0 vs good"]) == 3
    assert len(records["good vs good"]) == 9
    assert "exit_0 forfeited 3 games in a row" in " ".join(output.split())


def test_engines_die_with_a_match_that_is_killed(tmp_path: Path) -> None:
    mark = new_mark()
    path = tmp_path / "killed.toml"
    path.write_text(match_text(mark, "hang good").replace("patience = 1", "patience = 60"))
    process = start(path)
    try:
        wait_until(lambda: len(processes_with(mark)) >= 2 and files_of(read_match(path), "claim"))
        time.sleep(0.2)
        assert process.poll() is None, log_of(path)
    finally:
        process.kill()
        process.wait()
    wait_until(lambda: processes_with(mark) == [], seconds=2)
