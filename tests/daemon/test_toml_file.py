"""Where in a TOML file a key stands."""

from __future__ import annotations

import pytest

from daemon.toml_file import line_of


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("a = 1\n\nb = 2", ("b",), 3),
        ("a = '''\nb = 1\n'''\n# b = 3\nb = 2", ("b",), 5),
        ('a = [ # [\n "]", """\nb""",\n]\n"b" = [\n1]\n', ("b",), 5),
        ("b = { c = 1 }", ("b", "c"), 1),
        ("[x]\nb = 1\n[ 'p' ] # [q]\nb = 2\nc=3", ("p", "b"), 4),
        ("[x]\nb = 1\np.b = 2", ("x", "p", "b"), 3),
        ("a = 1", ("b",), None),
        ("", ("b",), None),
    ],
)
def test_line_of_key(text: str, key: tuple[str, ...], line: int | None) -> None:
    assert line_of(text, key) == line
