"""Everything that can be tuned about a search: one record in shared memory.

Workers read it again for every simulation, and the rates of playouts for every batch, so a
value may change while they search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from goengine.record_types import as_record

RAVE, UCB1, UCB1_TUNED = range(3)
POLICIES = ("rave", "ucb1", "ucb1-tuned")
PACHI, MOGO, LIGHT = range(3)
PLAYOUTS = ("pachi", "mogo", "light")
OFF, ON, REPLIES = range(3)
LIBERTY_MAPS = ("off", "on", "replies")
MAX_DEPTH = 255  # a simulation goes no deeper into the tree
MAX_LOCAL_MOVES = 16  # forced after the leaf, and as many of the playout told to local trees
SWITCH = ("off", "on")
NO_KOMI, LINEAR, SCORE, VALUE, MEDIAN = range(5)
DYNAMIC_KOMI = ("none", "linear", "score", "value", "median")
FIXED, PHASE, DECIDED, ENDGAME = range(4)
VALUE_SCALINGS = ("fixed", "phase", "decided", "endgame")
MAX_AMAF_WEIGHT = 7  # so that counts fit their words: tree/packing.py


class Parameter(NamedTuple):
    """One thing to tune. `default` is a number, or made from the size of the board."""

    name: str
    default: float | Callable[[int], float]
    minimum: float
    maximum: float
    unit: str
    meaning: str
    source: str
    words: tuple[str, ...] = ()  # names of the values 0, 1, ... where they are choices

    @property
    def is_whole(self) -> bool:
        return self.unit in ("visits", "moves", "choice")

    def default_for(self, size: int) -> float:
        return self.default(size) if callable(self.default) else self.default

    def parse(self, text: str) -> float:
        """Raises ValueError that says what would be right."""
        if self.words:
            if text not in self.words:
                raise ValueError(f"{self.name} is one of {', '.join(self.words)}, not {text!r}")
            return self.words.index(text)
        try:
            return self.checked(float(text))
        except ValueError:
            raise ValueError(f"{self.name} is {self._range()}, not {text!r}") from None

    def checked(self, value: float) -> float:
        """The value, if it may be set. Raises ValueError."""
        in_range = self.minimum <= value <= self.maximum  # False for NaN
        if not in_range or (self.is_whole and value != int(value)):
            raise ValueError(f"{self.name} is {self._range()}, not {value}")
        return value

    def format(self, value: float) -> str:
        return self.words[int(value)] if self.words else f"{value:.12g}"

    def _range(self) -> str:
        kind = "a whole number" if self.is_whole else "a number"
        return f"{kind} from {self.minimum:g} to {self.maximum:g}"


_THESIS = "Baudiš 2011"
_MOGO = "Gelly et al. 2006"
_PACHI = "Pachi 12.90"
_SUPERGO = "SuperGo 2011"
_OWN = "own measurements, docs/shared-tree.md"
_KOMI = f"{_THESIS}, 4.4"
_RULES = f"{_THESIS}, 3.4"


def _by_size(small: float, large: float) -> Callable[[int], float]:
    """One value up to 13x13, and one from 14x14 on."""
    return lambda size: small if size < 14 else large


def _by_points(on_19x19: float) -> Callable[[int], float]:
    """So many moves on 19x19, and on other boards in proportion to their points."""
    return lambda size: round(on_19x19 * size * size / 361)


def _rate(
    name: str,
    default: float | Callable[[int], float],
    meaning: str,
    source: str = f"{_THESIS}, 3.4; {_PACHI}",
) -> Parameter:
    meaning = f"playouts: how often {meaning}"
    return Parameter(name, default, 0, 1, "probability", meaning, source)


def _prior(
    name: str, small: float, large: float, meaning: str, source: str = f"{_THESIS}, 3.3.2"
) -> Parameter:
    meaning = f"new nodes: equivalent visits {meaning}"
    default = _by_size(small, large)
    return Parameter(name, default, 0, 1000, "visits", meaning, source)


# fmt: off
PARAMETERS = (
    Parameter("policy", RAVE, 0, len(POLICIES) - 1, "choice",
              "how a child is chosen in the tree", f"{_THESIS}, 3.3", POLICIES),
    Parameter("expand_visits", 8, 1, 1e6, "visits",
              "visits of a leaf before it gets children", f"{_THESIS}, 3.3"),
    Parameter("rave_equivalent", 2500, 1, 1e9, "visits",
              "rave: AMAF and own results weigh the same about here", f"{_THESIS}, 3.3"),
    Parameter("rave_exploration", 0.0, 0, 100, "win rate",
              "rave: c in mean + c * sqrt(ln(parent's visits) / visits)", f"{_THESIS}, Table 3.1"),
    Parameter("criticality", 0.0, 0, 10, "factor",
              "how much more, or less, a move counts where owning its point goes with winning: "
              "rave without exploration by AMAF visits, ucb1 and ucb1-tuned as a term; 0: none",
              f"{_THESIS}, 5.2"),
    Parameter("criticality_visits", 250, 1, 1e9, "visits",
              "criticality counts for children with so many visits", f"{_THESIS}, 5.2"),
    Parameter("criticality_local", 0, 0, 1, "choice",
              "criticality: does owning a point mean its neighbours, too (local value)?",
              f"{_THESIS}, 2.4.3 and 5.3", SWITCH),
    Parameter("even_visits", _by_size(14, 20), 0, 1000, "visits",
              "rave: a new node starts with so many visits, half of them won", f"{_THESIS}, 3.3.2"),
    Parameter("playout", PACHI, 0, len(PLAYOUTS) - 1, "choice",
              "how a simulation goes on after the tree", f"{_THESIS}, 3.4", PLAYOUTS),
    _rate("ko_rate", 0.4, "a ko of the last moves is taken back"),
    Parameter("ko_age", 3, 0, 1000, "moves",
              "playouts: for so many moves a ko is fresh", _PACHI),
    _rate("atari_rate", 0.9, "a chain in atari beside the last move is taken or saved"),
    _rate("sure_capture_rate", 1.0, "a chain that put itself in atari is taken before it gets out",
          "own"),
    _rate("capture_only_rate", 0.4, "a chain that a capture saves is not also extended"),
    _rate("two_liberties_rate", _by_size(0.9, 0.8), "chains of two liberties are looked at"),
    _rate("hopeless_rate", _by_size(1, 0), "extensions that gain no liberty are left out"),
    _rate("many_liberties_rate", 0.25, "chains of three and four liberties are looked at"),
    _rate("sure_atari_rate", 1.0, "an atari that takes a chain for sure comes before all else "
          "about an own chain of two liberties", "own"),
    _rate("race_rate", 1.0, "the faster of two chains that are shut in fills liberties", "own"),
    _rate("first_look_rate", 1.0, "the first move looks for both on the whole board", "own"),
    _rate("eye_saving_rate", 1.0, "an eye that may become false is filled up"),
    _rate("nakade_rate", 0.8, "the vital point of a small eye is taken"),
    _rate("pattern_rate", 1.0, "3x3 patterns are matched beside the last move"),
    _rate("pattern_before_rate", 1.0, "the same beside the move before it"),
    _rate("self_atari_rate", 0.6, "all bad self-ataris are refused, not only large ones"),
    _rate("seki_rate", 1.0, "breaking an own seki and taking a bent four are refused", "own"),
    Parameter("liberty_maps", OFF, 0, len(LIBERTY_MAPS) - 1, "choice",
              "playouts: moves about chains of two to four liberties are chosen by how they did; "
              "replies: against good replies", f"{_THESIS}, ch. 6; own", LIBERTY_MAPS),
    Parameter("liberty_map_threshold", 0.7, 0, 1, "local value",
              "liberty maps: what a move must have had on average", f"{_THESIS}, 6.2"),
    Parameter("liberty_map_free", 0.1, 0, 1, "probability",
              "liberty maps: how often they are not asked", f"{_THESIS}, 6.2"),
    Parameter("prior_weight", 1.0, 0, 10, "factor",
              "new nodes: a factor for all that knowledge adds; 0: none", f"{_THESIS}, 3.3.2"),
    _prior("eye_prior", 14, 20, "lost for filling an own eye"),
    _prior("ko_prior", 14, 20, "won for taking back a ko of the last ten moves"),
    _prior("line_prior", 0, 0, "lost on the first, won on the third line with nothing near"),
    _prior("distance1_prior", 0, 0, "won at distance 1 from the last move, along chains"),
    _prior("distance2_prior", 0, 0, "won at distance 2"),
    _prior("distance3_prior", 0, 0, "won at distance 3"),
    _prior("capture_prior", 14, 20, "won for taking or saving two stones; more for more", _RULES),
    _prior("ladder_prior", 14, 20, "lost for running in a ladder, won for one that works", _PACHI),
    _prior("two_liberties_prior", 0, 0, "won for atari or escape from two liberties", _RULES),
    _prior("many_liberties_prior", 0, 0, "won for an atari in a race", _RULES),
    _prior("nakade_prior", 14, 20, "won for the vital point of a small eye", _RULES),
    _prior("pattern_prior", 0, 0, "won for a 3x3 pattern", _RULES),
    _prior("model_prior", 100, 100, "won, times the root of a move's probability by the model",
           "own measurements, docs/measurements.md"),
    _prior("self_atari_prior", 14, 20, "lost for a bad self-atari", _RULES),
    Parameter("amaf_distance", 0, 0, MAX_AMAF_WEIGHT, "weight",
              "AMAF: how much more the first move after a node counts than the last", _PACHI),
    Parameter("exploration", 1.0, 0, 100, "win rate",
              "ucb1: c in mean + c * sqrt(ln(parent's visits) / visits)", f"{_MOGO}, 2.2"),
    Parameter("tuned_exploration", 1.2, 0, 100, "win rate",
              "ucb1-tuned: the factor p of the bound", f"{_MOGO}, Table 6"),
    Parameter("first_play_urgency", 1.1, 0, 1e6, "win rate",
              "ucb1, ucb1-tuned: what a child without visits counts", f"{_MOGO}, Table 7"),
    Parameter("value_scale", 0.04, 0, 0.5, "win rate",
              "part of a result that tells by how much it was won", f"{_THESIS}, 3.3"),
    Parameter("value_range", 40, 1, 1000, "points",
              "margin from which on a win is as good as can be", f"{_THESIS}, 3.3"),
    Parameter("local_tree_rate", 0.0, 0, 1, "probability",
              "local trees: how often a sequence is forced after the leaf; 0: there are none",
              f"{_THESIS}, 7.1.2"),
    Parameter("local_tree_moves", 4, 0, MAX_LOCAL_MOVES, "moves",
              "local trees: so many moves are forced at most", f"{_THESIS}, 7.1.2"),
    Parameter("local_tree_distance", 2, 1, 10, "moves",
              "local trees: a reply is no farther from the last move, along chains", "own"),
    Parameter("local_tree_visits", 50, 1, 4000, "visits",
              "local trees: a reply that is forced was seen so often", "own"),
    Parameter("local_tree_threshold", 0.6, 0, 1, "local value",
              "local trees: a reply that is forced gave its colour so much on average", "own"),
    Parameter("local_tree_playout", 4, 0, MAX_LOCAL_MOVES, "moves",
              "local trees: so many moves of the playout are told to them, too", "own"),
    Parameter("value_scaling", FIXED, 0, len(VALUE_SCALINGS) - 1, "choice",
              "when it is value_scale and when more, up to value_scale_full",
              f"{_THESIS}, 7.1.1", VALUE_SCALINGS),
    Parameter("value_scale_full", 0.16, 0, 0.5, "win rate",
              "phase: on a full board; decided: where all is won; endgame: near its end", "own"),
    Parameter("endgame_moves", _by_points(60), 0, 1000, "moves",
              "endgame: begins where a player has fewer to choose from", f"{_SUPERGO}, 1.5.2"),
    Parameter("dynamic_komi", NO_KOMI, 0, len(DYNAMIC_KOMI) - 1, "choice",
              "extra komi that makes a one-sided game even for the search",
              f"{_THESIS}, 4; {_SUPERGO}, 1.5.3", DYNAMIC_KOMI),
    Parameter("komi_slice", 200, 0, 1e9, "visits",
              "score, value: simulations between two adjustments; 0: one adjustment a move", _KOMI),
    Parameter("komi_stone", 7, 0, 100, "points",
              "linear: extra komi for a handicap stone", f"{_THESIS}, 4.3"),
    Parameter("komi_moves", _by_points(200), 1, 1000, "moves",
              "linear: extra komi falls to nothing in so many", f"{_THESIS}, 4.3"),
    Parameter("komi_opening", _by_points(20), 0, 1000, "moves",
              "score, value, median: extra komi is linear for so many", _KOMI),
    Parameter("komi_steepness", 20, 0, 1000, "factor",
              "score: how sudden the turn is from following it to leaving komi alone", _KOMI),
    Parameter("komi_turn", 0.75, 0, 1, "share",
              "score: of the points; where so many have stones, that turn comes", _KOMI),
    Parameter("komi_red", 0.45, 0, 1, "win rate",
              "value: less is given, or more taken, where it wins less often", _KOMI),
    Parameter("komi_green", 0.5, 0, 1, "win rate",
              "value: more is given, or less taken, where it wins more often", _KOMI),
    Parameter("komi_step", 1, 0, 100, "points",
              "value: by how much in one adjustment", _KOMI),
    Parameter("komi_results", 8000, 1, 1e9, "visits",
              "median: of so many results; komi_slice 0: of the last search",
              f"{_SUPERGO}, 1.5.3"),
    Parameter("komi_taken", 30, 0, 1000, "points",
              "score, value, median: no more extra komi is taken", _KOMI),
    Parameter("komi_end", 0.95, 0, 10, "share",
              "score, value, median: past this part of a game none is taken", _KOMI),
    Parameter("resign_below", 0.0, 0, 1, "win rate",
              "resigns where its moves win less often; 0: plays to the end", _PACHI),
    Parameter("resign_moves", 3, 1, 1000, "moves",
              "resigns at so many own moves below it in a row", "own"),
    Parameter("resign_visits", 100, 1, 1e9, "visits",
              "what fewer visits say of a move does not count for that", "own"),
    Parameter("amaf_exact_visits", 8192, 1, 1e9, "visits",
              "past this, one visit in 2, 4, 8 ... tells AMAF, with that weight", _OWN),
    Parameter("hot_visits", 8192, 1024, 1e9, "visits",
              "past this, workers pay a node's visits in sums", _OWN),
)
# fmt: on
_BY_NAME = {parameter.name: parameter for parameter in PARAMETERS}
PARAMETERS_DTYPE = as_record(np.dtype([(each.name, np.float64) for each in PARAMETERS]))


def find_parameter(name: str) -> Parameter:
    """Raises ValueError that names the nearest one."""
    if name not in _BY_NAME:
        from difflib import get_close_matches

        near = get_close_matches(name, _BY_NAME, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_BY_NAME)}"
        raise ValueError(f"no parameter {name!r}; {hint}")
    return _BY_NAME[name]


def new_parameters(size: int, changes: Mapping[str, float | str] | None = None) -> Any:
    """An array of one record: the defaults for a board of `size`, and `changes`. Raises ValueError.

    Changes are numbers, or text as a user writes it.
    """
    record = np.zeros(1, PARAMETERS_DTYPE).view(np.recarray)
    for parameter in PARAMETERS:
        record[0][parameter.name] = parameter.default_for(size)
    for name, value in (changes or {}).items():
        parameter = find_parameter(name)
        record[0][name] = (
            parameter.parse(value) if isinstance(value, str) else parameter.checked(value)
        )
    return record
