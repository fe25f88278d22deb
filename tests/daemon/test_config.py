"""The daemon's configuration: files, options, what is wrong with them, and `--print-config`."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from daemon import config as config_module
from daemon.config import (
    KEYS,
    Config,
    ConfigError,
    OptionError,
    find_config,
    load_config,
    option,
    print_config,
)
from daemon.main import main

ROOT = Path(__file__).parent.parent.parent
GROUP = "root"  # every machine has it


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the machine is seen: neither its files nor its variables."""
    for name in (
        "RUNTIME_DIRECTORY",
        "STATE_DIRECTORY",
        "XDG_STATE_HOME",
        "XDG_CONFIG_HOME",
        "GOENGINE_CONFIG",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    monkeypatch.setattr(config_module, "SYSTEM_FILE", tmp_path / "etc" / "goengined.toml")
    return tmp_path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Config, int | None]]:
    """What `main` hands to the server."""
    calls: list[tuple[Config, int | None]] = []
    server = types.ModuleType("daemon.server")

    def run_daemon(config: Config, lifeline: int | None, load: Callable[[], Config]) -> int:
        calls.append((config, lifeline))
        assert load() == config
        return 69

    monkeypatch.setattr(server, "run_daemon", run_daemon, raising=False)
    monkeypatch.setitem(sys.modules, "daemon.server", server)
    return calls


def load(tmp_path: Path, content: str | bytes, **overrides: str) -> Config:
    path = tmp_path / "x.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_config(path, overrides)


# Every key: text for the command line, the same in TOML, and what becomes of it.
EVERY_KEY: dict[str, tuple[str, str, Any]] = {
    "listen": ("tcp://[::1]:7460", '"tcp://[::1]:7460"', "tcp://[::1]:7460"),
    "listen_tcp": ("tcp://*:7460", '"tcp://*:7460"', "tcp://*:7460"),
    "tcp_keys": ("always", '"always"', "always"),
    "socket_mode": ("0660", "'0660'", "0660"),
    "group": (GROUP, f'"{GROUP}"', GROUP),
    "metrics": ("9460", '"9460"', "127.0.0.1:9460"),
    "workers": ("1024", "1_024", 1024),
    "slots": ("3", "0x3", 3),
    "slot_megabytes": ("128", "128", 128),
    "turn_seconds": ("1", "1", 1.0),
    "slot_seconds": ("0.1", "0.1", 0.1),
    "pondering_share": ("0.5", "0.5", 0.5),
    "warm_sizes": ("9, 19", "[\n  9, # small\n  19,\n]", (9, 19)),
    "rules": ("New Zealand", '"nz"', "new-zealand"),
    "playouts": ("1", "1", 1),
    "seconds": ("2.5", "2.5", 2.5),
    "pondering": ("on", '"on"', "on"),
    "pondering_seconds": ("0", "0", 0.0),
    "max_games": ("7", "7", 7),
    "max_clients": ("8", "8", 8),
    "user_games": ("9", "9", 9),
    "user_searches": ("12", "12", 12),
    "user_connections": ("10", "10", 10),
    "requests_per_second": ("11", "11", 11),
    "max_message_bytes": ("4096", "4_096", 4096),
    "unread_answers": ("64", "64", 64),
    "orphan_seconds": ("0", "0", 0.0),
    "state_directory": ("/srv/ein Ort", '"/srv/ein Ort"', Path("/srv/ein Ort")),
    "log_level": ("debug", '"debug"', "debug"),
    "parameters": (
        "exploration=0.7",
        '{ exploration = 0.7, policy = "ucb1" }',
        {"exploration": 0.7, "policy": "ucb1"},
    ),
}


def test_defaults(home: Path) -> None:
    config = load_config(None, {})
    assert config == Config()
    assert config.listen == "ipc:///run/user/7/goengine"
    assert config.address.directory == Path("/run/user/7/goengine")
    assert config.socket_permissions == 0o600
    assert config.workers == len(os.sched_getaffinity(0))
    assert config.state_directory == home / ".local/state/goengine"
    assert (config.rules, config.playouts, config.seconds) == ("chinese", 50_000, 0)


