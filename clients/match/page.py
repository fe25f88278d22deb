"""The page of a match, and a page for each of its games: files that need nothing but a browser.

Whatever engines say of themselves is shown as text; nothing in it becomes markup.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from clients.match import figures, plots, wording
from clients.match.definition import Match
from clients.match.game_record import GameRecord
from clients.match.replay import n_moves, replay
from clients.match.results_folder import replace_whole
from clients.match.standings import Standing, compared, match_ratings
from daemon.plain_text import plain
from goengine import __version__

MOST_GAMES = 200  # of a pairing that the page lists, besides its forfeits
TEMPLATES = Path(__file__).with_name("templates")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)\S*?(Z|\+00:?00)?")


class GameRow(NamedTuple):
    """A game as the page lists it; `stem` is where its files are, without their endings."""

    record: GameRecord
    stem: str
    has_transcript: bool


def write_page(
    match: Match, standings: Sequence[Standing], folder: Path, n_set_aside: int = 0
) -> Path:
    """Write `folder`/index.html and the pages of all games that have none yet.

    Each file is there as a whole or not at all. A game's SGF is expected beside its page, as
    games/<key of the pairing>/<number>.sgf. `n_set_aside` games are there that count nowhere,
    since they were played under other conditions.
    """
    for standing in standings:
        _write_game_pages(match, standing, folder)
    index = folder / "index.html"
    template = environment().get_template("index.html")
    text = template.render(
        match=match,
        standings=standings,
        ratings=match_ratings(standings),
        comparisons=compared(standings),
        overview=figures.overview(standings),
        figures_of=figures.pairing_figures,
        games_of=functools.partial(_listed_games, folder=folder),
        moments=sorted(record.started for each in standings for record in each.records),
        hosts=sorted({record.host for each in standings for record in each.records}),
        n_set_aside=n_set_aside,
        most_games=MOST_GAMES,
    )
    replace_whole(index, text.encode())
    return index


def _listed_games(standing: Standing, folder: Path) -> list[GameRow]:
    """The last ones and all forfeits."""
    records = standing.records
    forfeits = [each for each in records[:-MOST_GAMES] if each.ending == "forfeit"]
    rows = []
    for record in forfeits + records[-MOST_GAMES:]:
        stem = f"games/{standing.pairing.key}/{record.number:05d}"
        rows.append(GameRow(record, stem, (folder / f"{stem}.transcript.txt").exists()))
    return rows


def _write_game_pages(match: Match, standing: Standing, folder: Path) -> None:
    """Pages that exist are written again only if a game beside theirs has come."""
    place = folder / "games" / standing.pairing.key
    records = standing.records
    paths = [place / f"{record.number:05d}.html" for record in records]
    is_new = [not path.exists() for path in paths]
    beside = [i for i, new in enumerate(is_new) if not new and any(is_new[max(i - 1, 0) : i + 2])]
    # New pages last: whoever is interrupted finds again what is left to do.
    order = beside + [i for i, new in enumerate(is_new) if new]
    template = environment().get_template("game.html")
    for index in order:
        played = replay(records[index])
        text = template.render(
            match=match,
            pairing=standing.pairing,
            record=played.record,
            played=played,
            curves=plots.win_rate_curves(played),
            board=plots.board_svg(played),
            previous=paths[index - 1].name if index else None,
            next=paths[index + 1].name if index + 1 < len(paths) else None,
            has_transcript=paths[index].with_suffix(".transcript.txt").exists(),
        )
        replace_whole(paths[index], text.encode())


@functools.cache
def environment() -> jinja2.Environment:
    """Templates escape all that is not ours, and know our words for figures."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        clock=wording.clock_in_words,
        conditions=wording.conditions,
        counted=wording.counted,
        elo=wording.elo,
        endings=wording.endings,
        elo_with_interval=wording.elo_with_interval,
        how_scored=wording.how_scored,
        moment=_moment,
        n_moves=n_moves,
        outcome=wording.outcome,
        percent=wording.percent,
        rate_with_interval=wording.rate_with_interval,
        seconds=wording.seconds,
        settings=wording.player_settings,
        signed=wording.signed,
    )
    environment.globals.update(
        version=__version__, sprt_test=wording.sprt_test, verdict=wording.verdict
    )
    return environment


def _visible(value: Any) -> Any:
    """Control characters and the like are no part of a page; Markup is ours and has none."""
    return plain(value) if type(value) is str else value


def _moment(text: str) -> str:
    """A time in ISO format to the minute; anything else as it is."""
    found = _MOMENT.fullmatch(text)
    return f"{found[1]} {found[2]}{' UTC' if found[3] else ''}" if found else text
