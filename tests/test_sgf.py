"""Game records: what is read, what is written, what is refused and how."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from sgfmill import sgf

from goengine.board import BLACK, WHITE
from goengine.points import PASS, all_points, format_vertex, parse_vertex
from goengine.rules.game import Game, Move
from goengine.rules.rulesets import RULESETS, change_rule
from goengine.sgf import (
    MAX_BYTES,
    SgfError,
    format_sgf,
    load_sgf,
    parse_sgf,
    save_sgf,
)
from tests.diagrams import assert_position, draw


def moves_of(game: Game) -> str:
    return " ".join(
        f"{'b' if color == BLACK else 'w'} {format_vertex(point, game.size)}"
        for color, point in game.moves
    )


def vertices(points: list[int], size: int) -> str:
    return " ".join(sorted(format_vertex(point, size) for point in points))


def test_a_whole_record():
    game = parse_sgf(
        b"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]HA[2]RU[Japanese]PB[A]PW[B]AB[cc][gg]"
        b";W[ee]C[a comment \\] with a bracket];B[];W[tt](;B[aa];W[ab])(;B[ba]))"
    )
    assert (game.size, game.komi, game.rules) == (9, 6.5, RULESETS["japanese"])
    assert vertices(game.setup_black, 9) == "C7 G3"
    assert game.n_handicap == 2
    assert game.first_to_play == WHITE
    assert moves_of(game) == "w E5 b pass w pass b A9 w A8"


def test_what_a_record_leaves_out():
    game = parse_sgf(b"(;)")
    assert (game.size, game.komi, game.rules.name, game.to_play) == (19, 7.5, "chinese", BLACK)
    assert game.is_empty
    assert parse_sgf(b"(;RU[aga]KM[]HA[]SZ[])").komi == 7.5


# data, position before move n, its moves
MAIN_LINES = [
    ("(;B[aa];W[bb];B[cc])", None, "b A9 w B8 b C7"),
    ("(;B[aa];W[bb];B[cc])", 1, ""),
    ("(;B[aa];W[bb];B[cc])", 3, "b A9 w B8"),
    ("(;B[aa];W[bb];B[cc])", 4, "b A9 w B8 b C7"),
    ("(;B[aa];W[bb];B[cc])", 99, "b A9 w B8 b C7"),
    ("(;;;B[aa];C[no move here];W[bb])", 2, "b A9"),
    ("(;(;B[aa](;W[bb])(;W[cc]))(;B[dd]))", None, "b A9 w B8"),
    ("(;B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff]))", None, "b A9 w B8 b C7 w D6"),
    ("(;B[aa];B[bb];W[cc];W[dd])", None, "b A9 b B8 w C7 w D6"),
    ("(;W[aa])", None, "w A9"),
    ("some mail about a game\n\n(;B[aa])\nand its end (;B[bb])", None, "b A9"),
    ("(;Black[aa];White[bb])", None, "b A9 w B8"),
    ("(;B[];W[tt];B[tt])", None, "b pass w pass b pass"),
]


@pytest.mark.parametrize(("text", "move_number", "moves"), MAIN_LINES)
def test_the_main_line_is_followed(text, move_number, moves):
    data = text.replace("(;", "(;SZ[9]", 1).encode()
    assert moves_of(parse_sgf(data, move_number=move_number)) == moves


def test_the_player_of_the_next_move_is_to_play():
    data = b"(;SZ[9];B[aa];B[bb];W[cc];W[dd])"
    to_play = [parse_sgf(data, move_number=number).to_play for number in range(1, 6)]
    assert to_play == [BLACK, BLACK, WHITE, WHITE, BLACK]


def test_tt_is_a_point_on_large_boards():
    assert moves_of(parse_sgf(b"(;SZ[21];B[tt])")) == "b U2"
    assert moves_of(parse_sgf(b"(;SZ[19];B[tt])")) == "b pass"


@pytest.mark.parametrize("size", [2, 9, 13, 19, 25])
def test_board_sizes(size):
    for text in f"{size}", f"{size}:{size}", f" {size} ":
        assert parse_sgf(f"(;SZ[{text}])".encode()).size == size


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chinese", "chinese"),
        ("AGA", "aga"),
        ("NZ", "new-zealand"),
        ("Tromp-Taylor", "tromp-taylor"),
        ('{"ko":"SIMPLE","scoring":"TERRITORY","suicide":false}', "japanese"),
        ("old rules from the village", "chinese"),
        ('{"ko":"SPIGHT"}', "chinese"),
        ("\udcff", "chinese"),
    ],
)
def test_rules_are_recognised_and_strange_ones_ignored(text, name):
    data = f"(;RU[{text}])".encode("utf-8", "surrogateescape")
    assert parse_sgf(data).rules is RULESETS[name]


def test_set_up_before_the_game():
    game = parse_sgf(b"(;SZ[5]AB[aa:cb][ee]AW[ac]PL[W];AE[ba])")
    assert_position(
        game,
        """
        X . X . .
        X X X . .
        O . . . .
        . . . . .
        . . . . X
        """,
    )
    assert game.to_play == WHITE
    assert game.n_handicap == 0


def test_set_up_in_mid_game_keeps_prisoners_and_begins_a_new_history():
    data = b"(;SZ[5]RU[Japanese];W[aa];B[ab];W[ee];B[ba];AE[ba]AW[ca]AB[ec]PL[B];B[da])"
    before = parse_sgf(data, move_number=5)
    assert_position(
        before,
        """
        . . O . .
        X . . . .
        . . . . X
        . . . . .
        . . . . O
        """,
    )
    assert (before.moves, before.to_play) == ([], BLACK)
    assert before.captures(BLACK) == 1
    with pytest.raises(ValueError, match="cannot undo"):
        before.undo()
    assert moves_of(parse_sgf(data)) == "b D5"


def test_set_up_that_changes_nothing_keeps_the_history():
    game = parse_sgf(b"(;SZ[5];B[aa];AB[aa]AE[bb];W[cc])")
    assert moves_of(game) == "b A5 w C3"


@pytest.mark.parametrize(
    ("text", "n_handicap", "to_play"),
    [
        ("HA[2]AB[cc][gg]", 2, WHITE),
        ("HA[2];AB[cc][gg]", 2, WHITE),
        ("HA[2]AB[cc][gg]PL[B]", 2, BLACK),
        ("HA[2];B[cc];B[gg];W[aa]", 2, BLACK),
        ("HA[2]", 2, BLACK),
        ("HA[2]AB[cc][gg][aa][bb]", 2, BLACK),
        ("HA[2]AB[cc][gg]AW[dd]", 2, BLACK),
        ("HA[0]AB[cc][gg]", 0, BLACK),
        ("HA[1]AB[cc]", 0, BLACK),
        ("AB[cc][gg]", 0, BLACK),
        (";B[cc];B[gg];W[aa]", 2, BLACK),
        (";B[cc];W[];B[gg];W[];B[aa];W[bb]", 3, BLACK),
        (";B[cc];B[gg];W[aa];W[bb]", 0, BLACK),
        ("AB[ee];B[cc];B[gg];W[aa]", 0, BLACK),
        ("HA[0];B[cc];B[gg];W[aa]", 0, BLACK),
        (";B[cc];B[gg];W[aa];AE[cc]", 2, BLACK),
    ],
)
def test_handicap_is_what_the_record_says(text, n_handicap, to_play):
    game = parse_sgf(f"(;SZ[9]KM[0]RU[Chinese]{text})".encode())
    assert (game.n_handicap, game.to_play) == (n_handicap, to_play)
    assert game.white_bonus == n_handicap


def test_handicap_survives_set_up_in_mid_game_undo_and_a_partial_load():
    assert parse_sgf(b"(;SZ[9]HA[2]AB[cc][gg];W[ee];AE[cc])").n_handicap == 2
    data = b"(;SZ[9]HA[2];B[cc];B[gg];W[ee])"
    assert parse_sgf(data, move_number=2).n_handicap == 2
    game = parse_sgf(data)
    game.undo(3)
    assert game.n_handicap == 2


@pytest.mark.parametrize("told", ["", "HA[2]", "HA[0]"])
def test_stones_sent_as_moves_are_written_as_what_they_are(told):
    game = parse_sgf(f"(;SZ[9]{told};B[cc];B[gg];W[ee])".encode())
    again = parse_sgf(format_sgf(game).encode())
    assert_same(again, game)
    assert ("HA[2]" in format_sgf(game)) == (told != "HA[0]")


def test_set_up_in_mid_game_is_no_handicap():
    game = parse_sgf(b"(;SZ[9]HA[2];B[cc];B[gg];W[ee];AE[ee])")
    assert game.to_play == BLACK


@pytest.mark.parametrize(("written", "komi"), [("375", 7.5), ("650", 6.5), ("0", 0), ("-5", -5)])
def test_komi_of_the_fox_server(written, komi):
    assert parse_sgf(f"(;SZ[9]KM[{written}])".encode()).komi == komi


ALPHABET = [b"(", b")", b";", b"[", b"]", b"\\", b"\n", b"\xff", b"B", b"W", b"AB", b"AW", b"AE"]
ALPHABET += [b"PL", b"SZ", b"KM", b"HA", b"RU", b"GM", b"[aa]", b"[]", b"[aa:ii]", b"[zz]", b"[-1]"]
ALPHABET += [b"[3:3]", b"[1e999]", b'[{"ko":[]}]', b"[9999999999]"]
GOOD = (
    b"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]HA[2]RU[Japanese]PB[x]AB[cc][gg]PL[W]C[hi \\] there]"
    b";W[ee];B[dd](;W[aa];AE[dd];B[];W[tt])(;W[bb]))"
)


def test_mutated_records_give_a_game_or_an_sgf_error():
    random = Random(6)
    n_good = 0
    for _ in range(1_500):
        data = bytearray(GOOD)
        for _ in range(random.randint(1, 6)):
            at = random.randrange(len(data))
            match random.randrange(4):
                case 0:
                    data[at:at] = random.choice(ALPHABET)
                case 1:
                    del data[at : at + random.randint(1, 5)]
                case 2:
                    data[at] = random.randrange(256)
                case 3:
                    copied = random.randrange(len(data))
                    data[at:at] = data[copied : copied + random.randint(1, 20)]
        try:
            game = parse_sgf(bytes(data), "f.sgf", random.choice([None, None, 1, 2, 3, 50]))
        except SgfError as error:
            complaint = str(error)
        else:
            complaint = "f.sgf: none"
            n_good += 1
            assert_same(parse_sgf(format_sgf(game).encode()), game)
        assert complaint.startswith("f.sgf: "), bytes(data)
        assert complaint.isprintable(), bytes(data)
        assert len(complaint) < 200, bytes(data)
    assert 100 < n_good < 1_400


def assert_same(found: Game, expected: Game) -> None:
    assert_position(found, draw(expected))
    assert found.moves == expected.moves
    assert sorted(found.setup_black) == sorted(expected.setup_black)
    assert sorted(found.setup_white) == sorted(expected.setup_white)
    assert found.n_handicap == expected.n_handicap
    assert found.first_to_play == expected.first_to_play
    assert (found.size, found.rules, found.komi) == (expected.size, expected.rules, expected.komi)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_games_are_written_and_read_again(rules):
    random = Random(rules.name)
    for size in 2, 9, 19, 25:
        game = Game(size, rules, random.choice([0, 0.5, -3, 6.5]))
        if size > 2 and random.random() < 0.5:
            game.place_handicap(random.sample(all_points(size), 5))
        for _ in range(60):
            color = game.to_play if random.random() < 0.9 else random.choice([BLACK, WHITE])
            point = random.choice([*all_points(size), PASS])
            if game.is_legal(color, point):
                game.play(color, point)
        assert_same(parse_sgf(format_sgf(game).encode()), game)


def test_set_up_positions_are_written_and_read_again():
    for to_play in BLACK, WHITE:
        game = Game(9)
        game.set_up([parse_vertex("D4", 9)], [parse_vertex("E5", 9)], to_play)
        assert_same(parse_sgf(format_sgf(game).encode()), game)


def test_rules_without_a_name_are_written_and_read_again():
    game = Game(9, change_rule(RULESETS["aga"], "suicide", "true"))
    assert parse_sgf(format_sgf(game).encode()).rules == game.rules


def test_the_written_record_says_who_and_what():
    game = Game(9, RULESETS["new-zealand"], 7)
    game.play(WHITE, parse_vertex("D4", 9))
    text = format_sgf(game, "Ann]\n\n\\", "Bé \udcff", "W+R")
    record = sgf.Sgf_game.from_string(text)
    root = record.get_root()
    assert record.get_size() == 9
    assert root.get("KM") == 7.0
    assert root.get("RU") == "NZ"
    assert root.get("PB") == "Ann] \\"
    assert root.get("PW") == "Bé ?"
    assert root.get("RE") == "W+R"
    assert root.get("AP")[0] == "goengine"
    assert root.get("PL") == "b"  # it was black's turn
    assert record.get_last_node().get_move() == ("w", (3, 3))
    assert "\n\n" not in text


def test_an_empty_game_has_no_needless_properties():
    root = sgf.Sgf_game.from_string(format_sgf(Game(9))).get_root()
    assert sorted(root.properties()) == ["AP", "CA", "FF", "GM", "KM", "RU", "SZ"]


def test_files(tmp_path: Path):
    game = Game(9)
    game.play(BLACK, parse_vertex("E5", 9))
    path = tmp_path / "a game.sgf"
    save_sgf(game, path, black="Ann", white="Bob", result="0")
    assert "PB[Ann]" in path.read_text()
    assert_same(load_sgf(path), game)
    assert load_sgf(str(path), 1).moves == []
    assert load_sgf(str(path), 2).moves == [Move(BLACK, parse_vertex("E5", 9))]


def test_the_error_names_the_file(tmp_path: Path):
    path = tmp_path / "bad.sgf"
    path.write_bytes(b"(;SZ[40])")
    with pytest.raises(SgfError) as error:
        load_sgf(path)
    assert str(error.value) == f"{path}: SZ[40]: board size 40 is not between 2 and 25"


def test_files_that_cannot_be_read(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long").write_bytes(b" " * (MAX_BYTES + 2))
    for path, complaint in (
        (tmp_path / "missing", "No such file or directory"),
        (tmp_path, "not a regular file"),
        (tmp_path / "pipe", "not a regular file"),
        (tmp_path / "long", f"longer than {MAX_BYTES} bytes"),
        (tmp_path / ("x" * 5000), "File name too long"),
    ):
        with pytest.raises(SgfError) as error:
            load_sgf(path)
        assert str(error.value) == f"{path}: {complaint}"
    with pytest.raises(SgfError, match=r"a\?b: not a file name"):
        load_sgf("a\0b")


def test_files_that_cannot_be_written(tmp_path: Path):
    for path, complaint in (
        (tmp_path, "not a regular file"),
        (tmp_path / "missing" / "game.sgf", "No such file or directory"),
    ):
        with pytest.raises(SgfError) as error:
            save_sgf(Game(9), path)
        assert str(error.value) == f"{path}: {complaint}"
    with pytest.raises(SgfError, match=r"a\?b: not a file name"):
        save_sgf(Game(9), "a\0b")


def test_what_a_file_does_not_say_can_be_given():
    rules = RULESETS["aga"]
    assert parse_sgf(b"(;SZ[9])", rules=rules, komi=3.5).rules == rules
    assert parse_sgf(b"(;SZ[9])", rules=rules, komi=3.5).komi == 3.5
    assert parse_sgf(b"(;SZ[9])", rules=rules).komi == rules.komi
    told = parse_sgf(b"(;SZ[9]RU[Japanese]KM[0])", rules=rules, komi=3.5)
    assert (told.rules.name, told.komi) == ("japanese", 0)


def test_saving_to_a_pipe_is_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(SgfError, match="not a regular file"):
        save_sgf(Game(9), pipe)
