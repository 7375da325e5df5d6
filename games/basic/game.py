"""Basic rummy, put together."""

from typing import Final

from games.basic import words
from games.basic.bots.choose import choose
from games.basic.lab import hand_tool, records
from games.basic.lab.hand_help import HELP
from games.basic.rules import ruleset
from games.basic.rules.match import CORE, STORED
from games.basic.rules.moves import WIRE
from games.basic.rules.ruleset import RULES
from games.basic.view import VIEW
from games.engine.game import Game, HandTool, Lesson, Money, Records, Words
from games.engine.record import step_record

GAME: Final = Game(
    code="basic",
    title=words.TITLE,
    formats=words.FORMATS,
    rules=RULES,
    money=Money(
        format_of=lambda rules: "POINTS" if rules.is_per_point else "RACE",
        title_of=words.title_of,
        largest_loss=ruleset.largest_loss,
        for_event=ruleset.for_event,
    ),
    core=CORE,
    stored=STORED,
    wire=WIRE,
    view=VIEW,
    hand_help=HELP,
    bots=choose,
    words=Words(words.TEXTS, words.RULE_FACTS),
    records=Records(records.deal_record, step_record, records.review),
    hand_tool=HandTool(hand_tool.QUESTIONS, hand_tool.answer),
    lesson=Lesson("lesson"),
)
