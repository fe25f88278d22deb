"""Pages of a match: true to the standings, whole, and safe to open whatever engines said."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from clients.match import page
from clients.match.definition import Match, Openings, Player, Published, Sprt
from clients.match.page import write_page
from clients.match.sgf_writer import sgf_of
from clients.match.standings import Standing, match_ratings, standing_of
from clients.match.time_settings import Clock, RandomClock
from clients.match.wording import conditions, elo, elo_with_interval, rate_with_interval
from tests.match.example_games import (
    HOSTILE,
    example_match,
    example_pairing,
    won_by,
)

VOID = {"meta", "br"}


class Page(HTMLParser):
    """What a browser finds: elements, links, and the text between them."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.add(tag)
        self.attributes |= given.keys()
        self.links += [given["href"]] if given.get("href") else []
        self.ids |= {given["id"]} if "id" in given else set()
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open and self._open[-1] != "style":
            self.text += data

    @property
    def words(self) -> str:
        return re.sub(r"\s+", " ", self.text)


def games_of(pairing, wins: str, **given) -> Standing:
    """`wins`: a 1 for each game that the first player wins, F where it wins by forfeit."""
    records = []
    for number, letter in enumerate(wins, 1):
        ending = {"ending": "forfeit", "offence": "crash", "margin": None, "scored_by": None}
        forfeit = ending if letter == "F" else {}
        records.append(won_by(pairing, number, letter != "0", **{**given, **forfeit}))
    return standing_of(pairing, records)


def write(folder: Path, match: Match, standings: list[Standing]) -> Page:
    for standing in standings:
        place = folder / "games" / standing.pairing.key
        place.mkdir(parents=True, exist_ok=True)
        for record in standing.records:
            (place / f"{record.number:05d}.sgf").write_bytes(sgf_of(record))
            if record.ending == "forfeit":
                (place / f"{record.number:05d}.transcript.txt").write_text("? \n")
    return Page(write_page(match, standings, folder))


def check_links(shown: Page) -> None:
    assert shown.links
    for link in shown.links:
        target, _, fragment = link.partition("#")
        if target.startswith("https:"):
            continue
        path = shown.path.parent / target if target else shown.path
        assert path.exists(), link
        assert not fragment or fragment in Page(path).ids, link


def test_numbers_are_those_of_the_standings(tmp_path):
    pairings = [
        example_pairing("new", "old", published="61 % ± 3"),
        example_pairing("newer", "old", sprt=Sprt(elo0=0, elo1=50)),
        example_pairing("new", "nobody"),
    ]
    standings = [
        games_of(pairing, wins)
        for pairing, wins in zip(pairings, ["1011101F", "0011", ""], strict=True)
    ]
    match = example_match(tmp_path, pairings, published=Published(source="A book", note="p. 7"))
    words = write(tmp_path, match, standings).words
    for standing in standings[:2]:
        tally = standing.tally
        assert rate_with_interval(standing.rate) in words
        assert elo_with_interval(standing.elo) in words
        assert f"{tally.wins}–{tally.losses}–{tally.draws}" in words
    for rating in (each for group in match_ratings(standings) for each in group):
        assert f"{rating.name}{elo(rating.elo)}{elo(rating.low)} to {elo(rating.high)}" in words
    assert "6–2–0" in words
    assert "75.0 % (40.9 to 92.9 %)" in words
    assert "61 % ± 3" in words
    assert "A book. p. 7" in words
    assert "1 by forfeit, 7 counted by agreement" in words
    assert "undecided after 4 games" in words
    assert "Pairings compared" in words
    assert "run newer" in words
    # As Black the first player won all four games, as White two of four; forfeits come next.
    assert "new4–0–02–2–00" in words.replace(" ", "")
    assert "old2–2–00–4–01" in words.replace(" ", "")


def test_set_aside_games_are_told(tmp_path):
    pairing = example_pairing()
    match, standings = example_match(tmp_path, [pairing]), [games_of(pairing, "1")]
    assert "other conditions" not in Page(write_page(match, standings, tmp_path)).words
    words = Page(write_page(match, standings, tmp_path, 3)).words
    assert "3 games in this folder were played under conditions" in words


def test_links_lead_to_files(tmp_path):
    pairings = [example_pairing("a", "b"), example_pairing("a+", "b=2")]
    standings = [games_of(pairings[0], "10F"), games_of(pairings[1], "1")]
    source = Published(source="https://example.org/x?a=1&b=2")
    shown = write(tmp_path, example_match(tmp_path, pairings, published=source), standings)
    check_links(shown)
    key = pairings[0].key
    assert source.source in shown.links
    assert f"games/{key}/00003.transcript.txt" in shown.links
    assert f"games/{key}/00001.transcript.txt" not in shown.links
    for number in (1, 2, 3):
        game = Page(tmp_path / f"games/{key}/{number:05d}.html")
        check_links(game)
        beside = {f"{each:05d}.html" for each in (number - 1, number + 1) if 1 <= each <= 3}
        assert {link for link in game.links if re.fullmatch(r"\d+\.html", link)} == beside


