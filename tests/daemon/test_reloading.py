"""What a configuration changes that is read while the daemon runs."""

from __future__ import annotations

import dataclasses

from daemon.config import KEYS, Config, print_config
from daemon.reloading import reload

OLD = Config(workers=2, slots=4, max_games=100, log_level="info")


def changed(**values: object) -> Config:
    return dataclasses.replace(OLD, **values)  # type: ignore[arg-type]


def test_nothing_is_different():
    assert reload(OLD, OLD) == (OLD, [], [])


def test_what_can_change_does_and_the_rest_waits():
    news = reload(OLD, changed(max_games=5, log_level="debug", workers=3, listen="ipc:///x"))
    assert news.config == changed(max_games=5, log_level="debug")
    assert news.changed == ["max_games: 100 -> 5", 'log_level: "info" -> "debug"']
    assert news.waiting == [f'listen: "{OLD.listen}" -> "ipc:///x"', "workers: 2 -> 3"]


def test_what_waits_is_told_each_time():
    new = changed(slots=5)
    first = reload(OLD, new)
    assert reload(first.config, new).waiting == first.waiting == ["slots: 4 -> 5"]


def test_search_parameters_are_for_new_games():
    news = reload(OLD, changed(parameters={"rave_equivalent": 3000}))
    assert news.config.parameters == {"rave_equivalent": 3000.0}
    assert news.changed == ["parameters of new games"]


def test_what_processes_and_memory_are_made_from_stays():
    fixed = {name for name, key in KEYS.items() if not key.is_live}
    assert fixed >= {"listen", "socket_mode", "workers", "slots", "slot_megabytes"}
    assert "state_directory" in fixed


def test_the_printed_file_tells_what_a_reload_changes():
    text = print_config(OLD).replace("\n# ", " ")
    for name, key in KEYS.items():
        if name != "parameters":
            about = text.partition(f"{name} = ")[0].rpartition("default: ")[2]
            assert ("A reload changes it." in about) is key.is_live, name


def test_sockets_are_where_systemd_made_room_for_them(monkeypatch):
    monkeypatch.setenv("RUNTIME_DIRECTORY", "/run/goengine")
    assert Config().listen == "ipc:///run/goengine"
