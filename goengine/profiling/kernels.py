"""The kernels of a search, copied with a stopwatch: what is timed, and under which name."""

from goengine.jit import kernel
from goengine.playouts import pachi
from goengine.profiling.copies import Copies
from goengine.profiling.laps import MAX_PHASES, start_with, switch_to
from goengine.search import expansion, priors, simulation
from goengine.words import U0, U1

# In groups. A phase is without those that are timed inside of it.
PHASES = (
    ("outside", "Python"),
    ("result", "gate, tally"),
    ("descend", "root's board, visits"),
    ("descend", "choosing children"),
    ("descend", "playing moves"),
    ("expand", "rows"),
    ("expand", "listing moves"),
    ("expand", "priors: points"),
    ("expand", "priors: chains"),
    ("expand", "priors: ladders"),
    ("expand", "priors: model"),
    ("expand", "priors: ko, distance"),
    ("playout", "draws and picks"),
    ("playout", "ko"),
    ("playout", "local ataris"),
    ("playout", "captures after refusal"),
    ("playout", "two liberties"),
    ("playout", "races"),
    ("playout", "many liberties"),
    ("playout", "eye saving"),
    ("playout", "nakade"),
    ("playout", "patterns"),
    ("playout", "permission"),
    ("playout", "better than self-atari"),
    ("playout", "random choice"),
    ("playout", "playing moves"),
    ("playout", "MoGo's, all of it"),
    ("playout", "light, all of it"),
    ("playout", "the rest"),
    ("result", "scoring"),
    ("result", "backing up the path"),
    ("result", "backing up AMAF"),
)
assert len(PHASES) <= MAX_PHASES
_OUTSIDE = U0
_GATE = U1


def _in(group: str, **names: str) -> dict[str, int]:
    """Phases by the names of what is timed."""
    return {name: PHASES.index((group, phase)) for name, phase in names.items()}


_copies = Copies(__name__)  # callees first

# --- playouts -------------------------------------------------------------------

_copies.copy(
    pachi._choose_by_rules,
    _in(
        "playout",
        is_bad_self_atari="ko",
        note_local_ataris="local ataris",
        note_local_captures="captures after refusal",
        note_local_two_liberties="two liberties",
        note_local_race_fills="races",
        note_all_races="races",
        note_local_races="many liberties",
        note_eye_saving="eye saving",
        vital_point_beside="nakade",
        note_patterns="patterns",
    ),
)
_copies.copy(
    pachi.permitted,
    _in(
        "playout",
        better_than_self_atari="better than self-atari",
    ),
)
_copies.copy(pachi._choose_at_random, _in("playout", permitted="permission"))
_copies.copy(
    pachi.choose_pachi,
    _in(
        "playout",
        _choose_by_rules="draws and picks",
        permitted="permission",
        _choose_at_random="random choice",
    ),
)
play_pachi_profiled = _copies.copy(
    pachi.play_pachi,
    _in(
        "playout",
        take_turn="playing moves",
    ),
)

# --- new nodes ------------------------------------------------------------------

_copies.copy(
    priors.fill_priors,
    _in(
        "expand",
        find_ladders="priors: ladders",
        spread_board="priors: model",
        _rate="priors: model",
        _know_likely="priors: model",
        _know_chains="priors: chains",
        _know_ko="priors: ko, distance",
        _know_distance="priors: ko, distance",
    ),
)
_copies.copy(
    expansion.expand, _in("expand", list_moves="listing moves", fill_priors="priors: points")
)

# --- simulations ----------------------------------------------------------------

_copies.copy(
    simulation.descend,
    _in(
        "descend",
        choose_child="choosing children",
        play_move="playing moves",
        play_pass="playing moves",
    )
    | _in("expand", expand="rows"),
)
_copies.copy(
    simulation._play_out,
    _in("playout", play_mogo="MoGo's, all of it", play_light="light, all of it"),
)
_copies.copy(simulation.back_up, _in("result", _tell_amaf="backing up AMAF"))
_run_simulations = _copies.copy(
    simulation.run_simulations,
    _in("descend", descend="root's board, visits")
    | _in("playout", _play_out="the rest")
    | _in(
        "result",
        score_area="scoring",
        score_finished="scoring",
        count_dame="scoring",
        back_up="backing up the path",
    ),
)


@kernel
def run_profiled(tree, root, space, workers, worker, n_wanted):
    """run_simulations with the stopwatch on."""
    start_with(_GATE)
    n_done = _run_simulations(tree, root, space, workers, worker, n_wanted)
    switch_to(_OUTSIDE)
    return n_done