def test_nothing_that_engines_say_is_markup(tmp_path):
    plain = example_pairing()
    clean = write(tmp_path / "clean", example_match(tmp_path, [plain]), [games_of(plain, "10F")])
    hostile = example_pairing(
        HOSTILE,
        "old",
        name=HOSTILE,
        published=HOSTILE,
        openings=Openings(file="<script>"),
        colors="first is black",
    )
    odd = {"black": HOSTILE, "engines": (HOSTILE, HOSTILE), "detail": HOSTILE, "host": HOSTILE}
    standing = games_of(hostile, "10F", started=HOSTILE, dead=[HOSTILE], rules=HOSTILE, **odd)
    match = example_match(
        tmp_path,
        [hostile],
        title=HOSTILE,
        published=Published(source="javascript:alert(1)", note=HOSTILE),
    )
    match.players["x"] = Player(command=HOSTILE, setup=[HOSTILE], environment={HOSTILE: HOSTILE})
    shown = write(tmp_path / "odd", match, [standing])
    game = Page(tmp_path / "odd" / "games" / hostile.key / "00003.html")
    clean_game = Page(tmp_path / "clean" / "games" / plain.key / "00003.html")
    assert shown.tags <= clean.tags
    assert game.tags <= clean_game.tags
    assert shown.attributes <= clean.attributes
    assert game.attributes <= clean_game.attributes
    assert not any(link.startswith("javascript:") for link in shown.links + game.links)
    for each in (shown, game):
        assert "<script>alert('x')</script>&" in each.text
        assert all(character.isprintable() or character == "\n" for character in each.text)
        check_links(each)


def test_scripts_are_forbidden_and_nothing_is_loaded(tmp_path):
    pairing = example_pairing()
    shown = write(tmp_path, example_match(tmp_path, [pairing]), [games_of(pairing, "1")])
    for path in (shown.path, tmp_path / "games" / pairing.key / "00001.html"):
        text = path.read_text(encoding="utf-8")
        assert "default-src 'none'" in text
        assert not re.search(r"<script|src=|url\(|@import", text)


def test_long_match_lists_the_last_games_and_all_forfeits(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "MOST_GAMES", 3)
    pairing = example_pairing()
    shown = write(tmp_path, example_match(tmp_path, [pairing]), [games_of(pairing, "1F010101")])
    listed = [link for link in shown.links if link.endswith(".sgf")]
    assert [int(Path(link).stem) for link in listed] == [2, 6, 7, 8]
    assert "the last 3 of 8, and all forfeits" in shown.words
    check_links(shown)


def test_old_pages_are_left_but_for_their_links(tmp_path):
    pairing = example_pairing()
    match = example_match(tmp_path, [pairing])
    write(tmp_path, match, [games_of(pairing, "101")])
    place = tmp_path / "games" / pairing.key
    first, last = place / "00001.html", place / "00003.html"
    for path in (first, last):
        os.utime(path, (1, 1))
    write(tmp_path, match, [games_of(pairing, "1011")])
    assert first.stat().st_mtime == 1
    assert "00004.html" in Page(last).links
    os.utime(last, (1, 1))
    write(tmp_path, match, [games_of(pairing, "1011")])
    assert last.stat().st_mtime == 1


def test_page_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    pairing = example_pairing()
    match, standings = example_match(tmp_path, [pairing]), [games_of(pairing, "1")]
    index = write_page(match, standings, tmp_path)
    before = index.read_bytes()
    assert before.rstrip().endswith(b"</html>")

    def fail(*_):
        raise OSError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        with pytest.raises(OSError, match="no room"):
            write_page(match, standings, tmp_path, 7)  # the page alone
        with pytest.raises(OSError, match="no room"):
            write_page(match, [games_of(pairing, "11")], tmp_path)  # first that of a game
    assert index.read_bytes() == before
    assert not list(tmp_path.glob("games/*/00002.html"))
    assert write_page(match, standings, tmp_path, 7).read_bytes() != before


def test_match_without_games(tmp_path):
    pairing = example_pairing()
    shown = write(tmp_path, example_match(tmp_path, [pairing]), [games_of(pairing, "")])
    assert "No games yet." in shown.words
    assert "0–0–0" in shown.words


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "9×9; komi 7.5; chinese rules; no clock, up to 2 min for a reply; colours alternate"),
        ({"clock": Clock(main=60, period=10, moves=5)}, "1 min, then 10 s for each 5 moves"),
        ({"clock": Clock(period=0.5)}, "rules; 0.5 s a move"),
        ({"clock": Clock(main=90)}, "1 min 30 s for all moves"),
        ({"clock": Clock(main=60, period=5, periods=3)}, "1 min, then 3 periods of 5 s; "),
        ({"clock": Clock(period=0.5, periods=1)}, "rules; 1 period of 0.5 s; "),
        ({"clock": Clock(main=60, increment=2)}, "1 min, and 2 s more after each move; "),
        (
            {"clock": Clock(random=RandomClock(seed=4))},
            "a random clock, 0.2 s to 2 s a move on average (seed 4); ",
        ),
        ({"handicap": 3, "colors": "first is white"}, "new is always white"),
        ({"openings": Openings(moves=6)}, "50 openings of 6 random moves (seed 1)"),
        ({"openings": Openings(file="o.sgf")}, "from o.sgf; each opening played with both"),
        ({"sprt": Sprt(elo0=0, elo1=5), "games": 2000}, "at most 2,000 games"),
    ],
)
def test_conditions_in_words(given, told):
    assert told in "; ".join(conditions(example_pairing(**given)))
