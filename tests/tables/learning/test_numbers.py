"""Numbers on the help pages of all games, which must come from the rules."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from games import cards as deck
from games.basic.rules import ruleset as basic
from games.contract.rules import ruleset as contract
from games.gin.rules import ruleset as gin
from games.indian.rules import ruleset as indian
from games.registry import GAMES, get_game
from games.rummikub.rules import ruleset as rummikub

# Numbers outside the rule sets: the pack of 52, the values of cards and tiles, the service fee of the
# examples (tables/learning/views.py).
CONSTANTS = {
    "indian": {"10", "13"},
    "gin": {"52", "1", "10", "18"},
    "basic": {"52", "1", "10"},
    "contract": {"10", "2"},  # the melds of the first contract
    "rummikub": {"106", "1", "13"},
    "five_hundred": {"52", "10", "500"},
}
# Fields whose numbers are in the sentences of the pages. The test fails if a number is written literally. The fields
# of the guided first deal begin with "lesson.".
TOLD = {
    "indian": {
        *("packs", "max_points", "wrong_declaration_points", "second_valid_points"),
        *("first_drop", "middle_drop", "max_turns", "max_minutes", "max_missed_turns"),
        *("turn_seconds", "extra_seconds", "deals", "chips_per_deal", "elimination_score"),
        *("rejoin_score", "rejoin_seconds", "split_seconds"),
        *("lesson.turn_seconds", "lesson.max_points", "lesson.wrong_declaration_points"),
    },
    "gin": {
        *("knock_limit", "gin_bonus", "undercut_bonus", "big_gin_bonus", "wall"),
        *("turn_seconds", "extra_seconds", "show_seconds", "max_missed_turns"),
        *("lesson.knock_limit", "lesson.gin_bonus", "lesson.undercut_bonus"),
        "lesson.turn_seconds",
    },
    "basic": {
        *("hand_sizes", "rummy_factor", "leave_points", "max_restocks"),
        *("turn_seconds", "extra_seconds", "max_missed_turns"),
        *("lesson.hand_sizes", "lesson.turn_seconds"),
    },
    "contract": {
        *("hand_sizes", "packs", "min_set", "min_run", "max_buys", "buy_seconds"),
        *("joker_points", "ace_points", "leave_points"),
        *("turn_seconds", "extra_seconds", "max_missed_turns"),
        *("lesson.min_set", "lesson.turn_seconds"),
    },
    "rummikub": {
        *("rack_size", "initial_meld", "joker_points", "overtime_tiles", "invalid_tiles"),
        *("turn_seconds", "lesson.initial_meld", "lesson.rack_size"),
    },
    "five_hundred": {
        *("hand_sizes", "packs", "ace_points", "low_ace_points", "max_points", "leave_points"),
        *("turn_seconds", "extra_seconds", "max_missed_turns"),
        *("lesson.hand_sizes", "lesson.ace_points", "lesson.turn_seconds"),
    },
}
# Numbers that no page contains: first values for the usual rules and for the guided first deal.
USUAL, LESSON = 4_001, 6_001
# Cards and keys are pictures, and worked examples have numbers of their own (test_guide.py).
PICTURES = {"kbd", "script", "style", "svg", "nav"}


class Sentences(HTMLParser):
    """Parser that collects the text of a page's main part, without pictures of cards and keys."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.skipped: list[str] = []
        self.is_main = False

    def handle_starttag(self, tag, attrs):
        self.is_main = self.is_main or tag == "main"
        classes = (dict(attrs).get("class") or "").split()
        if self.skipped or tag in PICTURES or {"fan", "tiles"} & set(classes):
            self.skipped += [] if tag in {"br", "img", "input", "link", "use"} else [tag]

    def handle_startendtag(self, tag, attrs):
        """Ignore elements that close themselves: they hold no text."""

    def handle_endtag(self, tag):
        if self.skipped:
            self.skipped.pop()
        self.is_main = self.is_main and tag != "main"

    def handle_data(self, data):
        if self.is_main and not self.skipped:
            self.parts.append(data)


def read_text(client, address: str) -> str:
    parser = Sentences()
    parser.feed(client.get(address).text)
    return " ".join(" ".join(parser.parts).split())


def list_pages(code: str) -> Iterator[str]:
    yield from (f"/rules/{code}/", f"/learn/{code}/")
    guide = GAMES[code].guide
    yield from (
        f"/rules/{code}/{name}/" for name in ("tips", "terms", "print") if guide is not None
    )


