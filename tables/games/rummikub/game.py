"""Rummikub, put together."""

from typing import Final

from tables.games.engine.game import Game, Lesson, Money, Records, Words
from tables.games.engine.legacy import Legacy
from tables.games.rummikub import bots, hand_tool, match, records, rulesets, texts
from tables.games.rummikub.advice import HELP
from tables.games.rummikub.match import CORE
from tables.games.rummikub.moves import WIRE
from tables.games.rummikub.rulesets import RULES
from tables.games.rummikub.seatview import VIEW
from tables.games.rummikub.stored import STORED
from tables.games.rummikub.words import TEXTS

GAME: Final = Game(
    code="rummikub",
    title=texts.TITLE,
    formats=texts.FORMATS,
    rules=RULES,
    money=Money(
        format_of=lambda rules: "POINTS" if rules.is_per_point else "DEALS",
        title_of=texts.title_of,
        largest_loss=rulesets.largest_loss,
        for_event=rulesets.for_event,
        event_start=match.start_of,
    ),
    core=CORE,
    stored=STORED,
    wire=WIRE,
    draft="table",
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
RUMMIKUB: Final = Legacy(GAME)
