"""Games on a real daemon: who may do what, and what is left after it was killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.process.daemons import Client, Daemon, running_daemon, wait_until


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("d")) as daemon:
        yield daemon


def test_a_game(daemon: Daemon) -> None:
    with Client(daemon) as client:
        assert client.open(size=9, playouts=200)["kind"] == "end"
        assert client.gtp("1 play b E5") == "=1\n\n"
        reply = client.gtp("2 genmove w")
        assert reply.startswith("=2 ")
        assert client.gtp("play b E5") == "? illegal move: E5 is occupied\n\n"
        assert client.gtp("# nothing") == ""
        assert reply.split()[1] in client.gtp("list_stones w")


def test_a_lost_game_is_given_up(daemon: Daemon) -> None:
    """White's komi is more than the board has points."""
    with Client(daemon) as client:
        client.open(size=5, komi=30.0, playouts=3000, parameters={"resign_below": "0.05"})
        for _ in range(2):
            assert "resign" not in client.gtp("genmove b")
            assert client.gtp("reg_genmove b").startswith("= ")
            client.gtp("gogui-setup_player b")
        assert client.gtp("genmove b") == "= resign\n\n"
        assert len(client.gtp("list_stones b").split()) == 3, "two stones after the ="


def test_the_end_of_a_game_on_the_clock(daemon: Daemon) -> None:
    """All is settled, and a stone is dead: a second search says so, and is not asked again."""
    rows = [".X.XO.O", "XXXXOOO", "...XO.O", "..OXOOO", "...XO.O", "XXXXOOO", ".X.XO.O"]
    stones = [
        f"{'B' if letter == 'X' else 'W'} {'ABCDEFG'[column]}{7 - row}"
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter != "."
    ]
    with Client(daemon) as client:
        client.open()
        for line in ("boardsize 7", "komi 0.5", f"set_position {' '.join(stones)}"):
            assert client.gtp(line) == "=\n\n"
        assert client.gtp("final_status_list dead") == "= C4\n\n"
        client.gtp("time_settings 30 0 0")
        assert client.gtp("genmove b") == "= pass\n\n"
        assert client.gtp("genmove w") == "= pass\n\n"
        assert client.gtp("final_score") == "= B+6.5\n\n"


def test_lines_wait_for_their_turn(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9, playouts=300)
        ids = [client.begin(f"{n} genmove {'bw'[n % 2]}") for n in range(20)]
        ends = [client.answers(id)[-1]["text"] for id in ids]
        assert [text.split()[0] for text in ends] == [f"={n}" for n in range(20)]


def test_a_repeated_request_is_not_executed_again(daemon: Daemon) -> None:
    with Client(daemon) as client:
        client.open(size=9, playouts=2000)
        id = client.begin("genmove b")
        client.send(id=id, do="gtp", line="genmove b")
        first = client.answers(id)[-1]
        client.send(id=id, do="gtp", line="genmove b")
        assert client.answers(id)[-1]["text"] == first["text"]
        assert len(client.gtp("list_stones b").split()) == 2, "one stone after the ="


def test_an_analysis_goes_on_where_it_was(daemon: Daemon) -> None:
    """Play, take back, play again: the first report has what was found before."""

    def analyse(n_visits: int) -> tuple[int, int]:
        """Until there are so many more visits. Returns those of the first and the last report."""
        client.begin("lz-analyze 5")
        reports: list[int] = []
        while not reports or reports[-1] < reports[0] + n_visits:
            words = client.receive()["text"].split()
            if "info" in words:
                places = [at for at, word in enumerate(words) if word == "visits"]
                reports.append(sum(int(words[at + 1]) for at in places))
        return reports[0], reports[-1]

    with Client(daemon) as client:
        client.open(size=9)
        client.gtp("komi 7.5")
        _, before = analyse(3000)
        client.gtp("play b E5")
        _, after = analyse(3000)
        client.gtp("undo")
        again, _ = analyse(0)
        assert again >= before
        client.gtp("komi 3.5")
        other, _ = analyse(0)
        assert other < before
        client.gtp("komi 7.5")
        client.gtp("play b E5")
        again, _ = analyse(0)
        assert again >= after


def test_watchers_look_and_change_nothing(daemon: Daemon) -> None:
    with Client(daemon) as player, Client(daemon, player.game) as watcher:
        player.open(size=9)
        player.gtp("play b E5")
        assert watcher.open()["code"] == "taken"
        assert watcher.open(watch=True)["kind"] == "end"
        assert watcher.gtp("3 list_stones black") == "=3 E5\n\n"
        for line in ("play w D4", "genmove w", "undo", "boardsize 5", "komi 3", "lz-analyze 10"):
            assert watcher.gtp(line).startswith("? read-only"), line
        assert player.gtp("list_stones white") == "=\n\n"
        assert watcher.ask(do="close")[-1]["kind"] == "end"
        assert player.gtp("name") == "= goengine\n\n"