@pytest.mark.parametrize(
    ("environment", "directory"),
    [
        ({"STATE_DIRECTORY": "/var/lib/goengine"}, "/var/lib/goengine"),
        ({"STATE_DIRECTORY": "/a:/b", "XDG_STATE_HOME": "/c"}, "/a"),
        ({"STATE_DIRECTORY": "", "XDG_STATE_HOME": "/c"}, "/c/goengine"),
    ],
)
def test_state_directory(
    environment: dict[str, str], directory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Config().state_directory == Path(directory)


@pytest.mark.parametrize(
    ("workers", "share", "n"), [(8, 1, 8), (8, 0, 1), (1, 0.1, 1), (3, 0.5, 1), (100, 0.29, 29)]
)
def test_workers_that_may_ponder(workers: int, share: float, n: int) -> None:
    assert Config(workers=workers, pondering_share=share).pondering_workers == n


def test_the_table_above_has_every_key() -> None:
    assert list(EVERY_KEY) == list(KEYS)


@pytest.mark.parametrize("name", EVERY_KEY)
def test_key_in_the_file(name: str, tmp_path: Path) -> None:
    _, toml, value = EVERY_KEY[name]
    config = load(tmp_path, f"{name} = {toml}\n")
    assert getattr(config, name) == value
    assert type(getattr(config, name)) is type(value)


@pytest.mark.parametrize("name", EVERY_KEY)
def test_key_on_the_command_line(name: str, started: list[tuple[Config, int | None]]) -> None:
    text, _, value = EVERY_KEY[name]
    assert main([option(name), text]) == 69
    expected = {"exploration": 0.7} if name == "parameters" else value
    assert getattr(started[0][0], name) == expected


def test_files_of_every_editor_are_read(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbfslots = 2\r\n# \xc3\xa4\r\nworkers = 3").workers == 3
    assert load(tmp_path, "") == Config()
    assert load(tmp_path, 'state_directory = "~/x"').state_directory == tmp_path / "x"


RULESETS = (
    "chinese, chinese-ogs, chinese-kgs, tromp-taylor, cgos, japanese, korean, aga, bga, new-zealand"
)
NO_ADDRESS = "is no address such as ipc:///run/goengine or tcp://HOST:7460"
BAD_FILES = [
    ("worker = 3", ":1: there is no key 'worker'; did you mean workers?"),
    ("[zebra]\nx = 1", ":1: there is no key 'zebra'; `goengined --print-config` lists all keys"),
    ("\nworkers = true", ":2: workers: true is not a whole number from 1 to 1024"),
    ("workers = 2.0", ":1: workers: 2.0 is not a whole number from 1 to 1024"),
    ("workers = '2'", ":1: workers: '2' is not a whole number from 1 to 1024"),
    ("workers = 0", ":1: workers: 0 is not a whole number from 1 to 1024"),
    ("workers = 1025", ":1: workers: 1025 is not a whole number from 1 to 1024"),
    (
        f"workers = 0x{'f' * 9000}",
        ":1: workers: so large a number is not a whole number from 1 to 1024",
    ),
    ("workers = 2020-01-02", ":1: workers: 2020-01-02 is not a whole number from 1 to 1024"),
    ("seconds = nan", ":1: seconds: nan is not a number from 0 to 86400"),
    ("seconds = -inf", ":1: seconds: -inf is not a number from 0 to 86400"),
    ("seconds = false", ":1: seconds: false is not a number from 0 to 86400"),
    ("turn_seconds = 0", ":1: turn_seconds: 0 is not a number from 0.01 to 60"),
    ("listen = 7460", ":1: listen: 7460 is not an address such as ipc:///run/goengine"),
    ("listen = 'here'", f":1: listen: 'here' {NO_ADDRESS}"),
    (
        "listen_tcp = 'ipc:///x'",
        ":1: listen_tcp: 'ipc:///x' is not an address such as tcp://*:7460, or nothing",
    ),
    ("socket_mode = '0666'", ":1: socket_mode: '0666' is not one of 0600, 0660"),
    ("socket_mode = 600", ":1: socket_mode: 600 is not one of 0600, 0660"),
    ("group = 'no such'", ":1: group: this machine has no group 'no such'"),
    ("rules = 'chess'", f":1: rules: no rules are called 'chess'; there are {RULESETS}"),
    ("rules = []", f":1: rules: [] is not one of {RULESETS}"),
    ("warm_sizes = 9", ":1: warm_sizes: 9 is not a list of board sizes from 2 to 25"),
    ("warm_sizes = [9, 26]", ":1: warm_sizes: [9, 26] is not a list of board sizes from 2 to 25"),
    ("state_directory = 'x'", ":1: state_directory: 'x' is not a full path"),
    ('state_directory = "/\\u0000"', r":1: state_directory: '/\x00' is not a full path"),
    ("log_level = 'loud'", ":1: log_level: 'loud' is not one of debug, info, warning, error"),
    ("parameters = 1", ":1: parameters: 1 is not a table of search parameters"),
    (
        "# one\nslots = 1\n[parameters]\n'explor' = 1",
        ":4: no parameter 'explor'; did you mean exploration?",
    ),
    (
        "[parameters]\nexploration = 1\nvalue_scale = nan",
        ":3: value_scale is a number from 0 to 0.5, not nan",
    ),
    ("parameters.policy = 'x'", ":1: policy is one of rave, ucb1, ucb1-tuned, not 'x'"),
    ("parameters.policy = 0", ":1: policy is one of rave, ucb1, ucb1-tuned, not '0'"),
    ("parameters.policy = true", ":1: policy is a number or a text, not true"),
    ("[parameters]\nworkers = 2", ":2: workers belongs above the line [parameters]"),
    ("slots = 1\nworkers = 2\nslots = 2", ":3: slots is set a second time; keep one of them"),
    (
        "warm_sizes = [9]\n\nwarm_sizes = [\n 9,\n]\n",
        ":3: warm_sizes is set a second time; keep one of them",
    ),
    (
        "[parameters]\nhot_visits = 2000\n[parameters]",
        ":3: parameters is set a second time; keep one of them",
    ),
    ("slots = 1\nworkers = two", ":2: invalid value"),
    ("slots = 1\nworkers = [1,\n", ":2: invalid value"),
    (b"slots = 1\n# \xe4\n", ":2: byte 0xe4 is not UTF-8; save the file as UTF-8"),
    (f"slots = {'[' * 5000}", ": brackets are nested too deeply"),
]


@pytest.mark.parametrize(("content", "message"), BAD_FILES)
def test_bad_file(content: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, content)
    assert str(caught.value) == f"{tmp_path / 'x.toml'}{message}"
    assert not isinstance(caught.value, OptionError)


def test_unreadable_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--config", str(tmp_path / "none")]) == 78
    assert main(["--config", str(tmp_path)]) == 78
    assert capsys.readouterr().err.splitlines() == [
        f"goengined: {tmp_path / 'none'}: cannot be read: No such file or directory",
        f"goengined: {tmp_path}: cannot be read: Is a directory",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "0"], "--workers: 0 is not a whole number from 1 to 1024"),
        (["--workers", "x"], "--workers: 'x' is not a whole number from 1 to 1024"),
        (["--workers", "-1"], "--workers: -1 is not a whole number from 1 to 1024"),
        (["--seconds=inf"], "--seconds: inf is not a number from 0 to 86400"),
        (["--workers"], "argument --workers: expected one argument"),
        (
            ["--warm-sizes", "9,a"],
            "--warm-sizes: [9, 'a'] is not a list of board sizes from 2 to 25",
        ),
        (["--set", "exploration"], "--set: 'exploration' is not NAME=VALUE"),
        (["--set", "explor=1"], "--set: no parameter 'explor'; did you mean exploration?"),
        (["--set", "value_scale=nan"], "--set: value_scale is a number from 0 to 0.5, not nan"),
        (
            ["--slot-megabyte=9"],
            "there is no option --slot-megabyte; did you mean --slot-megabytes?",
        ),
        (["--xyzzy"], "there is no option --xyzzy; `goengined --help` lists them"),
        (["start"], "'start' is no option; `goengined --help` lists them"),
        (["--private", "/x", "--config", "y"], "--private reads no file; leave --config out"),
        (["--lifeline", "999"], "argument --lifeline: '999' is no open file descriptor"),
    ],
)
def test_bad_option(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 64
    assert capsys.readouterr() == ("", f"goengined: {message}\n")


def test_a_config_made_in_code_is_checked_too() -> None:
    with pytest.raises(ConfigError, match=r"^slots: 0 is not a whole number from 1 to 4096$"):
        Config(slots=0)


def test_command_line_over_file_over_default(tmp_path: Path) -> None:
    content = "slots = 2\nworkers = 2\n[parameters]\nexploration = 2\nvalue_scale = 0.2"
    overrides = {"workers": "3", "parameters.exploration": "3", "parameters.policy": "ucb1"}
    config = load(tmp_path, content, **overrides)
    assert (config.workers, config.slots, config.slot_megabytes) == (3, 2, 64)
    assert config.parameters == {"exploration": 3, "value_scale": 0.2, "policy": "ucb1"}


def test_where_the_file_is_looked_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_config() is None
    system, user = home / "etc/goengined.toml", home / ".config/goengine/goengined.toml"
    moved, named = home / "xdg/goengine/goengined.toml", home / "named"
    for path in (system, user, moved, named):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path is moved:
            monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
        if path is named:
            monkeypatch.setenv("GOENGINE_CONFIG", str(named))
            assert find_config() == moved  # named, but not there
        path.touch()
        assert find_config() == path


def test_private_daemon(
    home: Path, started: list[tuple[Config, int | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "named").write_text("slots = 'unread'")
    monkeypatch.setenv("GOENGINE_CONFIG", str(home / "named"))
    monkeypatch.chdir(home)
    assert main(["--private", "p", "--lifeline", "0", "--slot-megabytes", "512"]) == 69
    config, lifeline = started[0]
    assert (config.listen, config.state_directory) == (f"ipc://{home}/p", home / "p")
    assert (config.slots, config.slot_megabytes, lifeline) == (1, 512, 0)


def test_fault_of_the_server(
    started: list[tuple[Config, int | None]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delattr(sys.modules["daemon.server"], "run_daemon")
    monkeypatch.setattr(logging.root, "handlers", [])  # pytest's own; main sets up the log
    monkeypatch.setattr(logging.root, "level", logging.WARNING)
    assert main([]) == 70
    err = capsys.readouterr().err
    assert err.startswith("INFO goengined: configuration: defaults\nERROR goengined: ended by")
    assert "ImportError" in err


def test_printed_config_loads_again(tmp_path: Path) -> None:
    everything = Config(**{name: value for name, (_, _, value) in EVERY_KEY.items()})
    for config in (Config(), everything, Config(state_directory=Path('/ä "\\ #'))):
        assert load(tmp_path, print_config(config)) == config


def test_printed_config_pins_nothing_that_was_found_here() -> None:
    lines = print_config(Config()).splitlines()
    for name, key in KEYS.items():
        assert f"# {key.meaning}"[:60] in "\n".join(lines), name
        if name != "parameters":
            assert any(line.startswith(f"{name} = ") for line in lines) is not bool(key.origin)
    assert '# listen = "ipc:///run/user/7/goengine"' in lines
    assert "# exploration = 1" in lines


def test_help_survives_a_bad_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "relative")
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {option(name)} " in out for name in KEYS)
    assert "--private" not in out
    assert "--lifeline" not in out
    assert main(["--print-config", "--listen", "ipc:///x"]) == 0
    assert main(["--print-config"]) == 78
    assert capsys.readouterr().err.startswith("goengined: listen: 'ipc://relative/goengine': after")


def test_questions_are_answered_without_numba() -> None:
    code = (
        "import sys; from daemon.main import main\n"
        "for question in (['--version'], ['--help'], ['--slots=0'], ['--print-config']):\n"
        "    main(question)\n"
        "print(sorted({'numba', 'zmq'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


@pytest.mark.parametrize(
    ("free_megabytes", "expected"), [(10_000, 256), (300, 225), (64, 48), (4, 8)]
)
def test_a_private_daemon_takes_what_there_is(
    started: list[tuple[Config, int | None]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    free_megabytes: int,
    expected: int,
) -> None:
    room = os.statvfs_result((4096, 4096, 0, 0, free_megabytes * 256, 0, 0, 0, 0, 255))
    monkeypatch.setattr(os, "statvfs", lambda path: room)
    main(["--private", str(tmp_path)])
    assert started[0][0].slot_megabytes == expected
