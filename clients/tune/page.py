"""The page of a tuning: where each parameter went, in a file that needs nothing but a browser."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import jinja2
from markupsafe import Markup

from clients.match import page, plots
from clients.match.figures import counts
from clients.match.results_folder import replace_whole
from clients.tune.history import IterationRecord, values_now
from clients.tune.live_view import doubts
from clients.tune.parameters import Parameter
from clients.tune.tuner import Tuner

_TEMPLATES = Path(__file__).with_name("templates")


def write_page(tuner: Tuner) -> Path:
    """`FILE.results`/index.html."""
    tuning, records = tuner.tuning, tuner.records
    template = _environment().get_template("tuning.html")
    text = template.render(
        tuning=tuning,
        pairing=tuning.pairing,
        records=records,
        now=values_now(tuning, records),
        n_games=sum(record.tally.games for record in records),
        doubts=doubts(records),
        courses=[course_of(parameter, records) for parameter in tuning.parameters],
    )
    path = tuning.match.results / "index.html"
    replace_whole(path, text.encode())
    return path


def course_of(parameter: Parameter, records: Sequence[IterationRecord]) -> Markup:
    """Where the parameter was after each iteration."""
    points = [(0, parameter.start)]
    points += [(n, records[n - 1].after[parameter.name]) for n in counts(len(records))]
    return plots.course(parameter.name, "iterations", points, parameter.start)


@functools.cache
def _environment() -> jinja2.Environment:
    """Our templates, and those of matches that they are made of."""
    return page.environment().overlay(loader=jinja2.FileSystemLoader([_TEMPLATES, page.TEMPLATES]))