def test_a_game_goes_to_who_asks_when_its_owner_is_gone(daemon: Daemon) -> None:
    with Client(daemon) as owner:
        owner.open(size=9, keep=True)
        owner.gtp("play b E5")
    with Client(daemon, owner.game) as heir:
        wait_until(lambda: heir.open()["kind"] == "end", seconds=3)
        assert heir.gtp("play w D4") == "=\n\n"
        heir.ask(do="close")
        assert heir.ask(do="gtp", line="name")[-1]["code"] == "no-game"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"rules": "chess"}, "chess"),
        ({"engine": "katago"}, "the engines are"),
        ({"parameters": {"polcy": "rave"}}, "did you mean policy?"),
        ({"parameters": {"expand_visits": "0"}}, "from 1 to"),
    ],
)
def test_bad_settings(daemon: Daemon, settings: dict[str, Any], text: str) -> None:
    with Client(daemon) as client:
        answer = client.open(**settings)
        assert answer["code"] == "settings"
        assert text in answer["text"]
        assert client.ask(do="gtp", line="name")[-1]["code"] == "no-game", "and it is gone"


def test_other_versions_are_told_so(daemon: Daemon) -> None:
    with Client(daemon) as client:
        assert client.ask(v=2, do="dance")[-1]["code"] == "version"
        assert client.ask(do="dance")[-1]["code"] == "bad-message"


def test_control(daemon: Daemon) -> None:
    with Client(daemon) as client, Client(daemon, socket="control") as control:
        client.open(size=9)
        id = client.begin("lz-analyze 10")
        client.receive()
        game = next(g for g in daemon.status()["games"] if g["name"] == client.game)
        assert (game["size"], game["purpose"], game["connected"]) == (9, "analysis", True)
        assert control.ask(do="stop", game=client.game)[-1]["text"] == f"stopped {client.game}"
        assert client.answers(id)[-1]["text"] == "\n"
        assert "is not being searched" in control.ask(do="stop", game=client.game)[-1]["text"]
        assert control.ask(do="drop", game="nowhere")[-1]["code"] == "no-game"
        control.ask(do="drop", game=client.game)
        assert client.ask(do="gtp", line="name")[-1]["code"] == "no-game"


def test_everything_is_there_after_a_kill(tmp_path: Path) -> None:
    lines = [
        "boardsize 13",
        "komi 5.5",
        "kata-set-rules japanese",
        "fixed_handicap 3",
        "time_settings 300 30 5",
        "time_left w 250 0",
        "goengine-param expand_visits 4",
        "play w C3",
        "play b pass",
        "gogui-setup_player b",
    ]
    with running_daemon(tmp_path, slots=1) as daemon, Client(daemon) as client:
        client.open(size=9, keep=True, playouts=100, seed=5)
        for line in lines:
            assert client.gtp(line).startswith("="), line
        id = client.begin("genmove b")
        reply = client.answers(id)[-1]["text"]
        shown = [
            client.gtp(line)
            for line in ("showboard", "printsgf", "kata-get-rules", "goengine-param")
        ]
        daemon.kill()
        daemon.start()
        client.send(id=id, do="gtp", line="genmove b")
        assert client.answers(id)[-1]["text"] == reply, "it is answered and not played again"
        again = [
            client.gtp(line)
            for line in ("showboard", "printsgf", "kata-get-rules", "goengine-param")
        ]
        assert again == shown
        assert client.gtp("undo") == "=\n\n"


def test_a_killed_genmove_is_searched_again_and_played_once(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=1) as daemon, Client(daemon) as client:
        client.open(size=9, seconds=1.0)
        id = client.begin("genmove b")
        wait_until(lambda: daemon.status()["games"][0]["state"] == "searching")
        daemon.kill()
        daemon.start()
        client.send(id=id, do="gtp", line="genmove b")
        assert client.answers(id)[-1]["text"].startswith("= ")
        assert len(client.gtp("list_stones b").split()) == 2


def test_draining(tmp_path: Path) -> None:
    with running_daemon(tmp_path, slots=1) as daemon:
        with Client(daemon) as client, Client(daemon, socket="control") as control:
            client.open(size=9)
            control.ask(do="drain")
            with Client(daemon) as late:
                assert late.open()["code"] == "leaving"
            assert client.gtp("name") == "= goengine\n\n"
        assert daemon.process.wait(timeout=10) == 0
