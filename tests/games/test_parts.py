"""Requirements for the parts of every registered game: rules as data, words, formats, bots, the hand tool."""

import json
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from games.engine.base import DealStart, IllegalMove, InvalidRules, Strength
from games.engine.moves import LEAVE
from games.registry import FORMATS, get_format, get_game
from games.simulation import ENTRY, simulate
from tests.games.driving import CODES, GAMES, NOW, SEED, choose_rules
from tests.games.scenes import read_refusal
from tests.games.test_laws import shorten
from tests.games.vectors import ask_line

every_game = pytest.mark.parametrize("code", CODES)
every_preset = pytest.mark.parametrize(
    ("code", "name"), [(code, name) for code in CODES for name in GAMES[code].rules.presets]
)


# --- The registry.


@every_game
def test_the_registry_has_every_game_and_format(code):
    game = get_game(code)
    assert (game.code, game.title) == (GAMES[code].code, GAMES[code].title) == (code, game.title)
    assert (game.formats, code.islower()) == (GAMES[code].formats, True)
    with pytest.raises(KeyError):
        get_game("poker")
    with pytest.raises(KeyError):
        get_format(code, "WHIST")


@every_game
def test_each_preset_belongs_to_one_format(code):
    game = GAMES[code]
    for format in game.formats:
        assert get_format(code, format.code) is format
        assert format.code in FORMATS
        assert {*format.seats} <= {*game.core.seats}
        presets = [game.rules.preset(name) for name in format.presets]
        assert {game.money.get_format_code(rules) for rules in presets} == {format.code}
        is_for_events = 0
        for rules in presets if game.money.adapt_to_event else ():
            try:
                event = game.money.adapt_to_event(rules, deals=2, qualifiers=1)
            except InvalidRules:
                continue
            is_for_events += 1
            assert event.qualifiers == 1
            assert (event.deals is None) is (game.money.find_exit_score(event) is not None)
            assert event.deals in (None, 2)
            assert game.rules.parse(game.rules.json(event)) == event
        assert bool(is_for_events) is format.is_for_events
    everywhere = {game.money.get_format_code(rules) for rules in game.rules.presets.values()}
    assert everywhere == {format.code for format in game.formats}
    assert game.formats[0].presets[0] == choose_rules(game).name == next(iter(game.rules.presets))


# --- Rules as data.


@every_preset
def test_a_preset_survives_its_json(code, name):
    rules = GAMES[code].rules
    preset = rules.preset(name)
    assert rules.parse(json.loads(json.dumps(rules.json(preset)))) == preset
    assert rules.parse({"name": name}) == preset
    assert [*rules.json(preset)] == [*rules.kind.__struct_fields__]
    assert GAMES[code].money.largest_loss(preset) > 0
    assert GAMES[code].money.format_title(preset).message


@every_game
def test_an_operator_changes_single_fields(code):
    rules = GAMES[code].rules
    changed = rules.parse({"name": "lesson", "turn_seconds": 21})
    assert changed == rules.change(rules.preset("lesson"), turn_seconds=21)
    with pytest.raises(InvalidRules, match="no rule set 'whist'"):
        rules.preset("whist")
    for data, words in (
        ([], "object of fields"),
        (None, "object of fields"),
        ({"luck": 1}, "no rule 'luck'"),
        ({7: 1}, "no rule 7"),
        ({"name": None}, "no value for name"),
        ({"turn_seconds": 0}, "too small"),
    ):
        with pytest.raises(InvalidRules, match=words):
            rules.parse(data)


def list_wrong_values(kind: Any) -> list[Any]:
    """Return values that a field of this type must refuse."""
    base = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    if base is int:
        return ["1", True, 1.5, [], -(2**31), 2**31]
    if base is bool:
        return [1, None, "yes"]
    if get_origin(base) is Literal:
        return ["nobody", [], None, 1]
    return [object(), {"luck": 1}]


@every_game
def test_a_field_takes_values_of_its_type_only(code):
    rules = GAMES[code].rules
    kinds = get_type_hints(rules.kind, include_extras=True)
    for name in rules.kind.__struct_fields__:
        for value in list_wrong_values(kinds[name]):
            with pytest.raises(InvalidRules, match=f"no value for {name}"):
                rules.parse({name: value})


@every_game
def test_too_few_and_too_many_players_are_refused(code):
    core, rules = GAMES[code].core, choose_rules(GAMES[code])
    most = core.seats[-1]
    for seats in ((), (0,), (0, 0), tuple(range(most + 1)), (1,) * most):
        with pytest.raises(InvalidRules):
            core.start(rules=rules, seats=seats, toss=False, seed=SEED, now=NOW)
    outcome = core.start(
        rules=rules, seats=tuple(range(most))[::-1], toss=False, seed=SEED, now=NOW
    )
    assert outcome.state.deal.order == tuple(range(most))[::-1]
    assert [event.kind for event in outcome.events] == ["dealt", "turn"]
    assert outcome.status.fees == dict.fromkeys(range(most), 1)
    assert outcome.status.shares_offered is None
    start = DealStart([event.json() for event in outcome.events], {}, None)
    if hands := {str(seat): GAMES[code].view.private(outcome.state, seat) for seat in range(most)}:
        start = DealStart(start.events, hands, None)
    record = GAMES[code].records.deal(start)
    assert (record["tossed"], record["toss"]) == (None, None)


