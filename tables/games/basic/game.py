"""Basic rummy: everything that a table asks of it."""

from typing import Final

from tables.games.basic import bots, hand_tool, records, rulesets, texts
from tables.games.basic.advice import HELP
from tables.games.basic.match import CORE, Match
from tables.games.basic.moves import WIRE
from tables.games.basic.rulesets import RULES
from tables.games.basic.seatview import VIEW
from tables.games.basic.words import TEXTS
from tables.games.engine.codec import Stored
from tables.games.engine.game import Game, Lesson, Money, Records, Words
from tables.games.engine.legacy import Legacy
from tables.games.engine.version_1 import HEAD, Version1

# The states of version 1.
_FIELDS: Final = {
    "Match": "rules deal seats number stage due_at sheet left winners",
    "Deal": (
        "seed players closed open_pile started_at due_at toss discards melds phase turn"
        " turn_number drawn drawn_from_open laid restocks how"
    ),
    "Player": "seat groups extra_ms rev status missed turns laid_in taken points",
    "Meld": "cards faces by start",
    "Line": "deal dealer how winners points",
}

GAME: Final = Game(
    code="basic",
    title=texts.TITLE,
    formats=texts.FORMATS,
    rules=RULES,
    money=Money(
        format_of=lambda rules: "POINTS" if rules.is_per_point else "RACE",
        title_of=texts.title_of,
        largest_loss=rulesets.largest_loss,
        for_event=rulesets.for_event,
    ),
    core=CORE,
    stored=Stored(
        Match,
        version=2,
        earlier={HEAD: Version1(Match, fields=_FIELDS, rules=RULES.parse).load},
    ),
    wire=WIRE,
    view=VIEW,
    hand_help=HELP,
    bots=bots.choose,
    words=Words(TEXTS, texts.RULE_FACTS),
    records=Records(
        records.deal_record,
        records.step_record,
        records.review,
        hand_tool.QUESTIONS,
        hand_tool.answer,
    ),
    lesson=Lesson("lesson"),
)
BASIC: Final = Legacy(GAME)
