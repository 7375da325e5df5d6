"""Gin rummy: everything that a table asks of it."""

from typing import Any, Final

from tables.games.engine.codec import Stored
from tables.games.engine.game import Game, Lesson, Money, Records, Words
from tables.games.engine.legacy import Legacy
from tables.games.engine.version_1 import HEAD, Version1
from tables.games.gin import bots, hand_tool, records, rulesets, texts
from tables.games.gin.analysis.report import ANALYSIS
from tables.games.gin.hand_help import HELP
from tables.games.gin.match import CORE, Match
from tables.games.gin.moves import WIRE
from tables.games.gin.rulesets import RULES
from tables.games.gin.seatview import VIEW
from tables.games.gin.words import TEXTS

# The states of version 1.
_FIELDS: Final = {
    "Match": "rules deal number stage due_at sheet left winners",
    "Deal": (
        "seed players upcard closed open_pile started_at due_at toss discards phase turn"
        " turn_number drawn drawn_from_open must_draw_closed knock outcome"
    ),
    "Player": "seat groups extra_ms rev missed turns taken",
    "Knocked": "seat kind card groups loose points",
    "Outcome": "how winner points hands lay_offs",
    "Laid": "groups loose deadwood",
    "Line": "deal dealer how winner points deadwoods",
}


def _amend(values: dict[str, Any]) -> None:
    _seed, players, *_rest = values["deal"]
    values["seats"] = [seat for seat, *_rest in players]
    values["left"] = [] if values["left"] is None else [values["left"]]


GAME: Final = Game(
    code="gin",
    title=texts.TITLE,
    formats=texts.FORMATS,
    rules=RULES,
    money=Money(
        format_of=lambda rules: "POINTS" if rules.is_per_point else "GAME",
        title_of=texts.title_of,
        largest_loss=rulesets.largest_loss,
        for_event=rulesets.for_event,
    ),
    core=CORE,
    stored=Stored(
        Match,
        version=2,
        earlier={HEAD: Version1(Match, fields=_FIELDS, rules=RULES.parse, amend=_amend).load},
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
    analysis=ANALYSIS,
)
GIN: Final = Legacy(GAME)