def plant_numbers(rules, first):
    """Give every number of the rules a unique value. Return the rules, and the field names by value."""
    fields = {}

    def plant(name, value, number):
        if isinstance(value, (list, tuple)):
            return [plant(name, one, number + at) for at, one in enumerate(value)]
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        fields[str(number)] = name
        return number

    # Numbers depend on the field's position, because rule sets have different fields.
    new = {name: plant(name, rules[name], first + 10 * at) for at, name in enumerate(rules)}
    return new, fields


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "hi"])
@pytest.mark.parametrize("code", GAMES)
def test_numbers_of_the_pages_follow_the_rules(client, monkeypatch, code, language):
    client.cookies["django_language"] = language
    book, lesson = get_game(code).rules, GAMES[code].lesson
    written, fields = book.json, {}

    def json(rules):
        is_lesson = lesson is not None and rules.name == lesson.preset
        numbers, names = plant_numbers(written(rules), LESSON if is_lesson else USUAL)
        fields.update({at: f"{'lesson.' * is_lesson}{name}" for at, name in names.items()})
        return numbers

    monkeypatch.setattr(book, "json", json)
    told, literal = set(), {}
    for page in list_pages(code):
        found = set(re.findall(r"\d+", read_text(client, page)))
        told |= {fields[number] for number in found if number in fields}
        literal[page] = {number for number in found if number not in fields} - CONSTANTS[code]
    assert {page: numbers for page, numbers in literal.items() if numbers} == {}
    assert told == TOLD[code]


@pytest.mark.django_db
@pytest.mark.parametrize("code", GAMES)
def test_the_facts_of_each_format_follow_the_rules(client, monkeypatch, code):
    book = get_game(code).rules
    written = book.json
    monkeypatch.setattr(book, "json", lambda rules: plant_numbers(written(rules), USUAL)[0])
    for format in GAMES[code].formats:
        page = read_text(client, f"/rules/{code}/{format.code.lower()}/")
        assert set(re.findall(r"\b4\d\d\d\b", page)), format.code


def points_of(rules, face: str) -> int:
    points: int = rules.points_of(deck.CARD_BY_TEXT[face])
    return points


# Sentences on the pages, and the games to which each applies.
CLAIMS = [
    ("indian", "rules", "your thirteen cards", indian.HAND_SIZE == 13),
    ("gin", "rules", "get ten cards each", gin.HAND_SIZE == 10),
    ("gin", "rules", "one pack of 52 cards", gin.DECK_SIZE == 52),
    ("gin", "learn", "You get ten cards", gin.HAND_SIZE == 10),
    ("basic", "rules", "Two to six play", (basic.SEATS[0], basic.SEATS[-1]) == (2, 6)),
    ("basic", "rules", "one pack of 52 cards", basic.DECK_SIZE == 52),
    ("basic", "rules", "the ace is low only", basic.POINTS.ace == "low"),
    ("contract", "rules", "Two to eight play", (contract.SEATS[0], contract.SEATS[-1]) == (2, 8)),
    ("contract", "rules", "from five players on",
     [contract.USUAL.packs_for(n) for n in contract.SEATS] == [2, 2, 2, 3, 3, 3, 3]),
    ("contract", "rules", "one joker fewer than there are players",
     all(contract.USUAL.jokers_for(n) == n - 1 for n in contract.SEATS)),
    ("contract", "rules", "face cards 10, other cards their number",
     [points_of(contract.USUAL, f"{rank}S.0") for rank in "KQJT97"] == [10, 10, 10, 10, 9, 7]),
    ("contract", "rules", "The last one takes the whole hand", contract.USUAL.whole_hand_last),
    ("contract", "rules", "with exactly", contract.USUAL.exact_contract),
    ("rummikub", "rules", "Two to four play", tuple(rummikub.SEATS) == (2, 3, 4)),
    ("rummikub", "rules", "with 106 tiles", rummikub.TILES == 106),
    ("rummikub", "rules", "A meld with a joker stays together", rummikub.POINTS.joker_melds == "frozen"),
    ("five_hundred", "rules", "face cards and tens count 10",
     [points_of(GAMES["five_hundred"].rules.usual, f"{rank}S.0") for rank in "KQJT97"] == [10, 10, 10, 10, 9, 7]),
    ("five_hundred", "rules", "for five or more",
     [GAMES["five_hundred"].rules.usual.packs_for(n) for n in range(2, 9)] == [1, 1, 1, 2, 2, 2, 2]),
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(("code", "page", "words", "is_so"), CLAIMS)
def test_sentences_without_numbers_are_true_of_the_game(client, code, page, words, is_so):
    assert words in read_text(client, f"/{page}/{code}/")
    assert is_so


@pytest.mark.django_db
def test_the_rules_of_rummikub_also_tell_the_modern_ones(client):
    modern = GAMES["rummikub"].rules.preset("modern")
    page = read_text(client, "/rules/rummikub/")
    assert f"the initial meld is worth {modern.initial_meld} points" in page
    assert f"a turn lasts {modern.turn_seconds} seconds, and jokers" in page
    assert modern.joker_melds == "free"


def test_every_number_of_the_rules_is_planted():
    numbers, fields = plant_numbers({"turn_seconds": 30, "packs": [1, 2], "buying": True}, USUAL)
    assert numbers == {"turn_seconds": 4001, "packs": [4011, 4012], "buying": True}
    assert set(fields.values()) == {"turn_seconds", "packs"}
