"""Rulesets: their data, their names, their JSON."""

from __future__ import annotations

import json
import re

import pytest

from goengine.rules.rulesets import (
    RULESETS,
    Rules,
    change_rule,
    find_rules,
    parse_rules,
    rules_from_json,
    rules_to_json,
)

# What KataGo answers to kata-get-rules under each name, and the komi it takes.
KATAGO = [
    # name           ko             scoring      tax     suicide bonus friendly komi
    ("chinese", "SIMPLE", "AREA", "NONE", False, "N", True, 7.5),
    ("chinese-ogs", "POSITIONAL", "AREA", "NONE", False, "N", True, 7.5),
    ("chinese-kgs", "POSITIONAL", "AREA", "NONE", False, "N", True, 7.5),
    ("tromp-taylor", "POSITIONAL", "AREA", "NONE", True, "0", False, 7.5),
    ("cgos", "POSITIONAL", "AREA", "NONE", False, "0", False, 7.5),  # ours, not KataGo's
    ("japanese", "SIMPLE", "TERRITORY", "SEKI", False, "0", False, 6.5),
    ("korean", "SIMPLE", "TERRITORY", "SEKI", False, "0", False, 6.5),
    ("aga", "SITUATIONAL", "AREA", "NONE", False, "N-1", True, 7.5),
    ("bga", "SITUATIONAL", "AREA", "NONE", False, "N-1", True, 7.5),
    ("new-zealand", "SITUATIONAL", "AREA", "NONE", True, "0", True, 7.5),
]


@pytest.mark.parametrize("row", KATAGO, ids=lambda row: row[0])
def test_json_of_named_rules(row):
    name, ko, scoring, tax, suicide, bonus, friendly, komi = row
    rules = find_rules(name)
    assert rules.name == name
    assert rules.komi == komi
    assert json.loads(rules_to_json(rules)) == {
        "friendlyPassOk": friendly,
        "hasButton": False,
        "ko": ko,
        "scoring": scoring,
        "suicide": suicide,
        "tax": tax,
        "whiteHandicapBonus": bonus,
    }


def test_every_named_ruleset_is_in_the_table():
    assert list(RULESETS) == [row[0] for row in KATAGO]


def test_json_is_one_line_with_sorted_keys_and_no_spaces():
    assert rules_to_json(find_rules("tromp-taylor")) == (
        '{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","scoring":"AREA",'
        '"suicide":true,"tax":"NONE","whiteHandicapBonus":"0"}'
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chinese", "chinese"),
        (" JAPANESE ", "japanese"),
        ("new_zealand", "new-zealand"),
        ("New Zealand", "new-zealand"),
        ("NZ", "new-zealand"),
        ("tromptaylor", "tromp-taylor"),
        ("chinese_OGS", "chinese-ogs"),
        ("french", "bga"),
    ],
)
def test_names_are_found_in_any_spelling(text, name):
    assert find_rules(text) is RULESETS[name]


@pytest.mark.parametrize("text", ["", "chines", "ko", "{", "japanese rules", "x" * 100_000])
def test_unknown_names_are_refused_with_the_known_ones(text):
    with pytest.raises(ValueError, match=r"no rules are called .* there are chinese, ") as error:
        find_rules(text)
    assert "new-zealand" in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_json_leads_back_to_equal_rules(rules):
    again = rules_from_json(rules_to_json(rules))
    assert rules_to_json(again) == rules_to_json(rules)
    assert again.komi == rules.komi
    assert again.name in RULESETS


def test_missing_keys_are_as_in_tromp_taylor():
    assert rules_from_json("{}") is RULESETS["tromp-taylor"]
    assert rules_from_json('{"ko": "SIMPLE"}') == Rules(
        "custom", "simple", True, "area", 7.5, "none", False
    )


def test_territory_rules_from_json_have_their_tax_and_komi():
    rules = rules_from_json('{"score": "territory"}')
    assert (rules.scoring, rules.komi) == ("territory", 6.5)
    assert json.loads(rules_to_json(rules))["tax"] == "SEKI"


def test_parse_rules_takes_names_and_json():
    assert parse_rules("aga") is RULESETS["aga"]
    assert parse_rules(' {"suicide":true}') is RULESETS["tromp-taylor"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 200_000, "not JSON"),
        ('{"a":' * 200_000, "not JSON"),
        ("[]", "not a JSON object"),
        ("7", "not a JSON object"),
        ('{"ko": "SPIGHT"}', "ko 'SPIGHT' is not one of SIMPLE, POSITIONAL, SITUATIONAL"),
        ('{"ko": null}', "ko None is not one of"),
        ('{"ko": ["SIMPLE"]}', "is not one of SIMPLE"),
        ('{"scoring": "STONES"}', "scoring 'STONES' is not one of AREA, TERRITORY"),
        ('{"suicide": "yes"}', "suicide 'yes' is not one of FALSE, TRUE"),
        ('{"suicide": 1}', "suicide 1 is not one of FALSE, TRUE"),
        ('{"whiteHandicapBonus": "2"}', "is not one of 0, N, N-1"),
        ('{"hasButton": true}', "hasButton True is not one of FALSE"),
        ('{"tax": "ALL"}', "tax 'ALL' is not one of NONE"),
        ('{"tax": "NONE", "scoring": "TERRITORY"}', "tax 'NONE' is not one of SEKI"),
        ('{"komi": 6.5}', "no rule is called 'komi'; there are friendlyPassOk, hasButton, ko"),
        ('{"ko": "' + "X" * 100_000 + '"}', "is not one of SIMPLE"),
    ],
    ids=lambda text: text[:30],
)
def test_bad_json_is_refused_by_name(text, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)) as error:
        rules_from_json(text)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("name", "key", "value", "expected"),
    [
        ("chinese", "ko", "POSITIONAL", "chinese-ogs"),
        ("chinese", "ko", "simple", "chinese"),
        ("bga", "ko", "SITUATIONAL", "bga"),
        ("new-zealand", "suicide", "false", "custom"),
        ("tromp-taylor", "friendlyPassOk", "true", "custom"),
        ("japanese", "tax", "SEKI", "japanese"),
        ("chinese", "hasButton", "false", "chinese"),
        ("chinese-kgs", "suicide", True, "custom"),
    ],
)
def test_one_rule_is_changed(name, key, value, expected):
    rules = change_rule(find_rules(name), key, value)
    assert rules.name == expected
    before, after = (json.loads(rules_to_json(each)) for each in (find_rules(name), rules))
    assert after[key] == (value.upper() if isinstance(after[key], str) else str(value) != "false")
    assert {**before, key: after[key]} == after


def test_a_change_of_scoring_changes_the_tax():
    rules = change_rule(find_rules("chinese"), "scoring", "TERRITORY")
    assert json.loads(rules_to_json(rules))["tax"] == "SEKI"


@pytest.mark.parametrize(("key", "value"), [("ko", "KO"), ("KO", "SIMPLE"), ("tax", "SEKI")])
def test_a_bad_change_is_refused(key, value):
    with pytest.raises(ValueError, match=key):
        change_rule(find_rules("chinese"), key, value)


@pytest.mark.parametrize(
    ("name", "n_stones", "points"),
    [
        ("chinese", 0, 0),
        ("chinese", 1, 0),
        ("chinese", 2, 2),
        ("chinese", 9, 9),
        ("aga", 1, 0),
        ("aga", 2, 1),
        ("aga", 9, 8),
        ("japanese", 9, 0),
        ("new-zealand", 9, 0),
    ],
)
def test_white_is_compensated_for_handicap(name, n_stones, points):
    assert find_rules(name).compensation(n_stones) == points
