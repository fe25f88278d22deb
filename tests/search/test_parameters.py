"""Parameters: ranges, text, defaults, and changes while a search runs."""

from __future__ import annotations

import math

import pytest

from goengine.rules.game import Game
from goengine.search.parameters import (
    PARAMETERS,
    PARAMETERS_DTYPE,
    POLICIES,
    Parameter,
    find_parameter,
    new_parameters,
)
from goengine.tree.columns import ROOT
from tests.search.searches import PLAIN, OneWorker, all_nodes, children_of

pytestmark = pytest.mark.uncompiled

by_name = pytest.mark.parametrize("parameter", PARAMETERS, ids=lambda parameter: parameter.name)


@by_name
def test_each_is_described_and_its_default_is_allowed(parameter: Parameter) -> None:
    assert parameter.meaning
    assert parameter.source
    assert parameter.unit
    for size in (2, 9, 13, 14, 19, 25):
        default = parameter.default_for(size)
        assert parameter.checked(default) == default
        assert new_parameters(size)[0][parameter.name] == default


@by_name
def test_bounds(parameter: Parameter) -> None:
    for good in (parameter.minimum, parameter.maximum):
        assert parameter.checked(good) == good
        assert new_parameters(9, {parameter.name: good})[0][parameter.name] == good
    for bad in (parameter.minimum - 1, parameter.maximum * 2 + 1, math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match=f"^{parameter.name} is .* from .* to .*, not "):
            parameter.checked(bad)
        with pytest.raises(ValueError, match=parameter.name):
            new_parameters(9, {parameter.name: bad})


@by_name
def test_text_goes_there_and_back(parameter: Parameter) -> None:
    values = {parameter.minimum, parameter.maximum, parameter.default_for(9)}
    if parameter.is_whole and not parameter.words:
        values |= {v for v in (1234567, 123456789) if v <= parameter.maximum}
    for value in values:
        assert parameter.parse(parameter.format(value)) == value


@by_name
@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1e99", "-1", "3 4", "0x10", "None"])
def test_bad_text_is_refused_with_what_would_be_right(parameter: Parameter, text: str) -> None:
    right = ", ".join(parameter.words) if parameter.words else "number from"
    with pytest.raises(ValueError, match=rf"^{parameter.name} is .*{right}.* not '{text}'$"):
        parameter.parse(text)


@by_name
def test_half_a_visit_is_refused(parameter: Parameter) -> None:
    half = parameter.minimum + 0.5
    if parameter.unit in ("visits", "moves", "choice"):
        with pytest.raises(ValueError, match="a whole number from"):
            parameter.checked(half)
    elif half <= parameter.maximum:
        assert parameter.checked(half) == half


def test_choices_by_name() -> None:
    policy = find_parameter("policy")
    for number, word in enumerate(POLICIES):
        assert policy.parse(word) == number
        assert policy.format(number) == word
        assert new_parameters(9, {"policy": word})[0].policy == number
    with pytest.raises(ValueError, match="policy is one of rave, ucb1, ucb1-tuned, not '0'"):
        policy.parse("0")


def test_unknown_names() -> None:
    with pytest.raises(
        ValueError, match=r"no parameter 'expandvisits'; did you mean expand_visits"
    ):
        find_parameter("expandvisits")
    with pytest.raises(ValueError, match="no parameter 'zzz'; there are policy, expand_visits"):
        new_parameters(9, {"zzz": 1})


def test_text_and_numbers_set_the_same() -> None:
    texts = new_parameters(9, {"expand_visits": "3", "value_scale": "0.1", "policy": "ucb1"})
    numbers = new_parameters(9, {"expand_visits": 3, "value_scale": 0.1, "policy": 1})
    assert texts == numbers
    assert PARAMETERS_DTYPE.names == tuple(parameter.name for parameter in PARAMETERS)
    assert len({parameter.name for parameter in PARAMETERS}) == len(PARAMETERS)


def test_a_refused_change_leaves_the_search_as_it_was() -> None:
    search = OneWorker(Game(2), expand_visits=5)
    with pytest.raises(ValueError, match="expand_visits"):
        search.set_parameters(2, {"value_scale": 0.1, "expand_visits": 0})
    assert search.memory.parameters[0].expand_visits == 5
    assert search.memory.parameters[0].value_scale == 0.04


def test_a_change_takes_effect_at_once() -> None:
    """The worker's seat is not told; it reads them for every simulation."""
    search = OneWorker(Game(2), expand_visits=1000)
    seat = search.seat
    seat.run(15)
    inner = [node for node in all_nodes(search.tree) if children_of(search.tree, node)]
    assert inner == [ROOT]
    search.set_parameters(2, {"expand_visits": 1, "policy": "ucb1", "first_play_urgency": 0})
    seat.run(15)
    inner = [node for node in all_nodes(search.tree) if children_of(search.tree, node)]
    assert len(inner) > 1


def test_priors_are_those_of_the_parameters() -> None:
    for even_visits in (0, 1, 14, 1000):
        search = OneWorker(Game(2), **{**PLAIN, "even_visits": even_visits})
        search.simulate(1)
        for move in search.read().moves:
            assert move.prior_visits == even_visits
            assert move.prior_win_rate == (0.5 if even_visits else None)
