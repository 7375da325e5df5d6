"""Basic rummy, put together."""

from typing import Final

from tables.games.basic import words
from tables.games.basic.bots.choose import choose
from tables.games.basic.lab import hand_tool, records
from tables.games.basic.lab.hand_help import HELP
from tables.games.basic.rules import ruleset
from tables.games.basic.rules.match import CORE
from tables.games.basic.rules.moves import WIRE
from tables.games.basic.rules.ruleset import RULES
from tables.games.basic.rules.stored import STORED
from tables.games.basic.view import VIEW
from tables.games.engine.game import Game, Lesson, Money, Records, Words
from tables.games.engine.legacy import Legacy

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