# --- Words.


@every_game
def test_words_are_complete(code):
    game = GAMES[code]
    fields = game.rules.kind.__struct_fields__
    assert {fact.name for fact in game.words.rule_facts} <= set(dir(game.rules.usual))
    assert {fact.needs for fact in game.words.rule_facts} - {None} <= set(fields)
    assert all(text.message for text in game.words.texts.values())
    assert game.lesson is None or game.lesson.preset in game.rules.presets


@every_game
def test_a_draft_is_an_arrange_move(code):
    game = GAMES[code]
    for rev, draft in ((-1, []), (2**31, []), (1, "7H.0"), (1.0, [])):
        assert (
            read_refusal(game.wire.read, {"kind": "arrange", "rev": rev, game.draft: draft})
            == "malformed_move"
        )
    move = game.wire.read({"kind": "arrange", "rev": 3, game.draft: []})
    assert game.wire.write(move) == {"kind": "arrange", "rev": 3, game.draft: []}


# --- Simulation.


@pytest.mark.parametrize(
    ("code", "format"), [(code, format.code) for code in CODES for format in GAMES[code].formats]
)
def test_matches_of_bots_pay_out_all_that_was_paid_in(code, format):
    game, played = get_game(code), get_format(code, format)
    rules = shorten(GAMES[code].rules.preset(played.presets[0]))
    strengths: tuple[Strength, ...] = ("medium", "easy", "hard")
    strengths = strengths[: played.seats[-1]]
    outcome = simulate(game, rules=rules, strengths=strengths, matches=2, seed=3)
    players, seats = outcome.players, len(strengths)
    assert sum(player.prizes for player in players) == ENTRY * sum(p.entries for p in players)
    assert sum(player.wins for player in players) == pytest.approx(2)
    chips = 2 * seats * game.money.event_start(rules)
    assert not chips or sum(player.score for player in players) == chips
    assert outcome.winners.total() == outcome.matches == 2
    assert outcome.deals >= 2 * (getattr(rules, "deals", 1) or 1)


# --- Help with a hand.


@pytest.mark.parametrize("code", [code for code in CODES if GAMES[code].hand_help])
def test_a_seat_without_a_hand_in_play_is_not_helped(code):
    game = GAMES[code]
    seats = tuple(range(game.core.seats[0] if game.core.seats[-1] == 2 else 3))
    match = game.core.start(
        rules=choose_rules(game), seats=seats, toss=False, seed=SEED, now=NOW
    ).state

    def list_codes(seat: int) -> set[str]:
        before, found = game.stored.dump(match), set()
        for kind in game.hand_help.questions:
            with pytest.raises(IllegalMove) as refusal:
                game.hand_help.answer(match, seat, {"kind": kind, "groups": []})
            found.add(refusal.value.code)
        assert game.stored.dump(match) == before
        return found

    assert list_codes(9) == {"not_in_deal"}
    for seat in seats:
        if not game.core.status(match).result:
            match = game.core.play(match, seat, LEAVE, now=NOW, seed=SEED).state
            assert list_codes(seat) <= {"not_in_deal", "deal_over"}
    assert list_codes(seats[-1]) <= {"not_in_deal", "deal_over", "no_such_help"}


# --- The hand tool.


with_a_tool = pytest.mark.parametrize("code", [code for code in CODES if GAMES[code].hand_tool])


@with_a_tool
def test_an_invalid_line_is_answered_with_an_error(code):
    questions = GAMES[code].hand_tool.questions
    assert questions
    assert ask_line(code, "whist", "{}") == {"error": "There is no question 'whist'."}
    for question in questions:
        for line in ("", "{", "[" * 100_000, "\ufffd"):
            assert ask_line(code, question, line) == {"error": "This line is no JSON."}
        for line in ("[]", '"hand"', "7", "null"):
            assert ask_line(code, question, line) == {"error": "A question is an object."}
        assert ask_line(code, question, "{}")["error"].endswith("is missing.")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"luck": 1}, "There is no field 'luck'."),
        ({"ruleset": 7}, "There is no rule set 7."),
        ({"ruleset": []}, "There is no rule set []."),
        ({"ruleset": "whist"}, "There is no rule set 'whist'."),
        ({"rules": 7}, "rules is an object of fields."),
        ({"rules": {"luck": 1}}, "There is no rule 'luck'."),
    ],
)
@with_a_tool
def test_invalid_rules_of_a_question_are_refused(code, more, sentence):
    for question in GAMES[code].hand_tool.questions:
        needed: dict[str, Any] = {}
        while (said := ask_line(code, question, json.dumps(needed)).get("error", "")).endswith(
            "is missing."
        ):
            needed[said.split()[0]] = []
        assert ask_line(code, question, json.dumps({**needed, **more})) == {"error": sentence}
